package jsonscan

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// FromUTF16 returns the WTF-8 string of UTF-16 code units. Linear.
func FromUTF16(units []uint16) string {
	buf := make([]byte, 0, len(units))
	for i := 0; i < len(units); i++ {
		unit := rune(units[i])
		if i+1 < len(units) {
			if pair := utf16.DecodeRune(unit, rune(units[i+1])); pair != utf8.RuneError {
				unit = pair
				i++
			}
		}
		buf = appendCodePoint(buf, unit)
	}
	return string(buf)
}

// ToUTF16 returns the UTF-16 code units of a WTF-8 string; a byte that is not WTF-8 becomes U+FFFD. Linear.
func ToUTF16(text string) []uint16 {
	units := make([]uint16, 0, len(text))
	for pos := 0; pos < len(text); {
		r, size := decode(text, pos)
		if isSurrogate(r) {
			units = append(units, uint16(r))
		} else {
			units = utf16.AppendRune(units, r)
		}
		pos += size
	}
	return units
}

// UTF16Len returns the number of UTF-16 code units of a WTF-8 string, its length in JavaScript. Linear.
func UTF16Len(text string) int {
	n := 0
	for pos := 0; pos < len(text); {
		r, size := decode(text, pos)
		n += unitsOf(r)
		pos += size
	}
	return n
}

// CodePoints returns the number of code points of a WTF-8 string, its length in Python. Linear.
func CodePoints(text string) int {
	n := 0
	for pos := 0; pos < len(text); n++ {
		pos = after(text, pos)
	}
	return n
}

// unitsOf returns the number of UTF-16 code units of a code point.
func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

func isSurrogate(r rune) bool { return 0xD800 <= r && r <= 0xDFFF }

func isLead(r rune) bool { return 0xD800 <= r && r <= 0xDBFF }

func isTrail(r rune) bool { return 0xDC00 <= r && r <= 0xDFFF }

// decode returns the code point at pos, which may be a surrogate, and its size. A byte that is not WTF-8 is U+FFFD.
func decode(text string, pos int) (rune, int) {
	if c := text[pos]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	if r := surrogateAt(text, pos); r != 0 {
		return r, surrogateSize
	}
	return utf8.DecodeRuneInString(text[pos:])
}

// surrogateSize is the number of bytes of a surrogate in WTF-8.
const surrogateSize = 3

// surrogateAt returns the surrogate at pos, or 0 where there is none.
func surrogateAt[T string | []byte](text T, pos int) rune {
	if pos < 0 || len(text)-pos < surrogateSize || text[pos] != 0xED || text[pos+1]&0xE0 != 0xA0 || text[pos+2]&0xC0 != 0x80 {
		return 0
	}
	return 0xD000 | rune(text[pos+1]&0x3F)<<6 | rune(text[pos+2]&0x3F)
}

// appendCodePoint appends a code point, which may be a surrogate, in WTF-8.
func appendCodePoint(buf []byte, r rune) []byte {
	if isSurrogate(r) {
		return append(buf, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(buf, r)
}

// appendUnit appends a code unit. A trail surrogate becomes one character with the lead that the buffer ends in.
func appendUnit(buf []byte, unit rune) []byte {
	if isTrail(unit) {
		if lead := surrogateAt(buf, len(buf)-surrogateSize); isLead(lead) {
			return utf8.AppendRune(buf[:len(buf)-surrogateSize], utf16.DecodeRune(lead, unit))
		}
	}
	return appendCodePoint(buf, unit)
}

// appendText appends WTF-8, and joins a trail surrogate that it begins with as appendUnit does.
func appendText(buf []byte, text string) []byte {
	if trail := surrogateAt(text, 0); isTrail(trail) {
		buf = appendUnit(buf, trail)
		text = text[surrogateSize:]
	}
	return append(buf, text...)
}

// unescape returns what the inside of a JSON string, known to be well formed, stands for.
func unescape(inside string) string {
	buf := make([]byte, 0, len(inside))
	for {
		run := strings.IndexByte(inside, '\\')
		if run < 0 {
			return string(appendText(buf, inside))
		}
		buf = appendText(buf, inside[:run])
		if inside[run+1] == 'u' {
			buf = appendUnit(buf, hexValue(inside[run+2:run+6]))
			inside = inside[run+6:]
		} else {
			buf = append(buf, escapes[inside[run+1]])
			inside = inside[run+2:]
		}
	}
}

// escapes gives what the letter after a backslash stands for.
var escapes = [128]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// hexValue returns the number that hexadecimal digits stand for.
func hexValue(digits string) rune {
	var n rune
	for _, c := range []byte(digits) {
		n <<= 4
		if isDigit(c) {
			n |= rune(c - '0')
		} else {
			n |= rune(c|0x20-'a') + 10
		}
	}
	return n
}

// ValidWTF8 tells whether text is WTF-8. Linear.
func ValidWTF8(text string) bool { return notWTF8(text) < 0 }

// notWTF8 returns where the first byte stands that is not WTF-8, -1 if there is none.
func notWTF8(text string) int {
	for pos := 0; pos < len(text); {
		r, size := decode(text, pos)
		if r == utf8.RuneError && size == 1 {
			return pos
		}
		pos += size
	}
	return -1
}
