package jsonscan

import (
	"encoding/json"
	"regexp"
	"strings"
)

// What follows is the behaviour of the originals step by step, in quadratic time, with the standard library for the
// strict layer. The tests hold the package against it.

// naiveObject tries a balanced run of text from each of the first 50 braces.
func naiveObject(raw string) string {
	if len(ToUTF16(raw)) > 262144 {
		return raw
	}
	tried := 0
	for start := range len(raw) {
		if raw[start] != '{' {
			continue
		}
		if tried++; tried > 50 {
			break
		}
		if end := naiveBalance(raw, start, '{', '}'); end > 0 && json.Valid([]byte(raw[start:end])) {
			return raw[start:end]
		}
	}
	return raw
}

func naiveBalance(raw string, start int, opener, closer byte) int {
	depth, inString, escaped := 0, false, false
	for i := start; i < len(raw); i++ {
		switch c := raw[i]; {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == opener:
			depth++
		case c == closer:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

const naiveSpace = `[\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]`

var (
	naiveFence = regexp.MustCompile("(?s)```(?:[jJ][sS][oO][nN]|[yY][aA][mM][lL]|[jJ][sS]|" +
		"[jJ][aA][vV][aA][sS][cC][rR][iI][pP][tT]|[tT][yY][pP][eE][sS][cC][rR][iI][pP][tT]|[dD][aA][rR][tT])?" +
		naiveSpace + "*(.*?)" + naiveSpace + "*```")
	naiveComma = regexp.MustCompile("," + naiveSpace + `*([}\]])`)
)

// naiveJSON returns the text whose value is the result, or the code and the preview of the error.
func naiveJSON(raw string) (text string, code Code, preview string) {
	if raw == "" {
		return "", InvalidInput, ""
	}
	if m := naiveFence.FindStringSubmatch(raw); m != nil && json.Valid([]byte(m[1])) {
		return m[1], "", ""
	}
	brace, bracket := strings.Index(raw, "{"), strings.Index(raw, "[")
	if brace < 0 && bracket < 0 {
		return "", NoJSON, naivePrefix(raw, 200)
	}
	start, opener, closer := brace, byte('{'), byte('}')
	if brace < 0 || bracket >= 0 && bracket < brace {
		start, opener, closer = bracket, '[', ']'
	}
	end := naiveBalance(raw, start, opener, closer)
	if end < 0 {
		return "", Unbalanced, naivePrefix(raw[start:], 300)
	}
	candidate := raw[start:end]
	if json.Valid([]byte(candidate)) {
		return candidate, "", ""
	}
	repaired := strings.ReplaceAll(naiveComma.ReplaceAllString(candidate, "$1"), "'", `"`)
	if json.Valid([]byte(repaired)) {
		return repaired, "", ""
	}
	return "", ParseFailed, naivePrefix(candidate, 300)
}

func naivePrefix(text string, units int) string {
	all := ToUTF16(text)
	return FromUTF16(all[:min(units, len(all))])
}
