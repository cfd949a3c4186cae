// Package jsonscan finds the JSON in the text of a language model's response.
//
// [ParseJSON] accepts exactly the texts that V8's JSON.parse accepts. [ExtractJSONObject], [ExtractJSON] and
// [TryExtractJSON] give the results of the TypeScript functions extractJsonObject, extractJson and tryExtractJson on
// every string, failures included. [Search], [FindAll] and [Repair] give the answer in a response, every value in it, and
// damaged JSON as JSON, by the rules of the corpus and with the edits that [Options] allow. All work in time linear in
// the length of the text and none recurses, so nesting is limited by memory alone.
//
// # Strings
//
// JavaScript's strings are sequences of UTF-16 code units and may hold half a surrogate pair. Here such a string is a
// Go string in WTF-8: UTF-8 in which a lone surrogate stands as the three bytes that UTF-8's scheme gives its number.
// Text without lone surrogates is plain UTF-8, so there is nothing to do for ordinary text; [FromUTF16], [ToUTF16] and
// [UTF16Len] convert the rest. Bytes that are not WTF-8 count as one code unit each, are rejected outside JSON strings
// and kept as they are inside them.
//
// # Values
//
// JSON null is nil, true and false are bool, a string is a string, an array is []any, an object is an [*Object], which
// keeps the order of its members, and a number is a [Number], which keeps its digits. Strings and numbers may share
// memory with the text that they were read from.
package jsonscan
