package jsonscan

import (
	"fmt"
	"strings"
)

// A Source tells what stands around a value.
type Source string

const (
	FromBare     Source = "bare"  // nothing but blanks
	FromFence    Source = "fence" // the fence it stands in
	FromTag      Source = "tag"   // the tag right before it
	FromProse    Source = "prose"
	FromFragment Source = "fragment" // a broken value
)

// A Match is a JSON value in a text and where it stands.
type Match struct {
	Value      any
	Start, End int // in bytes
	Source     Source
	Fence      string // the info word of the fence it stands in, in lower case
	Complete   bool   // false where the text ends inside the value
	Edits      []Edit // in text order; none where the value reads strictly
}

// The codes of a [SearchError], besides [NoJSON].
const (
	Unexpected       Code = "unexpected" // the answer is broken: so this one and the next five
	ControlCharacter Code = "control"
	InvalidEscape    Code = "escape"
	InvalidNumber    Code = "number"
	InvalidLiteral   Code = "literal"
	DuplicateKey     Code = "duplicate-key"
	Truncated        Code = "truncated" // the text ends inside the answer
	Ambiguous        Code = "ambiguous" // several values stand side by side, or compete
	LimitPassed      Code = "limit"     // one of Limits was passed
	InvalidEncoding  Code = "encoding"  // the text is not WTF-8
)

// A SearchError is the error of [Search].
type SearchError struct {
	Code   Code
	Offset int // in bytes
}

func (e *SearchError) Error() string {
	return fmt.Sprintf("jsonscan: no answer: %s at byte %d", e.Code, e.Offset)
}

// Search returns the answer in a text, by the rules of the corpus (RULES.md). The error, if any, is a [*SearchError]; its
// code is [NoJSON] where there is no JSON of the kind expected. Linear in the length of text.
func Search(text string, options Options) (*Match, error) {
	if err := admit(text, &options); err != nil {
		return nil, err
	}
	return newSearcher(text, &options).search()
}

// FindAll returns every value in a text that stands outside reasoning and may be given out under the options, in text
// order. Values that are broken are left out, and so are cut ones unless options keep them. Select is of no effect. The
// error, if any, is a [*SearchError] with the code [LimitPassed] or [InvalidEncoding]. Linear in the length of text.
func FindAll(text string, options Options) ([]*Match, error) {
	if err := admit(text, &options); err != nil {
		return nil, err
	}
	return newSearcher(text, &options).every()
}

// Repaired is a text that is meant to be JSON, as JSON.
type Repaired struct {
	Text     string // strict JSON, unless the value is not complete
	Value    any
	Edits    []Edit // that make Text, in text order
	Complete bool
}

// Repair returns a text that is meant to be JSON from its first character to its last as strict JSON, with the edits that
// options allow. Its value must be of the kind expected. The error, if any, is a [*SearchError]. Linear in the length of
// text.
func Repair(text string, options Options) (*Repaired, error) {
	if err := admit(text, &options); err != nil {
		return nil, err
	}
	whole, failure := repairWhole(text, &options)
	if failure != nil {
		return nil, failure
	}
	return &Repaired{applied(text, 0, len(text), whole.edits), whole.value, whole.edits, whole.complete}, nil
}

// admit returns the error of a text that is not looked at.
func admit(text string, options *Options) error {
	if at := notWTF8(text); at >= 0 {
		return &SearchError{InvalidEncoding, at}
	}
	if len(text) > options.Limits.input() {
		return &SearchError{LimitPassed, 0}
	}
	return nil
}

func newSearcher(text string, options *Options) *searcher {
	lead := skipBlank(text, 0)
	return &searcher{text: text, options: options, lead: lead, tail: trimBack(text, lead, len(text), isBlank)}
}

// searcher is one search.
type searcher struct {
	text       string
	options    *Options
	lead, tail int // where the text starts and ends, blanks aside
	found      []*candidate
	cut        *SearchError // what the text is if it is nothing else: a string that its end cut off
}

func (s *searcher) search() (*Match, error) {
	if match, err := s.whole(); match != nil || err != nil {
		return match, err
	}
	if s.options.Expect == ExpectAny && s.options.Repair != RepairOff {
		if match, err := s.rootScalar(); match != nil || err != nil {
			return match, err
		}
	}
	if err := s.find(); err != nil {
		return nil, err
	}
	switch s.options.Select {
	case SelectAnswer:
		return s.answer()
	case SelectSole:
		return s.sole()
	}
	return s.plain()
}

// find finds the candidates.
func (s *searcher) find() error {
	w := newWalk(s.text, span{s.lead, s.tail}, s.options)
	err := w.run()
	s.found = w.found
	return err
}

// every returns all values that may be given out.
func (s *searcher) every() ([]*Match, error) {
	match, err := s.whole()
	if match != nil {
		return []*Match{match}, nil
	}
	if err != nil {
		return nil, nil // the whole text is of another kind
	}
	if err := s.find(); err != nil {
		return nil, err
	}
	var matches []*Match
	for _, c := range s.found {
		parts := []*candidate{c}
		if s.options.Fragments && c.quality >= cutOff {
			parts = s.fragments(c)
		}
		for _, part := range parts {
			if part.quality <= s.worst() && s.options.isExpected(part.value) {
				matches = append(matches, s.match(part))
			}
		}
	}
	return matches, nil
}

// worst returns the least quality that may be given out.
func (s *searcher) worst() quality {
	if s.options.KeepTruncated {
		return cutOff
	}
	return guessed
}

// fragments returns the outermost strict values inside a broken one (CAND-6). What was open where a reading failed has
// failed as well.
func (s *searcher) fragments(c *candidate) []*candidate {
	var found []*candidate
	failed := map[int]bool{}
	for pos := c.start; ; {
		at := strings.IndexAny(s.text[pos:c.end], "{[")
		if at < 0 {
			return found
		}
		at += pos
		if pos = at + 1; failed[at] {
			continue
		}
		m := machine{text: s.text, keep: true, bounds: s.options.bounds(), pos: at}
		if m.run() == done {
			found = append(found, &candidate{start: at, end: m.pos, value: m.value, source: FromFragment})
			pos = m.pos
			if pos > c.end {
				return found
			}
		}
		for _, frame := range m.stack {
			failed[frame.start] = true
		}
	}
}

// isExpected tells whether a value is of the kind that is looked for.
func (o *Options) isExpected(value any) bool {
	switch value.(type) {
	case *Object:
		return o.Expect != ExpectArray
	case []any:
		return o.Expect != ExpectObject
	}
	return o.Expect == ExpectAny
}

// -- the whole text

// whole returns the whole text, if it reads strictly (ANS-1 to ANS-3).
func (s *searcher) whole() (*Match, error) {
	value, end, ok := readStrictly(s.text, s.lead, s.options)
	if !ok || end < s.tail {
		return nil, nil
	}
	if s.options.isExpected(value) {
		return s.bare(value, end, true, nil), nil
	}
	if inner, ok := value.(string); ok && s.options.Repair == RepairFull {
		value, innerEnd, ok := readStrictly(inner, skipBlank(inner, 0), s.options)
		if ok && s.options.isExpected(value) && skipBlank(inner, innerEnd) == len(inner) {
			return s.bare(value, end, true, []Edit{{"escaped-json", s.lead, end, inner}}), nil
		}
	}
	return nil, &SearchError{NoJSON, s.lead}
}

// bare returns a match that is the whole text up to end.
func (s *searcher) bare(value any, end int, complete bool, edits []Edit) *Match {
	return &Match{Value: value, Start: s.lead, End: end, Source: FromBare, Complete: complete, Edits: edits}
}

// full returns the whole text as one value, with the repairs allowed; nil if it is none.
func (s *searcher) full() (*Match, error) {
	whole, err := repairWhole(s.text, s.options)
	if err != nil {
		if err.Code == LimitPassed {
			return nil, err
		}
		if _, isString := whole.value.(string); isString && err.Code == Truncated {
			s.cut = err
		}
		return nil, nil
	}
	if last := byteAt(s.text, s.tail-1); !whole.complete && (whole.value == nil || last == '}' || last == ']') {
		return nil, nil
	}
	return s.wholeMatch(whole), nil
}

// wholeMatch returns the match of a whole text. What became of blanks around it is no matter, but what was put among them
// is, and those at the end of a string that was cut are its own.
func (s *searcher) wholeMatch(whole *wholeText) *Match {
	end := s.tail
	var edits []Edit
	for _, edit := range whole.edits {
		if edit.End > s.lead || edit.Inserted != "" {
			edit.Start, edit.End = max(edit.Start, s.lead), max(edit.End, s.lead)
		}
		if edit.Start >= s.lead && (edit.Start < s.tail || edit.End == edit.Start || !whole.complete) {
			edits, end = append(edits, edit), max(end, edit.End)
		}
	}
	return s.bare(whole.value, end, whole.complete, edits)
}

// rootScalar reads a text that starts like a scalar, a tuple or, under RepairFull, a call (ANS-4).
func (s *searcher) rootScalar() (*Match, error) {
	full := s.options.Repair == RepairFull
	if strings.Contains(openingQuotes, s.text[s.lead:s.tail]) {
		return nil, nil // a quote alone
	}
	if content := s.text[s.lead:]; !startsScalar(content) && !(full && startsCall(content)) {
		return nil, nil
	}
	match, err := s.full()
	last, _ := runeBefore(s.text, s.tail)
	isQuoted := strings.ContainsRune(openingQuotes, runeAt(s.text, s.lead)) && strings.ContainsRune(closingQuotes, last)
	if match == nil && err == nil && s.cut == nil && full && (isQuoted || isLoneNumber(s.text[s.lead:s.tail])) {
		return s.onlyItem(), nil
	}
	return match, err
}

// onlyItem reads the whole text as the one item of an array, where a damaged string or bare words have an end; nil if it
// is none.
func (s *searcher) onlyItem() *Match {
	array := "[" + s.text[s.lead:s.tail] + "]"
	r := read(array, 0, s.options, RepairFull)
	items, _ := r.value.([]any)
	if r.stop != done || len(items) != 1 {
		return nil
	}
	if r.end != len(array) { // a quote before a bracket of the text, not the array's
		return s.oneString()
	}
	r.shift(s.lead - 1)
	if len(r.edits) > 0 && r.edits[0].Start < s.lead { // a layer, from the bracket that is none of the text's
		edit := &r.edits[0]
		*edit = Edit{edit.Code, s.lead, s.tail, edit.Inserted[1 : len(edit.Inserted)-1]}
	}
	return s.bare(items[0], s.tail, true, r.edits)
}

// saying reads words with a colon in them, where what stands before that is no name; nil where the text is something else.
func (s *searcher) saying() *Match {
	content := s.text[s.lead:s.tail]
	if !isSaying(content) {
		return nil
	}
	return s.bare(content, s.tail, true, []Edit{{"unquoted-value", s.lead, s.tail, quoted(content)}})
}

// oneString reads what stands between quotes at both ends of the text, with any others in it, as one string; nil where
// they are no pair.
func (s *searcher) oneString() *Match {
	content := s.text[s.lead:s.tail]
	first := runeAt(content, 0)
	last, end := runeBefore(content, len(content))
	pair, ok := quotePairs[first]
	if !ok || end == 0 || !strings.ContainsRune(pair.more, last) {
		return nil
	}
	m := newMender(content, 0, s.options, RepairFull)
	m.writeString(0, after(content, 0), stringEnd{end, len(content), ""}, first, pair.code, true)
	r := m.reading(done, len(content))
	r.shift(s.lead)
	return s.bare(r.value, s.tail, true, r.edits)
}

// isMeant tells whether a text without candidates is one bracketed thing, or a line of words that is no sentence (ANS-4).
func (s *searcher) isMeant() bool {
	if s.options.Expect != ExpectAny || s.options.Repair != RepairFull || s.lead == len(s.text) {
		return false
	}
	first, last := s.text[s.lead], s.text[s.tail-1]
	return (first == '[' || first == '{') && (last == ']' || last == '}' || last == ',') || (stepForward(s.text, s.lead, 80) >= len(s.text) && (isPhrase(s.text[s.lead:s.tail]) || isPattern(s.text[s.lead:s.tail])))
}

// -- among the candidates

// match returns what is told of a candidate.
func (s *searcher) match(c *candidate) *Match {
	m := &Match{Value: c.value, Start: c.start, End: c.end, Source: c.source, Fence: c.fence, Complete: c.quality != cutOff}
	if c.start == s.lead && c.end >= s.tail {
		m.Source = FromBare
	}
	switch {
	case len(c.parts) > 0:
		m.Edits = s.joinedEdits(c)
	case c.reading != nil:
		m.Edits = c.reading.edits
	}
	return m
}

// joinedEdits returns the edits of values that are joined to an array (JOIN-5).
func (s *searcher) joinedEdits(c *candidate) []Edit {
	edits := []Edit{{"root-array", c.start, c.start, "["}}
	for i, part := range c.parts {
		if i > 0 {
			edits = append(edits, gapEdits(s.text, c.parts[i-1].end, part.start)...)
		}
		if part.reading != nil {
			edits = append(edits, part.reading.edits...)
		}
	}
	return append(edits, Edit{"root-array", c.end, c.end, "]"})
}

// gapEdits returns the edits that leave nothing but a comma and JSON's white space between two joined values.
func gapEdits(text string, start, end int) []Edit {
	var edits []Edit
	comma := false
	for pos := start; pos < end; {
		code, behind := gapPart(text, pos)
		switch code {
		case "":
		case ",":
			comma = true
		default:
			edits = append(edits, Edit{code, pos, behind, ""})
		}
		pos = behind
	}
	if !comma {
		edits = append(edits, Edit{"missing-comma", end, end, ","})
	}
	return edits
}

// gapPart tells what stands at pos between two joined values, and where it ends: a comma, JSON's white space ("") or what
// must go, by the code of the edit.
func gapPart(text string, pos int) (code string, end int) {
	if end := skipSpace(text, pos); end > pos {
		return "", end
	}
	if end := remarkEnd(text, pos); end > pos {
		return "comment", end
	}
	if end := numberMarkEnd(text, pos); end > pos {
		return "list-marker", end
	}
	switch text[pos] {
	case ',':
		return ",", pos + 1
	case '-', '*':
		return "list-marker", pos + 1
	}
	if runeAt(text, pos) == '•' {
		return "list-marker", after(text, pos)
	}
	return "odd-space", skip(text, pos, endless, func(r rune) bool { return isWhite(r) && !strings.ContainsRune(" \t\r\n", r) })
}

// units returns what competes to be the answer, in text order.
func (s *searcher) units() []*candidate {
	var units []*candidate
	for _, unit := range joined(s.text, s.found) {
		for _, c := range settled(s.options, unit) {
			if s.hasKind(c) {
				units = append(units, c)
			}
		}
	}
	return units
}

// hasKind is KIND-1: a broken value counts by its bracket.
func (s *searcher) hasKind(c *candidate) bool {
	if c.quality != broken {
		return s.options.isExpected(c.value)
	}
	if s.text[c.start] == '{' && len(c.parts) == 0 {
		return s.options.Expect != ExpectArray
	}
	return s.options.Expect != ExpectObject
}

// plain returns the first, last or largest of the values that may be given out (SEL-6).
func (s *searcher) plain() (*Match, error) {
	var chosen *candidate
	for _, c := range s.found {
		if c.quality > s.worst() || !s.options.isExpected(c.value) {
			continue
		}
		if chosen == nil || s.options.Select == SelectLast ||
			(s.options.Select == SelectLargest && CodePoints(s.text[c.start:c.end]) > CodePoints(s.text[chosen.start:chosen.end])) {
			chosen = c
		}
	}
	if chosen == nil {
		return nil, s.refusal(s.units())
	}
	return s.match(chosen), nil
}

// answer returns the answer that the rules rank best.
func (s *searcher) answer() (*Match, error) {
	units := fuller(supersede(s.text, s.units()))
	if len(units) > 0 {
		chosen := best(units)
		if chosen.doubt {
			return nil, &SearchError{Ambiguous, units[0].start}
		}
		return s.accepted(chosen)
	}
	if s.cut == nil && s.isMeant() {
		match, err := s.full()
		if match == nil && err == nil {
			match = s.onlyItem()
		}
		if match == nil && err == nil {
			match = s.saying()
		}
		if match != nil || err != nil {
			return match, err
		}
	}
	return nil, s.refusal(nil)
}

// sole returns the answer if nothing competes with it (SEL-7).
func (s *searcher) sole() (*Match, error) {
	units := fuller(distinct(s.units()))
	if len(units) == 0 {
		return nil, s.refusal(nil)
	}
	chosen := best(units)
	var rivals []*candidate
	for _, c := range units {
		if c.quality <= cutOff || c.rank <= max(chosen.rank, inOtherFence) {
			rivals = append(rivals, c)
		}
	}
	if len(rivals) > 1 || chosen.rank == narrated {
		return nil, &SearchError{Ambiguous, rivals[0].start}
	}
	return s.accepted(chosen)
}

// best returns the answer among units (RANK-1 to RANK-3).
func best(units []*candidate) *candidate {
	best := units[0]
	for _, c := range units[1:] {
		if c.beats(best) {
			best = c
		}
	}
	return best
}

func (c *candidate) beats(other *candidate) bool {
	switch {
	case c.inAnswer != other.inAnswer:
		return c.inAnswer
	case c.rank != other.rank:
		return c.rank < other.rank
	case c.quality != other.quality:
		return c.quality < other.quality
	}
	return c.start < other.start
}

func (s *searcher) accepted(c *candidate) (*Match, error) {
	if c.quality == broken || (c.quality == cutOff && (!s.options.KeepTruncated || c.value == nil)) {
		return nil, s.refusal([]*candidate{c})
	}
	return s.match(c), nil
}

// refusal tells why none of these is the answer (ERR-1).
func (s *searcher) refusal(units []*candidate) *SearchError {
	switch {
	case len(units) == 0 && s.cut != nil && len(s.found) == 0:
		return s.cut
	case len(units) == 0:
		return &SearchError{NoJSON, s.lead}
	}
	c := best(units)
	switch {
	case len(c.parts) > 0 && c.quality == broken:
		return &SearchError{Ambiguous, c.parts[0].start}
	case c.quality == cutOff:
		return &SearchError{Truncated, c.end}
	case c.reading == nil:
		return &SearchError{Unexpected, c.start}
	}
	return &SearchError{Code(c.reading.flaw), c.reading.faultPos}
}
