package jsonscan

import (
	"slices"
	"strings"
)

const (
	maxScanUnits = 256 * 1024 // a longer text, in UTF-16 code units, is not looked at
	maxAttempts  = 50         // opening braces that are tried
)

// ExtractJSONObject returns the first part of raw that is a JSON object. It tries the first 50 opening braces, wherever
// they stand. Where none of them begins an object, or raw is longer than 262,144 UTF-16 code units, it returns raw.
// Linear in the length of raw.
func ExtractJSONObject(raw string) string { return extractObject(raw, (*machine).run) }

// extractObject is ExtractJSONObject with a way to watch its reads.
func extractObject(raw string, run func(*machine) stop) string {
	if exceeds(raw, maxScanUnits) {
		return raw
	}
	var failed []machine
	at := strings.IndexByte(raw, '{')
	for attempt := 0; at >= 0 && attempt < maxAttempts; attempt++ {
		failed = slices.DeleteFunc(failed, func(m machine) bool { return m.pos <= at })
		if object, known := recall(failed, at); !known {
			m := machine{text: raw, pos: at}
			if run(&m) == done {
				return raw[at:m.pos]
			}
			failed = append(failed, m)
		} else if object.end > 0 {
			return raw[object.start:object.end]
		}
		at = nextBrace(raw, at)
	}
	return raw
}

// nextBrace returns the position of the first opening brace after at, or -1.
func nextBrace(text string, at int) int {
	next := strings.IndexByte(text[at+1:], '{')
	if next < 0 {
		return -1
	}
	return at + 1 + next
}

// recall tells what failed reads know of the brace at a position that they have passed: whether one of them took it for
// the start of an object and, if that object was closed, its span. An object still open where its read failed fails
// alike when read alone, since from its brace on the same characters come in the same state. Objects are looked for in
// text order and a closed one ends the search, so of those that a read closed only the first can be asked for.
func recall(failed []machine, at int) (object span, known bool) {
	for _, m := range failed {
		if m.first.end > 0 && m.first.start == at {
			return m.first, true
		}
		if _, open := slices.BinarySearchFunc(m.stack, at, func(f frame, at int) int { return f.start - at }); open {
			return span{}, true
		}
	}
	return span{}, false
}
