// The adapter of NAME: what is to be filled in stands in extract.go; leave this file as it is.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Integer holds the digits of an integer of any size.
type Integer string

// Member is one member of an Object.
type Member struct {
	Key   string
	Value any
}

// Object holds members in order.
type Object []Member

// ExtractError is what ExtractJSON fails with; Preview is nil where the original's message holds none.
type ExtractError struct {
	Code    string
	Preview *string
}

func (e *ExtractError) Error() string { return e.Code }

type todo string

func (t todo) Error() string { return "TODO: " + string(t) }

type answer = map[string]any

var hello = answer{
	"protocol": 1, "implementation": "NAME", "version": "0", "language": "go",
	"operations": []string{"json_parse", "extract_json_object", "extract_json", "try_extract_json"},
	"host":       answer{"strings": "utf8", "ill_formed": LoneSurrogates, "integers": "exact", "numbers": "typed", "key_order": "kept"},
}

type request struct {
	ID    int
	Op    string
	Hello int
	Bye   int
	Input struct {
		Text  *string
		UTF16 *string
		Bytes *string
	}
}

const deepest = 200

// wireText is a string of the protocol: as it is, or as UTF-16 code units where it holds a lone surrogate in WTF-8.
func wireText(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	units := toUTF16(s)
	if runes := utf16.Decode(units); slices.Equal(utf16.Encode(runes), units) {
		return string(runes)
	}
	var digits strings.Builder
	for _, unit := range units {
		fmt.Fprintf(&digits, "%04x", unit)
	}
	return answer{"$u16": digits.String()}
}

// toUTF16 reads WTF-8: UTF-8 in which a lone surrogate is three bytes. Every other byte that is no UTF-8 becomes U+FFFD.
func toUTF16(s string) []uint16 {
	var units []uint16
	for i := 0; i < len(s); {
		if len(s)-i >= 3 && s[i] == 0xED && s[i+1]&0xE0 == 0xA0 && s[i+2]&0xC0 == 0x80 {
			units = append(units, 0xD000|uint16(s[i+1]&0x3F)<<6|uint16(s[i+2]&0x3F))
			i += 3
			continue
		}
		char, size := utf8.DecodeRuneInString(s[i:])
		units = utf16.AppendRune(units, char)
		i += size
	}
	return units
}

// fromUTF16 writes WTF-8: pairs are one character, a lone surrogate is three bytes.
func fromUTF16(units []uint16) string {
	var s []byte
	for i := 0; i < len(units); i++ {
		char := rune(units[i])
		if i+1 < len(units) && utf16.DecodeRune(char, rune(units[i+1])) != utf8.RuneError {
			char = utf16.DecodeRune(char, rune(units[i+1]))
			i++
		}
		if utf16.IsSurrogate(char) {
			s = append(s, 0xED, byte(0x80|char>>6&0x3F), byte(0x80|char&0x3F))
		} else {
			s = utf8.AppendRune(s, char)
		}
	}
	return string(s)
}

func scalar(value any) any {
	switch v := value.(type) {
	case Integer:
		if small, err := strconv.ParseInt(string(v), 10, 64); err == nil && small > -1<<53 && small < 1<<53 {
			return small
		}
		return answer{"$i": string(v)}
	case float64:
		return answer{"$f": fmt.Sprintf("%016x", math.Float64bits(v))}
	case string:
		return wireText(v)
	}
	return value
}

// tagged is the tagged value, or false when it is too deep to be sent as such.
func tagged(value any, depth int) (any, bool) {
	if depth > deepest {
		return nil, false
	}
	switch v := value.(type) {
	case []any:
		items := make([]any, 0, len(v))
		for _, inner := range v {
			item, ok := tagged(inner, depth+1)
			if !ok {
				return nil, false
			}
			items = append(items, item)
		}
		return items, true
	case Object:
		pairs := make([]any, 0, len(v))
		for _, member := range v {
			item, ok := tagged(member.Value, depth+1)
			if !ok {
				return nil, false
			}
			pairs = append(pairs, []any{wireText(member.Key), item})
		}
		return answer{"$o": pairs}, true
	}
	return scalar(value), true
}

type step struct {
	event any
	value any
	whole bool
}

// events are those of a value of any depth.
func events(value any) []any {
	out := []any{}
	stack := []step{{value: value, whole: true}}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !top.whole {
			out = append(out, top.event)
			continue
		}
		switch v := top.value.(type) {
		case []any:
			out = append(out, "[")
			stack = append(stack, step{event: "]"})
			for i := len(v) - 1; i >= 0; i-- {
				stack = append(stack, step{value: v[i], whole: true})
			}
		case Object:
			out = append(out, "{")
			stack = append(stack, step{event: "}"})
			for i := len(v) - 1; i >= 0; i-- {
				stack = append(stack, step{value: v[i].Value, whole: true}, step{event: []any{"k", wireText(v[i].Key)}})
			}
		default:
			out = append(out, []any{"v", scalar(v)})
		}
	}
	return out
}

func wire(value any) any {
	if form, ok := tagged(value, 0); ok {
		return form
	}
	return answer{"$flat": events(value)}
}

func operate(op, text string) (answer, error) {
	switch op {
	case "json_parse":
		value, err := JSONParse(text)
		if errors.Is(err, ErrSyntax) {
			return answer{"outcome": "error", "code": "syntax"}, nil
		}
		return answer{"outcome": "value", "value": wire(value)}, err
	case "extract_json_object":
		found, err := ExtractJSONObject(text)
		if found == text {
			return answer{"outcome": "unchanged"}, err
		}
		return answer{"outcome": "found", "text": wireText(found)}, err
	case "extract_json":
		value, err := ExtractJSON(text)
		var extract *ExtractError
		if errors.As(err, &extract) {
			failed := answer{"outcome": "error", "code": extract.Code}
			if extract.Preview != nil {
				failed["preview"] = wireText(*extract.Preview)
			}
			return failed, nil
		}
		return answer{"outcome": "value", "value": wire(value)}, err
	case "try_extract_json":
		value, err := TryExtractJSON(text)
		if value == nil {
			return answer{"outcome": "null"}, err
		}
		return answer{"outcome": "value", "value": wire(value)}, err
	}
	return answer{"outcome": "unsupported"}, nil
}

func reply(r request) answer {
	text, err := given(r)
	result := answer{"outcome": "unsupported"}
	if err == nil {
		result, err = operate(r.Op, text)
	}
	if err != nil {
		result = answer{"outcome": "failed", "message": err.Error()}
	}
	result["id"] = r.ID
	return result
}

func given(r request) (string, error) {
	switch {
	case r.Input.Text != nil:
		return *r.Input.Text, nil
	case r.Input.UTF16 != nil:
		raw, err := hex.DecodeString(*r.Input.UTF16)
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
		}
		return fromUTF16(units), err
	case r.Input.Bytes != nil:
		raw, err := hex.DecodeString(*r.Input.Bytes)
		return string(raw), err
	}
	return "", errors.New("an input that is no string")
}

// ascii is the line of an answer, every character beyond ASCII escaped.
func ascii(message any) (string, error) {
	raw, err := json.Marshal(message)
	var line strings.Builder
	for _, char := range string(raw) {
		switch {
		case char < 0x80:
			line.WriteByte(byte(char))
		case char < 0x10000:
			fmt.Fprintf(&line, "\\u%04x", char)
		default:
			high, low := utf16.EncodeRune(char)
			fmt.Fprintf(&line, "\\u%04x\\u%04x", high, low)
		}
	}
	line.WriteByte('\n')
	return line.String(), err
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<18), bufio.NewWriterSize(os.Stdout, 1<<18)
	for {
		raw, err := in.ReadBytes('\n')
		if err != nil {
			os.Exit(1)
		}
		var r request
		if err := json.Unmarshal(raw, &r); err != nil {
			fmt.Fprintln(os.Stderr, "no request:", err)
			os.Exit(1)
		}
		if r.Bye != 0 {
			out.Flush()
			return
		}
		var message any = hello
		if r.Hello == 0 {
			message = reply(r)
		}
		line, err := ascii(message)
		if err != nil {
			fmt.Fprintln(os.Stderr, "no answer:", err)
			os.Exit(1)
		}
		out.WriteString(line)
		if in.Buffered() == 0 {
			out.Flush()
		}
	}
}
