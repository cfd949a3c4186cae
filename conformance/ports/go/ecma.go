package jsonscan

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// isSpace tells the characters that JavaScript's \s matches and its trim removes.
func isSpace(r rune) bool {
	switch {
	case '\t' <= r && r <= '\r', r == ' ', r == 0xA0, r == 0x1680, 0x2000 <= r && r <= 0x200A:
		return true
	case r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}

// skipJSSpace returns the first position at or after pos that does not hold JavaScript's white space.
func skipJSSpace(text string, pos int) int {
	for pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if !isSpace(r) {
			return pos
		}
		pos += size
	}
	return pos
}

// trim is JavaScript's trim.
func trim(text string) string { return strings.TrimFunc(text, isSpace) }

// exceeds tells whether text has more UTF-16 code units than limit.
func exceeds(text string, limit int) bool {
	return len(text) > limit && UTF16Len(text) > limit // a code unit takes at least one byte
}

// prefix returns the first units UTF-16 code units of text. A character that they cut leaves its lead surrogate.
func prefix(text string, units int) string {
	pos := 0
	for pos < len(text) && units > 0 {
		r, size := decode(text, pos)
		if unitsOf(r) > units {
			lead, _ := utf16.EncodeRune(r)
			return string(appendCodePoint([]byte(text[:pos]), lead))
		}
		units -= unitsOf(r)
		pos += size
	}
	return text[:pos]
}
