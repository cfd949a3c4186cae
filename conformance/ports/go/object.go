package jsonscan

import "strings"

const (
	maxScanUnits = 256 * 1024 // a longer text, in UTF-16 code units, is not looked at
	maxAttempts  = 50         // opening braces that are tried
)

// ExtractJSONObject returns the first part of raw that is a JSON object. It tries the first 50 opening braces, wherever
// they stand. Where none of them begins an object, or raw is longer than 262,144 UTF-16 code units, it returns raw.
// Linear in the length of raw.
func ExtractJSONObject(raw string) string { return extractObject(raw, (*machine).run) }

// extractObject is ExtractJSONObject with a way to watch its reads.
//
// An object still open where a read failed would fail alike if it were read alone, since from its brace on the same
// characters would come in the same state. So it is not read again. Any other brace that a failed read has passed was in
// a string, or began an object that was closed and hence ends the search.
func extractObject(raw string, run func(*machine) stop) string {
	if exceeds(raw, maxScanUnits) {
		return raw
	}
	hopeless := map[int]bool{} // braces whose objects are known to fail
	at := strings.IndexByte(raw, '{')
	for attempt := 0; at >= 0 && attempt < maxAttempts; attempt++ {
		if !hopeless[at] {
			m := machine{text: raw, pos: at}
			if run(&m) == done {
				return raw[at:m.pos]
			}
			for _, open := range m.stack {
				hopeless[open.start] = true
			}
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
