package jsonscan

import (
	"slices"
	"sort"
	"strings"
)

// What stands in the text around JSON: fences, tags and brackets, found without regard to strings (the rules LAND,
// FENCE and TAG). Nothing here reads JSON: a reader that gets past a landmark has thereby shown that it was inside a
// string.

type tagRole uint8

const (
	otherTag tagRole = iota
	reasoningTag
	quotingTag
	answerTag
)

// tagRoles are what tags are for, by their names; all others are wrappers.
var tagRoles = roles(map[tagRole]string{
	reasoningTag: `think thinking thought thoughts reason reasoning reasoning_content reflection reflect scratchpad
		scratch_pad analysis draft antthinking ant_thinking inner_thoughts inner_monologue monologue internal_monologue
		chain_of_thought cot deliberation think_silently seed:think begin_of_thought`,
	quotingTag: `example examples schema observation tool_response tool_result tool_results tool_output
		function_response function_result function_results`,
	answerTag: `answer final_answer finalanswer final final_output final_json json json_output json_response output
		response result solution structured_output begin_of_solution verdict submission`,
})

func roles(names map[tagRole]string) map[string]tagRole {
	byName := map[string]tagRole{}
	for role, list := range names {
		for _, name := range strings.Fields(list) {
			byName[name] = role
		}
	}
	return byName
}

var (
	jsonInfo = strings.Fields(`json json5 jsonc jsonl ndjson jsonlines hjson geojson json-ld jsonld application/json
		tool_call tool_use tool function_call action answer output response result final`)
	textInfo = strings.Fields("text txt plaintext plain markdown md console log xml html http")
)

// mdFence is a fence: from start, where its first mark stands, to after, behind its last. Its content is [content:end].
type mdFence struct {
	start, content, end, after int
	width                      int
	info                       string
}

func (f *mdFence) isJSON() bool { return f.info == "" || slices.Contains(jsonInfo, f.info) }
func (f *mdFence) isText() bool { return slices.Contains(textInfo, f.info) }

// tag is a tag at [start:end]. Names of Harmony's channels start with a bar.
type tag struct {
	start, end int
	name       string
	closes     bool
	role       tagRole
}

// landmark is a fence, a tag or, if it is neither, a bracket.
type landmark struct {
	start int
	fence *mdFence
	tag   *tag
}

// landmarks hands out the landmarks of a text, from any position on.
type landmarks struct {
	text    string
	fences  map[int]*mdFence // by where they start; nil until asked for
	opening []int            // where those start that open a line
	closing map[string][]span
}

// next returns the first landmark that starts at or after pos.
func (l *landmarks) next(pos int) (landmark, bool) {
	for {
		start := nextMark(l.text, pos)
		if start < 0 {
			return landmark{}, false
		}
		pos = after(l.text, start)
		switch l.text[start] {
		case '[':
			return landmark{start: start, tag: l.squareTag(start)}, true
		case '`', '~':
			pos = skipBytes(l.text, start, endless, l.text[start:start+1])
			if pos-start >= 3 {
				l.pair()
				if fence := l.fences[start]; fence != nil {
					return landmark{start: start, fence: fence}, true
				}
			}
		case '<':
			if tag := l.angleTag(start); tag != nil {
				return landmark{start: start, tag: tag}, true
			}
		default:
			if strings.HasPrefix(l.text[start:], "◁") {
				if tag := l.diamondTag(start); tag != nil {
					return landmark{start: start, tag: tag}, true
				}
				continue
			}
			return landmark{start: start}, true
		}
	}
}

// marks are the bytes that landmarks start with, those of ｛ and ◁ among them.
var marks = func() (table [256]bool) {
	for _, c := range []byte{'[', '{', '<', '`', '~', "｛"[0], "◁"[0]} {
		table[c] = true
	}
	return table
}()

// nextMark returns where the next character stands that a landmark may start with, at or after pos; -1 if nowhere.
func nextMark(text string, pos int) int {
	for ; pos < len(text); pos++ {
		if c := text[pos]; marks[c] && (c < 0x80 || strings.HasPrefix(text[pos:], "｛") || strings.HasPrefix(text[pos:], "◁")) {
			return pos
		}
	}
	return -1
}

// -- tags

const (
	maxTagName  = 64
	maxTagExtra = 256
)

// tagName returns the position behind the name at pos, pos if there is none.
func tagName(text string, pos int) int {
	if r := runeAt(text, pos); !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
		return pos
	}
	return skip(text, pos, maxTagName, func(r rune) bool { return isWord(r) || strings.ContainsRune(":.▁-", r) })
}

// skipBar skips the bar that may stand inside angle brackets.
func skipBar(text string, pos int) int {
	if r := runeAt(text, pos); r == '|' || r == '｜' {
		return after(text, pos)
	}
	return pos
}

// readAngle reads a tag in angle brackets from its opening one. end is 0 where there is none.
func readAngle(text string, pos int) (name string, closes bool, end int) {
	at := skipBar(text, pos+1)
	if closes = byteAt(text, at) == '/'; closes {
		at++
	}
	at = skipBar(text, at)
	behind := tagName(text, at)
	end = skip(text, behind, maxTagExtra, func(r rune) bool { return r != '<' && r != '>' && r != '\n' })
	if behind == at || byteAt(text, end) != '>' {
		return "", false, 0
	}
	return text[at:behind], closes, end + 1
}

func (l *landmarks) angleTag(start int) *tag {
	if strings.HasPrefix(l.text[start:], "<|channel|>") {
		return l.channel(start)
	}
	name, closes, end := readAngle(l.text, start)
	if end == 0 {
		return nil
	}
	return l.made(start, end, name, closes)
}

// squareTag returns the tag at start that is a name in capitals in square brackets, or nil.
func (l *landmarks) squareTag(start int) *tag {
	at := start + 1
	closes := byteAt(l.text, at) == '/'
	if closes {
		at++
	}
	end := skipBytes(l.text, at, 32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
	if end-at < 3 || l.text[at] == '_' || byteAt(l.text, end) != ']' {
		return nil
	}
	return l.made(start, end+1, l.text[at:end], closes)
}

// diamondTag returns the tag at start that stands between triangles, or nil.
func (l *landmarks) diamondTag(start int) *tag {
	at := after(l.text, start)
	closes := byteAt(l.text, at) == '/'
	if closes {
		at++
	}
	end := skip(l.text, at, 32, isWord)
	if tagName(l.text, at) == at || !strings.HasPrefix(l.text[end:], "▷") {
		return nil
	}
	return l.made(start, after(l.text, end), l.text[at:end], closes)
}

// foldName returns a name as tags are compared.
func foldName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

func (l *landmarks) made(start, end int, name string, closes bool) *tag {
	t := &tag{start: start, end: end, name: foldName(name), closes: closes}
	whole := l.text[start:end]
	switch {
	case t.name == "end_of_thought":
		t.name, t.closes = "begin_of_thought", true
	case t.name == "details" && !closes && (strings.Contains(whole, "reason") || strings.Contains(whole, "think")):
		t.name = "thinking"
	}
	before, _ := runeBefore(l.text, start)
	if !strings.ContainsRune("`'\"“”‘’", before) && !strings.ContainsRune("`“”‘’", runeAt(l.text, end)) {
		t.role = tagRoles[t.name] // else it is a mention
	}
	return t
}

// channel returns the opening tag that is Harmony's, from <|channel|> to <|message|>, or nil. The recipient and the type
// of content may stand between.
func (l *landmarks) channel(start int) *tag {
	text := l.text
	name := skipTabs(text, start+len("<|channel|>"), endless)
	behind := skip(text, name, 32, isWord)
	end := skip(text, behind, 200, func(r rune) bool { return r != '<' && r != '\n' })
	if strings.HasPrefix(text[end:], "<|constrain|>") {
		end = skip(text, end+len("<|constrain|>"), 32, func(r rune) bool { return r != '<' && r != '\n' })
	}
	if behind == name || !strings.HasPrefix(text[end:], "<|message|>") {
		return nil
	}
	t := &tag{start: start, end: end + len("<|message|>"), name: "|" + text[name:behind]}
	switch t.name {
	case "|analysis":
		t.role = reasoningTag
	case "|final":
		t.role = answerTag
	}
	return t
}

// closer returns where the tag stands that closes an opening one.
func (l *landmarks) closer(t *tag) (span, bool) {
	if t.name[0] == '|' {
		at := channelEnd(l.text, t.end)
		return span{at, at}, at >= 0
	}
	if l.closing == nil {
		l.closing = closingTags(l.text)
	}
	name := t.name
	if strings.HasPrefix(l.text[t.start:], "<details") {
		name = "details"
	}
	places := l.closing[name]
	i := sort.Search(len(places), func(i int) bool { return places[i].start >= t.end })
	if i == len(places) {
		return span{}, false
	}
	return places[i], true
}

// channelEnd returns where the mark stands that ends a channel of Harmony's, -1 if there is none.
func channelEnd(text string, pos int) int {
	for {
		if pos = find(text, "<|", pos); pos < 0 {
			return -1
		}
		for _, name := range []string{"end", "return", "call", "start", "channel"} {
			if strings.HasPrefix(text[pos+2:], name+"|>") {
				return pos
			}
		}
		pos += 2
	}
}

// closingTags returns where the closing tags of each name stand.
func closingTags(text string) map[string][]span {
	places := map[string][]span{}
	add := func(name string, start, end int) int {
		name = foldName(name)
		places[name] = append(places[name], span{start, end})
		return end
	}
	for pos := 0; ; {
		at := strings.IndexAny(text[pos:], "<[◁")
		if at < 0 {
			return places
		}
		start := pos + at
		pos = after(text, start)
		switch {
		case strings.HasPrefix(text[start:], "<|end_of_thought|>"):
			pos = add("begin_of_thought", start, start+len("<|end_of_thought|>"))
		case text[start] == '<':
			if name, closes, end := readAngle(text, start); closes {
				pos = add(name, start, end)
			}
		case text[start] == '[':
			for _, name := range []string{"THINK", "THOUGHT", "REASONING"} {
				if whole := "[/" + name + "]"; strings.HasPrefix(text[start:], whole) {
					pos = add(name, start, start+len(whole))
				}
			}
		case strings.HasPrefix(text[pos:], "/"):
			if end := skip(text, pos+1, 32, isWord); end > pos+1 && strings.HasPrefix(text[end:], "▷") {
				pos = add(text[pos+1:end], start, after(text, end))
			}
		}
	}
}

// -- fences

// run is a run of marks: how many, and where it starts.
type run struct{ width, start int }

// runs are those behind a place that may close a fence before it, the nearest last, and each narrower than those before.
type runs []run

// push adds a run that is nearer than all others: those no wider are not needed any more.
func (r *runs) push(next run) {
	for n := len(*r); n > 0 && (*r)[n-1].width <= next.width; n-- {
		*r = (*r)[:n-1]
	}
	*r = append(*r, next)
}

// nearest returns the nearest run at least so wide.
func (r runs) nearest(width int) (run, bool) {
	i := sort.Search(len(r), func(i int) bool { return r[i].width < width })
	if i == 0 {
		return run{}, false
	}
	return r[i-1], true
}

// pair finds all fences. It goes from the end of the text, so that the closer of each is at hand.
func (l *landmarks) pair() {
	if l.fences != nil {
		return
	}
	l.fences = map[int]*mdFence{}
	var enders, all [2]runs // of each mark: those that end their line, and all
	for end := len(l.text); ; {
		start := strings.LastIndexAny(l.text[:end], "`~")
		if start < 0 {
			break
		}
		mark, behind := l.text[start], start+1
		for start > 0 && l.text[start-1] == mark {
			start--
		}
		end = start
		next := run{behind - start, start}
		if next.width < 3 {
			continue
		}
		kind := 0
		if mark == '~' {
			kind = 1
		}
		_, endsLine := restBlank(l.text, behind)
		content, closers := 0, runs(nil)
		if opensLine := startsFenceLine(l.text, start); opensLine {
			if content, closers = blockContent(l.text, behind, enders[kind], all[kind]); content > 0 {
				l.opening = append(l.opening, start)
			}
		} else if mark == '`' && !endsLine {
			content, closers = inlineContent(l.text, behind, enders[kind], all[kind])
		}
		if content > 0 {
			l.fences[start] = madeFence(l.text, next, content, closers)
		}
		all[kind].push(next)
		if endsLine {
			enders[kind].push(next)
		}
	}
	slices.Reverse(l.opening)
}

// restBlank tells whether nothing but blanks stands in the line from pos on, and where the next line starts.
func restBlank(text string, pos int) (next int, ok bool) {
	end := skipBytes(text, pos, endless, " \t\r")
	switch {
	case end == len(text):
		return end, true
	case text[end] == '\n':
		return end + 1, true
	}
	return 0, false
}

// startsFenceLine tells whether nothing but up to three spaces stands before start in its line.
func startsFenceLine(text string, start int) bool {
	at := start
	for at > 0 && start-at < 4 && text[at-1] == ' ' {
		at--
	}
	return start-at < 4 && (at == 0 || text[at-1] == '\n')
}

// fenceInfo returns the info word behind the marks that end at pos, and the position behind it and its blanks.
func fenceInfo(text string, pos int) (info string, end int) {
	start := skipTabs(text, pos, endless)
	end = skip(text, start, endless, func(r rune) bool { return !isWhite(r) && !strings.ContainsRune("`~{[", r) })
	return strings.ToLower(text[start:end]), skipTabs(text, end, endless)
}

// blockContent returns where the content of the fence starts whose marks open a line and end at pos, and the runs that
// may close it; 0 where its line holds backticks and no value, so that it is none.
func blockContent(text string, pos int, enders, all runs) (int, runs) {
	_, content := fenceInfo(text, pos)
	if c := byteAt(text, content); c == '{' || c == '[' {
		return content, all
	}
	line := strings.IndexAny(text[content:], "\n`")
	switch {
	case line < 0:
		return len(text), enders
	case text[content+line] == '\n':
		return content + line + 1, enders
	}
	return 0, nil
}

// inlineContent does the same for marks inside a line: a value follows, or JSON is announced and the line ends.
func inlineContent(text string, pos int, enders, all runs) (int, runs) {
	info, content := fenceInfo(text, pos)
	word := skip(text, pos, 24, func(r rune) bool { return isWord(r) || strings.ContainsRune("+./-", r) })
	if c := byteAt(text, skipTabs(text, word, endless)); c == '{' || c == '[' {
		return content, all
	}
	if line, ok := restBlank(text, content); ok && slices.Contains(jsonInfo, info) {
		return line, enders
	}
	return 0, nil
}

func madeFence(text string, opening run, content int, closers runs) *mdFence {
	info, _ := fenceInfo(text, opening.start+opening.width)
	fence := &mdFence{opening.start, content, len(text), len(text), opening.width, info}
	if closer, ok := closers.nearest(opening.width); ok {
		fence.end, fence.after = max(closer.start, content), closer.start+closer.width
	}
	return fence
}

// fenceAfter returns where the next fence that opens a line starts, at or after pos, or the end of the text.
func (l *landmarks) fenceAfter(pos int) int {
	l.pair()
	i := sort.SearchInts(l.opening, pos)
	if i == len(l.opening) {
		return len(l.text)
	}
	return l.opening[i]
}
