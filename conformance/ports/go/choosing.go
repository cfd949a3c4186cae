package jsonscan

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Choosing among candidates: values side by side (JOIN), equal ones, echoes of a schema or template, drafts (SEL).

// joined makes one unit of values that nothing, a line feed or a comma parts.
func joined(text string, found []*candidate) []*candidate {
	var units []*candidate
	for _, c := range found {
		if len(units) == 0 {
			units = append(units, c)
			continue
		}
		last := units[len(units)-1]
		tail := last
		if len(last.parts) > 0 {
			tail = last.parts[len(last.parts)-1]
		}
		how := joins(text, tail, c)
		if how == noJoint {
			units = append(units, c)
			continue
		}
		if len(last.parts) == 0 {
			group := *last
			group.value, group.reading, group.parts, group.onLines = nil, nil, []*candidate{last}, true
			last = &group
			units[len(units)-1] = last
		}
		last.parts = append(last.parts, c)
		last.end, last.quality = c.end, max(last.quality, c.quality)
		last.onLines = last.onLines && how == commaJoint
	}
	return units
}

func joins(text string, left, right *candidate) joint {
	if left.inAnswer != right.inAnswer || left.rank != right.rank || left.quality > guessed || right.quality == broken ||
		right.start < left.end || !within(text, left.end, right.start, few+1) {
		return noJoint
	}
	how := jointOf(text[left.end:right.start])
	if how == lineJoint && !(left.onLines && right.onLines) {
		return noJoint
	}
	return how
}

// settled returns what a unit counts as: itself; under RepairFull the array of its parts; else its parts, to be told
// apart (JOIN-4, JOIN-5).
func settled(text string, options *Options, unit *candidate) []*candidate {
	if len(unit.parts) == 0 {
		return []*candidate{unit}
	}
	parts := distinct(unit.parts)
	if len(parts) == 1 && unit.onLines && options.Repair == RepairFull { // commas say that the same is meant again
		parts = unit.parts
	}
	parts = fuller(parts)
	if !unit.onLines { // parted by something else than commas
		parts = supersede(text, parts)
	}
	if len(parts) == 1 || options.Expect == ExpectObject {
		return parts
	}
	if options.Repair == RepairFull {
		items := make([]any, len(unit.parts))
		for i, part := range unit.parts {
			items[i] = part.value
		}
		unit.value, unit.quality = items, max(unit.quality, guessed)
	} else {
		unit.quality, unit.parts = broken, parts
	}
	return []*candidate{unit}
}

// distinct drops values that are equal to one before (SEL-1). What was cut could have become another, and what is broken
// is none.
func distinct(candidates []*candidate) []*candidate {
	var kept []*candidate
	known := map[string]bool{}
	for _, c := range candidates {
		if c.quality < cutOff {
			mark := fingerprint(c.value)
			if known[mark] {
				continue
			}
			known[mark] = true
		}
		kept = append(kept, c)
	}
	return kept
}

// fuller drops {} where there is another value (SEL-2). What was cut is no {}, though nothing more came of it.
func fuller(candidates []*candidate) []*candidate {
	var kept []*candidate
	for _, c := range candidates {
		if object, ok := c.value.(*Object); c.quality >= cutOff || !ok || object.Len() > 0 {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return candidates
	}
	return kept
}

// fingerprint is equal for equal values, whatever the order of their members.
func fingerprint(value any) string {
	var marks []byte
	for todo := []any{value}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch next := next.(type) {
		case []any:
			marks = append(strconv.AppendInt(append(marks, '['), int64(len(next)), 10), ',')
			todo = append(todo, next...)
		case *Object:
			marks = append(strconv.AppendInt(append(marks, '{'), int64(next.Len()), 10), ',')
			members := slices.Clone(next.members)
			sort.Slice(members, func(i, j int) bool { return members[i].key < members[j].key })
			for _, m := range members {
				todo = append(todo, m.value, m.key)
			}
		case Number:
			if next.IsInteger() {
				marks = append(append(marks, next...), ',')
			} else {
				marks = append(strconv.AppendFloat(append(marks, 'f'), next.Float64(), 'g', -1, 64), ',')
			}
		case string:
			marks = append(strconv.AppendQuote(marks, next), ',')
		default:
			marks = append(append(marks, spelling(next)...), ',')
		}
	}
	return string(marks)
}

// supersede leaves out what the text itself says is no answer, where an answer follows (SEL-3 to SEL-5).
func supersede(text string, candidates []*candidate) []*candidate {
	var kept []*candidate
	followed := false // by an answer
	for i := len(candidates) - 1; i >= 0; i-- {
		c, since := candidates[i], 0
		if i > 0 {
			since = candidates[i-1].end
		}
		label := labelOf(text, since, c)
		if !followed || !(isEcho(c.value) || isDraft(label)) {
			kept = append(kept, c)
			followed = followed || c.quality <= cutOff
		}
		if c.quality <= cutOff && isRevised(label) {
			kept = append(kept, notRevised(text, candidates[:i], c)...)
			break
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].start < kept[j].start })
	return kept
}

// notRevised returns those of a better place than a later one that is labelled as final, or labelled so themselves.
func notRevised(text string, earlier []*candidate, later *candidate) []*candidate {
	var kept []*candidate
	since := 0
	for _, c := range earlier {
		if c.rank < later.rank || c.inAnswer || isRevised(labelOf(text, since, c)) {
			kept = append(kept, c)
		}
		since = c.end
	}
	return kept
}

const (
	labelRoom = 200 // code points before a value in which its label is looked for
	maxLabel  = 80
)

// labelOf returns the label of a value: the last line of words before it, behind since.
func labelOf(text string, since int, c *candidate) string {
	start := max(since, stepBack(text, c.start, labelRoom))
	if start > c.start {
		return ""
	}
	before := text[start:c.start]
	if at := openingFence(before); at >= 0 {
		before = before[:at]
	}
	before = before[:trimBack(before, 0, len(before), isBlank)]
	label := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.ToLower(label[stepBack(label, len(label), maxLabel):])
}

// openingFence returns where the marks of the fence stand that a text ends in, with its info word; -1 if there are none.
func openingFence(text string) int {
	end := trimBack(text, 0, len(text), isWhite)
	end = trimBack(text, 0, end, func(r rune) bool { return isWord(r) || strings.ContainsRune("+./-", r) })
	for _, mark := range []string{"`", "~"} {
		marks := strings.TrimRight(text[:end], mark)
		if end-len(marks) >= 3 {
			return len(marks)
		}
	}
	return -1
}

var draftWords = []string{
	"draft", "example", "examples", "sample", "template", "schema", "placeholder", "first attempt", "first try", "initial",
	"original", "before", "wrong", "incorrect", "invalid",
}

var revisedWords = []string{
	"final", "correct", "corrected", "correction", "revised", "revision", "updated", "fixed", "improved", "after review",
	"instead", "actually", "actual", "real", "better", "answer", "fix it", "fix this", "fix that", "let me fix", "let me correct",
	"let me redo", "complete version", "finale",
}

func isDraft(label string) bool {
	return hasWord(label, draftWords, nil) ||
		hasWord(label, []string{"input"}, func(before, _ string) bool {
			return !strings.HasSuffix(before, "action ") && !strings.HasSuffix(before, "tool ") && !strings.HasSuffix(before, "function ")
		}) ||
		hasWord(label, []string{"format"}, func(_, behind string) bool {
			return !strings.ContainsFunc(strings.TrimPrefix(behind, " is"), isWord)
		})
}

func isRevised(label string) bool { return hasWord(label, revisedWords, nil) }

// hasWord tells whether one of these words or phrases stands in a label, as a whole, where fits, if given, likes it.
func hasWord(label string, words []string, fits func(before, behind string) bool) bool {
	for _, word := range words {
		for pos := 0; ; {
			at := find(label, word, pos)
			if at < 0 {
				break
			}
			pos = at + len(word)
			before, _ := runeBefore(label, at)
			if !isWord(before) && !isWord(runeAt(label, pos)) && (fits == nil || fits(label[:at], label[pos:])) {
				return true
			}
		}
	}
	return false
}

// isEcho tells schemas and templates (SEL-3, SEL-4).
func isEcho(value any) bool {
	object, ok := value.(*Object)
	return ok && isSchema(object) || isTemplate(value)
}

var schemaWords = strings.Fields("type $ref anyOf oneOf allOf enum const description title items properties")

func isSchema(object *Object) bool {
	if _, ok := object.Get("$schema"); ok {
		return true
	}
	value, _ := object.Get("properties")
	properties, ok := value.(*Object)
	if !ok || properties.Len() == 0 {
		return false
	}
	for _, property := range properties.members {
		described, ok := property.value.(*Object)
		if !ok || !slices.ContainsFunc(schemaWords, func(word string) bool { return described.find(word) >= 0 }) {
			return false
		}
	}
	return true
}

// isTemplate tells whether a value holds strings, not all of them empty, and each is a placeholder.
func isTemplate(value any) bool {
	filled := false
	for todo := []any{value}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch next := next.(type) {
		case []any:
			todo = append(todo, next...)
		case *Object:
			for _, member := range next.members {
				todo = append(todo, member.value)
			}
		case string:
			if !isPlaceholder(next) {
				return false
			}
			filled = filled || next != ""
		}
	}
	return filled
}

var placeholderTypes = strings.Fields(`string str text number num int integer float double decimal bool boolean null any array
	list object dict date datetime timestamp url uuid`)

// isPlaceholder tells strings that stand for others.
func isPlaceholder(text string) bool {
	if stepForward(text, 0, few) < len(text) {
		return false
	}
	text = strings.ToLower(strings.TrimFunc(text, isWhite))
	if text == "" || text == "..." || text == "…" {
		return true
	}
	for _, brackets := range []string{"<>", "{}", "[]"} {
		if text[0] == brackets[0] {
			inside, ok := strings.CutSuffix(text[1:], brackets[1:])
			return ok && inside != "" && !strings.ContainsAny(inside, brackets)
		}
	}
	return startsWithWord(text, 0, []string{"your", "the", "a", "an", "some"}) && !strings.Contains(text, "\n") && !isSentence(text) ||
		isTypeName(text) || isChoice(text)
}

// isSentence tells whether a text ends as a sentence does.
func isSentence(text string) bool {
	return strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") ||
		strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "..")
}

// isTypeName tells the name of a type, perhaps of a list of it or optional, and perhaps a remark in parentheses.
func isTypeName(text string) bool {
	end := skip(text, 0, endless, isWord)
	if !slices.Contains(placeholderTypes, text[:end]) {
		return false
	}
	rest := strings.TrimPrefix(text[end:], "[]")
	if rest == text[end:] {
		rest = strings.TrimPrefix(rest, "?")
	}
	rest = strings.TrimLeftFunc(rest, isWhite)
	if rest == "" {
		return true
	}
	inside, ok := strings.CutSuffix(rest[1:], ")")
	return ok && rest[0] == '(' && !strings.ContainsAny(inside, "()")
}

// isChoice tells words parted by bars.
func isChoice(text string) bool {
	words := strings.Split(text, "|")
	for _, word := range words {
		word = strings.TrimFunc(word, isWhite)
		if word == "" || stepForward(word, 0, 40) < len(word) || !isAll(word, isWord) {
			return false
		}
	}
	return 1 < len(words) && len(words) <= 41
}
