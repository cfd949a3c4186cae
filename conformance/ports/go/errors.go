package jsonscan

import "fmt"

// A Code tells in which way [ExtractJSON] failed.
type Code string

const (
	InvalidInput Code = "invalid-input" // the text is empty
	NoJSON       Code = "no-json"       // it holds no bracket
	Unbalanced   Code = "unbalanced"    // the first bracket is never closed
	ParseFailed  Code = "parse-failed"  // what the first bracket encloses is not JSON, not even once repaired
)

// An ExtractError is the error of [ExtractJSON].
type ExtractError struct {
	Code Code
	// Preview is the part of the text that the message shows: the first 200 UTF-16 code units of the text for NoJSON,
	// 300 from the first bracket on for Unbalanced and ParseFailed. It may end in a lone lead surrogate.
	Preview string
	// Err is the *SyntaxError of what the first bracket encloses for ParseFailed, else nil.
	Err error
}

// Error returns the message of the original, with the syntax error in this package's words.
func (e *ExtractError) Error() string {
	switch e.Code {
	case NoJSON:
		return "extractJson: no JSON object or array found in response.\nResponse preview: " + e.Preview
	case Unbalanced:
		return "extractJson: unbalanced brackets in LLM response.\nResponse preview: " + e.Preview
	case ParseFailed:
		return fmt.Sprintf("extractJson: JSON.parse failed.\nError: SyntaxError: %v\nCandidate (first 300 chars): %s",
			e.Err, e.Preview)
	default:
		return "extractJson: input must be a non-empty string"
	}
}

// Unwrap returns Err.
func (e *ExtractError) Unwrap() error { return e.Err }
