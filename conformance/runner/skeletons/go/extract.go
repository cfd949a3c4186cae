package main

import "errors"

// To be filled in. A value is nil, bool, Integer, float64, string, []any or Object.

// LoneSurrogates says what becomes of "\ud800": "lost", where it is U+FFFD, as in encoding/json; say "kept" once your strings hold it as
// WTF-8 does, in three bytes, as if it were a character. Texts come with it, and main.go sends it, in that form.
const LoneSurrogates = "lost"

// ErrSyntax is what JSONParse returns for a text that is no strict JSON.
var ErrSyntax = errors.New("syntax")

// JSONParse returns the value of a strict JSON text, or ErrSyntax.
func JSONParse(text string) (any, error) { return nil, todo("json_parse") }

// ExtractJSONObject returns the text of the first object, or text itself.
func ExtractJSONObject(text string) (string, error) { return "", todo("extract_json_object") }

// ExtractJSON returns the value, or an *ExtractError with the code invalid-input, no-json, unbalanced or parse-failed.
func ExtractJSON(text string) (any, error) { return nil, todo("extract_json") }

// TryExtractJSON returns the value, and nil on any failure.
func TryExtractJSON(text string) (any, error) {
	value, err := ExtractJSON(text)
	var extract *ExtractError
	if errors.As(err, &extract) {
		return nil, nil
	}
	return value, err
}
