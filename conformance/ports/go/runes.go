package jsonscan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What the rules of search look at are code points, so every bound on how far is one on code points; positions are in
// bytes, as everywhere. A lone surrogate is a code point.

const (
	few     = 256 // code points: what the rules call a few
	endless = -1  // no bound
	noRune  = -1  // stands before the first code point and behind the last
)

// runeAt returns the code point at pos, noRune at the end of the text.
func runeAt(text string, pos int) rune {
	if pos >= len(text) {
		return noRune
	}
	r, _ := decode(text, pos)
	return r
}

// byteAt returns the byte at pos, 0 outside the text.
func byteAt(text string, pos int) byte {
	if pos < 0 || pos >= len(text) {
		return 0
	}
	return text[pos]
}

// after returns the position behind the code point at pos, pos at the end of the text.
func after(text string, pos int) int {
	if pos >= len(text) {
		return pos
	}
	_, size := decode(text, pos)
	return pos + size
}

// runeBefore returns the code point before pos and where it starts; noRune at the start of the text.
func runeBefore(text string, pos int) (rune, int) {
	if pos <= 0 {
		return noRune, 0
	}
	if c := text[pos-1]; c < utf8.RuneSelf {
		return rune(c), pos - 1
	}
	if r := surrogateAt(text, pos-surrogateSize); r != 0 {
		return r, pos - surrogateSize
	}
	r, size := utf8.DecodeLastRuneInString(text[:pos])
	return r, pos - size
}

// stepBack returns the position n code points before pos, or the start of the text.
func stepBack(text string, pos, n int) int {
	for ; n > 0 && pos > 0; n-- {
		_, pos = runeBefore(text, pos)
	}
	return pos
}

// within tells whether fewer than n code points stand between two positions. It looks at no more than n.
func within(text string, start, end, n int) bool {
	if end-start >= n*utf8.UTFMax {
		return false
	}
	return end <= start || stepForward(text, start, n) > end
}

// stepForward returns the position n code points behind pos; one behind the text's end where it has fewer.
func stepForward(text string, pos, n int) int {
	for ; n > 0; n-- {
		if pos >= len(text) {
			return len(text) + 1
		}
		pos = after(text, pos)
	}
	return pos
}

// skip returns the position behind as many code points of a kind as there are at pos, and at most so many.
func skip(text string, pos, most int, is func(rune) bool) int {
	for ; most != 0 && pos < len(text); most-- {
		r, size := decode(text, pos)
		if !is(r) {
			break
		}
		pos += size
	}
	return pos
}

// skipBytes does the same for bytes of a set.
func skipBytes(text string, pos, most int, set string) int {
	for ; most != 0 && pos < len(text) && strings.IndexByte(set, text[pos]) >= 0; most-- {
		pos++
	}
	return pos
}

// trimBack returns where the code points of a kind that end at end start, but not before start.
func trimBack(text string, start, end int, is func(rune) bool) int {
	return skipBack(text, start, end, endless, is)
}

// whiteBefore does the same for white space, at most so much.
func whiteBefore(text string, start, end, most int) int {
	return skipBack(text, start, end, most, isWhite)
}

// skipBack does what trimBack does, for at most so many.
func skipBack(text string, start, end, most int, is func(rune) bool) int {
	for ; most != 0 && end > start; most-- {
		r, at := runeBefore(text, end)
		if !is(r) {
			break
		}
		end = at
	}
	return end
}

// find returns where the first part at or after pos is, -1 if there is none.
func find(text, part string, pos int) int {
	if pos > len(text) {
		return -1
	}
	at := strings.Index(text[pos:], part)
	if at < 0 {
		return -1
	}
	return pos + at
}

// lineStart returns where the last line of a text starts.
func lineStart(text string) int { return strings.LastIndexByte(text, '\n') + 1 }

// isAll tells whether all of a text is of a kind.
func isAll(text string, is func(rune) bool) bool { return skip(text, 0, endless, is) == len(text) }

// in makes a kind of the code points of a set.
func in(set string) func(rune) bool {
	return func(r rune) bool { return r >= 0 && strings.ContainsRune(set, r) }
}

// isWhite tells white space in the sense of Unicode.
func isWhite(r rune) bool { return unicode.IsSpace(r) || (0x1C <= r && r <= 0x1F) }

// isBlank tells what the rules call a blank.
func isBlank(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x200B, 0x200E, 0x200F, 0x2060, 0x2581, 0x3000, 0xFEFF:
		return true
	}
	return false
}

// isAlnum tells letters and digits, isWord these and the underscore.
func isAlnum(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isWord(r rune) bool { return isAlnum(r) || r == '_' }

// isInitial tells what a word starts with.
func isInitial(r rune) bool { return isWord(r) && !unicode.Is(unicode.Nd, r) }

// isNameRune and isWordRune tell what else a name or word holds.
func isWordRune(r rune) bool { return isWord(r) || r == '$' }
func isNameRune(r rune) bool { return isWord(r) || r == '$' || r == '-' }

func skipBlank(text string, pos int) int { return skip(text, pos, endless, isBlank) }
