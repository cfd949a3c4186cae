package jsonscan

import (
	"html"
	"math/big"
	"strconv"
	"strings"
)

// Values without quotes: numbers as JSON does not write them, text, calls; and layers of escaping. The rules BARE and
// LAYER of REPAIR.md.

// bareValue returns where the text without quotes that starts at start ends, and the position behind it. It fails where
// that is no text but an expression, a name with its value in an array, or a bracket without its partner.
func bareValue(text string, start int, what role, inParens bool) (end, behind int, ok bool) {
	at := start
scan:
	for {
		stop := strings.IndexAny(text[at:], ",]}\n\"{[(#/:);，｝］")
		if stop < 0 {
			at = len(text)
			break
		}
		at += stop
		r := runeAt(text, at)
		before := byteAt(text, at-1)
		inside := at > start
		switch {
		case strings.ContainsRune("]}\n｝］", r),
			(r == ',' || r == '，') && (what != roleMember || endsOfMember(text, after(text, at))),
			r == ')' && inParens,
			r == ';' && endsOfText(text, at+1):
			break scan
		case r == '"' && (!inside || before != '\\'):
			if inside && isKeyAhead(text, at) {
				break scan
			}
			if inside && before != ' ' && before != '\t' && endsOfText(text, at+1) {
				end, ok = trimmedText(text, start, at)
				return end, at + 1, ok
			}
		case r == '{' || r == '[' || r == '(':
			if end := balancedEnd(text, at); end > 0 && (what != roleRoot || r == '(') {
				at = end
				continue
			}
			if r != '(' {
				return 0, 0, false
			}
		case r == ':' && isColonOfName(text, at, what):
			return 0, 0, false
		case inside && (before == ' ' || before == '\t') && (r == '#' || isComment(text, at)):
			break scan
		}
		at = after(text, at)
	}
	end, ok = trimmedText(text, start, at)
	return end, end, ok
}

// isColonOfName tells whether a colon parts a name from a value rather than standing in text.
func isColonOfName(text string, pos int, what role) bool {
	if before := byteAt(text, pos-1); before == ' ' || before == '\t' {
		return true
	}
	next := byteAt(text, pos+1)
	return what != roleMember && (next == ' ' || next == '"' || next == '\'' || next == '\t')
}

// trimmedText returns where text[start:end] ends without the blanks at its end, if it is text and no expression.
func trimmedText(text string, start, end int) (int, bool) {
	end = trimBack(text, start, end, in(" \t\r"))
	return end, end > start && !isExpression(text[start:end])
}

// endsOfText tells whether what stands at pos ends a text without quotes.
func endsOfText(text string, pos int) bool {
	at := skipTabs(text, pos, 64)
	return at == len(text) || strings.IndexByte(",]})\n", text[at]) >= 0
}

// endsOfMember tells whether a comma before pos ends a member: a name, a closer, a comment or nothing follows.
func endsOfMember(text string, pos int) bool {
	at := skipSpace(text, pos)
	if at == len(text) || strings.ContainsRune("}]/#,.…", runeAt(text, at)) {
		return true
	}
	_, _, half := halfQuotedKey(text, at)
	return half || isKeyAhead(text, at) || isBareName(text, at)
}

// balancedEnd returns the position behind the brackets at pos, if they close soon and hold no others; else -1.
func balancedEnd(text string, pos int) int {
	stops, most, closer := "[]{}\"\n", 64, text[pos]+2
	if text[pos] == '(' {
		stops, most, closer = "()\n", 128, ')'
	}
	end := skip(text, pos+1, most, func(r rune) bool { return !strings.ContainsRune(stops, r) })
	if byteAt(text, end) == closer {
		return end + 1
	}
	return -1
}

// isExpression tells arithmetic and several numbers apart from text.
func isExpression(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
	return isSum(words) || isProduct(text) || isNumbers(words)
}

// isSum tells operands with signs between them, the first of which may be a signed number and then the signs may be minus.
func isSum(words []string) bool {
	if len(words) < 3 || len(words)%2 == 0 {
		return false
	}
	signs, first := "+*/%^&|", words[0]
	if number := strings.TrimLeft(first, "-+"); number != "" && isDigit(number[0]) && len(first)-len(number) <= 1 {
		first, signs = number, "-"+signs
	}
	for i, word := range words {
		if i == 0 {
			word = first
		}
		if i%2 == 1 && strings.Trim(word, signs) != "" || i%2 == 0 && !isAll(word, isOperand) {
			return false
		}
	}
	return true
}

func isOperand(r rune) bool { return isWord(r) || r == '.' || r == '(' || r == ')' }

// isProduct tells numbers with signs between them and no blanks.
func isProduct(text string) bool {
	numbers := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("*+%^", r) })
	if len(numbers) < 2 || len(strings.Join(numbers, "+")) != len(text) {
		return false
	}
	return isAll(strings.Join(numbers, ""), in("0123456789."))
}

// isNumbers tells several numbers apart by blanks.
func isNumbers(words []string) bool {
	for _, word := range words {
		number := strings.TrimPrefix(strings.TrimPrefix(word, "-"), "+")
		if number == "" || len(word)-len(number) > 1 || !isAll(number, in("0123456789.")) {
			return false
		}
	}
	return len(words) > 1
}

// numberEnd returns the position behind what is a number in some language at pos; -1 if there is none.
func numberEnd(text string, pos int) int {
	if c := byteAt(text, pos); c == '+' || c == '-' {
		pos++
	}
	if byteAt(text, pos) == '0' && byteAt(text, pos+1)|0x20 == 'x' {
		if end := skipHex(text, pos+2, 64); end > pos+2 {
			return end
		}
	}
	whole := isDigit(byteAt(text, pos)) // then an exponent may lack its digits
	switch {
	case whole:
		pos = skipBytes(text, pos, endless, "0123456789_")
		if byteAt(text, pos) == '.' {
			pos = skipBytes(text, pos+1, endless, "0123456789_")
		}
	case byteAt(text, pos) == '.' && isDigit(byteAt(text, pos+1)):
		pos = skipDigits(text, pos+1)
	default:
		return -1
	}
	if byteAt(text, pos)|0x20 != 'e' {
		return pos
	}
	exponent := skipBytes(text, pos+1, 1, "+-")
	if end := skipDigits(text, exponent); end > exponent || whole {
		return end
	}
	return pos
}

// isStrictNumber tells JSON's numbers.
func isStrictNumber(token string) bool {
	if token == "" || (token[0] != '-' && !isDigit(token[0])) {
		return false
	}
	end, why := scanNumber(token, 0)
	return why == done && end == len(token)
}

// isGrouped tells numbers that are JSON's but for an underscore here and there between two digits.
func isGrouped(token string) bool {
	for i := range len(token) {
		if token[i] == '_' && (i == 0 || !isDigit(token[i-1]) || i+1 == len(token) || !isDigit(token[i+1])) {
			return false
		}
	}
	if e := strings.IndexAny(token, "eE"); e >= 0 && strings.Contains(token[e:], "_") {
		return false
	}
	return isStrictNumber(strings.ReplaceAll(token, "_", ""))
}

const codeNumberText = "number-text"

// plainNumber returns the code for a number that JSON writes otherwise and how JSON writes it; codeNumberText where it is
// none to JSON, no code where it is one as it stands.
func plainNumber(token string) (code, spelling string) {
	if isStrictNumber(token) {
		return "", token
	}
	sign, digits := "", token
	switch token[0] {
	case '-':
		sign, digits = "-", token[1:]
	case '+':
		code, digits = "plus-sign", token[1:]
	}
	first := func(other string) {
		if code == "" {
			code = other
		}
	}
	if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' {
		n, _ := new(big.Int).SetString(digits[2:], 16)
		return "hex-number", sign + n.String()
	}
	if strings.Contains(digits, "_") {
		if !isGrouped(digits) {
			return codeNumberText, token
		}
		digits = strings.ReplaceAll(digits, "_", "")
		first("digit-grouping")
	}
	if digits[0] == '.' {
		digits = "0" + digits
		first("bare-point")
	}
	if head := strings.TrimRight(digits, "+-"); strings.HasSuffix(head, "e") || strings.HasSuffix(head, "E") {
		digits = head + "0"
		first("bare-exponent")
	}
	if whole, rest, point := strings.Cut(digits, "."); point && !isDigit(byteAt(rest, 0)) {
		digits = whole + ".0" + rest
		first("bare-point")
	}
	if code == "" || !isStrictNumber(digits) {
		return codeNumberText, token
	}
	return code, sign + digits
}

// isDecimalComma tells a number with a comma for its point. 1,000 is none: it could be a thousand.
func isDecimalComma(text string) bool {
	whole, fraction, ok := strings.Cut(strings.TrimPrefix(text, "-"), ",")
	return ok && len(whole) <= 16 && len(fraction) <= 16 && (len(fraction) != 3 || whole == "0") &&
		isStrictNumber(whole) && skipDigits(whole, 0) == len(whole) && fraction != "" && skipDigits(fraction, 0) == len(fraction)
}

// literalArgument returns the value of a call whose only argument, at pos, is a literal, how JSON spells it, and the
// position behind the parenthesis.
func literalArgument(text string, pos int) (value any, spelling string, end int, ok bool) {
	switch c := byteAt(text, pos); {
	case c == '"' || c == '\'':
		end = skipQuoted(text, pos+1, 512, string(rune(c)), true)
		if byteAt(text, end) != c {
			return nil, "", 0, false
		}
		inside, _ := respelt(text, pos+1, end, '\'')
		value, spelling = decoded(inside), `"`+inside+`"`
		end++
	case c == '-' || isDigit(c):
		var why stop
		end, why = scanNumber(text, pos)
		spelling = text[pos:min(end, len(text))]
		if why != done || strings.ContainsAny(spelling, "eE") || len(spelling) > 64 {
			return nil, "", 0, false
		}
		value = Number(spelling)
	default:
		for word, literal := range map[string]any{"true": true, "false": false, "null": nil} {
			if strings.HasPrefix(text[pos:], word) {
				value, spelling, end = literal, word, pos+len(word)
			}
		}
	}
	if spelling == "" {
		return nil, "", 0, false
	}
	end = skipSome(text, end)
	return value, spelling, end + 1, byteAt(text, end) == ')'
}

// callRoom is how long the arguments of a call may be.
const callRoom = 4096

// callEnd returns the position behind the parenthesis that closes a call whose arguments start at inside; -1 if it is
// not within reach.
func callEnd(text string, inside int) int {
	text = text[:min(len(text), inside+callRoom)]
	depth := 1
	for pos := inside; pos < len(text); pos++ {
		switch c := text[pos]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return pos + 1
			}
		case '"', '\'':
			if end := skipQuoted(text, pos+1, 512, string(rune(c)), true); byteAt(text, end) == c {
				pos = end
			}
		}
	}
	return -1
}

// A layer is a way in which a whole text was escaped once more.
type layer struct {
	code string
	// token returns the position behind the token of the layer at pos, and what it stands for; pos if there is none.
	token func(text string, pos int) (end int, plain string)
	marks string // what its tokens start with
}

var (
	escapedLayer = layer{"escaped-json", escapeToken, `\`}
	doubledLayer = layer{"doubled-quotes", doubledToken, `"`}
	htmlLayer    = layer{"html-entities", entityToken, `&`}
)

func escapeToken(text string, pos int) (int, string) {
	end, why := scanEscape(text, pos)
	if why != done {
		return pos, ""
	}
	return end, unescape(text[pos:end])
}

func doubledToken(text string, pos int) (int, string) {
	if byteAt(text, pos+1) == '"' {
		return pos + 2, `"`
	}
	return pos, ""
}

func entityToken(text string, pos int) (int, string) {
	end := pos + 1 + strings.IndexByte(text[pos+1:min(len(text), pos+10)], ';') + 1
	if end == pos+1 {
		return pos, ""
	}
	name := text[pos+1 : end-1]
	switch name {
	case "quot", "apos", "amp", "lt", "gt", "nbsp":
		return end, html.UnescapeString(text[pos:end])
	}
	digits, base, most := strings.TrimPrefix(name, "#"), 10, 6
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base, most = digits[1:], 16, 5
	}
	if _, err := strconv.ParseUint(digits, base, 32); err != nil || name[0] != '#' || len(digits) > most {
		return pos, ""
	}
	return end, html.UnescapeString(text[pos:end])
}

// peel takes the layer off a text.
func (l layer) peel(text string) string {
	plain, _ := l.peelUntil(text, endless)
	return plain
}

// peelUntil takes the layer off as much of a text as gives so many bytes, and returns how much that is.
func (l layer) peelUntil(text string, length int) (plain string, end int) {
	var out []byte
	pos := 0
	for pos < len(text) && len(out) != length {
		next := strings.IndexAny(text[pos:], l.marks)
		if next < 0 {
			next = len(text) - pos
		}
		if length >= 0 {
			next = min(next, length-len(out))
		}
		out = append(out, text[pos:pos+next]...)
		if pos += next; pos == len(text) || len(out) == length {
			break
		}
		end, plain := l.token(text, pos)
		if end == pos {
			end, plain = pos+1, text[pos:pos+1]
		}
		grown := appendText(out, plain) // which may join the halves of a surrogate pair
		if length >= 0 && len(grown) > length {
			break
		}
		out, pos = grown, end
	}
	return string(out), pos
}

// isQuoteEntity tells whether the HTML entity of a quote stands at pos.
func isQuoteEntity(text string, pos int) bool {
	end, plain := entityToken(text, pos)
	return end > pos && (plain == `"` || plain == "'")
}
