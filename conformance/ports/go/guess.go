package jsonscan

import (
	"slices"
	"strings"
)

// The answers of RepairFull: readings that guess. Each is asked for only where RepairSafe has none.

func (m *mender) guess(r rune) bool {
	switch {
	case m.want == wantComma:
		return m.guessNext(r)
	case m.want.isValue():
		return m.guessValue(r)
	case m.want == wantColon:
		return m.guessColon(r)
	}
	return m.guessKey(r)
}

// guessString reads a string that the machine was reading, and that has in it what JSON refuses.
func (m *mender) guessString() bool {
	return m.unclosedName(m.token) || m.weighString(m.token, m.token+1, '"', "")
}

// unclosedKey returns the name at pos that lacks its closing quote before its colon, and its end, which is 0 if there is
// none.
func unclosedKey(text string, pos int) (name string, end int) {
	end = skip(text, pos+1, 64, func(r rune) bool { return isWord(r) || strings.ContainsRune("$. -", r) })
	if !isJSONOrSingle(byteAt(text, pos)) || end == pos+1 || byteAt(text, end) != ':' {
		return "", 0
	}
	return text[pos+1 : end], end
}

// unclosedName reads such a name where one is due.
func (m *mender) unclosedName(start int) bool {
	if m.role() != roleKey {
		return false
	}
	name, end := unclosedKey(m.text, start)
	return end > 0 && m.write("missing-quote", name, end, quoted(name))
}

func (m *mender) guessValue(r rune) bool {
	text, start := m.text, m.token
	if m.flaw == flawUnexpected {
		if mended, known := m.anywhere(r); known {
			return mended
		}
		switch {
		case strings.HasPrefix(text[start:], "```"):
			return false
		case strings.HasPrefix(text[start:], "'''"):
			return m.tripleQuoted(start, start)
		case isOpeningQuote(r):
			return m.weighString(start, after(text, start), r, "")
		case r == ',' && m.inObject():
			return m.write("missing-value", nil, m.pos, "null")
		case r == ',':
			return m.inArray() && m.skip("extra-comma", m.pos+1)
		case r == ']' || r == '}':
			return m.closer(true)
		case r == '(':
			return m.parenthesis()
		case strings.ContainsRune(":=>", r):
			before := byteAt(text, start-1)
			return m.inObject() && (before == ':' || before == '=') && m.skip("wrong-colon", start+1)
		}
	}
	if strings.ContainsRune("*_-•+", runeAt(text, start)) && m.mark() {
		return true
	}
	if _, end := nonfiniteWord(text, start); end > 0 || (m.inArray() && isGroupedPair(text, start-2)) {
		return false // an option decides; [1,000] is one number or two
	}
	return m.oddNumber(start) || m.word(start) || m.bareValue(start)
}

// isGroupedPair tells whether a digit, a comma and three digits stand at pos.
func isGroupedPair(text string, pos int) bool {
	return isDigit(byteAt(text, pos)) && byteAt(text, pos+1) == ',' && skipBytes(text, pos+2, 3, "0123456789") == pos+5
}

// wide gives the punctuation of JSON for that of other scripts.
var wide = map[rune]byte{
	'，': ',', '、': ',', '،': ',', '﹐': ',', '：': ':', '﹕': ':',
	'｛': '{', '｝': '}', '［': '[', '］': ']', '【': '[', '】': ']',
}

// isOddSpace tells space that is none to JSON.
func isOddSpace(r rune) bool {
	switch {
	case 0x2000 <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
		return true
	}
	return strings.ContainsRune("\v\f\u0085\u00a0\u1680\u180e\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\u2581\x00\u00ad", r)
}

// anywhere decides on what may stand between any two tokens; known tells whether r is any of it.
func (m *mender) anywhere(r rune) (mended, known bool) {
	text, pos := m.text, m.pos
	if end := skip(text, pos, endless, isOddSpace); end > pos {
		return m.skip("odd-space", end), true
	}
	if c, ok := wide[r]; ok {
		return m.widePunctuation(c), true
	}
	switch r {
	case '\\':
		return m.backslash(), true
	case '&':
		if isQuoteEntity(text, pos) {
			return m.restart(htmlLayer), true
		}
	case '.', '…':
		if end := ellipsisEnd(text, pos); end > 0 {
			return m.ellipsis(end), true
		}
	case ')':
		return m.closeParenthesis(), true
	case '`':
		marks := skipBytes(text, pos, 64, "`")
		if len(m.stack) > 0 && marks >= pos+3 && skipBytes(text, marks, few, " \t\r\n") == len(text) {
			return m.skip("wrapper", len(text)), true
		}
	case '*', '_':
		if m.emphasis {
			m.emphasis = false
			return m.skip("emphasis", emphasisEnd(text, pos)), true
		}
	}
	return false, false
}

// ellipsisEnd returns the position behind the dots at pos, 0 if there are none.
func ellipsisEnd(text string, pos int) int {
	if end := skipBytes(text, pos, endless, "."); end >= pos+3 {
		return end
	}
	if end := skip(text, pos, endless, func(r rune) bool { return r == '…' }); end > pos {
		return end
	}
	return 0
}

// emphasisEnd returns the position behind the marks of Markdown's emphasis at pos, pos if there are none.
func emphasisEnd(text string, pos int) int {
	if end := skipBytes(text, pos, 3, "*"); end > pos {
		return end
	}
	return skipBytes(text, pos, 3, "_")
}

// widePunctuation puts JSON's punctuation in the place of another script's, where it is due.
func (m *mender) widePunctuation(c byte) bool {
	end := after(m.text, m.pos)
	var due bool
	switch c {
	case '}', ']':
		due = len(m.stack) > 0 && m.want != wantColon && !(m.want == wantValue && m.inObject()) &&
			m.stack[len(m.stack)-1].closer() == c
		if due && (m.want == wantKey || m.want == wantValue) {
			m.dropComma(m.pos)
		}
	case ',':
		due = m.want == wantComma && len(m.stack) > 0
	case ':':
		due = m.want == wantColon
	default:
		due = m.want.isValue()
	}
	return due && m.replace("wide-punctuation", end, c)
}

// ellipsis decides on dots: something was left out. Where a value is due behind a name, they are its text.
func (m *mender) ellipsis(end int) bool {
	if m.want == wantValue && !m.inArray() {
		return m.bareValue(m.pos)
	}
	at := skipSpace(m.text, end)
	if (m.want.isValue() || m.want.isKey()) && byteAt(m.text, at) == ',' {
		end = at + 1
	}
	return m.skip("ellipsis", end)
}

// mark takes out a list mark, or Markdown's emphasis before a quote.
func (m *mender) mark() bool {
	text, pos := m.text, m.token
	if end := markerEnd(text, pos); end > 0 && strings.Contains(text[max(m.start, stepBack(text, pos, 64)):pos], "\n") {
		m.goTo(pos)
		return m.skip("list-marker", end)
	}
	if end := emphasisEnd(text, pos); end > pos && strings.ContainsRune("\"'“", runeAt(text, end)) {
		m.emphasis = true
		return m.skip("emphasis", end)
	}
	return false
}

// markerEnd returns the position behind the list mark at pos and its blanks, if an item or name follows; else 0.
func markerEnd(text string, pos int) int {
	mark := after(text, pos)
	end := skipTabs(text, mark, endless)
	if !strings.ContainsRune("-*•+", runeAt(text, pos)) || end == mark || end == len(text) {
		return 0
	}
	if strings.IndexByte("\"'{[", text[end]) >= 0 {
		return end
	}
	name := skip(text, end, 128, isNameRune)
	if isInitial(runeAt(text, end)) && byteAt(text, skipTabs(text, name, 8)) == ':' {
		return end
	}
	return 0
}

// weighString reads a string whose end must be weighed. One that ends nowhere ends with its line, or was cut off by the
// end of the text.
func (m *mender) weighString(start, body int, quote rune, code string) bool {
	pair, what := quotePairs[quote], m.role()
	if code == "" {
		code = pair.code
	}
	end, ok := m.outlook.ends(m.text, body, pair.more, what)
	if !ok && (what == roleMember || what == roleItem) {
		if end, ok = endsWithLine(m.text, body); !ok {
			end, ok = endsBeforeClosers(m.text, body, closersOf(m.stack), what)
		}
	}
	if !ok {
		m.covered = len(m.text)
		if what == roleKey {
			first := pair.more[:after(pair.more, 0)]
			return find(m.text, first, body) < 0 && m.lose(start)
		}
		end, m.cut = stringEnd{wholeEscapes(m.text, body), len(m.text), "truncated"}, true
	}
	return m.writeString(start, body, end, quote, code, true)
}

// guessEnd is asked where the text ended inside a string, and behind it just what would close everything: then its
// quote is what is missing.
func (m *mender) guessEnd() bool {
	if m.role() == roleKey {
		trimmed := strings.TrimRight(m.text, " \t\r\n")
		return (strings.HasSuffix(trimmed, "]") || strings.HasSuffix(trimmed, "}")) && m.unclosedName(m.token)
	}
	if len(m.stack) == 0 {
		return false
	}
	end, ok := endsBeforeClosers(m.text, m.token+1, closersOf(m.stack), m.role())
	return ok && m.writeString(m.token, m.token+1, end, '"', "", true)
}

// lose lets nothing stand from start to the end of the text: a token of which nothing can be kept.
func (m *mender) lose(start int) bool {
	m.lost = start
	m.goTo(len(m.text))
	return true
}

// tripleQuoted reads the string between three quotes, as Python writes it, that open at quotes, perhaps with a prefix.
func (m *mender) tripleQuoted(start, quotes int) bool {
	body := quotes + 3
	end := find(m.text, m.text[quotes:body], body)
	if end < 0 {
		return false
	}
	m.forgetLog(start)
	inside, _ := respelt(m.text, body, end, '\'')
	return m.write("triple-quotes", decoded(inside), end+3, `"`+inside+`"`)
}

// -- numbers and words

// oddNumber reads a number that JSON writes otherwise.
func (m *mender) oddNumber(start int) bool {
	end := numberEnd(m.text, start)
	if end < 0 || !delimited(m.text, end) {
		return false
	}
	token := m.text[start:end]
	switch code, spelling := plainNumber(token); code {
	case "":
		return false
	case codeNumberText:
		return m.write(code, token, end, quoted(token))
	default:
		return m.writeNumber(code, end, spelling)
	}
}

var otherLiterals = map[string]any{"true": true, "false": false, "null": nil, "none": nil, "nil": nil, "undefined": nil}

// word reads other literals, calls and prefixed strings.
func (m *mender) word(start int) bool {
	text := m.text
	end := wordEnd(text, start)
	if end == start {
		return false
	}
	if value, ok := otherLiterals[strings.ToLower(text[start:end])]; ok && delimited(text, end) {
		return m.write("other-literal", value, end, spelling(value))
	}
	if quote := skipBytes(text, start, 2, "bBuUrRfF"); quote > start && opensPrefixed(text, quote) {
		if opening := text[quote:min(quote+3, len(text))]; opening == `"""` || opening == "'''" {
			return m.tripleQuoted(start, quote)
		}
		return m.prefixedString(start, quote)
	}
	inside := callStart(text, start)
	return inside > 0 && m.call(start, inside)
}

// opensPrefixed tells whether a quote at pos opens a string rather than closes one.
func opensPrefixed(text string, pos int) bool {
	if !isJSONOrSingle(byteAt(text, pos)) {
		return false
	}
	c := byteAt(text, skipTabs(text, pos+1, 8))
	return c != ',' && c != '}' && c != ']'
}

// prefixedString reads a string with a prefix, as Python writes it; of a raw one backslashes are text.
func (m *mender) prefixedString(start, opening int) bool {
	text := m.text
	end, ok := m.outlook.ends(text, opening+1, quotePairs[rune(text[opening])].more, m.role())
	if !ok {
		return false
	}
	content := text[opening+1 : end.body]
	inside := escaped(content)
	if !strings.ContainsAny(text[start:opening], "rR") {
		inside, _ = respelt(text, opening+1, end.body, '\'')
		content = decoded(inside)
	}
	return m.write("string-prefix", content, end.after, `"`+inside+`"`)
}

// callStart returns the position behind the parenthesis of the call at pos, 0 if there is none.
func callStart(text string, pos int) int {
	if strings.HasPrefix(text[pos:], "new") {
		if at := skipTabs(text, pos+3, endless); at > pos+3 {
			pos = at
		}
	}
	if !isInitial(runeAt(text, pos)) {
		return 0
	}
	end := skip(text, pos, endless, func(r rune) bool { return isWordRune(r) || r == '.' })
	if end = skipTabs(text, end, 1); byteAt(text, end) == '(' {
		return end + 1
	}
	return 0
}

// keepsText tells the calls round a container that are more than it.
func keepsText(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "OrderedDict", "defaultdict", "Counter", "deque", "namedtuple", "dict":
		return true
	}
	return false
}

// call reads a call: round one literal it is that literal, round a container that container; others are their own text.
func (m *mender) call(start, inside int) bool {
	text := m.text
	at := skipSpace(text, inside)
	if value, spelling, end, ok := literalArgument(text, at); ok {
		return m.write("call", value, end, spelling)
	}
	name := strings.TrimRight(text[start:inside-1], " \t")
	if at < len(text) && strings.IndexByte("{[(", text[at]) >= 0 && !keepsText(name) {
		m.parens = append(m.parens, parenthesis{false, len(m.stack), "call"})
		m.goTo(start)
		return m.skip("call", at)
	}
	end := callEnd(text, inside)
	return end > 0 && delimited(text, end) && m.write("call", text[start:end], end, quoted(text[start:end]))
}

// parenthesis decides on one: a tuple is an array, round one scalar it is nothing.
func (m *mender) parenthesis() bool {
	depth := len(m.stack)
	if isParenthesised(m.text, m.pos) {
		m.parens = append(m.parens, parenthesis{false, depth, "tuple"})
		return m.skip("tuple", m.pos+1)
	}
	if m.bounds.depth > 0 && depth >= m.bounds.depth {
		return false
	}
	m.parens = append(m.parens, parenthesis{true, depth + 1, "tuple"})
	return m.replace("tuple", m.pos+1, '[')
}

// isParenthesised tells whether one scalar in parentheses stands at pos.
func isParenthesised(text string, pos int) bool {
	at := skipSome(text, pos+1)
	end := at
	if c := byteAt(text, at); isJSONOrSingle(c) {
		if end = skipQuoted(text, at+1, few, string(rune(c)), true); byteAt(text, end) != c {
			return false
		}
		end++
	} else if end = skip(text, at, 64, func(r rune) bool { return isWord(r) || strings.ContainsRune("-.+", r) }); end == at {
		return false
	}
	return byteAt(text, skipSome(text, end)) == ')'
}

func (m *mender) closeParenthesis() bool {
	last := len(m.parens) - 1
	for last >= 0 && m.parens[last].depth > len(m.stack) {
		last--
	}
	m.parens = m.parens[:last+1]
	if last < 0 || m.parens[last].depth != len(m.stack) {
		return false
	}
	open := m.parens[last]
	m.parens = m.parens[:last]
	if !open.tuple {
		return m.skip(open.code, m.pos+1)
	}
	if m.want == wantValue {
		m.dropComma(m.pos)
	}
	return m.replace("tuple", m.pos+1, ']')
}

var halfLiterals = []string{
	"true", "false", "null", "True", "False", "None", "undefined", "NaN", "Infinity", "-Infinity",
}

// bareValue reads text without quotes.
func (m *mender) bareValue(start int) bool {
	what := m.role()
	end, behind, ok := bareValue(m.text, start, what, len(m.parens) > 0)
	if !ok {
		return false
	}
	value := m.text[start:end]
	if end == len(m.text) && what != roleRoot {
		for _, word := range halfLiterals {
			if strings.HasPrefix(word, value) {
				return m.lose(start)
			}
		}
		m.cut = true
	}
	if what == roleMember && behind == end && isDecimalComma(value) {
		spelling := strings.Replace(value, ",", ".", 1)
		return m.writeNumber("decimal-comma", end, spelling)
	}
	code := "unquoted-value"
	digits := strings.TrimPrefix(strings.TrimLeft(value[:1], "+-")+value[1:], ".")
	if digits != "" && isDigit(digits[0]) {
		code = codeNumberText
	}
	if behind > end {
		code = "missing-quote"
	}
	return m.write(code, value, behind, quoted(value))
}

// -- names

func (m *mender) guessKey(r rune) bool {
	text, pos := m.text, m.pos
	if mended, known := m.anywhere(r); known {
		return mended
	}
	if end, next := loneKey(text, pos); end > 0 && isMemberValue(text, next) {
		return m.loneKey(r, end)
	}
	switch {
	case isOpeningQuote(r):
		return m.weighString(pos, after(text, pos), r, "")
	case r == ',':
		return m.skip("extra-comma", pos+1)
	case r == ']' || r == '}':
		return m.closer(true)
	case r == '{':
		return m.surplusOpener() || m.unclosedBefore(pos)
	case r == ':':
		return false
	case strings.ContainsRune("*_-•+", r):
		if name, end := boldKey(text, pos); end > 0 {
			return m.write("emphasis", name, end, quoted(name))
		}
		if m.mark() {
			return true
		}
	}
	if name, end, ok := halfQuotedKey(text, pos); ok {
		return m.write("missing-quote", name, end, quoted(name))
	}
	if m.want == wantKey && m.again(m.commaWasText) {
		return true
	}
	if end, next := strayText(text, pos); end > 0 && isKeyAhead(text, next) {
		return m.skip("stray-text", end)
	}
	name, end := looseKey(text, pos)
	return end > 0 && m.write("unquoted-key", name, end, quoted(name))
}

// loneKey returns the end of the name at pos, which is not in double quotes, behind which a string stands and no colon,
// and where that string starts; 0 if there is none.
func loneKey(text string, pos int) (end, next int) {
	switch r := runeAt(text, pos); {
	case r == '\'':
		end = skipQuoted(text, pos+1, 128, "'", false)
		if end == pos+1 || byteAt(text, end) != '\'' {
			return 0, 0
		}
		end++
	case r == '“' || r == '„':
		body := after(text, pos)
		end = skipQuoted(text, body, 128, "“”", false)
		if end == body || !strings.ContainsRune("“”", runeAt(text, end)) {
			return 0, 0
		}
		end = after(text, end)
	case isInitial(r):
		end = skip(text, pos, 64, isNameRune)
	default:
		return 0, 0
	}
	if next = skipSome(text, end); next == end || !strings.ContainsRune("\"'“„", runeAt(text, next)) {
		return 0, 0
	}
	return end, next
}

// loneKey reads such a name; the colon is seen to next.
func (m *mender) loneKey(r rune, end int) bool {
	pos := m.pos
	if !isOpeningQuote(r) {
		return m.write("unquoted-key", m.text[pos:end], end, quoted(m.text[pos:end]))
	}
	_, body := runeBefore(m.text, end)
	return m.writeString(pos, after(m.text, pos), stringEnd{body, end, ""}, r, quotePairs[r].code, true)
}

// looseKey returns the name at pos, of any words before a colon, and its end, which is 0 if there is none.
func looseKey(text string, pos int) (string, int) {
	const never = "\"':,{}[]()\\"
	r := runeAt(text, pos)
	if r < 0 || isWhite(r) || strings.ContainsRune(never+"#/", r) {
		return "", 0
	}
	colon := skip(text, after(text, pos), 127+64, func(r rune) bool {
		return r != '\n' && r != '=' && !strings.ContainsRune(never, r)
	})
	if c := byteAt(text, colon); c != '=' && (c != ':' || byteAt(text, colon+1) == '/') {
		return "", 0
	}
	end := trimBack(text, after(text, pos), colon, in(" \t"))
	if stepForward(text, pos, 128) < end {
		return "", 0
	}
	return text[pos:end], end
}

// boldKey returns the name between Markdown's marks at pos, if a colon follows, and the position behind them; else 0.
func boldKey(text string, pos int) (name string, end int) {
	body := emphasisEnd(text, pos)
	mark := text[pos:body]
	r := runeAt(text, body)
	if mark == "" || mark == "_" || r < 0 || isWhite(r) || strings.ContainsRune("*_\"':", r) {
		return "", 0
	}
	stop := skip(text, after(text, body), few, func(r rune) bool { return !strings.ContainsRune("\"':\n", r) })
	end = trimBack(text, body, stop, in(" \t"))
	name, ok := strings.CutSuffix(text[body:end], mark)
	if !ok || name == "" || byteAt(text, stop) != ':' || strings.Contains(name, "*") || stepForward(text, body, 128) < body+len(name) {
		return "", 0
	}
	return name, end
}

// unclosedBefore decides on an item where a name is due, as in [{"a": 1, {: a closer is missing before the comma.
func (m *mender) unclosedBefore(pos int) bool {
	return m.want == wantKey && m.startsItem(pos) && m.closeBeforeComma('}', pos)
}

// startsItem tells whether the brace at pos opens an object, and the innermost one stands in an array, which could hold
// it too.
func (m *mender) startsItem(pos int) bool {
	at := skipSpace(m.text, pos+1)
	return m.isOuterArray() && (isKeyAhead(m.text, at) || m.isBareKey(at))
}

// isOuterArray tells whether the container round the innermost one is an array.
func (m *mender) isOuterArray() bool { return len(m.stack) > 1 && !m.stack[len(m.stack)-2].object }

func (m *mender) closeBeforeComma(closer byte, pos int) bool {
	at := m.beforeComma(pos)
	m.noteBefore("missing-closer", at, at, string(rune(closer)))
	m.punct(closer, pos)
	m.punct(',', pos)
	return true
}

// surplusOpener decides on {{: an object may not start with another.
func (m *mender) surplusOpener() bool {
	at := skipSpace(m.text, m.pos+1)
	goesOn := byteAt(m.text, at) == '{' || isKeyAhead(m.text, at) || m.isBareKey(at)
	return m.want == wantFirstKey && goesOn && m.skip("surplus-opener", m.pos+1)
}

// commaWasText is asked where no name stands behind a comma: then it was part of the value before.
func (m *mender) commaWasText(t taken) bool {
	r := runeAt(m.text, t.start)
	if pair, ok := quotePairs[r]; ok {
		end, ok := m.outlook.ends(m.text, after(m.text, t.start), pair.more, roleMember)
		return ok && end.after > t.pos && m.readAnew(t.start, end)
	}
	if r != '-' && !isASCIIDigit(r) {
		return false
	}
	if _, behind, ok := bareValue(m.text, t.start, roleMember, len(m.parens) > 0); !ok || behind <= t.pos {
		return false
	}
	m.forgetLog(t.start)
	return m.bareValue(t.start)
}

// readAnew reads a string that the machine took to end sooner.
func (m *mender) readAnew(start int, end stringEnd) bool {
	m.forgetLog(start)
	quote := runeAt(m.text, start)
	return m.writeString(start, after(m.text, start), end, quote, quotePairs[quote].code, true)
}

func (m *mender) guessColon(r rune) bool {
	text, pos := m.text, m.pos
	if mended, known := m.anywhere(r); known {
		return mended
	}
	for _, sign := range []string{"=>", "->", ":=", "="} {
		if strings.HasPrefix(text[pos:], sign) {
			return m.replace("wrong-colon", pos+len(sign), ':')
		}
	}
	if byteAt(text, pos-1) == '"' && !strings.ContainsRune(",]}", r) && m.again(m.damagedKey) {
		return true
	}
	return (r == '{' || r == '[' || isMemberValue(text, pos)) && m.insert("missing-colon", ':')
}

// isMemberValue tells whether a whole scalar that ends its member stands at pos.
func isMemberValue(text string, pos int) bool {
	var end int
	switch r := runeAt(text, pos); {
	case r == '"' || r == '\'':
		end = skipQuoted(text, pos+1, few, string(r), true)
		if rune(byteAt(text, end)) != r {
			return false
		}
		end++
	case r == '“' || r == '„':
		end = skip(text, after(text, pos), few, func(r rune) bool { return !strings.ContainsRune("“”\n", r) })
		if !strings.ContainsRune("“”", runeAt(text, end)) {
			return false
		}
		end = after(text, end)
	case r == '-' || isASCIIDigit(r):
		if end = skipBytes(text, pos, 1, "-"); !isDigit(byteAt(text, end)) {
			return false
		}
		end = skipBytes(text, end, 65, "0123456789.eE+-")
	default:
		for _, word := range literalWords {
			if strings.HasPrefix(text[pos:], word) {
				end = pos + len(word)
			}
		}
		if end == 0 {
			return false
		}
	}
	c := byteAt(text, skipSome(text, end))
	return c == ',' || c == '}'
}

// damagedKey reads a name that lost its closing quote, or has quotes inside.
func (m *mender) damagedKey(t taken) bool {
	text, start := m.text, t.start
	if text[start] != '"' {
		return false
	}
	if t.value == "" && m.restart(doubledLayer) {
		return true
	}
	if name, end := unclosedKey(text, start); end > 0 {
		m.forgetLog(start)
		return m.write("missing-quote", name, end, quoted(name))
	}
	end, ok := m.outlook.ends(text, start+1, `"`, roleKey)
	if !ok || end.after <= t.pos || strings.Contains(text[t.end:end.body], ",") {
		return false
	}
	return m.readAnew(start, end)
}

// -- behind a value

func (m *mender) guessNext(r rune) bool {
	text, pos := m.text, m.pos
	if before, _ := runeBefore(text, pos); r == ')' && len(m.parens) == 0 && isAnyQuote(before) {
		return m.again(m.stringGoesOn)
	}
	if mended, known := m.anywhere(r); known {
		return mended
	}
	switch {
	case r == ']' || r == '}':
		return m.closer(true)
	case r == ';' && len(m.stack) > 0:
		return m.replace("wrong-comma", pos+1, ',')
	case r == '+' && skipSpace(text, pos+1) == len(text):
		return m.skip("concatenation", len(text))
	case r == '+' && m.again(m.concatenation), r == ':' && m.inArray() && m.again(m.nameInArray):
		return true
	}
	end := m.back(pos)
	if r == '{' && m.inObject() && m.startsItem(pos) {
		m.noteBefore("missing-closer", end, end, "}")
		m.punct('}', pos)
		return true
	}
	before, _ := runeBefore(text, end)
	if isAnyQuote(before) {
		if m.again(m.stringGoesOn) || (end < pos && !m.inArray() && m.strayText()) {
			return true
		}
	} else if before != ']' && before != '}' && m.again(m.scalarGoesOn) {
		return true
	}
	return len(m.stack) > 0 && m.commaMayBeMissing(r, end) && m.insertComma()
}

// commaMayBeMissing tells more boldly than commaIsMissing whether a comma is, behind the value that ends at end.
func (m *mender) commaMayBeMissing(r rune, end int) bool {
	text, pos := m.text, m.pos
	lineBreak := strings.Contains(text[end:pos], "\n")
	keyAhead := isKeyAhead(text, pos)
	if m.inObject() {
		_, _, half := halfQuotedKey(text, pos)
		return keyAhead || (lineBreak && (half || m.isBareKey(pos)))
	}
	before, _ := runeBefore(text, end)
	switch {
	case keyAhead:
		return false
	case isOpeningQuote(r), strings.ContainsRune("{[(", r), end < pos && (r == '-' || isASCIIDigit(r)):
		return true
	case isAnyQuote(before) && end < pos:
		if stray, _ := strayText(text, pos); stray > 0 {
			return true
		}
	}
	return lineBreak && before != ']' && before != '}' && r != ':' && r != '=' // words behind a container are no item
}

// stringGoesOn reads text behind a string that looked closed: its quote was one of the text's.
func (m *mender) stringGoesOn(t taken) bool {
	text, start, pos := m.text, t.start, t.pos
	quote := runeAt(text, start)
	pair, ok := quotePairs[quote]
	if !ok || text[pos] == ':' {
		return false
	}
	if strings.HasPrefix(text[start:], `"""`) && m.tripleQuoted(start, start) {
		return true
	}
	end, ok := m.outlook.ends(text, after(text, start), pair.more, m.role())
	switch {
	case !ok && t.end == pos && isAlnum(runeAt(text, pos)):
		end, ok = m.endsAtDelimiter(pos)
	case ok && t.end == pos && isOpenedTwice(text[start:pos], text[start:end.body]):
		m.forgetLog(start)
		return m.writeString(start, pos, end, quote, "doubled-quotes", true)
	}
	return ok && end.after != t.end && m.readAnew(start, end)
}

// isOpenedTwice tells whether a string looks empty because its quote was written twice: no other stands in its text.
func isOpenedTwice(empty, text string) bool {
	quote := empty[:after(empty, 0)]
	return after(empty, len(quote)) == len(empty) && len(quote) < len(empty) && strings.Count(text, quote) == 2
}

// endsAtDelimiter returns the end of "a" b, ... where no quote can be the closing one: where unquoted text would end.
func (m *mender) endsAtDelimiter(pos int) (stringEnd, bool) {
	end, behind, ok := bareValue(m.text, pos, m.role(), len(m.parens) > 0)
	if !ok {
		return stringEnd{}, false
	}
	m.cut = behind == len(m.text)
	code := ""
	if m.cut {
		code = "truncated"
	} else if behind == end {
		code = "missing-quote"
	}
	return stringEnd{end, behind, code}, true
}

// nameInArray decides on an item that is a name: in {"a": [1, "b": 2} a closer is missing before its comma, in
// [{"a": 1}, "b": 2}] an opener behind that. The first item could be either.
func (m *mender) nameInArray(t taken) bool {
	if m.want != wantValue || !isOpeningQuote(runeAt(m.text, t.start)) {
		return false
	}
	comma := m.beforeComma(t.start)
	switch {
	case len(m.stack) > 1 && !m.isOuterArray():
		m.closeBeforeComma(']', t.start)
	case byteAt(m.text, comma-1) == '}':
		m.note("missing-opener", t.start, t.start, "{")
		m.punct('{', t.start)
	default:
		return false
	}
	m.place(t.value, t.end) // if it is a duplicate that must not be, the machine says so where it stands
	return true
}

// strayText skips words behind a value that belong to nothing.
func (m *mender) strayText() bool {
	end, _ := strayText(m.text, m.pos)
	return end > 0 && m.skip("stray-text", end)
}

// strayText returns the end of a few words at pos, 0 if there are none, and what follows them behind blanks.
func strayText(text string, pos int) (end, next int) {
	isStray := func(r rune) bool { return !isWhite(r) && !strings.ContainsRune("\"'{}[]:,", r) }
	if !isWord(runeAt(text, pos)) {
		return 0, 0
	}
	end = skip(text, pos, 64, isStray)
	for range 16 {
		start := skipTabs(text, end, endless)
		word := skip(text, start, 64, isStray)
		if start == end || word == start {
			break
		}
		end = word
	}
	next = skipBytes(text, end, endless, " \t\r")
	if next == len(text) || strings.IndexByte(",}]\n\"", text[next]) < 0 {
		return 0, 0
	}
	return end, next
}

// scalarGoesOn reads text behind a number or literal: 5 mg, 1/3, 0x1F.
func (m *mender) scalarGoesOn(t taken) bool {
	text := m.text
	r := runeAt(text, t.pos)
	listed := m.inArray() && t.end < t.pos && (r == '-' || isASCIIDigit(r))
	if listed || isOpeningQuote(runeAt(text, t.start)) {
		return false
	}
	if _, behind, ok := bareValue(text, t.start, m.role(), len(m.parens) > 0); !ok || behind <= t.pos {
		return false
	}
	m.forgetLog(t.start)
	return m.oddNumber(t.start) || m.bareValue(t.start)
}

// concatenation reads "a" + "b": the whole chain is one edit.
func (m *mender) concatenation(t taken) bool {
	first, ok := t.value.(string)
	if !ok {
		return false
	}
	joined, end, n := m.joined(first, t.pos, m.role())
	if n < 2 {
		return false
	}
	m.forgetLog(t.start)
	return m.write("concatenation", joined, end, quoted(joined))
}

// joined returns what a chain of strings gives whose first ends before pos, the position behind the last, and how many
// there are.
func (m *mender) joined(first string, pos int, what role) (joined string, end, n int) {
	text := m.text
	parts := []string{first}
	for {
		plus := skipRemark(text, skipSpace(text, pos))
		opening := skipRemark(text, skipSpace(text, min(plus+1, len(text))))
		if byteAt(text, plus) != '+' || !isJSONOrSingle(byteAt(text, opening)) {
			break
		}
		quote := rune(text[opening])
		found, ok := m.outlook.ends(text, opening+1, quotePairs[quote].more, what)
		if !ok {
			break
		}
		inside, _ := respelt(text, opening+1, found.body, quote)
		parts, pos = append(parts, decoded(inside)), found.after
	}
	return strings.Join(parts, ""), pos, len(parts)
}

// skipRemark skips a short block comment and the space behind it.
func skipRemark(text string, pos int) int {
	if end := remarkEnd(text, pos); end > 0 {
		return skipSome(text, end)
	}
	return pos
}

// -- texts that were escaped once more

// backslash decides on a quote that some layer escaped.
func (m *mender) backslash() bool {
	text, pos := m.text, m.pos
	if !strings.HasPrefix(text[pos:], `\"`) || !(m.want.isValue() || m.want.isKey()) {
		return false
	}
	if isFirst := !slices.Contains(m.peeled, escapedLayer.code) && !strings.Contains(text[m.start:pos], `"`); isFirst {
		if m.restart(escapedLayer) {
			return true
		}
	}
	end := find(text, `\"`, pos+2)
	for end > 0 && text[end-1] == '\\' {
		end = find(text, `\"`, end+2)
	}
	if end < 0 {
		return false
	}
	content := escapedLayer.peel(text[pos+2 : end])
	inside, _ := respelt(content, 0, len(content), '"')
	return m.write("escaped-quotes", decoded(inside), end+2, `"`+inside+`"`)
}

const (
	firstPiece = 256 // bytes of a text that are first taken out of a layer
	foresight  = 512 // how far what stands behind a place may decide on it
)

// restart takes a layer off the text from the root's start, and reads that. It is one edit. So much is undone at a time
// as reading needs, twice as much each time, so it is linear. True if something came of it: it is restarted; else it is
// not tried again, and nowhere once more was read in vain than the text is long.
func (m *mender) restart(l layer) bool {
	if m.nested || slices.Contains(m.peeled, l.code) || m.outlook.spentOnLayers > m.outlook.room {
		return false
	}
	m.peeled = append(m.peeled, l.code)
	text, start, tried := m.text, skipSpace(m.text, m.start), 0
	for size := firstPiece; ; size *= 2 {
		behind := min(len(text), start+size)
		raw := text[start:behind]
		if behind < len(text) {
			raw = raw[:max(strings.LastIndexAny(raw, "\n ,"), 1)]
		}
		look(len(raw))
		tried += len(raw)
		inner := newMender(l.peel(raw), 0, m.options, RepairFull)
		inner.nested = true
		r := inner.read()
		if behind < len(text) && !(r.stop == done && r.end < len(inner.text)) && !inner.isSure() {
			continue
		}
		if r.stop != done && r.stop != starved {
			m.outlook.spentOnLayers += tried
			return false
		}
		_, rawEnd := l.peelUntil(raw, r.end)
		edit := Edit{l.code, start, start + rawEnd, applied(inner.text, r.start, r.end, r.edits)}
		m.restarted = &reading{stop: r.stop, value: r.value, start: start, end: edit.End, edits: []Edit{edit},
			covered: max(m.covered, behind)}
		return true
	}
}

// isSure tells whether it would have stopped here too if the text went on.
func (m *mender) isSure() bool { return m.pos+foresight <= len(m.text) && len(m.outlook.hopeless) == 0 }

// applied returns text[start:end] with edits, which stand in text order, made. Linear.
func applied(text string, start, end int, edits []Edit) string {
	var out strings.Builder
	at := start
	for _, edit := range edits {
		out.WriteString(text[at:max(at, edit.Start)])
		out.WriteString(edit.Inserted)
		at = edit.End
	}
	if at < end {
		out.WriteString(text[at:end])
	}
	return out.String()
}

// -- a scalar root that goes on

// rootGoesOn reads on where a root that is a string or number is complete to the machine, but text follows that belongs
// to it.
func (m *mender) rootGoesOn(r *reading) *reading {
	if m.level != RepairFull || m.nested {
		return r
	}
	text := m.text
	var edit Edit
	switch value := r.value.(type) {
	case string:
		if !isOpeningQuote(runeAt(text, r.start)) {
			return r
		}
		joined, end, n := m.joined(value, r.end, roleRoot)
		if n < 2 {
			return r
		}
		edit, r.value = Edit{"concatenation", r.start, end, quoted(joined)}, joined
	case Number:
		next := runeAt(text, r.end)
		if first := runeAt(text, r.start); (first != '-' && !isASCIIDigit(first)) || !(isAlnum(next) || strings.ContainsRune("-/.:%_", next)) ||
			isComment(text, r.end) {
			return r
		}
		end, behind, ok := bareValue(text, r.start, roleRoot, false)
		if !ok {
			return r
		}
		value = Number(text[r.start:end])
		edit, r.value = Edit{codeNumberText, r.start, behind, quoted(string(value))}, string(value)
	default:
		return r
	}
	r.edits, r.end, r.covered = []Edit{edit}, edit.End, max(r.covered, edit.End)
	return r
}
