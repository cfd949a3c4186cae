package jsonscan

import (
	"fmt"
	"io"
)

// A SyntaxError tells why a text is not JSON. It wraps [io.ErrUnexpectedEOF] where the text ends too early.
type SyntaxError struct {
	Offset int // in bytes, of what cannot stand where it stands
	msg    string
	cause  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.msg, e.Offset) }

// Unwrap returns [io.ErrUnexpectedEOF] or nil.
func (e *SyntaxError) Unwrap() error { return e.cause }

// ParseJSON returns the value of a text that is one JSON value and white space, as V8's JSON.parse does; the package
// comment lists the types of values. Of members with the same key the last one's value counts, at the place of the
// first. The error, if any, is a [*SyntaxError]. Linear in the length of text.
func ParseJSON(text string) (any, error) {
	m := machine{text: text, keep: true}
	why := m.run()
	if why == done {
		m.pos = skipSpace(text, m.pos)
		if m.pos == len(text) {
			return m.value, nil
		}
	}
	if why == starved {
		return nil, &SyntaxError{m.pos, "unexpected end of JSON", io.ErrUnexpectedEOF}
	}
	r, _ := decode(text, m.pos)
	return nil, &SyntaxError{m.pos, fmt.Sprintf("unexpected %s in JSON", quoteChar(r)), nil}
}

// quoteChar names a character so that it can be printed, surrogates included.
func quoteChar(r rune) string {
	if isSurrogate(r) {
		return fmt.Sprintf("U+%04X", r)
	}
	return fmt.Sprintf("%q", r)
}
