package jsonscan

import (
	"strings"
	"unicode"
)

// The candidates: one walk over the landmarks of a text, which reads a value wherever one may start, strictly first and
// then with the repairs allowed, and goes on behind what was read, whatever came of it. So it is linear.

// quality is how well a value reads, best first (RANK-2).
type quality uint8

const (
	strict quality = iota
	mended
	guessed
	cutOff
	broken
)

// place is where a value stands, best first (RANK-1).
type place uint8

const (
	inFence place = iota
	onLines
	inOtherFence
	inLine
	narrated
)

// candidate is a value that may be the answer, or several that are joined.
type candidate struct {
	start, end int
	value      any
	quality    quality
	reading    *reading // nil: it was read strictly, or is broken by a rule alone
	rank       place
	source     Source
	fence      string
	inAnswer   bool
	onLines    bool // starts a line and ends one
	parts      []*candidate
	doubt      bool // by its label it is no answer, but what follows is perhaps none either (SEL-8)
}

// walk is one walk over a text.
type walk struct {
	text    string
	options *Options
	bounds  span // of the text, blanks aside
	marks   landmarks
	found   []*candidate // in text order

	fences      []*mdFence // those open at the landmark, outermost first
	left        int        // the end of the one that was left last
	tag         *tag       // the last opening tag
	answerEnd   int        // of the answer tag that is open; -1 if none is
	answerFrom  int        // how many were found before it
	stretched   int        // how far readings went that left their region
	mergedUntil int        // how far readings went that left out a brace
	merges      int        // how many of them were tolerant
	noTuple     int        // how far readings of parentheses went that came to nothing
	attempts    int
	outlook     *outlook
	brokenUntil int  // the end of the region of the last broken value whose end is not known
	loose       bool // the brackets about to be read show nothing but that they enclose the whole text
	weak        bool // the object about to be read has neither a quoted name nor a value of JSON: prose unless it stands alone
}

const maxMerges = 8 // how often a text is copied to read on behind a brace (CAND-5)

func newWalk(text string, bounds span, options *Options) *walk {
	return &walk{
		text: text, options: options, bounds: bounds, marks: landmarks{text: text}, outlook: newOutlook(len(text)),
		left: -1, answerEnd: -1, brokenUntil: -1,
	}
}

func (w *walk) run() error {
	pos, err := w.headless(0, len(w.text))
	for err == nil {
		mark, ok := w.marks.next(pos)
		if !ok {
			return nil
		}
		for len(w.fences) > 0 && mark.start >= w.innermost().end {
			w.left = w.innermost().end
			w.fences = w.fences[:len(w.fences)-1]
		}
		switch {
		case mark.fence != nil:
			pos, err = w.enter(mark.fence)
		case mark.tag != nil:
			pos = w.pass(mark.tag)
		default:
			pos, err = w.bracket(mark.start)
		}
	}
	return err
}

// innermost returns the fence that counts, or nil.
func (w *walk) innermost() *mdFence {
	if len(w.fences) == 0 {
		return nil
	}
	return w.fences[len(w.fences)-1]
}

// -- landmarks: each method returns where the walk goes on

// headless decides on what starts with a member at pos (ANS-5): an object whose opening brace was not sent.
func (w *walk) headless(pos, end int) (int, error) {
	start := skipBlank(w.text, pos)
	if !startsMember(w.text, start) {
		return pos, nil
	}
	c := &candidate{start: start, end: end, quality: broken}
	if w.options.Repair == RepairFull {
		content := "{" + w.text[start:end]
		if r := read(content, 0, w.options, RepairFull); r.stop == done || r.stop == starved {
			r.shift(start - 1)
			r.start = start
			r.edits = append([]Edit{{"missing-opener", start, start, "{"}}, r.edits...)
			c = &candidate{start: start, end: r.end, value: r.value, quality: guessed, reading: r}
			if r.stop == starved {
				c.quality = cutOff
			}
		}
	}
	w.add(c, true, true)
	return c.end, nil
}

// shift makes a reading one of a text in which it stands so much later.
func (r *reading) shift(by int) {
	r.start, r.end, r.faultPos, r.covered = r.start+by, r.end+by, r.faultPos+by, r.covered+by
	edits := make([]Edit, len(r.edits))
	for i, edit := range r.edits {
		edit.Start, edit.End = edit.Start+by, edit.End+by
		edits[i] = edit
	}
	r.edits = edits
}

func (w *walk) enter(fence *mdFence) (int, error) {
	w.fences = append(w.fences, fence)
	if fence.start == w.left { // these marks close a fence: what is behind them is no whole content of another
		return fence.content, nil
	}
	if fence.isJSON() && len(w.found) == 0 {
		if pos, err := w.headless(fence.content, fence.end); err != nil || pos > fence.content {
			return pos, err
		}
	}
	if pos := w.scalar(fence.content); pos > fence.content {
		return pos, nil
	}
	return w.tuple(fence)
}

// tuple reads parentheses that are the whole content of a JSON fence (KIND-3). What that went over in vain, no others are
// read in.
func (w *walk) tuple(fence *mdFence) (int, error) {
	start := skipBlank(w.text, fence.content)
	if w.options.Repair != RepairFull || !fence.isJSON() || start >= fence.end || w.text[start] != '(' || start < w.noTuple {
		return fence.content, nil
	}
	r := w.readUntil(start, fence.end, RepairFull)
	if r.stop == beyond {
		return 0, &SearchError{LimitPassed, r.faultPos}
	}
	items, _ := r.value.([]any)
	if r.stop != done || !isAll(w.text[r.end:fence.end], isWhite) || (len(items) == 1 && !commaLast(w.text[start:r.end])) {
		w.noTuple = r.covered
		return fence.content, nil
	}
	w.add(&candidate{start: start, end: r.end, value: r.value, quality: guessed, reading: r}, true, true)
	return r.end, nil
}

// commaLast tells whether a comma stands before the closing parenthesis.
func commaLast(tuple string) bool {
	inside, ok := strings.CutSuffix(tuple, ")")
	return ok && byteAt(inside, trimBack(inside, 0, len(inside), isWhite)-1) == ','
}

func (w *walk) pass(t *tag) int {
	switch {
	case t.role == reasoningTag || t.role == quotingTag:
		return w.setAside(t)
	case t.closes:
		return t.end
	}
	w.tag = t
	if t.role != answerTag {
		return t.end
	}
	for _, c := range w.found[w.answerFrom:] { // the tag before was only mentioned if this one stands inside it
		c.inAnswer = c.inAnswer && w.answerEnd <= t.start
	}
	w.answerEnd, w.answerFrom = len(w.text), len(w.found)
	if closing, ok := w.marks.closer(t); ok {
		w.answerEnd = closing.start
	}
	return w.scalar(t.end)
}

// setAside passes reasoning and what tags quote (TAG-1 to TAG-3).
func (w *walk) setAside(t *tag) int {
	if t.closes {
		if t.role == reasoningTag {
			w.found, w.answerFrom, w.answerEnd = nil, 0, -1
		}
		return t.end
	}
	if closing, ok := w.marks.closer(t); ok {
		return max(closing.end, t.end)
	}
	line := trimBack(w.text, 0, t.start, func(r rune) bool { return r != '\n' && (isWhite(r) || isBlank(r)) })
	if t.name[0] == '|' || line == 0 || w.text[line-1] == '\n' {
		return len(w.text)
	}
	return t.end
}

// scalar reads a strict scalar that is the whole content of a fence or answer tag, where any value will do (KIND-2).
func (w *walk) scalar(pos int) int {
	content := skipBlank(w.text, pos)
	if c := byteAt(w.text, content); w.options.Expect != ExpectAny || c == 0 || c == '{' || c == '[' {
		return pos
	}
	value, end, ok := readStrictly(w.text, content, w.options)
	if !ok {
		return pos
	}
	if start, behind := marksBehind(w.text, end); start == behind && !isTagEndBehind(w.text, end) {
		return pos
	}
	w.add(&candidate{start: content, end: end, value: value}, true, true)
	return end
}

func (w *walk) bracket(start int) (int, error) {
	w.weak, w.loose = false, false
	onLine := w.startsLine(start)
	opens := w.opensObject
	if w.text[start] == '[' {
		opens = w.opensArray
	}
	if skipped := opens(start, onLine); skipped > 0 {
		return skipped, nil
	}
	if w.attempts++; w.attempts > w.options.Limits.candidates() {
		return 0, &SearchError{LimitPassed, start}
	}
	c, err := w.read(start)
	if err != nil {
		return 0, err
	}
	if c.quality < cutOff && w.isEnclosed(c) {
		c = &candidate{start: start, end: c.end, quality: broken}
	}
	resume, damaged := c.end, c.quality >= cutOff
	if damaged && w.loose {
		return start + 1, nil
	}
	ends := damaged || endsLine(w.text, c.end) || strings.Contains(w.text[c.start:c.end], "\n")
	if w.weak && (damaged || !ends) || w.isFragment(c) {
		return resume, nil
	}
	if c.start != start {
		onLine = w.startsLine(c.start)
	}
	w.add(c, onLine, ends)
	if fence := w.innermost(); fence != nil && c.end <= fence.end { // marks right behind the value close its fence (FENCE-6)
		if marks, behind := marksBehind(w.text, c.end); behind-marks >= fence.width {
			w.fences = w.fences[:len(w.fences)-1]
			return behind, nil
		}
	}
	return resume, nil
}

// -- admission: 0 where a value may open at start, else where the walk goes on

// opensObject is CAND-2.
func (w *walk) opensObject(start int, onLine bool) int {
	text := w.text
	before, _ := runeBefore(text, start)
	if before == '$' || before == '\\' {
		return after(text, start)
	}
	if hasStrictKey(text, start) {
		return 0
	}
	braces := skipBraces(text, start)
	shape, value := keyAt(text, braces)
	inside := isAlnum(before) || strings.ContainsRune("_)}", before)
	switch {
	case shape == noKey:
		if w.loose = w.isWhole(start, '}'); w.loose || (isCutKey(text, braces) && (onLine || w.introduced(start))) {
			return 0
		}
		return braces
	case shape == bareKey:
		w.weak = !isPlainValue(text, value)
		if !onLine && (inside || (w.weak && len(w.fences) == 0)) {
			return braces
		}
	case shape == emptyObject && !onLine && !w.joins(start) && !w.introduced(start):
		return braces
	}
	return 0
}

// opensArray is CAND-3.
func (w *walk) opensArray(start int, onLine bool) int {
	text := w.text
	before, _ := runeBefore(text, start)
	if isAlnum(before) || before == '_' || before == ')' || before == ']' {
		if !w.joins(start) && !(unicode.IsLower(before) && hasStrictKey(text, start+1)) { // functools[{"name": ...}]
			return start + 1
		}
	}
	opens := startsInlineElement(text, start+1)
	if onLine || w.introduced(start) {
		opens = startsElement(text, start+1) || startsCallElement(text, start+1) && w.isWhole(start, ']')
		if !opens && (w.options.Expect == ExpectAny || w.options.Expect == ExpectArray) && w.isWhole(start, ']') {
			marks, behind := marksBehind(text, start+1)
			w.loose = marks == behind
			opens = w.loose
		}
	}
	if !opens {
		return start + 1
	}
	return 0
}

// isWhole tells whether this bracket and this closer enclose the whole text.
func (w *walk) isWhole(start int, closer byte) bool {
	return start == w.bounds.start && byteAt(w.text, w.bounds.end-1) == closer
}

// -- where a value stands

// last returns the candidate found last, or nil.
func (w *walk) last() *candidate {
	if len(w.found) == 0 {
		return nil
	}
	return w.found[len(w.found)-1]
}

// joins tells whether a value or tag ends right at start.
func (w *walk) joins(start int) bool {
	left := w.last()
	return left != nil && left.end == start || w.tag != nil && w.tag.end == start
}

// near tells whether nothing but a few code points of a kind stands between two positions.
func (w *walk) near(start, end int, is func(rune) bool) bool {
	return start <= end && within(w.text, start, end, few) && isAll(w.text[start:end], is)
}

// startsLine is the first half of LINE-1.
func (w *walk) startsLine(start int) bool {
	text := w.text
	if fence := w.innermost(); fence != nil && w.near(fence.content, start, isWhite) {
		return true
	}
	from := stepBack(text, start, few)
	line := from + lineStart(text[from:start])
	head := text[line:trimBack(text, line, start, isBlank)]
	if isLineHead(head) {
		return from == 0 || strings.Contains(text[from:start], "\n")
	}
	if w.isBehindTag(start) {
		return true
	}
	left := w.last()
	return left != nil && left.onLines && w.near(left.end, start, in(" \t,"))
}

func (w *walk) isBehindTag(start int) bool {
	r, _ := runeBefore(w.text, trimBack(w.text, stepBack(w.text, start, few), start, isBlank))
	if r == '▷' || r == ']' {
		return w.tag != nil && w.near(w.tag.end, start, isWhite)
	}
	return r == '>' && isTagBefore(w.text, start)
}

func (w *walk) introduced(start int) bool {
	return introduced(w.text, start, false) || isArgument(w.text, start)
}

// add ranks a candidate (RANK-1) and keeps it, unless its place is one where no answer stands.
func (w *walk) add(c *candidate, starts, ends bool) {
	text, fence := w.text, w.innermost()
	c.source, c.rank = FromProse, onLines
	c.onLines = starts && ends
	c.inAnswer = c.start < w.answerEnd
	if fence != nil {
		c.source, c.fence = FromFence, fence.info
	} else if w.tag != nil && w.near(w.tag.end, c.start, isBlank) {
		c.source = FromTag
	}
	switch {
	case fence != nil && !fence.isJSON():
		c.rank = inOtherFence
		whole := fence.content <= c.start && isAssigned(text[fence.content:c.start]) && isStatementEnd(text[c.end:max(c.end, fence.end)])
		if !whole && !(fence.isText() && c.onLines) {
			return
		}
	case (c.onLines || (starts && c.source == FromTag)) && !w.isCited(c):
		if fence != nil {
			c.rank = inFence
		}
	case text[c.start] == '[' && !w.isInlineArray(c):
		return
	default:
		c.rank = inLine
		if !starts && !w.introduced(c.start) && goesOn(text, c.end) {
			c.rank = narrated
		}
	}
	w.found = append(w.found, c)
}

// isEnclosed tells whether a value is a member or an item in brackets that opened nothing (CAND-8). Then those that only
// commas part from it are broken as well.
func (w *walk) isEnclosed(c *candidate) bool {
	if !closerFollows(w.text, c.end) {
		return false
	}
	start, first := c.start, len(w.found)
	for ; first > 0 && isCommaBetween(w.text, w.found[first-1].end, start); first-- {
		start = w.found[first-1].start
	}
	if !isNamedOrListed(w.text, start) && !memberFollowsClosers(w.text, c.end) {
		return false
	}
	for _, each := range w.found[first:] {
		each.value, each.quality, each.reading = nil, broken, nil
	}
	return true
}

// isCited tells a citation directly behind a tag, whose line goes on (CAND-3).
func (w *walk) isCited(c *candidate) bool {
	if c.source != FromTag || w.text[c.start] != '[' || !isCitation(w.text[c.start:c.end]) {
		return false
	}
	return !c.onLines || isClosedInLine(w.text, c.end)
}

// isInlineArray tells whether an array inside a line may be an answer (CAND-3).
func (w *walk) isInlineArray(c *candidate) bool {
	array := w.text[c.start:c.end]
	if isCitation(array) {
		told := strings.IndexByte(array, ',') > 0 || !introduced(w.text, c.start, true)
		return told && w.introduced(c.start) && endsLine(w.text, c.end)
	}
	return c.quality <= guessed && byteAt(w.text, c.end) != '('
}

// -- reading

// readStrictly returns the value at start and the position behind it, if it reads strictly.
func readStrictly(text string, start int, options *Options) (value any, end int, ok bool) {
	m := machine{text: text, keep: true, bounds: options.bounds(), pos: start}
	why := m.run()
	look(m.pos - start)
	return m.value, m.pos, why == done
}

// readUntil reads the value at start, as if the text ended at end.
func (w *walk) readUntil(start, end int, level Level) *reading {
	m := newMender(w.text[:end], start, w.options, level)
	m.outlook = w.outlook.until(end)
	return m.read()
}

// read returns the value at start; the walk goes on at its end.
func (w *walk) read(start int) (*candidate, error) {
	text, level := w.text, w.options.Repair
	if value, end, ok := readStrictly(text, start, w.options); ok {
		if text[start] != '{' || !isPremature(text, end) {
			return &candidate{start: start, end: end, value: value}, nil
		}
		if level == RepairFull {
			if c := w.merged(start, end); c != nil {
				return c, nil
			}
		}
		return &candidate{start: start, end: end, quality: broken}, nil
	}
	region := w.region(start)
	r := w.readUntil(start, region, level)
	if r.stop == beyond {
		return nil, &SearchError{LimitPassed, r.faultPos}
	}
	if r.stop != done && level != RepairOff && region < len(text) && start >= w.stretched {
		if stretched := w.stretch(start, region); stretched != nil {
			r = stretched
		}
	}
	if r.stop == done && r.isSafe() {
		return &candidate{start: start, end: r.end, value: r.value, quality: mended, reading: r}, nil
	}
	extent := r
	if level != RepairFull && r.stop != starved {
		extent = w.readUntil(start, region, RepairFull)
	}
	if c := w.independent(start, extent); c != nil {
		return c, nil
	}
	switch r.stop {
	case done:
		if closersFollow(text, r.end) {
			return &candidate{start: start, end: r.end, quality: broken}, nil
		}
		return &candidate{start: start, end: r.end, value: r.value, quality: guessed, reading: r}, nil
	case starved:
		return &candidate{start: start, end: region, value: r.value, quality: cutOff, reading: r}, nil
	}
	return w.damaged(start, region, r, extent), nil
}

// damaged returns the broken value at start, with the extent that RepairFull would give it.
func (w *walk) damaged(start, region int, r, extent *reading) *candidate {
	if extent.stop == fault && isBehindBlankLine(w.text, start, extent.faultPos) {
		if c := w.cutAt(start, extent.faultPos); c != nil {
			return c
		}
	}
	end := extent.end
	if extent.stop != done { // nobody can say where it ends: its paragraph is part of it, and what a comma or closer follows
		end = w.paragraphEnd(max(extent.covered, start+1), region)
		w.brokenUntil = region
	}
	return &candidate{start: start, end: end, quality: broken, reading: r}
}

// cutAt returns the value that prose in a paragraph of its own shows to have ended before it (TRUNC-2), or nil.
func (w *walk) cutAt(start, faultPos int) *candidate {
	end := start + strings.LastIndexByte(w.text[start:faultPos], '\n')
	r := w.readUntil(start, end, w.options.Repair)
	if r.stop != starved {
		return nil
	}
	return &candidate{start: start, end: end, value: r.value, quality: cutOff, reading: r}
}

// merged returns the object without the brace before end, read on behind it (CAND-5), or nil.
func (w *walk) merged(start, end int) *candidate {
	if start < w.mergedUntil || isNamedOrListed(w.text, start) {
		return nil
	}
	text := w.text
	m := machine{text: text[:end-1], keep: true, bounds: w.options.bounds(), pos: start}
	m.run()
	m.text = text
	if m.token < end-1 { // a number, of which nothing tells that it ends there
		m.pos = m.token
		m.step(text[m.pos])
	}
	m.goTo(end)
	why := m.run()
	w.mergedUntil = m.pos
	r := &reading{stop: done, value: m.value, start: start, end: m.pos}
	if why != done {
		r = w.mergedTolerantly(start, end)
	}
	if r == nil || isPremature(text, r.end) {
		return nil
	}
	if len(r.edits) == 0 || r.edits[0].Start != start || r.edits[0].End < end { // else a layer (LAYER-1) holds the brace
		r.edits = append([]Edit{{"surplus-closer", end - 1, end, ""}}, r.edits...)
	}
	return &candidate{start: start, end: r.end, value: r.value, quality: guessed, reading: r}
}

// mergedTolerantly does the same with repairs. This copies the rest, so it is tried a few times only.
func (w *walk) mergedTolerantly(start, end int) *reading {
	if w.merges == maxMerges {
		return nil
	}
	w.merges++
	text := w.text[start:end-1] + " " + w.text[end:]
	r := read(text, 0, w.options, RepairFull)
	r.shift(start)
	w.mergedUntil = max(w.mergedUntil, r.covered)
	if r.stop != done {
		return nil
	}
	return r
}

func (w *walk) paragraphEnd(pos, region int) int {
	if at := blankLine(w.text, min(pos, region), region); at >= 0 {
		return at
	}
	return max(pos, region)
}

// isFragment tells whether a candidate looks like a part of the broken value before it (CAND-1).
func (w *walk) isFragment(c *candidate) bool {
	return c.end <= w.brokenUntil && partFollows(w.text, c.end)
}

// region returns where a value at start that does not read strictly must end (FENCE-7).
func (w *walk) region(start int) int {
	var end int
	if fence := w.innermost(); fence != nil {
		end = fence.end
	} else if w.quotesFences(start) {
		end = len(w.text)
	} else {
		end = w.marks.fenceAfter(start)
	}
	if w.tag != nil && w.near(w.tag.end, start, isWhite) {
		if closing, ok := w.marks.closer(w.tag); ok {
			end = min(end, closing.start)
		}
	}
	if start < w.answerEnd {
		end = min(end, w.answerEnd)
	}
	return max(end, after(w.text, start))
}

// quotesFences tells whether this bracket and a quote with closers behind it enclose the whole text: then the fences are
// text of a string (FENCE-7).
func (w *walk) quotesFences(start int) bool {
	if !w.isWhole(start, '}') && !w.isWhole(start, ']') {
		return false
	}
	isEnd := func(r rune) bool { return isBlank(r) || r == '}' || r == ']' }
	return isBefore(w.text, 0, skipBack(w.text, start, len(w.text), endless, isEnd), closingQuotes)
}

// stretch reads on past the region: its end was inside a string, if a safe reading gets past it that way.
func (w *walk) stretch(start, region int) *reading {
	r := w.readUntil(start, len(w.text), RepairSafe)
	w.stretched = max(r.covered, region)
	if r.stop != done {
		return nil
	}
	line := start + strings.LastIndexByte(w.text[start:region], '\n')
	if line < start {
		return r
	}
	for _, edit := range r.edits {
		if edit.Start <= line && line < edit.End {
			return r
		}
	}
	return nil
}

// independent returns a strict object that starts inside a string of the broken value at start and ends past its fault,
// outside its extent (CAND-4), or nil.
func (w *walk) independent(start int, extent *reading) *candidate {
	text := w.text
	m := machine{text: text, keep: true, bounds: w.options.bounds(), pos: start}
	if m.run() != fault {
		return nil
	}
	look(m.pos - start)
	failed := map[int]bool{} // what was open where a reading failed has failed as well
	for _, frame := range m.stack {
		failed[frame.start] = true
	}
	for pos := start + 1; pos < m.pos; {
		at := find(text[:m.pos], "{", pos)
		if at < 0 {
			break
		}
		pos = at + 1
		if failed[at] {
			continue
		}
		inner := machine{text: text, keep: true, bounds: w.options.bounds(), pos: at}
		why := inner.run()
		look(inner.pos - at)
		if why != done {
			for _, frame := range inner.stack {
				failed[frame.start] = true
			}
			continue
		}
		object, end := inner.value.(*Object), inner.pos
		isLast := end >= extent.end || extent.stop != done
		if end > m.pos && object.Len() > 0 && isLast && endsBareLine(text, end) && !closersFollow(text, end) {
			return &candidate{start: at, end: end, value: object}
		}
		pos = end
	}
	return nil
}
