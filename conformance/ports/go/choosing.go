package jsonscan

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
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
func settled(options *Options, unit *candidate) []*candidate {
	if len(unit.parts) == 0 {
		return []*candidate{unit}
	}
	parts := distinct(unit.parts)
	if len(parts) == 1 && unit.onLines && options.Repair == RepairFull { // commas say that the same is meant again
		parts = unit.parts
	}
	parts = fuller(parts)
	if !unit.onLines { // parted by something else than commas
		parts = withoutEchoes(parts)
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

// withoutEchoes drops, among values in a row, a schema before its instance (SEL-3) and what is nothing but blanks to fill (SEL-4).
func withoutEchoes(candidates []*candidate) []*candidate {
	var kept []*candidate
	names := names{}
	for i := len(candidates) - 1; i >= 0; i-- {
		c := candidates[i]
		described := describedBy(c.value)
		if len(names) > 0 && (len(described) > 0 && described.share(names) || isTemplate(c.value, isBlankToFill)) {
			continue
		}
		kept = append(kept, c)
		names.add(namesOf(c.value))
	}
	slices.Reverse(kept)
	return kept
}

// supersede leaves out what the text itself says is no answer, where an answer follows (SEL-3 to SEL-5, SEL-8).
func supersede(text string, candidates []*candidate) []*candidate {
	if len(candidates) < 2 {
		return candidates
	}
	var kept []*candidate
	behind := answersBehind{names: names{}, revisedNames: names{}, revising: placeOf(nil), final: placeOf(nil)}
	for i := len(candidates) - 1; i >= 0; i-- {
		c, since := candidates[i], 0
		if i > 0 {
			since = candidates[i-1].end
		}
		label := labelOf(text, since, c)
		isNone := isNoAnswer(c.value, label)
		if behind.outdo(c.value, label) || behind.revise(c, label) {
			continue
		}
		c.doubt = isNone && behind.followed
		kept = append(kept, c)
		if !isNone && (c.rank <= onLines || (c.quality <= cutOff && c.rank < narrated)) {
			behind.add(c, label)
		}
	}
	slices.Reverse(kept)
	return kept
}

// answersBehind is what matters of the answers behind a value, where it is asked whether they take its place.
type answersBehind struct {
	followed  bool // by an answer
	announced bool // by one whose label says nothing else
	names     names

	revisedNames    names
	revising, final int // the best places of those that stand for values of their names, and for all
}

func (b *answersBehind) add(c *candidate, label string) {
	own := namesOf(c.value)
	b.followed = true
	b.announced = b.announced || said(label, announcing) >= 0
	b.names.add(own)
	revised := said(label, revised)
	if revised > 0 {
		b.revising = min(b.revising, placeOf(c))
		b.revisedNames.add(own)
	}
	if revised == outright {
		b.final = min(b.final, placeOf(c))
	}
}

// outdo tells whether a value with this label is left out for one of them.
func (b *answersBehind) outdo(value any, label string) bool {
	if b.announced && isNoAnswer(value, label) {
		return true
	}
	return said(label, draft) > 0 && namesOf(value).share(b.names) || isFilled(value, b.names)
}

// revise tells whether one of them, labelled as corrected or final, stands for a value that is not.
func (b *answersBehind) revise(c *candidate, label string) bool {
	if placeOf(c) < b.revising || said(label, revised) > 0 {
		return false
	}
	return b.final <= placeOf(c) || namesOf(c.value).share(b.revisedNames)
}

// placeOf numbers where a value stands, the best place first (RANK-1); no value stands behind all.
func placeOf(c *candidate) int {
	switch {
	case c == nil:
		return 2 * (int(narrated) + 1)
	case c.inAnswer:
		return int(c.rank)
	}
	return int(narrated) + 1 + int(c.rank)
}

// names are those of values.
type names map[string]bool

func (n names) add(others names) {
	for name := range others {
		n[name] = true
	}
}

// share tells whether at least half of them are among the others.
func (n names) share(others names) bool {
	shared := 0
	for name := range n {
		if others[name] {
			shared++
		}
	}
	return 2*shared >= len(n)
}

// namesOf returns the names of an object, or of the objects in an array; for a value without any the one empty name.
func namesOf(value any) names {
	found := names{}
	items, ok := value.([]any)
	if !ok {
		items = []any{value}
	}
	for _, item := range items {
		if object, ok := item.(*Object); ok {
			for _, member := range object.members {
				found[member.key] = true
			}
		}
	}
	if len(found) == 0 {
		found[""] = true
	}
	return found
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
	return label[stepBack(label, len(label), maxLabel):]
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

// What the words of a label say: outright, whatever the values are; partly, only of values that share their names.
const (
	nothing = iota
	partly
	outright
)

// wordList makes a list of the words of these texts, by how clearly they say something.
func wordList(says map[string]int) map[string]int {
	list := map[string]int{}
	for words, level := range says {
		for _, word := range strings.Split(words, ",") {
			list[strings.TrimSpace(word)] = level
		}
	}
	return list
}

var idleWords = wordList(map[string]int{`a, an, and, are, array, be, below, code, complete, const, data, expected, first, follow, following,
	follows, go, here, i, is, it, json, let, ll, me, message, my, new, now, object, one, our, output, provided, record, required,
	response, result, results, return, rough, s, second, should, so, structured, that, the, then, therefore, third, this, thus, use,
	user, value, values, var, version, was, we, were, will, you, your`: nothing})

var prepositions = wordList(map[string]int{`after, as, based, by, for, from, in, including, of, on, that, to, using, when, where,
	which, with, without`: nothing})

var draft = wordList(map[string]int{
	"draft, example, examples, template, placeholder, input, wrong, incorrect, first attempt, first try": outright,
	"before, earlier, format, initial, invalid, old, original, previous, sample, schema":                 partly,
	"answer, attempt, for, try": nothing,
})

var revised = wordList(map[string]int{
	"answer, corrected, correction, final, finale, revised, after review, me correct, me fix, me redo": outright,
	`actual, actually, better, complete, correct, edit, fix, fixed, improved, instead, new, real, redo, revision, right, updated,
		wait, on reflection, second thought`: partly,
	"after, no, on, sorry": nothing,
})

// announcing holds what the label of an answer may say.
var announcing = func() map[string]int {
	list := map[string]int{}
	for _, words := range []map[string]int{idleWords, revised} {
		for word := range words {
			list[word] = partly
		}
	}
	return list
}()

// said returns how clearly the last sentence of a label consists of words of a list, plain ones and, behind one of the list,
// what a preposition starts; -1 if it says other things.
func said(label string, list map[string]int) int {
	level, isOther, isOver, last, mark := nothing, false, false, "", rune(0)
	for pos := 0; pos < len(label); {
		r, next := runeAt(label, pos), after(label, pos)
		if !isAlnum(r) {
			if r == '<' {
				if end := skip(label, next, endless, func(r rune) bool { return r != '<' && r != '>' }); byteAt(label, end) == '>' {
					next = end + 1
				}
			} else if strings.ContainsRune(".!?;:,：。…—–", r) && (mark == 0 || mark == ',') {
				mark = r
			}
			pos = next
			continue
		}
		if mark != 0 && (mark != ',' || isOther) { // a sentence is over, or a part of one that says other things
			level, isOther, isOver = nothing, false, false
		}
		end := skip(label, pos, endless, isAlnum)
		word := asciiLower(label[pos:end])
		wordLevel, isListed := list[word]
		if pairLevel, ok := list[last+" "+word]; ok && (!isListed || pairLevel > wordLevel) {
			wordLevel, isListed = pairLevel, true
		}
		_, isPlain := idleWords[word]
		if isListed {
			level = max(level, wordLevel)
		} else if !isPlain && !isNumber(word) && !isOver {
			_, isPreposition := prepositions[word]
			isOver = level > nothing && !isOther && isPreposition
			isOther = !isOver
		}
		last, mark, pos = word, 0, end
	}
	if isOther {
		return -1
	}
	return level
}

// asciiLower returns a word in lower case, nothing if it is not all ASCII.
func asciiLower(word string) string {
	if !isAll(word, func(r rune) bool { return r < utf8.RuneSelf }) {
		return ""
	}
	return strings.ToLower(word)
}

// isNumber tells digits.
func isNumber(word string) bool {
	return word != "" && isAll(word, func(r rune) bool { return '0' <= r && r <= '9' })
}

// isNoAnswer tells whether a value or its label says by itself that it is none.
func isNoAnswer(value any, label string) bool {
	return said(label, draft) == outright || isTemplate(value, isBlankToFill)
}

// isFilled tells schemas and templates of a value with these names (SEL-3, SEL-4).
func isFilled(value any, others names) bool {
	if described := describedBy(value); len(described) > 0 {
		return described.share(others)
	}
	own := namesOf(value)
	return !(len(own) == 1 && own[""]) && own.share(others) && isTemplate(value, isPlaceholder)
}

var schemaWords = strings.Fields("type $ref anyOf oneOf allOf enum const description title items properties")

// describedBy returns the names that a schema describes.
func describedBy(value any) names {
	object, ok := value.(*Object)
	if !ok {
		return nil
	}
	value, _ = object.Get("properties")
	properties, ok := value.(*Object)
	if !ok {
		return nil
	}
	found := names{}
	for _, property := range properties.members {
		described, ok := property.value.(*Object)
		if !ok || !slices.ContainsFunc(schemaWords, func(word string) bool { return described.find(word) >= 0 }) {
			return nil
		}
		found[property.key] = true
	}
	return found
}

// isTemplate tells whether a value holds strings, not all of them empty, and each is empty or stands for another.
func isTemplate(value any, stands func(string) bool) bool {
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
			if next != "" && !(stepForward(next, 0, few) >= len(next) && stands(strings.TrimFunc(next, isWhite))) {
				return false
			}
			filled = filled || next != ""
		}
	}
	return filled
}

var placeholderTypes = strings.Fields(`string str text number num int integer float double decimal bool boolean null any array
	list object dict date datetime timestamp url uuid`)

// isBlankToFill tells strings that only stand for others.
func isBlankToFill(text string) bool {
	return text == "..." || text == "…" || isEnclosed(text, "<>")
}

// isPlaceholder tells strings that stand for others or could.
func isPlaceholder(text string) bool {
	lower := strings.ToLower(text)
	return isBlankToFill(text) || isEnclosed(text, "{}") || isEnclosed(text, "[]") || isInstruction(text) || isTypeName(lower) || isChoice(text)
}

// isEnclosed tells text between these brackets with neither inside.
func isEnclosed(text, brackets string) bool {
	if text == "" || text[0] != brackets[0] {
		return false
	}
	inside, ok := strings.CutSuffix(text[1:], brackets[1:])
	return ok && inside != "" && stepForward(inside, 0, 200) >= len(inside) && !strings.ContainsAny(inside, brackets)
}

// isInstruction tells phrases like "your name" and "the name of it".
func isInstruction(text string) bool {
	if text == "" || strings.Contains(text, "\n") || isSentence(text) {
		return false
	}
	first, rest, ok := strings.Cut(text, " ")
	if !ok || rest == "" {
		return false
	}
	first = strings.ToLower(first[:1]) + first[1:]
	if first == "your" {
		return stepForward(rest, 0, 200) >= len(rest)
	}
	if !slices.Contains([]string{"the", "a", "an", "some"}, first) || strings.ContainsFunc(rest, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return false
	}
	second, rest, ok := strings.Cut(rest, " ")
	return ok && second != "" && rest != "" && !strings.ContainsFunc(second, isWhite) &&
		stepForward(second, 0, 200) >= len(second) && stepForward(rest, 0, 200) >= len(rest)
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
