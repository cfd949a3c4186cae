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

// cutTag removes a tag, in any case, from the start of text. As many bytes as the tag has letters hold no letter beyond
// ASCII that would fold to one of the tag's.
func cutTag(text string) string {
	for _, tag := range fenceTags {
		if len(text) >= len(tag) && strings.EqualFold(text[:len(tag)], tag) {
			return text[len(tag):]
		}
	}
	return text
}
