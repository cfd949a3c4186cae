package jsonscan

import "strings"

const fenceMark = "```"

// fenceTags are the language tags that may follow an opening fence, in the order in which they are tried.
var fenceTags = [...]string{"json", "yaml", "js", "javascript", "typescript", "dart"}

// fenced returns what stands between the first fence of text and the next, less a tag and white space round it.
func fenced(text string) (string, bool) {
	_, rest, ok := strings.Cut(text, fenceMark)
	if !ok {
		return "", false
	}
	inside, _, ok := strings.Cut(rest, fenceMark)
	if !ok {
		return "", false
	}
	return trim(cutTag(inside)), true
}

// cutTag removes a tag from the start of text.
func cutTag(text string) string {
	for _, tag := range fenceTags {
		if len(text) >= len(tag) && equalFoldASCII(text[:len(tag)], tag) {
			return text[len(tag):]
		}
	}
	return text
}

// equalFoldASCII tells whether text is word, which is in lower case, ASCII letters being compared without case.
// strings.EqualFold would take a long s for an s.
func equalFoldASCII(text, word string) bool {
	for i := range len(word) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
