package jsonscan

import (
	"sort"
	"strings"
)

// A text that is meant to be JSON from its first character to its last (the rules WHOLE): what a wrapper leaves around
// the value goes, and values that stand in a row become an array.

// wholeText is the reading of one.
type wholeText struct {
	text    string
	options *Options
	full    bool
	outlook *outlook
	edits   []Edit
	beyond  bool // there are more edits than allowed

	value    any
	complete bool
}

// repairWhole reads a whole text with the repairs that options allow. With the error that it is cut comes the value so far.
// Linear.
func repairWhole(text string, options *Options) (*wholeText, *SearchError) {
	w := &wholeText{text: text, options: options, full: options.Repair == RepairFull, outlook: newOutlook(len(text))}
	if err := w.read(); err != nil {
		return w, err
	}
	sort.SliceStable(w.edits, func(i, j int) bool {
		a, b := w.edits[i], w.edits[j]
		return a.Start < b.Start || a.Start == b.Start && a.End < b.End
	})
	return w, nil
}

func (w *wholeText) read() *SearchError {
	if skipSpace(w.text, 0) == len(w.text) {
		return &SearchError{NoJSON, 0}
	}
	pos := 0
	if w.options.Repair != RepairOff {
		pos = w.before()
	}
	if w.beyond {
		return &SearchError{LimitPassed, pos}
	}
	var values []any
	var first, last *reading
	for pos < len(w.text) || last == nil {
		r, err := w.readValue(pos)
		if err != nil {
			return err
		}
		if first == nil {
			first = r
		}
		last, values = r, append(values, r.value)
		if r.stop != done {
			break
		}
		pos, err = w.next(r)
		if w.beyond {
			return &SearchError{LimitPassed, r.end}
		}
		if err != nil {
			return err
		}
	}
	switch {
	case last.stop == starved && last.value == nil:
		return &SearchError{NoJSON, last.end}
	}
	w.value, w.complete = last.value, last.stop == done
	if len(values) > 1 {
		w.edit("root-array", first.start, first.start, "[")
		w.edit("root-array", last.end, last.end, "]")
		w.value = values
	}
	if !w.complete && (!w.options.KeepTruncated || w.options.Repair == RepairOff) { // what may not be edited is not closed
		return &SearchError{Truncated, last.end}
	}
	if w.beyond {
		return &SearchError{LimitPassed, first.start}
	}
	if !w.options.isExpected(w.value) {
		return &SearchError{NoJSON, 0}
	}
	return nil
}

func (w *wholeText) readValue(pos int) (*reading, *SearchError) {
	m := newMender(w.text, pos, w.options, w.options.Repair)
	m.outlook = w.outlook
	r := m.read()
	switch r.stop {
	case beyond:
		return nil, &SearchError{LimitPassed, r.faultPos}
	case fault:
		return nil, &SearchError{Code(r.flaw), r.faultPos}
	}
	w.edits = append(w.edits, r.edits...)
	return r, nil
}

// edit notes an edit, and returns its end.
func (w *wholeText) edit(code string, start, end int, inserted string) int {
	w.edits = append(w.edits, Edit{code, start, end, inserted})
	w.beyond = len(w.edits) > w.options.Limits.repairs()
	return end
}

// before returns where the value starts behind a mark of the encoding, a fence, a label, an assignment.
func (w *wholeText) before() int {
	pos := 0
	if strings.HasPrefix(w.text, "\ufeff") {
		pos = w.edit("byte-order-mark", 0, len("\ufeff"), "")
	}
	pos = skipSpace(w.text, pos)
	if !w.full {
		return pos
	}
	for _, wrapperEnd := range []func(string, int) int{wrapperFence, wrapperLabel, wrapperAssignment} {
		if end := wrapperEnd(w.text, pos); end > 0 {
			pos = skipSpace(w.text, w.edit("wrapper", pos, end, ""))
		}
	}
	return pos
}

func opensContainer(text string, pos int) bool { c := byteAt(text, pos); return c == '{' || c == '[' }

// wrapperFence returns the position behind the fence that opens at pos, 0 if there is none; so the next two for the word
// json and for an assignment.
func wrapperFence(text string, pos int) int {
	if !strings.HasPrefix(text[pos:], "```") && !strings.HasPrefix(text[pos:], "~~~") {
		return 0
	}
	end := skip(text, pos+3, 32, func(r rune) bool { return isWord(r) || r == '+' || r == '-' })
	if end = skipTabs(text, end, 64); byteAt(text, end) == '\n' || opensContainer(text, end) {
		return end
	}
	return 0
}

func wrapperLabel(text string, pos int) int {
	if len(text) < pos+4 || !strings.EqualFold(text[pos:pos+4], "json") {
		return 0
	}
	end := skipTabs(text, pos+4, 64)
	end = skipTabs(text, skipBytes(text, end, 1, ":"), 64)
	line := skipBytes(text, end, 1, "\n")
	if opensContainer(text, skipTabs(text, line, 64)) {
		return line
	}
	return 0
}

func wrapperAssignment(text string, pos int) int {
	for _, words := range [][]string{{"return"}, {"export", "default"}} {
		if end := wordsEnd(text, pos, words); end > 0 && !isWord(runeAt(text, end)) {
			if end = skipTabs(text, end, 64); opensContainer(text, end) {
				return end
			}
		}
	}
	for _, words := range [][]string{nil, {"const"}, {"let"}, {"var"}, {"export", "const"}, {"export", "let"}, {"export", "var"}} {
		start := pos
		if len(words) > 0 {
			end := wordsEnd(text, pos, words)
			if start = skipTabs(text, end, endless); end == 0 || start == end {
				continue
			}
		}
		if end := assignmentEnd(text, start); end > 0 {
			return end
		}
	}
	return 0
}

// wordsEnd returns the position behind words at pos, parted by blanks; 0 if they are not there.
func wordsEnd(text string, pos int, words []string) int {
	for i, word := range words {
		at := pos
		if i > 0 {
			if at = skipTabs(text, pos, endless); at == pos {
				return 0
			}
		}
		if !strings.HasPrefix(text[at:], word) {
			return 0
		}
		pos = at + len(word)
	}
	return pos
}

// assignmentEnd returns the position behind a name, perhaps its type, an equals sign and space at pos, if a container
// follows; else 0.
func assignmentEnd(text string, pos int) int {
	if !isInitial(runeAt(text, pos)) {
		return 0
	}
	end := skip(text, pos, 128, func(r rune) bool { return isWordRune(r) || r == '.' })
	end = skipTabs(text, end, 64)
	if byteAt(text, end) == ':' {
		end = skipTabs(text, end+1, 64)
		end = skip(text, end, 64, func(r rune) bool { return isWord(r) || strings.ContainsRune("<>[], ", r) })
	}
	if byteAt(text, end) != '=' {
		return 0
	}
	if end = skipBytes(text, end+1, 64, " \t\n"); opensContainer(text, end) {
		return end
	}
	return 0
}

// between returns where what stands behind a value ends: space, comments, closers too many, the rest of a wrapper.
func (w *wholeText) between(pos int) int {
	for {
		pos = skipSpace(w.text, pos)
		if pos == len(w.text) || w.options.Repair == RepairOff {
			return pos
		}
		c, rest := w.text[pos], w.text[pos:]
		space := skip(w.text, pos, endless, isOddSpace)
		switch end := commentEnd(w.text, pos); {
		case end > pos:
			pos = w.edit("comment", pos, end, "")
		case c == ']' || c == '}':
			pos = w.edit("surplus-closer", pos, pos+1, "")
		case !w.full:
			return pos
		case c == ')' || c == ';':
			pos = w.edit("wrapper", pos, pos+1, "")
		case strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~"):
			pos = w.edit("wrapper", pos, pos+3, "")
		case space > pos:
			pos = w.edit("odd-space", pos, space, "")
		default:
			return pos
		}
	}
}

// next returns where the next of several values starts, or the end of the text. They stand apart by a comma or a line, or
// are containers.
func (w *wholeText) next(last *reading) (int, *SearchError) {
	text, pos := w.text, w.between(last.end)
	if pos == len(text) {
		return pos, nil
	}
	if w.full && text[pos] == ',' {
		end := w.between(pos + 1)
		if end == len(text) {
			w.edit("trailing-comma", pos, pos+1, "")
		}
		return end, nil
	}
	apart := strings.Contains(text[last.end:pos], "\n") || isContainer(last.value) && opensContainer(text, pos)
	if r := runeAt(text, pos); w.full && apart && (isWord(r) || strings.ContainsRune("{[\"'“‘`(+.-", r)) {
		w.edit("missing-comma", last.end, last.end, ",")
		return pos, nil
	}
	return 0, &SearchError{Unexpected, pos}
}

func isContainer(value any) bool {
	switch value.(type) {
	case *Object, []any:
		return true
	}
	return false
}
