package jsonscan

import (
	"strings"
	"unicode"
)

// What stands round and at the start of a value: the terms of the rules CAND and LINE. A function that is asked about a
// position looks at a few code points from there on, or as far as no other question of its kind can start. A digit here
// is one of any script, as in prose.

const (
	openingQuotes = "\"'`“”„‟«‘‚’＂＇「『"
	closingQuotes = "\"'`“”‟»‘’＂＇」』"
	onlyOpening   = "„«‚「『" // opening quotes that never close
)

// skipWide skips at most so many of the spaces that may stand between tokens, escaped line breaks and tabs among them.
func skipWide(text string, pos, most int) int {
	for ; most > 0 && pos < len(text); most-- {
		r, size := decode(text, pos)
		switch {
		case r == '\\' && pos+1 < len(text) && strings.IndexByte("nrt", text[pos+1]) >= 0:
			size = 2
		case !isWhite(r) && r != 0xFEFF && !(0x200B <= r && r <= 0x200F) && r != 0x2060 && r != 0x2581:
			return pos
		}
		pos += size
	}
	return pos
}

// skipFiller skips spaces and up to four short comments.
func skipFiller(text string, pos int) int {
	pos = skipWide(text, pos, few)
	for range 4 {
		end := shortCommentEnd(text, pos)
		if end < 0 {
			break
		}
		pos = skipWide(text, end, few)
	}
	return pos
}

// shortCommentEnd returns the position behind the comment at pos, if it is short; else -1.
func shortCommentEnd(text string, pos int) int {
	rest := text[pos:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return remarkEnd(text, pos)
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "#"):
		end := skip(text, pos+1, 160, func(r rune) bool { return r != '\n' })
		if byteAt(text, end) == '\n' {
			return end + 1
		}
	}
	return -1
}

// remarkEnd returns the position behind the short block comment at pos; -1 if there is none.
func remarkEnd(text string, pos int) int {
	if !strings.HasPrefix(text[pos:], "/*") {
		return -1
	}
	end := skip(text, pos+2, 160, func(r rune) bool { return r != '*' })
	if strings.HasPrefix(text[end:], "*/") {
		return end + 2
	}
	return -1
}

// skipBraces skips the run of braces at pos.
func skipBraces(text string, pos int) int {
	for {
		if r := runeAt(text, pos); r != '{' && r != '｛' {
			return pos
		}
		pos = skipWide(text, after(text, pos), 64)
	}
}

// hasStrictKey tells whether a brace, a name in quotes and a colon stand at pos.
func hasStrictKey(text string, pos int) bool {
	if byteAt(text, pos) != '{' {
		return false
	}
	pos = skipSpace(text, pos+1)
	if byteAt(text, pos) != '"' {
		return false
	}
	end := skipQuoted(text, pos+1, endless, `"`, true)
	return byteAt(text, end) == '"' && byteAt(text, skipSpace(text, end+1)) == ':'
}

// keyShape is what follows an opening brace that may open an object.
type keyShape uint8

const (
	noKey keyShape = iota
	emptyObject
	quotedKey
	bareKey
)

// keyAt tells what follows the braces that end at pos, and where the value of the first member starts.
func keyAt(text string, pos int) (keyShape, int) {
	pos = skipFiller(text, pos)
	if byteAt(text, pos) == '}' {
		return emptyObject, pos
	}
	for range 2 {
		end := ellipsisOrComma(text, pos)
		if end == pos {
			break
		}
		pos = skipFiller(text, end)
	}
	pos = skipBytes(text, pos, 2, "*")
	if hasQuotedKey(text, pos) {
		return quotedKey, pos
	}
	if value := bareKeyEnd(text, pos); value > 0 {
		return bareKey, value
	}
	return noKey, pos
}

func ellipsisOrComma(text string, pos int) int {
	for _, mark := range []string{"...", "…", ","} {
		if strings.HasPrefix(text[pos:], mark) {
			return pos + len(mark)
		}
	}
	return pos
}

// colonEnd returns the position behind the colon at pos, or behind what stands for one, spaces and emphasis aside; 0 if
// there is none.
func colonEnd(text string, pos int) int {
	pos = skipWide(text, pos, 64)
	if stars := skipBytes(text, pos, 2, "*"); stars > pos {
		pos = skipWide(text, stars, 64)
	}
	switch r := runeAt(text, pos); {
	case strings.HasPrefix(text[pos:], "=>"):
		return pos + 2
	case r == ':' || r == '：' || r == '=':
		return after(text, pos)
	}
	return 0
}

// bareKeyEnd returns the position behind the colon of the name without quotes at pos, 0 if there is none.
func bareKeyEnd(text string, pos int) int {
	if r := runeAt(text, pos); !isWord(r) && r != '$' && r != '@' {
		return 0
	}
	end := skip(text, pos, 64, func(r rune) bool { return isWord(r) || strings.ContainsRune("$@.- ", r) })
	if strings.ContainsRune("\"'”’", runeAt(text, end)) {
		end = after(text, end)
	}
	return colonEnd(text, end)
}

// hasQuotedKey tells whether a name in quotes of any kind, perhaps escaped, doubled or not closed, and its colon stand at
// pos.
func hasQuotedKey(text string, pos int) bool {
	opening := skipBytes(text, pos, 4, `\`)
	if !strings.ContainsRune(openingQuotes, runeAt(text, opening)) {
		return false
	}
	body := after(text, opening)
	if strings.ContainsRune(openingQuotes, runeAt(text, body)) && closesKey(text, after(text, body)) {
		return true
	}
	return closesKey(text, body) || (opening == pos && isUnclosedKey(text, pos))
}

// closesKey tells whether the name whose inside starts at pos is closed and followed by a colon. Quotes inside it are
// escaped, or apostrophes, or only open; of these it has few.
func closesKey(text string, pos int) bool {
	for range 17 {
		pos = skip(text, pos, endless, func(r rune) bool {
			return r != '\\' && r != '\n' && !strings.ContainsRune(closingQuotes+onlyOpening, r)
		})
		quote := skipBytes(text, pos, 4, `\`)
		if quoteEnd := closingQuotesEnd(text, quote); quoteEnd > 0 {
			return true
		}
		switch r := runeAt(text, pos); {
		case r == '\\':
			if next := runeAt(text, pos+1); next == noRune || next == '\n' {
				return false
			}
			pos = after(text, pos+1)
		case strings.ContainsRune(onlyOpening, r), (r == '\'' || r == '’') && isApostrophe(text, pos):
			pos = after(text, pos)
		default:
			return false
		}
	}
	return false
}

// closingQuotesEnd returns the position behind the colon behind one or two closing quotes at pos, 0 if it is not so.
func closingQuotesEnd(text string, pos int) int {
	for range 2 {
		if !strings.ContainsRune(closingQuotes, runeAt(text, pos)) {
			return 0
		}
		pos = after(text, pos)
		if end := colonEnd(text, pos); end > 0 {
			return end
		}
	}
	return 0
}

// isApostrophe tells whether the quote at pos stands between two letters.
func isApostrophe(text string, pos int) bool {
	before, _ := runeBefore(text, pos)
	return isWord(before) && isWord(runeAt(text, after(text, pos)))
}

// isUnclosedKey tells whether a quote, a short name and a colon stand at pos.
func isUnclosedKey(text string, pos int) bool {
	if !strings.ContainsRune("\"'“", runeAt(text, pos)) {
		return false
	}
	body := after(text, pos)
	end := skip(text, body, 80, func(r rune) bool { return !strings.ContainsRune("\"'“”\n:{}", r) })
	return end > body && byteAt(text, end) == ':'
}

// isCutKey tells whether the text ends inside the first name of an object whose braces end at pos.
func isCutKey(text string, pos int) bool {
	pos = skipFiller(text, pos)
	if byteAt(text, pos) == '"' && isCutAt(text, cutNameEnd(text, pos+1), `"`) {
		return true
	}
	if strings.ContainsRune(openingQuotes, runeAt(text, pos)) {
		end := skip(text, after(text, pos), few, func(r rune) bool { return !strings.ContainsRune(closingQuotes+"\n}]", r) })
		return isCutAt(text, end, closingQuotes)
	}
	return pos == len(text)
}

// cutNameEnd returns where a name in double quotes whose inside starts at pos ends, or cannot go on: escapes are part of it.
func cutNameEnd(text string, pos int) int {
	for range few {
		r, behind := runeAt(text, pos), after(text, pos)
		if r == '\\' && byteAt(text, behind) != '\n' {
			behind = after(text, behind)
		}
		if r == noRune || strings.ContainsRune("\"\n}]", r) {
			break
		}
		pos = behind
	}
	return pos
}

// isCutAt tells whether the text ends behind one of these quotes at pos, which may be missing, and a few spaces.
func isCutAt(text string, pos int, quotes string) bool {
	if strings.ContainsRune(quotes, runeAt(text, pos)) {
		pos = after(text, pos)
	}
	return skipWide(text, pos, 64) == len(text)
}

// isPlainValue tells whether what stands at pos starts like a value of JSON: text does not.
func isPlainValue(text string, pos int) bool {
	pos = skipFiller(text, pos)
	r := runeAt(text, pos)
	if strings.ContainsRune("\"'“‘„`{[", r) || startsWithWord(text, pos, plainWords) {
		return true
	}
	at := skipBytes(text, pos, 1, "-+")
	number := skip(text, at, endless, func(r rune) bool { return unicode.IsDigit(r) || r == '.' })
	if number == at {
		return false
	}
	number = skip(text, number, 16, isWord)
	end := skipWide(text, number, 64)
	return strings.IndexByte(",}", byteAt(text, end)) >= 0 || strings.Contains(text[number:end], "\n")
}

var (
	elementWords = []string{"true", "false", "null", "None", "True", "False", "NaN"}
	plainWords   = append(elementWords[:len(elementWords):len(elementWords)], "undefined")
)

// startsWithWord tells whether one of these words stands at pos.
func startsWithWord(text string, pos int, words []string) bool {
	for _, word := range words {
		if strings.HasPrefix(text[pos:], word) && !isWord(runeAt(text, pos+len(word))) {
			return true
		}
	}
	return false
}

// startsElement tells whether what stands behind a bracket can be an element of an array or its end.
func startsElement(text string, pos int) bool {
	return startsElementAt(text, skipFiller(text, pos)) || startsElementAt(text, skipSpace(text, pos))
}

func startsElementAt(text string, pos int) bool {
	r := runeAt(text, pos)
	if r == noRune || strings.ContainsRune("{[\"'“‘„]", r) || startsWithWord(text, pos, elementWords) {
		return true
	}
	return unicode.IsDigit(runeAt(text, skipBytes(text, pos, 1, "-")))
}

// startsCallElement tells whether a parenthesis stands behind a bracket, perhaps with a name before it.
func startsCallElement(text string, pos int) bool {
	return byteAt(text, skip(text, skipSpace(text, pos), 64, func(r rune) bool { return isWord(r) || r == '.' })) == '('
}

// startsInlineElement tells whether a bracket or quote stands behind a bracket.
func startsInlineElement(text string, pos int) bool {
	for _, at := range []int{skipFiller(text, pos), skipSpace(text, pos)} {
		if c := byteAt(text, at); c != 0 && strings.IndexByte("{[\"'", c) >= 0 {
			return true
		}
	}
	return false
}

// isCitation tells whether an array is nothing but integers and blanks.
func isCitation(array string) bool {
	inside, ok := strings.CutSuffix(array[1:], "]")
	return ok && isAll(inside, func(r rune) bool { return isWhite(r) || unicode.IsDigit(r) || strings.ContainsRune(",;–-", r) })
}

// isClosedInLine tells whether a closing tag stands at pos, and behind it in its line something other than a tag.
func isClosedInLine(text string, pos int) bool {
	pos = skip(text, pos, endless, in(" \t"))
	if !strings.HasPrefix(text[pos:], "</") {
		return false
	}
	pos = skip(text, pos+2, 64, func(r rune) bool { return r != '<' && r != '>' && r != '\n' })
	if byteAt(text, pos) != '>' {
		return false
	}
	pos = skip(text, pos+1, endless, in(" \t"))
	return pos < len(text) && text[pos] != '<' && !isWhite(runeAt(text, pos))
}

// isLineHead tells whether a text that stands before a value in its line is nothing but a list mark or a remark.
func isLineHead(head string) bool {
	pos := skip(head, 0, endless, func(r rune) bool { return isWhite(r) || isBlank(r) })
	if strings.ContainsRune("-*•>", runeAt(head, pos)) {
		pos = after(head, pos)
	} else {
		pos = numberMarkEnd(head, pos)
	}
	pos = skipTabs(head, pos, endless)
	if end := remarkEnd(head, pos); end > 0 {
		pos = skip(head, end, 64, isWhite)
	}
	return pos == len(head)
}

// numberMarkEnd returns the position behind the list mark 1. or 1) at pos, pos if there is none.
func numberMarkEnd(text string, pos int) int {
	end := skip(text, pos, 3, unicode.IsDigit)
	if c := byteAt(text, end); end > pos && (c == '.' || c == ')') {
		return end + 1
	}
	return pos
}

// endsLine tells whether a value that ends at pos ends its line; closers too many may stand behind it.
func endsLine(text string, pos int) bool {
	for n := 0; n < 8; n++ {
		closer := skipBytes(text, pos, endless, " \t\r")
		if c := byteAt(text, closer); c != '}' && c != ']' {
			break
		}
		pos = closer + 1
	}
	return endsBareLine(text, pos)
}

// endsBareLine is endsLine without closers.
func endsBareLine(text string, pos int) bool {
	pos = skipBytes(text, pos, endless, " \t\r")
	if c := byteAt(text, pos); c == ';' || c == ',' || c == '.' {
		if startsNext(text, skipBytes(text, pos+1, endless, " \t\r")) {
			return true
		}
	}
	return startsNext(text, pos)
}

// startsNext tells whether the line or text ends at pos, or something else than words starts.
func startsNext(text string, pos int) bool {
	end := skipBytes(text, skipBytes(text, pos, 1, ")"), 1, ";")
	if skip(text, end, 8, isWhite) == len(text) {
		return true
	}
	rest := text[pos:]
	return strings.IndexByte("\n`{[", rest[0]) >= 0 || strings.HasPrefix(rest, "</") || strings.HasPrefix(rest, "<|") || strings.HasPrefix(rest, "<｜")
}

// goesOn tells whether words follow in the same line.
func goesOn(text string, pos int) bool {
	pos = skip(text, pos, 8, in(")]\"'’”`*_.,;!?"))
	end := skipTabs(text, pos, 64)
	r := runeAt(text, end)
	return end > pos && isInitial(r) && r != '_'
}

// marksBehind returns where marks stand that could close a fence, a few blanks behind pos, and the position behind them;
// equal if there are none.
func marksBehind(text string, pos int) (start, end int) {
	start = skip(text, pos, few, isWhite)
	if start < len(text) && (text[start] == '`' || text[start] == '~') {
		if end = skipBytes(text, start, endless, text[start:start+1]); end >= start+3 {
			return start, end
		}
	}
	return start, start
}

// isTagEndBehind tells whether a closing tag or the end of the text stands a few blanks behind pos.
func isTagEndBehind(text string, pos int) bool {
	pos = skip(text, pos, few, isWhite)
	return pos == len(text) || byteAt(text, skipBar(text, pos+1)) == '/' && text[pos] == '<'
}

// isTagBefore tells whether what ends at pos, blanks aside, looks like a tag in angle brackets.
func isTagBefore(text string, pos int) bool {
	at := trimBack(text, stepBack(text, pos, few), pos, isWhite)
	if byteAt(text, at-1) != '>' {
		return false
	}
	r, _ := runeBefore(text, at-1)
	return isWord(r) || strings.ContainsRune("\"'|｜/▁", r)
}

// introduced tells whether a colon, sign or word before pos introduces what stands there; wordsOnly: a word.
func introduced(text string, pos int, wordsOnly bool) bool {
	at := pos
	for at > 0 && pos-at < 8 && strings.IndexByte(" \t\"'`*", text[at-1]) >= 0 {
		at--
	}
	r, _ := runeBefore(text, at)
	if !wordsOnly && strings.ContainsRune(":=>：→", r) {
		return true
	}
	for _, word := range []string{"return", "is", "are"} {
		if strings.HasSuffix(text[:at], word) {
			before, _ := runeBefore(text, at-len(word))
			return !isWord(before)
		}
	}
	return false
}

// isArgument tells whether the value at start is the argument of a call that is the whole text.
func isArgument(text string, start int) bool {
	if !within(text, 0, start, 128) {
		return false
	}
	head := text[:start]
	pos := skipBlank(head, 0)
	if end := remarkEnd(head, pos); end > 0 {
		pos = skip(head, end, 64, isWhite)
	}
	name := skip(head, pos, 64, func(r rune) bool { return isWordRune(r) || r == '.' })
	opening := skip(head, name, 8, isWhite)
	if name == pos || byteAt(head, opening) != '(' || skip(head, opening+1, endless, isWhite) < len(head) {
		return false
	}
	end := trimBack(text, start, len(text), isWhite)
	end = trimBack(text, start, end, func(r rune) bool { return r == ';' })
	end = trimBack(text, start, end, isWhite)
	return byteAt(text, end-1) == ')' && within(text, end, len(text), 20)
}

// isAssigned tells whether nothing but an assignment, return or the like stands before a value.
func isAssigned(head string) bool {
	pos := skip(head, 0, few, isWhite)
	for range 4 {
		if isAssignment(head[pos:]) {
			return true
		}
		next := statementWordEnd(head, pos)
		if next == pos {
			return false
		}
		pos = next
	}
	return false
}

// statementWordEnd returns the position behind the word at pos that may start a statement and white space, or pos.
func statementWordEnd(text string, pos int) int {
	for _, word := range []string{"export", "default", "module.exports", "const", "let", "var", "return"} {
		if strings.HasPrefix(text[pos:], word) {
			if end := skip(text, pos+len(word), 8, isWhite); end > pos+len(word) {
				return end
			}
		}
	}
	return pos
}

// isAssignment tells whether a text is a name, perhaps its type, and an equals sign; or nothing.
func isAssignment(text string) bool {
	end := skip(text, 0, 64, func(r rune) bool { return isWordRune(r) || r == '.' })
	if end > 0 {
		end = skip(text, end, 8, isWhite)
		if byteAt(text, end) == ':' {
			end = skip(text, end+1, 8, isWhite)
			end = skip(text, end, 64, func(r rune) bool { return isWord(r) || strings.ContainsRune("[], .", r) })
		}
		if byteAt(text, end) != '=' {
			return false
		}
		end++
	}
	return skip(text, end, 64, isWhite) == len(text)
}

// isStatementEnd tells whether a text is nothing but perhaps a semicolon.
func isStatementEnd(text string) bool {
	pos := skipBytes(text, skip(text, 0, endless, isWhite), 1, ";")
	return skip(text, pos, endless, isWhite) == len(text)
}

// isPremature tells whether a comma and a member follow an object that ends at pos: it was closed too early. Behind the
// comma may stand marks of lines that are quoted or listed.
func isPremature(text string, pos int) bool {
	comma := skip(text, pos, few, isWhite)
	if byteAt(text, comma) != ',' {
		return false
	}
	name := skip(text, comma+1, few, func(r rune) bool { return isWhite(r) || strings.ContainsRune(">+|*-", r) })
	if byteAt(text, name) != '"' {
		return false
	}
	end := skipQuoted(text, name+1, 64, `"`, false)
	if byteAt(text, end) != '"' {
		return false
	}
	behind := skip(text, end+1, 8, isWhite)
	c := byteAt(text, behind)
	return c == ':' || (c == '"' && behind > end+1)
}

// startsMember tells whether a name in quotes, its colon and the start of a value stand at pos.
func startsMember(text string, pos int) bool {
	if byteAt(text, pos) != '"' {
		return false
	}
	end := skipQuoted(text, pos+1, 64, `"`, false)
	colon := skip(text, end+1, 8, isWhite)
	if end == pos+1 || byteAt(text, end) != '"' || byteAt(text, colon) != ':' {
		return false
	}
	r := runeAt(text, skip(text, colon+1, 8, isWhite))
	return unicode.IsDigit(r) || strings.ContainsRune("\"{[tfn-", r)
}

// closersFollow tells whether a quote and a closer follow in the same line, before any opening bracket.
func closersFollow(text string, pos int) bool {
	for range few + 1 {
		c := byteAt(text, pos)
		switch {
		case pos >= len(text), c == '\n', c == '{', c == '[':
			return false
		case c == '"' || c == '\'':
			if behind := byteAt(text, skipTabs(text, pos+1, 64)); behind == '}' || behind == ']' {
				return true
			}
		}
		pos = after(text, pos)
	}
	return false
}

// partFollows tells whether a comma or closer follows.
func partFollows(text string, pos int) bool {
	c := byteAt(text, skip(text, pos, few, isWhite))
	return c == ',' || c == '}' || c == ']'
}

// closerFollows tells whether a closer follows, perhaps an escaped one.
func closerFollows(text string, pos int) bool {
	c := byteAt(text, skipBytes(text, skip(text, pos, few, isWhite), 1, `\`))
	return c == '}' || c == ']'
}

// memberFollowsClosers tells whether closers follow, and behind them a comma, a name in quotes and a colon.
func memberFollowsClosers(text string, pos int) bool {
	pos = skipBytes(text, skip(text, pos, few, isWhite), 1, `\`)
	pos = skip(text, pos+1, few, func(r rune) bool { return isWhite(r) || r == '}' || r == ']' })
	if byteAt(text, pos) != ',' {
		return false
	}
	pos = skip(text, pos+1, few, isWhite)
	if byteAt(text, pos) != '"' {
		return false
	}
	pos = skip(text, pos+1, 64, func(r rune) bool { return r != '"' && r != '\\' && r != '\n' })
	return byteAt(text, pos) == '"' && byteAt(text, skip(text, pos+1, 8, isWhite)) == ':'
}

// isCommaBetween tells whether only a comma, blanks and a remark stand between the end of a value and the start of another.
func isCommaBetween(text string, end, start int) bool {
	return start >= end && within(text, end, start, few+1) && jointOf(text[end:start]) == commaJoint
}

// isNamedOrListed tells whether a name or a comma stands before start.
func isNamedOrListed(text string, start int) bool {
	least := stepBack(text, start, few)
	at := whiteBefore(text, least, start, 64)
	if isBefore(text, least, at, ",(") || isBefore(text, least, whiteBefore(text, least, at, 64), closingQuotes) {
		return true
	}
	sign := signBefore(text, least, at)
	if sign == at {
		return false
	}
	return isBefore(text, least, whiteBefore(text, least, sign, 64), closingQuotes) ||
		text[sign:at] == ":" && isBareNameBefore(text, least, sign)
}

// signBefore returns where the sign between a name and its value starts that ends at pos, not before least; pos if there
// is none.
func signBefore(text string, least, pos int) int {
	head := text[least:pos]
	for _, sign := range []string{"->", "=>", ":", "="} {
		if strings.HasSuffix(head, sign) {
			return pos - len(sign)
		}
	}
	return pos
}

// isBareNameBefore tells whether a name without quotes that ends at pos, not before least, is the first in its brackets or
// stands behind a comma.
func isBareNameBefore(text string, least, pos int) bool {
	end := whiteBefore(text, least, pos, 8)
	name := skipBack(text, least, end, 64, func(r rune) bool { return isNameRune(r) || r == '@' || r == '.' })
	return name < end && isBefore(text, least, whiteBefore(text, least, name, 64), "{,(")
}

// isBefore tells whether one of a set ends at pos, not before least.
func isBefore(text string, least, pos int, set string) bool {
	r, at := runeBefore(text, pos)
	return at >= least && strings.ContainsRune(set, r)
}

// blankLine returns where the first blank line starts, with the LF before it, in text[pos:end]; -1 if there is none.
func blankLine(text string, pos, end int) int {
	for {
		at := find(text[:end], "\n", pos)
		if at < 0 {
			return -1
		}
		if pos = skipBytes(text[:end], at+1, endless, " \t\r"); byteAt(text[:end], pos) == '\n' {
			return at
		}
	}
}

// isBehindBlankLine tells whether nothing but white space with a blank line stands before pos, not before start.
func isBehindBlankLine(text string, start, pos int) bool {
	start = max(start, stepBack(text, pos, few))
	return strings.Count(text[trimBack(text, start, pos, isWhite):pos], "\n") >= 2
}

// startsScalar tells whether a text starts like a scalar, or is a literal.
func startsScalar(text string) bool {
	if strings.HasPrefix(text, "```") {
		return false
	}
	if strings.ContainsRune(openingQuotes, runeAt(text, skipBytes(text, 0, 4, `\`))) || strings.HasPrefix(text, "(") {
		return true
	}
	if r := runeAt(text, skipBytes(text, 0, 1, "-+")); r == '.' || unicode.IsDigit(r) {
		return true
	}
	switch strings.TrimRightFunc(text, isWhite) {
	case "-", "true", "false", "null", "True", "False", "None", "NaN", "Infinity":
		return true
	}
	return false
}

// startsCall tells whether a text starts with a name and a parenthesis.
func startsCall(text string) bool {
	end := skip(text, 0, 64, func(r rune) bool { return isWordRune(r) || r == '.' })
	return end > 0 && byteAt(text, end) == '('
}

// isPhrase tells whether a text is one line of words, or lines of one word each, and no sentence.
func isPhrase(text string) bool {
	last, _ := runeBefore(text, trimBack(text, 0, len(text), isWhite))
	if strings.ContainsRune(".!?:…。", last) {
		return false
	}
	if !strings.ContainsAny(strings.TrimPrefix(text, "["), "{}[]<>`\n") {
		return strings.ContainsFunc(text, isAlnum)
	}
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		if line == "" || !isAll(line, func(r rune) bool { return isWord(r) || r == '.' || r == '-' }) {
			return false
		}
	}
	return len(lines) > 1
}

// isSaying tells whether a text is several words, a colon and more words.
func isSaying(text string) bool {
	head, rest, _ := strings.Cut(text, ": ")
	words := strings.Split(head, " ")
	for _, word := range words {
		word = strings.TrimSuffix(word, ",")
		if !isInitial(runeAt(word, 0)) || !isAll(word, isWord) {
			return false
		}
	}
	return 1 < len(words) && len(words) <= 17 && rest != "" && !strings.ContainsAny(rest, "{}[]<>`\n\"")
}

// isLoneNumber tells whether a text is digits and a point.
func isLoneNumber(text string) bool {
	start := skipBytes(text, 0, 1, "-+")
	end := skipBytes(text, start, 64, "0123456789")
	return end > start && text[end:] == "."
}

// isPattern tells whether a text is a regular expression between slashes.
func isPattern(text string) bool {
	end := len(strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz"))
	return len(text)-end <= 8 && end > 2 && text[0] == '/' && text[end-1] == '/' && !strings.Contains(text, "\n")
}

// joint is what may stand between two values side by side.
type joint uint8

const (
	noJoint joint = iota
	commaJoint
	glueJoint
	lineJoint
)

// jointOf tells what a gap between two values is.
func jointOf(gap string) joint {
	pos := skip(gap, 0, endless, isWhite)
	switch {
	case byteAt(gap, pos) == ',' && isRemark(gap, skip(gap, pos+1, endless, isWhite), true):
		return commaJoint
	case skipTabs(gap, 0, endless) == len(gap):
		return glueJoint
	}
	pos = skipBytes(gap, 0, endless, " \t\r")
	if byteAt(gap, pos) != '\n' {
		return noJoint
	}
	if isRemark(gap, skip(gap, pos+1, endless, isWhite), false) {
		return lineJoint
	}
	pos = skipTabs(gap, pos+1, endless)
	mark := numberMarkEnd(gap, pos)
	if strings.ContainsRune("-*•", runeAt(gap, pos)) {
		mark = after(gap, pos)
	}
	if mark > pos {
		if pos = skipTabs(gap, mark, endless); pos == mark {
			return noJoint
		}
	}
	if pos == len(gap) {
		return lineJoint
	}
	return noJoint
}

// isRemark tells whether a short block comment and white space, or perhaps nothing, is all that stands in a text from pos
// on.
func isRemark(text string, pos int, orNothing bool) bool {
	if end := remarkEnd(text, pos); end > 0 {
		return skip(text, end, 64, isWhite) == len(text)
	}
	return orNothing && pos == len(text)
}
