export { extractJsonObject, MAX_SEARCHED_UNITS, MAX_TRIED_BRACES } from './extract-json-object.ts';
export { extractJson, JsonExtractionError, tryExtractJson, type ExtractionErrorCode } from './extract-json.ts';
export { FAULT, readValue, type Verdicts } from './strict.ts';
