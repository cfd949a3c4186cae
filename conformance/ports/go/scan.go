package jsonscan

// The leaves of the grammar. Each takes a text and a position and returns a position: the end of what was read where
// the stop is done, the offending byte where it is fault, the end of the text where it is starved.

// skipSpace returns the first position at or after pos that does not hold one of JSON's four white space characters.
func skipSpace(text string, pos int) int {
	for pos < len(text) {
		switch text[pos] {
		case ' ', '\n', '\r', '\t':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// skipDigits returns the first position at or after pos that does not hold an ASCII digit.
func skipDigits(text string, pos int) int {
	for pos < len(text) && isDigit(text[pos]) {
		pos++
	}
	return pos
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanLiteral reads word.
func scanLiteral(text string, pos int, word string) (int, stop) {
	for i := range len(word) {
		if pos == len(text) {
			return pos, starved
		}
		if text[pos] != word[i] {
			return pos, fault
		}
		pos++
	}
	return pos, done
}

// scanNumber reads a number, and stops before the first byte that cannot belong to it: of "01" it reads "0".
func scanNumber(text string, pos int) (int, stop) {
	if text[pos] == '-' {
		pos++
	}
	if pos < len(text) && text[pos] == '0' {
		pos++
	} else if end, why := scanDigits(text, pos); why != done {
		return end, why
	} else {
		pos = end
	}
	if pos < len(text) && text[pos] == '.' {
		end, why := scanDigits(text, pos+1)
		if why != done {
			return end, why
		}
		pos = end
	}
	if pos < len(text) && text[pos]|0x20 == 'e' {
		pos++
		if pos < len(text) && (text[pos] == '+' || text[pos] == '-') {
			pos++
		}
		return scanDigits(text, pos)
	}
	return pos, done
}

// scanDigits reads one digit or more.
func scanDigits(text string, pos int) (int, stop) {
	end := skipDigits(text, pos)
	switch {
	case end > pos:
		return end, done
	case end == len(text):
		return end, starved
	default:
		return end, fault
	}
}

// plain tells the bytes that stand for themselves in a JSON string.
var plain = func() (table [256]bool) {
	for c := range table {
		table[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return table
}()

// scanString reads a string from its opening quote and tells whether it holds an escape; of a fault, whether it is one.
func scanString(text string, pos int) (end int, escaped bool, why stop) {
	pos++
	for {
		for pos < len(text) && plain[text[pos]] {
			pos++
		}
		switch {
		case pos == len(text):
			return pos, escaped, starved
		case text[pos] == '"':
			return pos + 1, escaped, done
		case text[pos] != '\\':
			return pos, false, fault
		}
		escaped = true
		if pos, why = scanEscape(text, pos); why != done {
			return pos, escaped, why
		}
	}
}

// scanEscape reads an escape from its backslash.
func scanEscape(text string, pos int) (int, stop) {
	pos++
	if pos == len(text) {
		return pos, starved
	}
	switch text[pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return pos + 1, done
	case 'u':
		return scanHex(text, pos+1)
	default:
		return pos, fault
	}
}

// scanHex reads four hexadecimal digits.
func scanHex(text string, pos int) (int, stop) {
	for end := pos + 4; pos < end; pos++ {
		if pos == len(text) {
			return pos, starved
		}
		if c := text[pos]; !isDigit(c) && (c|0x20 < 'a' || 'f' < c|0x20) {
			return pos, fault
		}
	}
	return pos, done
}
