package jsonscan

import (
	"slices"
	"strings"
)

// An Edit is one repair: text[Start:End] became Inserted. REPAIR.md lists the codes.
type Edit struct {
	Code       string
	Start, End int // in bytes
	Inserted   string
}

// safeCodes are those of RepairSafe.
var safeCodes = map[string]bool{
	"byte-order-mark": true, "comment": true, "trailing-comma": true, "missing-comma": true, "missing-closer": true,
	"single-quotes": true, "typographic-quotes": true, "control-character": true, "invalid-escape": true,
	"needless-escape": true, "unquoted-key": true, "python-literal": true, "digit-grouping": true, "nonfinite": true,
	"surplus-closer": true, "escaped-space": true, "truncated": true,
}

// reading is what a tolerant reading came to.
type reading struct {
	stop       stop
	value      any // so far, where it was starved; nil then: nothing yet
	start, end int
	edits      []Edit
	flaw       flaw // of a fault, or the bound that was passed
	faultPos   int
	covered    int // the furthest position that was looked at
}

// isSafe tells whether RepairSafe allows all edits.
func (r *reading) isSafe() bool {
	for _, edit := range r.edits {
		if !safeCodes[edit.Code] {
			return false
		}
	}
	return true
}

// mender reads one value, and decides at each fault on one edit that lets the machine go on. What RepairSafe knows is
// asked first, so whatever that accepts RepairFull accepts with the same value. Methods that mend tell whether they did;
// one that did not changed nothing.
//
// Every edit moves on in the text or puts tokens before it. What is looked at ahead of a fault is bounded, or read over
// with the edit, or remembered. So reading is linear.
type mender struct {
	machine
	options   *Options
	level     Level
	start     int
	log       []Edit // in text order
	parens    []parenthesis
	outlook   *outlook
	cut       bool // the text ended inside a string that was put
	lost      int  // where the token starts that the text ended inside of, if the machine has left it; else -1
	covered   int
	emphasis  bool     // an opening mark of it was taken out
	restarted *reading // what came of reading the text without a layer
	nested    bool     // this is that reading
	peeled    []string // the codes of the layers without which the text was read in vain
	key       span     // of the name put last
	duplicate bool     // a name that was to be put stands in its object already
}

type span struct{ start, end int }

// parenthesis is an open one: a tuple's if it stands for a bracket, and the depth inside.
type parenthesis struct {
	tuple bool
	depth int
	code  string
}

// read reads one value that starts at or after pos. Linear.
func read(text string, pos int, options *Options, level Level) *reading {
	return newMender(text, pos, options, level).read()
}

func newMender(text string, pos int, options *Options, level Level) *mender {
	return &mender{
		machine: machine{text: text, keep: true, bounds: options.bounds(), pos: pos, last: -1},
		options: options, level: level, start: pos, outlook: newOutlook(len(text)), lost: -1, covered: pos, key: span{-1, -1},
	}
}

const maxStuck = 8 // edits that may follow each other at one position

func (m *mender) read() *reading {
	stuck, stuckAt, most := 0, -1, m.options.Limits.repairs()
	for {
		why := m.run()
		switch {
		case why == starved && m.inString && !m.cut && m.level == RepairFull && m.guessEnd():
			continue
		case why == done && !m.cut:
			return m.rootGoesOn(m.reading(done, m.pos))
		case why != fault: // the text ended inside the value, which may be a string that was put
			value := m.value
			if why == starved {
				value, _ = m.partial()
			}
			if m.level != RepairOff {
				m.closeOff()
			}
			r := m.reading(starved, len(m.text))
			r.value = value
			return r
		case m.flaw == flawDepth || m.flaw == flawDigits:
			return m.fault(beyond, m.flaw)
		}
		if m.pos > stuckAt {
			stuck, stuckAt = 0, m.pos
		}
		stuck++
		mended := stuck <= maxStuck && m.mend()
		switch {
		case m.restarted != nil:
			return m.restarted
		case !mended && m.duplicate:
			return m.fault(fault, flawDuplicate)
		case !mended:
			return m.fault(fault, m.flaw)
		case len(m.log) > most:
			return m.fault(beyond, "max-repairs")
		}
	}
}

func (m *mender) reading(why stop, end int) *reading {
	start := skipSpace(m.text, m.start)
	look(max(m.pos, end) - m.start)
	return &reading{stop: why, value: m.value, start: start, end: max(end, start), edits: m.log,
		covered: max(m.covered, m.pos, end)}
}

func (m *mender) fault(why stop, what flaw) *reading {
	r := m.reading(why, m.pos)
	r.value, r.flaw, r.faultPos = nil, what, m.pos
	return r
}

func (m *mender) note(code string, start, end int, inserted string) {
	m.log = append(m.log, Edit{code, start, end, inserted})
}

// noteBefore notes an edit that may stand before comments and space already taken out: the log is in text order.
func (m *mender) noteBefore(code string, start, end int, inserted string) {
	place := len(m.log)
	for place > 0 && m.log[place-1].Start >= end && m.log[place-1].End > end {
		place--
	}
	m.log = append(m.log, Edit{})
	copy(m.log[place+1:], m.log[place:])
	m.log[place] = Edit{code, start, end, inserted}
}

// mend makes one edit at the fault.
func (m *mender) mend() bool {
	switch {
	case m.flaw == flawDuplicate:
		return false
	case m.options.Nonfinite != RefuseNonfinite && m.want.isValue() && m.nonfinite():
		return true
	case m.level == RepairOff:
		return false
	case m.flaw == flawControl || m.flaw == flawEscape:
		return m.damagedString() || (m.level == RepairFull && m.guessString())
	}
	r := runeAt(m.text, m.pos)
	return (m.flaw == flawUnexpected && m.mendSafely(r)) || (m.level == RepairFull && m.guess(r))
}

// mendSafely asks for the answers of RepairSafe.
func (m *mender) mendSafely(r rune) bool {
	if strings.ContainsRune("/#\\", r) && (m.comment() || m.escapedSpace()) {
		return true
	}
	switch {
	case m.want == wantColon:
		return false
	case m.want == wantComma && r == '_':
		return m.again(m.groupedNumber)
	case r == ']' || r == '}':
		return m.closer(false)
	case m.want == wantComma:
		return m.commaIsMissing() && m.insertComma()
	case isSafeQuote(r):
		return m.stringSafely(r)
	case m.want.isValue():
		return m.pythonLiteral()
	}
	key, end := m.bareKey(m.pos)
	return end > 0 && m.write("unquoted-key", key, end, `"`+key+`"`)
}

// role returns what a string that stands here is.
func (m *mender) role() role {
	switch {
	case m.want.isKey() || m.want == wantColon:
		return roleKey
	case m.inObject():
		return roleMember
	case m.inArray():
		return roleItem
	}
	return roleRoot
}

// skip lets nothing stand between here and end.
func (m *mender) skip(code string, end int) bool {
	m.note(code, m.pos, end, "")
	m.goTo(end)
	return true
}

// insert lets c stand before here.
func (m *mender) insert(code string, c byte) bool { return m.replace(code, m.pos, c) }

// replace lets c stand between here and end.
func (m *mender) replace(code string, end int, c byte) bool {
	m.note(code, m.pos, end, string(rune(c)))
	m.punct(c, end)
	return true
}

// write lets a scalar or name stand between the token at fault and end.
func (m *mender) write(code string, value any, end int, spelling string) bool {
	start := m.token
	if !m.place(value, end) {
		return false
	}
	m.note(code, start, end, spelling)
	return true
}

func (m *mender) place(value any, end int) bool {
	isKey := m.want.isKey()
	if !m.put(value, end) {
		m.duplicate = true
		return false
	}
	if isKey {
		m.key = span{m.token, end}
	}
	return true
}

// -- what went before

// back returns the position behind the token before pos: white space and what was taken out between them are skipped.
func (m *mender) back(pos int) int {
	at := pos
	for i := len(m.log) - 1; ; {
		switch {
		case i >= 0 && m.log[i].End > at:
			i--
		case i >= 0 && m.log[i].End == at:
			if m.log[i].Inserted != "" {
				return at
			}
			at = m.log[i].Start
			i--
		case at > 0 && strings.IndexByte(" \t\r\n", m.text[at-1]) >= 0:
			at--
		default:
			return at
		}
	}
}

// dropComma takes out the comma before pos, whether it stood there or was an edit.
func (m *mender) dropComma(pos int) {
	at := m.back(pos)
	if byteAt(m.text, at-1) == ',' {
		m.noteBefore("trailing-comma", at-1, at, "")
		return
	}
	for i := len(m.log) - 1; i >= 0 && m.log[i].End >= at; i-- {
		if m.log[i].End == at && m.log[i].Inserted == "," {
			m.log[i].Inserted = ""
		}
	}
}

// taken is a scalar or name that was taken back: the fault's position, and whether a comma came before that.
type taken struct {
	value      any
	start, end int
	pos        int
	comma      bool
}

// again takes back the scalar or name read last and lets read put another in its place; if it does not, undoes that.
func (m *mender) again(read func(taken) bool) bool {
	t := taken{pos: m.pos, comma: m.want == wantKey || m.want == wantValue}
	var ok bool
	if t.value, t.start, ok = m.retract(); !ok {
		return false
	}
	if t.end = m.back(t.pos); t.comma {
		t.end = m.back(t.end - 1)
	}
	if read(t) {
		return true
	}
	m.put(t.value, t.end)
	if t.comma {
		m.punct(',', t.pos)
	}
	m.run() // to the same fault
	return false
}

// forgetLog drops the edits inside a token that is read anew.
func (m *mender) forgetLog(start int) {
	for len(m.log) > 0 && m.log[len(m.log)-1].End > start {
		m.log = m.log[:len(m.log)-1]
	}
}

// -- safe answers

// commentEnd returns the position behind the comment at pos, pos if there is none.
func commentEnd(text string, pos int) int {
	switch {
	case strings.HasPrefix(text[pos:], "/*"):
		if end := find(text, "*/", pos+2); end >= 0 {
			return end + 2
		}
		return len(text)
	case strings.HasPrefix(text[pos:], "//"), byteAt(text, pos) == '#':
		if end := find(text, "\n", pos); end >= 0 {
			return end
		}
		return len(text)
	}
	return pos
}

// comment skips a comment. A # where a value is due could be a colour: there it needs a space behind it.
func (m *mender) comment() bool {
	isHash := m.text[m.pos] == '#'
	if isHash && m.want.isValue() && m.pos+1 < len(m.text) && strings.IndexByte(" \t#\n", m.text[m.pos+1]) < 0 {
		return false
	}
	isLine := isHash || strings.HasPrefix(m.text[m.pos:], "//")
	if isLine && m.outlook.isLastLine(m.text, m.pos) {
		end := m.endOfLastLine()
		return end > m.pos && m.skip("comment", end)
	}
	end := commentEnd(m.text, m.pos)
	return end > m.pos && m.skip("comment", end)
}

// endOfLastLine returns where a comment that no LF ends is taken to end: it may hide a closer that was meant.
func (m *mender) endOfLastLine() int {
	closer := strings.IndexAny(m.text[m.pos:], "]}")
	switch {
	case closer < 0:
		return len(m.text)
	case m.level == RepairFull:
		return m.pos + closer
	}
	return m.pos
}

func (m *mender) escapedSpace() bool {
	end := m.pos
	for byteAt(m.text, end) == '\\' && end+1 < len(m.text) && strings.IndexByte("nrt", m.text[end+1]) >= 0 {
		end += 2
	}
	return end > m.pos && m.skip("escaped-space", end)
}

// wordEnd returns the position behind the word at pos, pos if there is none.
func wordEnd(text string, pos int) int {
	if r := runeAt(text, pos); r != '$' && !isInitial(r) {
		return pos
	}
	return skip(text, pos, endless, isWordRune)
}

// delimited tells whether a literal or number may end at pos.
func delimited(text string, pos int) bool {
	at := skipSome(text, pos)
	if at == len(text) || strings.ContainsRune(",]});，｝］", runeAt(text, at)) || isComment(text, at) ||
		strings.Contains(text[pos:at], "\n") || text[at] == '\n' {
		return true
	}
	return at > pos && strings.IndexByte("\"'{[", text[at]) >= 0 && skipTabs(text, pos, 64) == at
}

var pythonLiterals = map[string]any{"True": true, "False": false, "None": nil}

// spelling returns how JSON writes a literal.
func spelling(literal any) string {
	switch literal {
	case true:
		return "true"
	case false:
		return "false"
	}
	return "null"
}

func (m *mender) pythonLiteral() bool {
	end := wordEnd(m.text, m.pos)
	value, ok := pythonLiterals[m.text[m.pos:end]]
	return ok && delimited(m.text, end) && m.write("python-literal", value, end, spelling(value))
}

// bareKey returns the name without quotes at pos and its end, which is 0 if there is none.
func (m *mender) bareKey(pos int) (string, int) {
	r, end := runeAt(m.text, pos), pos
	switch {
	case r == '$' || isInitial(r):
		end = skip(m.text, after(m.text, pos), 255, isNameRune)
	case isASCIIDigit(r):
		end = skip(m.text, pos, 16, isASCIIDigit)
	default:
		return "", 0
	}
	colon := skipTabs(m.text, end, 64)
	if byteAt(m.text, colon) != ':' || byteAt(m.text, colon+1) == '/' {
		return "", 0
	}
	return m.text[pos:end], end
}

func (m *mender) isBareKey(pos int) bool { _, end := m.bareKey(pos); return end > 0 }

// groupedNumber reads 71_350, of which the machine has read 71.
func (m *mender) groupedNumber(t taken) bool {
	end := numberEnd(m.text, t.start)
	if end <= t.end {
		return false
	}
	token := m.text[t.start:end]
	if !isGrouped(token) || !delimited(m.text, end) {
		return false
	}
	spelling := strings.ReplaceAll(token, "_", "")
	return m.writeNumber("digit-grouping", end, spelling)
}

// writeNumber writes a number of JSON, unless it is too long.
func (m *mender) writeNumber(code string, end int, spelling string) bool {
	number := Number(spelling)
	fits := m.bounds.digits <= 0 || number.digits() <= m.bounds.digits
	return fits && m.write(code, number, end, spelling)
}

func (m *mender) nonfinite() bool {
	name, end := nonfiniteWord(m.text, m.token)
	if end == 0 || !delimited(m.text, end) {
		return false
	}
	if m.options.Nonfinite == NullNonfinite {
		return m.write("nonfinite", nil, end, "null")
	}
	return m.write("nonfinite", Number(name), end, m.text[m.token:end])
}

// nonfiniteWord returns the word at pos that is no finite number and its end, which is 0 if there is none.
func nonfiniteWord(text string, pos int) (name string, end int) {
	at := pos
	if c := byteAt(text, at); c == '+' || c == '-' {
		at++
	}
	for _, word := range []string{"NaN", "Infinity", "nan", "inf"} {
		if strings.HasPrefix(text[at:], word) && !isWord(runeAt(text, at+len(word))) {
			if word[1]|0x20 == 'a' { // NaN has no sign
				return "NaN", at + len(word)
			}
			return text[pos : at+len(word)], at + len(word)
		}
	}
	return "", 0
}

func (m *mender) stringSafely(quote rune) bool {
	body := after(m.text, m.pos)
	return m.stringBetween(m.pos, body, quotePairs[quote].closers, quote)
}

// damagedString reads a string in which the machine met a control character or an escape that is none.
func (m *mender) damagedString() bool { return m.stringBetween(m.token, m.token+1, `"`, '"') }

func (m *mender) stringBetween(start, body int, closers string, quote rune) bool {
	end := m.outlook.endsSafely(m.text, body, closers, m.role())
	return end >= 0 && m.writeString(start, body, stringEnd{end, after(m.text, end), ""}, quote, quotePairs[quote].code, false)
}

// writeString writes a string whose text stands from body to end.body, opened at start by a quote. The code is that of
// an opening which is not plain.
func (m *mender) writeString(start, body int, end stringEnd, quote rune, code string, full bool) bool {
	inside, edits := respelt(m.text, body, end.body, quote)
	same := code != "" && end.code == ""
	for _, edit := range edits {
		if !full && !safeCodes[edit.Code] {
			return false
		}
		same = same && edit.Code == code
	}
	if !m.place(decoded(inside), end.after) {
		return false
	}
	if same {
		m.note(code, start, end.after, `"`+inside+`"`)
		return true
	}
	if code != "" {
		m.note(code, start, body, `"`)
	}
	m.log = append(m.log, edits...)
	if m.text[end.body:end.after] != `"` {
		closing := end.code
		if closing == "" {
			closing = code
		}
		if closing == "" {
			closing = "missing-quote"
		}
		m.note(closing, end.body, end.after, `"`)
	}
	return true
}

func (m *mender) insertComma() bool {
	at := m.back(m.pos)
	m.noteBefore("missing-comma", at, at, ",")
	m.punct(',', m.pos)
	return true
}

// commaIsMissing tells whether only a comma is missing between the value before and the member or item here.
func (m *mender) commaIsMissing() bool {
	text, pos := m.text, m.pos
	end := m.back(pos)
	before, _ := runeBefore(text, end)
	closed, isString, gap := before == ']' || before == '}', isAnyQuote(before), end < pos
	r := runeAt(text, pos)
	if m.inObject() {
		apart := gap || closed || (isOpeningQuote(r) && !isString)
		return apart && (isKeyAhead(text, pos) || isLongName(text, pos) || m.isBareKey(pos))
	}
	if !m.inArray() || !(gap || closed || (r == '"' && !isString)) {
		return false
	}
	switch {
	case r == '"':
		end := skipQuoted(text, pos+1, few, `"`, true)
		if byteAt(text, end) != '"' {
			return false
		}
		behind := skipSome(text, end+1)
		return behind > end+1 || (behind < len(text) && strings.IndexByte(",]\"", text[behind]) >= 0)
	case r == '{' || r == '[':
		return true
	case r == '-' || isASCIIDigit(r):
		end, why := scanNumber(text, pos)
		return (r != '-' || closed) && why == done && end < len(text) && strings.IndexByte(" \t\r\n,]", text[end]) >= 0
	}
	for _, word := range literalWords {
		if strings.HasPrefix(text[pos:], word) {
			c := byteAt(text, pos+len(word))
			return c != 0 && strings.IndexByte(" \t\r\n,]}", c) >= 0
		}
	}
	return false
}

// -- closers

// maxClosers is the number of containers among which the partner of a closer is looked for.
const maxClosers = 64

// closer decides on a closer of the wrong kind, or behind a comma, or where a value is due.
func (m *mender) closer(full bool) bool {
	c := m.text[m.pos]
	switch {
	case len(m.stack) == 0:
		return false
	case m.want == wantValue && m.inObject():
		return full && m.write("missing-value", nil, m.pos, "null")
	case m.stack[len(m.stack)-1].closer() == c:
		m.dropComma(m.pos)
		m.punct(c, m.pos+1)
		return true
	}
	return m.mismatch(c, full)
}

// closer returns the bracket that closes a container.
func (f *frame) closer() byte {
	if f.object {
		return '}'
	}
	return ']'
}

// mismatch decides on a closer that is not the innermost container's: one is missing before it, or it is the wrong one,
// or one too many.
func (m *mender) mismatch(c byte, full bool) bool {
	frames := m.stack[max(0, len(m.stack)-maxClosers):]
	target := len(frames) - 1
	for target >= 0 && frames[target].closer() != c {
		target--
	}
	// what is open behind the closer if it closes the frame at i
	outside := func(i int) byte {
		if i > 0 {
			return frames[i-1].closer()
		}
		return 0
	}
	behindComma := m.want == wantKey || m.want == wantValue
	closesOuter := target >= 0 && m.fits(m.pos+1, outside(target))
	closesInner := m.fits(m.pos+1, outside(len(frames)-1))
	goesOn := !behindComma && m.fits(m.pos+1, frames[len(frames)-1].closer())
	missing := target >= 0 && (closesOuter || (full && !closesInner && !goesOn))
	if !full && (!missing || closesInner) {
		return false
	}
	if (missing || closesInner || !goesOn) && behindComma {
		m.dropComma(m.pos)
	}
	switch {
	case missing:
		at, inserted := m.back(m.pos), closersOf(frames[target+1:])
		m.noteBefore("missing-closer", at, at, inserted)
		for i := range len(inserted) {
			m.punct(inserted[i], m.pos)
		}
		return true
	case closesInner || (!goesOn && len(frames) == 1):
		return m.replace("mismatched-closer", m.pos+1, frames[len(frames)-1].closer())
	}
	return m.skip("surplus-closer", m.pos+1)
}

// fits tells whether what stands at pos can go on behind a value in an open container with this closer; 0: in none.
func (m *mender) fits(pos int, closer byte) bool {
	text := m.text
	at := skipSpace(text, pos)
	switch {
	case at == len(text):
		return closer == 0
	case closer == 0:
		return strings.IndexByte(",:]}", text[at]) < 0
	case text[at] == closer:
		return true
	case text[at] != ',':
		return closer == '}' && isKeyAhead(text, at)
	}
	at = skipSpace(text, at+1)
	isKey := isKeyAhead(text, at) || m.isBareKey(at)
	if closer == '}' {
		return isKey || byteAt(text, at) == '}'
	}
	return !isKey && at < len(text) && strings.IndexByte("},:", text[at]) < 0
}

// closersOf returns what closes some open containers, innermost first.
func closersOf(frames []frame) string {
	closers := make([]byte, len(frames))
	for i := range frames {
		closers[len(frames)-1-i] = frames[i].closer()
	}
	return string(closers)
}

// -- the end of a text that was cut off

// closeOff notes what makes the text so far strict JSON of the value so far: what is not whole goes, and what is open is
// closed.
func (m *mender) closeOff() {
	closers, cut, token := closersOf(m.stack), len(m.text), m.token
	if m.lost >= 0 {
		token = m.lost
	}
	switch {
	case m.inString && m.want.isValue():
		cut, closers = m.pos, `"`+closers
	case m.want == wantFirstKey || m.want == wantFirstValue:
		cut = token
	case m.want == wantKey || (m.want == wantValue && m.inArray()):
		cut = m.beforeComma(token)
	case (m.want == wantColon || m.want == wantValue) && closers != "":
		cut = m.beforeMember(token)
	case m.want == wantValue:
		cut = token
	}
	if !m.cut {
		kept := m.log[:0]
		for _, edit := range m.log {
			if max(edit.Start, edit.End) < cut || (edit.End == cut && edit.Inserted != ",") {
				kept = append(kept, edit)
			}
		}
		m.log = kept
	}
	if cut < len(m.text) || closers != "" {
		m.note("truncated", cut, len(m.text), closers)
	}
}

// beforeComma returns where the comma before pos stands, or was inserted.
func (m *mender) beforeComma(pos int) int {
	at := m.back(pos)
	if byteAt(m.text, at-1) == ',' {
		return at - 1
	}
	return m.inserted(",", at)
}

// inserted returns where the edit starts that ends at at and put this there; at if there is none.
func (m *mender) inserted(what string, at int) int {
	for i := len(m.log) - 1; i >= 0; i-- {
		if m.log[i].End == at && m.log[i].Inserted == what {
			return m.log[i].Start
		}
	}
	return at
}

// beforeMember returns where the comma before the member stands that is being read, or where its name starts if it is
// the first.
func (m *mender) beforeMember(pos int) int {
	at := m.back(pos)
	if m.want == wantValue {
		if byteAt(m.text, at-1) == ':' {
			at--
		} else {
			at = m.inserted(":", at)
		}
		at = m.back(at)
	}
	start := m.key.start
	if at != m.key.end {
		start = strings.LastIndexByte(m.text[:at-1], '"')
		for isEscaped(m.text, 0, start) {
			start = strings.LastIndexByte(m.text[:start], '"')
		}
	}
	isOpened := func(edit Edit) bool { return edit.End == start && edit.Inserted == "{" }
	if byteAt(m.text, m.back(start)-1) == '{' || slices.ContainsFunc(m.log, isOpened) {
		return start
	}
	return m.beforeComma(start)
}
