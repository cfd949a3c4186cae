package jsonscan

import (
	"strings"
	"unicode/utf8"
)

// Strings that strict reading refuses: where they end, and how JSON would spell them. The rules STR and ESC of
// REPAIR.md.

// role is what a string is.
type role uint8

const (
	roleRoot   role = iota // the whole value
	roleKey                // a name
	roleMember             // the value of one
	roleItem               // a value in an array
)

// A quotePair is an opening quote: what it closes with under RepairSafe and under RepairFull, and the code of the edit.
type quotePair struct {
	closers, more string
	code          string
}

const (
	codeSingle = "single-quotes"
	codeCurly  = "typographic-quotes"
	codeOther  = "other-quotes"
)

var quotePairs = map[rune]quotePair{
	'"':  {`"`, `"`, ""},
	'\'': {"'", "'’", codeSingle},
	'‘':  {"’‘", "’‘'", codeCurly},
	'’':  {"’‘", "’‘'", codeCurly},
	'‚':  {"‘’", "‘’'", codeCurly},
	'“':  {"”“", "”“\"", codeCurly},
	'”':  {"”“", "”“\"", codeCurly},
	'„':  {"“”", "“”\"", codeCurly},
	'`':  {"`", "`'´", codeOther},
	'´':  {"´", "´'`", codeOther},
	'«':  {"»", "»", codeOther},
	'»':  {"«", "«", codeOther},
	'‹':  {"›", "›", codeOther},
	'「':  {"」", "」", codeOther},
	'『':  {"』", "』", codeOther},
	'＂':  {"＂", "＂\"", codeOther},
	'＇':  {"＇", "＇'", codeOther},
}

const (
	anyComma  = ",，、،﹐"
	anyCloser = "]}］｝"
)

func isOpeningQuote(r rune) bool { _, ok := quotePairs[r]; return ok }

// isAnyQuote tells quotes that open or close.
func isAnyQuote(r rune) bool { return isOpeningQuote(r) || r == '›' || r == '」' || r == '』' }

// isSafeQuote tells the quotes that RepairSafe knows.
func isSafeQuote(r rune) bool {
	pair, ok := quotePairs[r]
	return ok && pair.code != codeOther
}

// skipQuoted reads the inside of a quoted thing that starts at pos: code points that are neither of stops nor an LF, and
// escapes, each of which counts as one. At most so many. It does not end between a backslash and what it escapes.
func skipQuoted(text string, pos, most int, stops string, escapes bool) int {
	for ; most != 0 && pos < len(text); most-- {
		r, size := decode(text, pos)
		if r == '\\' && escapes {
			if next := byteAt(text, pos+1); pos+1 == len(text) || next == '\n' {
				break
			}
			pos = after(text, pos+1)
			continue
		}
		if r == '\n' || r == '\\' || strings.ContainsRune(stops, r) {
			break
		}
		pos += size
	}
	return pos
}

// skipSome skips at most 64 of JSON's white space.
func skipSome(text string, pos int) int { return skipBytes(text, pos, 64, " \t\r\n") }

// skipTabs skips at most so many spaces and tabs.
func skipTabs(text string, pos, most int) int { return skipBytes(text, pos, most, " \t") }

// isKeyAhead tells whether a name in quotes and its colon stand at pos.
func isKeyAhead(text string, pos int) bool {
	const double = "\"“”"
	r := runeAt(text, pos)
	switch {
	case r == '\'':
		end := skipQuoted(text, pos+1, 128, "'", false)
		return byteAt(text, end) == '\'' && byteAt(text, skipSome(text, end+1)) == ':'
	case r < 0 || !strings.ContainsRune(double, r):
		return false
	}
	end := skipQuoted(text, after(text, pos), 128, double, true)
	if r = runeAt(text, end); r < 0 || !strings.ContainsRune(double, r) {
		return false
	}
	r = runeAt(text, skipSome(text, after(text, end)))
	return r == ':' || r == '：'
}

// isHalfName tells whether what stands at pos could be a name that the text's end cuts off, or one too long to tell.
func isHalfName(text string, pos int) bool {
	if c := byteAt(text, pos); c != '"' && c != '\'' {
		return false
	}
	end := skipQuoted(text, pos+1, 128, "\"':", true)
	return end == len(text) || stepForward(text, pos+1, 128) <= end
}

// isLongName tells whether a quote and at least 128 code points of a string stand at pos.
func isLongName(text string, pos int) bool {
	if byteAt(text, pos) != '"' {
		return false
	}
	end := skipQuoted(text, pos+1, 128, "\"", true)
	return stepForward(text, pos+1, 128) <= end
}

// isBareName tells whether a name without quotes and its colon stand at pos; behind a word = will do.
func isBareName(text string, pos int) bool {
	r := runeAt(text, pos)
	switch {
	case r == '$' || isInitial(r):
		end := skipTabs(text, skip(text, after(text, pos), 127, isNameRune), 64)
		c := byteAt(text, end)
		return c == ':' || (c == '=' && r != '$')
	case r < 0x80 && isDigit(byte(r)) && r >= 0:
		end := skip(text, pos, 16, isASCIIDigit)
		if byteAt(text, end) == '.' {
			if fraction := skip(text, end+1, 16, isASCIIDigit); fraction > end+1 {
				end = fraction
			}
		}
		return byteAt(text, skipTabs(text, end, 64)) == ':'
	}
	return false
}

func isASCIIDigit(r rune) bool { return '0' <= r && r <= '9' }

// halfQuotedKey returns the name at pos that lacks its opening quote, and the position behind its closing one.
func halfQuotedKey(text string, pos int) (name string, end int, ok bool) {
	const stops = "\"':,{}[]()\\"
	r := runeAt(text, pos)
	if r < 0 || isWhite(r) || strings.ContainsRune(stops, r) {
		return "", 0, false
	}
	close := skip(text, after(text, pos), 127, func(r rune) bool { return r != '\n' && !strings.ContainsRune(stops, r) })
	if c := byteAt(text, close); c != '"' && c != '\'' {
		return "", 0, false
	}
	colon := skipTabs(text, close+1, 64)
	if byteAt(text, colon) != ':' || !startsValue(text, skipSome(text, colon+1), "\"'[{") {
		return "", 0, false
	}
	return text[pos:close], close + 1, true
}

// startsValue tells whether the text ends at pos, or a number, a letter of a literal or one of more stands there.
func startsValue(text string, pos int, more string) bool {
	return pos == len(text) || strings.IndexByte("-0123456789tfnTFN"+more, text[pos]) >= 0
}

// gluedName tells whether a name in quotes, its colon and the start of a value stand at pos.
func gluedName(text string, pos int) bool {
	quote := byteAt(text, pos)
	if quote != '"' && quote != '\'' {
		return false
	}
	end := skipQuoted(text, pos+1, 64, "\"':", false)
	if end == pos+1 || byteAt(text, end) != quote {
		return false
	}
	colon := skipBytes(text, end+1, 32, " \t\r\n")
	return byteAt(text, colon) == ':' && startsValue(text, skipBytes(text, colon+1, 32, " \t\r\n"), "\"'[{")
}

// isComment tells whether a comment that a slash opens stands at pos.
func isComment(text string, pos int) bool {
	return byteAt(text, pos) == '/' && (byteAt(text, pos+1) == '/' || byteAt(text, pos+1) == '*')
}

// isWholeItem tells whether a string that can stand in an array starts at pos, or one too long to tell.
func isWholeItem(text string, pos int) bool {
	if byteAt(text, pos) != '"' {
		return true
	}
	end := skipQuoted(text, pos+1, few, "\"", true)
	if byteAt(text, end) != '"' {
		return true
	}
	at := skipSome(text, end+1)
	if at == len(text) || strings.IndexByte(",]}\"+)", text[at]) >= 0 || isComment(text, at) {
		return true
	}
	return byteAt(text, skipBytes(text, end+1, 64, " \t\r")) == '\n'
}

// isLiteral tells whether one of JSON's or Python's literals stands at pos.
func isLiteral(text string, pos int) bool {
	for _, word := range literalWords {
		if strings.HasPrefix(text[pos:], word) {
			return !isWord(runeAt(text, pos+len(word)))
		}
	}
	return false
}

var literalWords = []string{"true", "false", "null", "True", "False", "None"}

// follows tells whether what stands at pos can follow a string.
func follows(text string, pos int, what role, full bool) bool {
	at := skipSpace(text, pos)
	r := runeAt(text, at)
	switch {
	case r == noRune:
		return true
	case what == roleKey:
		return r == ':' || (full && (r == '：' || r == '='))
	case strings.ContainsRune(anyComma, r):
		return (full || r == ',') && what != roleRoot && followsComma(text, after(text, at), what, full)
	case strings.ContainsRune(anyCloser, r):
		return (full || r == '}' || r == ']') && what != roleRoot && followsCloser(text, at, what, full)
	case r == '/':
		return isComment(text, at)
	case r == '#':
		return at > pos
	case isOpeningQuote(r) && what == roleMember:
		return isKeyAhead(text, at) && (at > pos || full)
	case isOpeningQuote(r):
		return what == roleItem && at > pos && isWholeItem(text, at)
	}
	return full && followsGuess(text, pos, at, what)
}

// followsGuess tells the same for what RepairFull knows besides, where white space ends at at.
func followsGuess(text string, pos, at int, what role) bool {
	c := text[at]
	switch {
	case what == roleRoot || c == '+':
		return c == '+' && isJSONOrSingle(byteAt(text, skipSome(text, at+1)))
	case c == ';':
		end := skipBytes(text, at+1, 64, " \t\r")
		return end == len(text) || strings.IndexByte("\"'}]\n", text[end]) >= 0
	case c == ')':
		end := skipSome(text, at+1)
		return end == len(text) || strings.IndexByte(",)]};", text[end]) >= 0
	case !strings.Contains(text[pos:at], "\n"):
		return false
	case what == roleMember:
		return isBareName(text, at)
	}
	if strings.ContainsRune("-*•", runeAt(text, at)) {
		mark := after(text, at)
		end := skipBytes(text, mark, endless, " \t")
		return end > mark && end < len(text) && strings.IndexByte("\"'{[", text[end]) >= 0
	}
	return false
}

func isJSONOrSingle(c byte) bool { return c == '"' || c == '\'' }

func followsCloser(text string, pos int, what role, full bool) bool {
	r := runeAt(text, pos)
	wrong := r == '}' || r == '｝'
	if what != roleItem {
		wrong = r == ']' || r == '］'
	}
	if what == roleItem && wrong && !full {
		return false
	}
	behind := runeAt(text, after(text, pos))
	if (full || wrong) && strings.ContainsRune(`(*+?^$|\`, behind) { // the bracket is one of a regular expression
		return false
	}
	return !isOpeningQuote(behind) && !isAlnum(behind)
}

func followsComma(text string, pos int, what role, full bool) bool {
	at := skipSpace(text, pos)
	r := runeAt(text, at)
	switch {
	case r == noRune || strings.ContainsRune(anyCloser+"/#", r) || (full && strings.ContainsRune(",.…", r)):
		return true
	case what == roleMember && isOpeningQuote(r):
		return !full || isKeyAhead(text, at) || isHalfName(text, at) || !strings.ContainsRune("\"'“", r)
	case what == roleMember:
		return isBareName(text, at) || (full && followsDamaged(text, at))
	case r == '"':
		return !full || isWholeItem(text, at)
	}
	return isOpeningQuote(r) || strings.ContainsRune("{[-0123456789(", r) || isLiteral(text, at)
}

// followsDamaged tells whether the next member starts at pos behind a comma, though not with its name; or what is none,
// but no text either.
func followsDamaged(text string, pos int) bool {
	if strings.HasPrefix(text[pos:], "**") || strings.HasPrefix(text[pos:], "__") || startsContainer(text, pos) {
		return true
	}
	if _, _, half := halfQuotedKey(text, pos); half {
		return true
	}
	end, next := strayText(text, pos)
	return end > 0 && isKeyAhead(text, next)
}

// startsContainer tells whether an opening bracket and another, or a quote, stand at pos.
func startsContainer(text string, pos int) bool {
	if c := text[pos]; c != '{' && c != '[' {
		return false
	}
	c := byteAt(text, skipSome(text, pos+1))
	return c != 0 && strings.IndexByte("\"'{[", c) >= 0
}

// nextQuote returns where the first of these quotes that no backslash escapes stands, at or after pos; -1 if nowhere.
func nextQuote(text string, pos int, quotes string) int {
	for {
		at := strings.IndexAny(text[pos:], quotes+"\\")
		if at < 0 {
			return -1
		}
		if pos += at; text[pos] != '\\' {
			return pos
		}
		if pos = after(text, pos+1); pos >= len(text) {
			return -1
		}
	}
}

// nextQuote returns the same for the inside of a string, and looks only where none was looked for before.
func (o *outlook) nextQuote(text string, body int, quotes string) int {
	kind := hope{closers: quotes, end: o.end}
	known, ok := o.quotes[kind]
	if !ok || body < known.start || 0 <= known.end && known.end < body {
		known = span{body, nextQuote(text, body, quotes)}
		o.quotes[kind] = known
	}
	return known.end
}

// endsSafely returns where the string whose inside starts at body has its first quote that is not escaped, if nothing but
// its end can stand there; else -1.
func (o *outlook) endsSafely(text string, body int, closers string, what role) int {
	at := o.nextQuote(text, body, closers)
	if at >= 0 && follows(text, after(text, at), what, false) {
		return at
	}
	return -1
}

// stringEnd is where a string ends: the end of its text, the position behind it, and the code if its closing quote is
// not the plain one.
type stringEnd struct {
	body, after int
	code        string
}

// outlook is what has been learnt about a text that readings share, so that it is not looked over again and again.
type outlook struct {
	room          int           // the length of the text
	spent         int           // looked at in vain for an end behind one that was there
	spentOnLayers int           // looked at under a layer of escaping that there was none of
	end           int           // where the text ends for what is read now
	hopeless      map[hope]int  // from where on no quote of a kind closes a string of a role
	quotes        map[hope]span // the first quote of a kind that is not escaped, at or after a position
	lastLines     map[int]int   // where the last line before an end starts
}

// hope is what is asked of a text up to end: one of these quotes, behind a string of some role where that matters.
type hope struct {
	closers string
	what    role
	end     int
}

func newOutlook(room int) *outlook {
	return &outlook{room: room, end: room, hopeless: map[hope]int{}, quotes: map[hope]span{}, lastLines: map[int]int{}}
}

// until returns the same for a reading of the text up to end.
func (o *outlook) until(end int) *outlook {
	o.end = end
	return o
}

// isLastLine tells whether no LF follows.
func (o *outlook) isLastLine(text string, pos int) bool {
	start, known := o.lastLines[o.end]
	if !known {
		start = lineStart(text)
		o.lastLines[o.end] = start
	}
	return pos >= start
}

// onLook, if set, is told how many bytes were looked at by a reading, or for the end of a string. Tests count with it.
var onLook func(n int)

func look(n int) {
	if onLook != nil {
		onLook(n)
	}
}

// ends returns where a string ends whose quotes must be weighed: at the first that something which can follow a string
// follows.
func (o *outlook) ends(text string, body int, closers string, what role) (stringEnd, bool) {
	if from, known := o.hopeless[hope{closers, what, o.end}]; known && body >= from {
		return stringEnd{}, false
	}
	w := weighing{text: text, body: body, what: what, split: -1, first: body, brackets: brackets{text: text, pos: body}}
	for pos := body; ; {
		at := nextQuote(text, pos, closers)
		if at < 0 {
			look(len(text) - body)
			if w.isHeld {
				o.spent += len(text) - w.held.after
			} else {
				o.hopeless[hope{closers, what, o.end}] = body
			}
			return w.held, w.isHeld
		}
		w.escaped = w.escaped || strings.Contains(text[pos:at], closers[:after(closers, 0)])
		pos = after(text, at)
		if end, ok := w.weigh(o, at, pos); ok {
			look(at - body)
			return end, true
		}
		if w.inner == 0 {
			w.first = at
		}
		w.inner++
	}
}

// weighing is the search for the end of one string.
type weighing struct {
	text     string
	body     int
	what     role
	inner    int  // quotes passed
	first    int  // where the first of them stands
	split    int  // the comma before a quote inside, where the closing quote may be missing; -1
	escaped  bool // there are escaped quotes
	brackets brackets
	held     stringEnd // an end, but that the closer behind it closes a bracket of the string's
	isHeld   bool
}

// weigh tells whether the quote at text[at:pos] shows where the string ends.
func (w *weighing) weigh(o *outlook, at, pos int) (stringEnd, bool) {
	end := stringEnd{at, pos, ""}
	isName := w.what == roleItem && w.inner == 0 && gluedName(w.text, w.body-1)
	if isName || follows(w.text, pos, w.what, true) {
		if o.spent <= o.room && w.brackets.open(at, pos) {
			if !w.isHeld {
				w.held, w.isHeld = end, true
			}
			return stringEnd{}, false
		}
		if w.what != roleItem || w.inner%2 == 0 {
			return end, true
		}
		if w.split >= 0 {
			end = stringEnd{w.split, w.split, "missing-quote"}
		}
		return w.oneOfTwo(end), true
	}
	if plus := beforeChain(w.text, w.body, at); plus >= 0 {
		return stringEnd{plus, plus, "missing-quote"}, true
	}
	if w.what != roleMember && w.what != roleItem {
		return stringEnd{}, false
	}
	if w.isHeld {
		if _, ok := endsBeforeName(w.text, w.body, at, w.what, nil); ok {
			o.spent += at - w.held.after
			return w.held, true
		}
	} else if glued, ok := endsBeforeName(w.text, w.body, at, w.what, &w.brackets); ok {
		return w.oneOfTwo(glued), true
	}
	if w.what == roleItem && w.isAlone() && commaBefore(w.text, w.body, at) >= 0 {
		return w.oneOfTwo(end), true
	}
	if w.what == roleItem && w.inner%2 == 0 && w.split < 0 {
		w.split = commaBefore(w.text, w.body, at)
	}
	return stringEnd{}, false
}

// isAlone tells whether exactly one quote was passed, which can only have closed the string: a blank stands behind it and
// none before it, and it is not for inches.
func (w *weighing) isAlone() bool {
	behind := byteAt(w.text, after(w.text, w.first))
	return w.inner == 1 && !w.escaped && (behind == ' ' || behind == '\t') &&
		strings.IndexByte(" \t\r\n", w.text[w.first-1]) < 0 && !isInches(w.text, w.first)
}

// isInches tells whether a number stands before a quote.
func isInches(text string, quote int) bool {
	for pos := quote; pos > 0; {
		r, start := runeBefore(text, pos)
		if !strings.ContainsRune("0123456789./'’×x½¼¾", r) || !within(text, start, quote, 17) {
			return false
		}
		if before, _ := runeBefore(text, start); isASCIIDigit(r) && !isWord(before) && before != '-' {
			return true
		}
		pos = start
	}
	return false
}

// oneOfTwo returns the end of a string at the one quote inside that a blank follows, else other.
func (w *weighing) oneOfTwo(other stringEnd) stringEnd {
	if w.isAlone() {
		return stringEnd{w.first, after(w.text, w.first), ""}
	}
	return other
}

// brackets are those of a string, counted as far as it has been read.
type brackets struct {
	text   string
	pos    int
	depths [3]int
}

const openers, closers = "{[(", "}])"

// open tells whether the next thing at pos is a closer, and closes a bracket that stands in the string before end.
func (b *brackets) open(end, pos int) bool {
	pos = skipSpace(b.text, pos)
	if pos == len(b.text) {
		return false
	}
	kind := strings.IndexByte(closers, b.text[pos])
	if kind < 0 {
		return false
	}
	if end > b.pos {
		part := b.text[b.pos:end]
		for i := range b.depths {
			b.depths[i] = max(0, b.depths[i]+strings.Count(part, openers[i:i+1])-strings.Count(part, closers[i:i+1]))
		}
		b.pos = end
	}
	return b.depths[kind] > 0
}

// behindOwn returns the position behind those closers at end that close brackets which stand in the string before them.
func (b *brackets) behindOwn(end int) int {
	at := end
	if !b.open(end, at) {
		return at
	}
	for left := b.depths; ; at++ {
		next := skipSpace(b.text, at)
		kind := strings.IndexByte(closers, byteAt(b.text, next))
		if kind < 0 || left[kind] == 0 {
			return at
		}
		left[kind]--
		at = next
	}
}

// seamRoom is how far a name may stand behind the end of the string before it.
const seamRoom = 256

// endsBeforeName returns the end of a string that lost its closing quote, where the quote at quote opens the next name.
// Behind an item an array ends first. Closers of brackets in the string, if they are given, are the string's.
func endsBeforeName(text string, body, quote int, what role, own *brackets) (stringEnd, bool) {
	if !gluedName(text, quote) {
		return stringEnd{}, false
	}
	at := quote
	for least := max(body, quote-seamRoom); at > least && strings.IndexByte(" \t\r\n,{}[]", text[at-1]) >= 0; {
		at--
	}
	if own != nil {
		at = own.behindOwn(at)
	}
	seam := text[at:quote]
	isBlank := seam != "" && strings.Trim(seam, " \t\r\n") == ""
	if !isSeam(seam) || (isBlank && !strings.Contains(seam, "\n")) || (what == roleItem && !strings.Contains(seam, "]")) {
		return stringEnd{}, false
	}
	return withoutQuote(text, body, at), true
}

// isSeam tells whether a text, all of it brackets, commas and white space, is closers and then perhaps a comma and openers,
// or a comma alone.
func isSeam(seam string) bool {
	pos := skipBytes(seam, 0, endless, " \t\r\n}]")
	openers := "{["
	if !strings.ContainsAny(seam[:pos], "}]") {
		openers = ""
	}
	if byteAt(seam, pos) == ',' {
		pos = skipBytes(seam, pos+1, endless, " \t\r\n"+openers)
	}
	return pos == len(seam)
}

// withoutQuote returns the end of a string at at; what looks like its closing quote there is none of its text.
func withoutQuote(text string, body, at int) stringEnd {
	if at-body >= 2 && text[at-2:at] == `\"` {
		return stringEnd{at - 1, at, ""}
	}
	if r, start := runeBefore(text, at); at > body && (r == '”' || r == '“' || r == '’') {
		return stringEnd{start, at, codeCurly}
	}
	return stringEnd{at, at, "missing-quote"}
}

// jointRoom is how far a quote may stand behind the plus sign that joins its string to the one before.
const jointRoom = 64

// beforeChain returns where a string ends that a + at the end of its line joins to the next, which the quote opens; else
// -1.
func beforeChain(text string, body, quote int) int {
	body = max(body, stepBack(text, quote, jointRoom))
	end := trimBack(text, body, quote, in(" \t"))
	if end == body || text[end-1] != '\n' {
		return -1
	}
	end = trimBack(text, body, end, isWhite)
	if end == body || text[end-1] != '+' {
		return -1
	}
	return trimBack(text, body, end-1, in(" \t"))
}

// commaBefore returns where the comma right before a quote stands, where an item could have lost its closing quote; else
// -1.
func commaBefore(text string, body, quote int) int {
	at := quote
	for at > body && quote-at < 64 && strings.IndexByte(" \t\r\n", text[at-1]) >= 0 {
		at--
	}
	behind := after(text, quote)
	if at > body && text[at-1] == ',' && behind < len(text) && strings.IndexByte(" \t\r\n,", text[behind]) < 0 {
		return at - 1
	}
	return -1
}

// endsWithLine returns the end of a string without a closing quote whose line ends as a member or item does, and whose
// next line goes on as one.
func endsWithLine(text string, body int) (stringEnd, bool) {
	lineEnd := find(text, "\n", body)
	if lineEnd < 0 {
		return stringEnd{}, false
	}
	at := lineEnd
	for at > body && strings.IndexByte(" \t\r,}]", text[at-1]) >= 0 {
		at--
	}
	rest := skipSpace(text, lineEnd)
	if at == body && rest == len(text) {
		return stringEnd{}, false // nothing says that it was to be empty
	}
	goesOn := rest == len(text) || strings.IndexByte("\"'{[}]", text[rest]) >= 0
	if goesOn && endsMember(text[at:lineEnd]) {
		return withoutQuote(text, body, at), true
	}
	if isKeyAhead(text, rest) || onlyClosers(text, rest) {
		if lineEnd > body && text[lineEnd-1] == '\r' {
			lineEnd--
		}
		return withoutQuote(text, body, lineEnd), true
	}
	return stringEnd{}, false
}

// endsMember tells whether a text of closers, commas and blanks is closers and then at most one comma, and not blank.
func endsMember(text string) bool {
	pos := skipBytes(text, 0, endless, " \t\r}]")
	if byteAt(text, pos) == ',' {
		return skipBytes(text, pos+1, endless, " \t\r") == len(text)
	}
	return pos == len(text) && strings.ContainsAny(text, "}]")
}

// onlyClosers tells whether the text ends with nothing but closers and commas from pos on, within reach.
func onlyClosers(text string, pos int) bool {
	c := byteAt(text, pos)
	return (c == '}' || c == ']') && skipBytes(text, pos+1, few, " \t\r\n}],") == len(text)
}

// endsBeforeClosers returns the end of a string without a closing quote, where the text ends with exactly the closers of
// all open containers, innermost first, and perhaps a fence's marks, with something before them, and the string's brackets are balanced without them.
// An item that is an address ends at a comma.
func endsBeforeClosers(text string, body int, closers string, what role) (stringEnd, bool) {
	at, left := trimBack(text, body, len(text), in(" \t\r\n")), len(closers)
	if strings.HasSuffix(text[body:at], "```") {
		at = trimBack(text, body, at, in("`"))
	}
	for at > body {
		c := text[at-1]
		if left > 0 && c == closers[left-1] {
			left--
		} else if strings.IndexByte(" \t\r\n", c) < 0 {
			break
		}
		at--
	}
	content := text[body:at]
	if left > 0 || content == "" || strings.Count(content, "{") != strings.Count(content, "}") ||
		strings.Count(content, "[") != strings.Count(content, "]") {
		return stringEnd{}, false
	}
	if end := addressEnd(content); end > 0 && what == roleItem {
		return withoutQuote(text, body, body+end), true
	}
	return withoutQuote(text, body, trimBack(text, body, at, isWhite)), true
}

// addressEnd returns where the comma stands that ends the address in the network which a text starts with; 0 if it does
// not.
func addressEnd(text string) int {
	scheme := skip(text, 0, 16, func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' })
	if scheme < 2 || !strings.HasPrefix(text[scheme:], "://") {
		return 0
	}
	end := skip(text, scheme+3, endless, func(r rune) bool { return !isWhite(r) && r != ',' })
	if byteAt(text, end) != ',' {
		return 0
	}
	return end
}

// -- the text of a string

// quoted returns a text as a JSON string.
func quoted(text string) string {
	return `"` + escaped(text) + `"`
}

// escaped returns a text as the inside of a JSON string.
func escaped(text string) string {
	if !needsEscape(text) {
		return text
	}
	buf := make([]byte, 0, len(text)+8)
	for i := range len(text) {
		buf = appendEscaped(buf, text[i])
	}
	return string(buf)
}

func needsEscape(text string) bool {
	for i := range len(text) {
		if !plain[text[i]] {
			return true
		}
	}
	return false
}

// appendEscaped appends a byte as the inside of a JSON string has it.
func appendEscaped(buf []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch {
	case plain[c]:
		return append(buf, c)
	case strings.IndexByte("\b\f\n\r\t", c) >= 0:
		return append(buf, '\\', "bfnrt"[strings.IndexByte("\b\f\n\r\t", c)])
	case c < ' ':
		return append(buf, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xF])
	}
	return append(buf, '\\', c)
}

// respelt returns how JSON would write the inside of a string that a quote opened, text[body:end], and the edits that
// lead there, neighbours of one code as one. Escapes are those of JSON where quote is its own, else also those of Python
// and JavaScript.
func respelt(text string, body, end int, quote rune) (string, []Edit) {
	content := text[body:end]
	if !needsEscape(content) {
		return content, nil
	}
	s := speller{content: content, quote: quote, literal: hasInvalid(content, quote)}
	var edits []Edit
	var open Edit // the edit being collected
	var out []byte
	opened, last := 0, 0 // where its text starts in out, and the end of the flaw seen last
	for pos := nextFlaw(content, 0); pos < len(content); {
		behind := flawEnd(content, pos)
		code, spelling := s.mend(pos, behind)
		if code == "" {
			pos = nextFlaw(content, behind)
			continue
		}
		if code != open.Code {
			if open.Code != "" {
				open.Inserted = string(out[opened:])
				edits = append(edits, open)
			}
			out = append(out, content[last:pos]...)
			open, opened = Edit{Code: code, Start: body + pos}, len(out)
		} else {
			out = append(out, content[last:pos]...)
		}
		out = append(out, spelling...)
		open.End, last = body+behind, behind
		pos = nextFlaw(content, behind)
	}
	if open.Code != "" {
		open.Inserted = string(out[opened:])
		edits = append(edits, open)
	}
	return string(append(out, content[last:]...)), edits
}

// nextFlaw returns where the next quote, control character or backslash stands, at or after pos.
func nextFlaw(content string, pos int) int {
	for pos < len(content) && plain[content[pos]] {
		pos++
	}
	return pos
}

// flawEnd returns where the flaw at pos ends: a backslash takes with it what it could escape.
func flawEnd(content string, pos int) int {
	if content[pos] != '\\' {
		return pos + 1
	}
	switch next := byteAt(content, pos+1); {
	case next == 'u' && hexRun(content, pos+2, 4):
		return pos + 6
	case next == 'x' && hexRun(content, pos+2, 2):
		return pos + 4
	case next == 'U' && strings.HasPrefix(content[pos+2:], "000") && hexRun(content, pos+5, 5):
		return pos + 10
	case next == '\r' && byteAt(content, pos+2) == '\n':
		return pos + 3
	}
	return after(content, pos+1)
}

// hexRun tells whether so many hexadecimal digits stand at pos.
func hexRun(text string, pos, n int) bool {
	if pos+n > len(text) {
		return false
	}
	return skipHex(text, pos, n) == pos+n
}

// skipHex returns the position behind at most n hexadecimal digits.
func skipHex(text string, pos, n int) int { return skipBytes(text, pos, n, "0123456789abcdefABCDEF") }

// hasInvalid tells whether a backslash in a string starts no escape, in JSON or, between other quotes, in Python and
// JavaScript.
func hasInvalid(content string, quote rune) bool {
	known, long := "bfnrt\"\\/'`\r\n", 6
	if quote != '"' {
		known, long = known+"0av", 4
	}
	for pos := nextFlaw(content, 0); pos < len(content); {
		end := flawEnd(content, pos)
		isLong := utf8.RuneCountInString(content[pos:end]) >= long
		if content[pos] == '\\' && !isLong && (end == pos+1 || strings.IndexByte(known, content[pos+1]) < 0) {
			return true
		}
		pos = nextFlaw(content, end)
	}
	return false
}

// speller spells flaws of one string. literal: its backslashes are backslashes (ESC-2).
type speller struct {
	content string
	quote   rune
	literal bool
}

// mend returns the code and the new spelling of the flaw at content[pos:end]; no code where it may stay.
func (s speller) mend(pos, end int) (code, spelling string) {
	token := s.content[pos:end]
	own := quotePairs[s.quote].code
	if token == `"` {
		if s.quote == '"' {
			own = "inner-quote"
		}
		return own, `\"`
	}
	if token[0] != '\\' {
		return "control-character", escaped(token)
	}
	switch kind := byteAt(token, 1); kind {
	case '"', '\\', '/':
		return "", ""
	case 'u':
		if len(token) == 6 {
			return "", ""
		}
	case 'b', 'f', 'n', 'r', 't':
		if !s.literal || isLineBreak(s.content, pos) {
			return "", ""
		}
		return "literal-backslash", `\` + token
	case '\'', '`':
		if s.quote == '"' {
			own = "needless-escape"
		}
		return own, token[1:]
	case '\r', '\n':
		return "code-escape", ""
	case 'x', 'U':
		if s.quote != '"' && len(token) > 2 {
			return "code-escape", escaped(string(appendCodePoint(nil, hexValue(token[2:]))))
		}
	}
	return "invalid-escape", `\\` + escaped(token[1:])
}

// isLineBreak tells whether the \n at pos is one even where backslashes are literal.
func isLineBreak(content string, pos int) bool {
	if content[pos+1] != 'n' {
		return false
	}
	rest := content[pos+2:]
	if rest == "" || rest[0] == ' ' || ('A' <= rest[0] && rest[0] <= 'Z') || strings.HasPrefix(rest, `\n`) {
		return true
	}
	return strings.IndexByte("-*#", rest[0]) >= 0 && byteAt(rest, 1) == ' '
}

// wholeEscapes returns where the inside of a string that the end of the text cut off ends, from body on: before half an
// escape or half a surrogate pair.
func wholeEscapes(text string, body int) int {
	end := len(text)
	at := strings.LastIndexByte(text[max(body, end-6):], '\\')
	if at >= 0 {
		at += max(body, end-6)
		if isHalfEscape(text, at) && !isEscaped(text, body, at) {
			end = at
		}
	}
	// What stands there now may be the first half of a pair whose other half was cut off.
	if r, start := runeBefore(text, end); isLead(r) && start >= body && (end == len(text) || isHalfTrail(text[end:])) {
		return start
	}
	if at = end - 6; at >= body && text[at] == '\\' && text[at+1] == 'u' && hexRun(text, at+2, 4) &&
		isLead(hexValue(text[at+2:end])) && !isEscaped(text, body, at) && isHalfTrail(text[end:]) {
		return at
	}
	return end
}

// isHalfEscape tells whether the text ends inside the escape whose backslash is at pos.
func isHalfEscape(text string, pos int) bool {
	if pos+1 == len(text) {
		return true
	}
	end := skipHex(text, pos+2, 4)
	return text[pos+1] == 'u' && end == len(text) && end < pos+6
}

// isHalfTrail tells whether a text could be the start of the escape of a trail surrogate.
func isHalfTrail(text string) bool {
	trail := `\uDC00`
	for i := range len(text) {
		c := text[i]
		switch {
		case i == 3 && strings.IndexByte("cdefCDEF", c) < 0,
			i == 2 && c|0x20 != 'd',
			i < 2 && c != trail[i]:
			return false
		}
	}
	return true
}

// isEscaped tells whether an odd number of backslashes stands before pos, from start on.
func isEscaped(text string, start, pos int) bool {
	at := pos
	for at > start && text[at-1] == '\\' {
		at--
	}
	return (pos-at)%2 == 1
}

// decoded returns the value of the inside of a JSON string.
func decoded(spelling string) string {
	if strings.IndexByte(spelling, '\\') < 0 {
		return spelling
	}
	return unescape(spelling)
}
