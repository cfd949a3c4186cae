package jsonscan

import "strings"

const (
	noJSONPreview  = 200 // UTF-16 code units
	bracketPreview = 300
)

// ExtractJSON returns the value of the first markdown fence of raw if that is JSON, else of what the first bracket of
// raw encloses, if need be after removing commas before closing brackets and turning apostrophes into quotes. The error,
// if any, is an [*ExtractError]. Linear in the length of raw.
func ExtractJSON(raw string) (any, error) {
	if raw == "" {
		return nil, &ExtractError{Code: InvalidInput}
	}
	if inside, ok := fenced(raw); ok {
		if value, err := ParseJSON(inside); err == nil {
			return value, nil
		}
	}
	start := strings.IndexAny(raw, "{[")
	if start < 0 {
		return nil, &ExtractError{Code: NoJSON, Preview: prefix(raw, noJSONPreview)}
	}
	end := balance(raw, start)
	if end < 0 {
		return nil, &ExtractError{Code: Unbalanced, Preview: prefix(raw[start:], bracketPreview)}
	}
	candidate := raw[start:end]
	value, err := ParseJSON(candidate)
	if err == nil {
		return value, nil
	}
	if value, err := ParseJSON(repair(candidate)); err == nil {
		return value, nil
	}
	return nil, &ExtractError{Code: ParseFailed, Preview: prefix(candidate, bracketPreview), Err: err}
}

// TryExtractJSON returns what [ExtractJSON] returns, and nil where that fails, so that a failure looks like a fenced
// null. Linear in the length of raw.
func TryExtractJSON(raw string) any {
	value, _ := ExtractJSON(raw)
	return value
}

// balance returns the end of what the bracket at start encloses, or -1. It counts brackets of that kind alone, outside
// strings.
func balance(text string, start int) int {
	opener := text[start]
	closer := opener + 2 // in ASCII, for both kinds
	depth := 0
	for pos := start; pos < len(text); pos++ {
		switch text[pos] {
		case '"':
			pos = skipString(text, pos)
		case opener:
			depth++
		case closer:
			if depth--; depth == 0 {
				return pos + 1
			}
		}
	}
	return -1
}

// skipString returns the position of the quote that ends the string which begins at pos, or the end of the text.
func skipString(text string, pos int) int {
	for pos++; pos < len(text) && text[pos] != '"'; pos++ {
		if text[pos] == '\\' {
			pos++
		}
	}
	return pos
}

// repair drops each comma that only white space parts from a closing bracket, with that space, and makes each
// apostrophe a quote.
func repair(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	kept := 0 // up to here text has been copied or dropped
	for pos := 0; pos < len(text); pos++ {
		switch text[pos] {
		case '\'':
			b.WriteString(text[kept:pos])
			b.WriteByte('"')
			kept = pos + 1
		case ',':
			end := skipJSSpace(text, pos+1)
			if end < len(text) && (text[end] == '}' || text[end] == ']') {
				b.WriteString(text[kept:pos])
				kept = end
			}
		}
	}
	b.WriteString(text[kept:])
	return b.String()
}
