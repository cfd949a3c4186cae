package main

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"jsonscan"
)

// maxNesting is the number of containers inside each other beyond which a value is written flat.
const maxNesting = 200

// maxPlain is the magnitude from which on integers are written as text.
const maxPlain = 1 << 53

const hexDigits = "0123456789abcdef"

// decodeUTF16 returns the string of code units in hexadecimal.
func decodeUTF16(digits string) (string, bool) {
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw)%2 != 0 {
		return "", false
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(raw[2*i:])
	}
	return jsonscan.FromUTF16(units), true
}

// decodeBytes returns the string of bytes in hexadecimal.
func decodeBytes(digits string) (string, bool) {
	raw, err := hex.DecodeString(digits)
	return string(raw), err == nil
}

// appendValue appends a value.
func appendValue(b []byte, value any) []byte {
	if nested, ok := appendNested(b, value, maxNesting); ok {
		return nested
	}
	return appendFlat(b, value)
}

// appendNested appends a value, unless more containers stand inside each other than room allows.
func appendNested(b []byte, value any, room int) (_ []byte, ok bool) {
	switch value := value.(type) {
	case []any:
		return appendArray(b, value, room-1)
	case *jsonscan.Object:
		return appendObject(b, value, room-1)
	default:
		return appendScalar(b, value), true
	}
}

func appendArray(b []byte, items []any, room int) (_ []byte, ok bool) {
	ok = room >= 0
	b = append(b, '[')
	for i, item := range items {
		if !ok {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b, ok = appendNested(b, item, room)
	}
	return append(b, ']'), ok
}

// appendObject appends an object, as a list of pairs if one of its keys could not stand on the wire as it is.
func appendObject(b []byte, object *jsonscan.Object, room int) (_ []byte, ok bool) {
	opening, between, separator, closing := "{", ":", ",", "}"
	for key := range object.All() {
		if strings.HasPrefix(key, "$") || !utf8.ValidString(key) {
			opening, between, separator, closing = `{"$o":[[`, ",", "],[", "]]}"
			break
		}
	}
	ok = room >= 0
	b = append(b, opening...)
	start := len(b)
	for key, item := range object.All() {
		if !ok {
			break
		}
		if len(b) > start {
			b = append(b, separator...)
		}
		b = append(appendString(b, key), between...)
		b, ok = appendNested(b, item, room)
	}
	return append(b, closing...), ok
}

// task is something left to write in a flat value: a value, or an event as it stands.
type task struct {
	value any
	event string
}

// appendFlat appends a value as a list of events. It keeps its own stack, with the next task last.
func appendFlat(b []byte, value any) []byte {
	b = append(b, `{"$flat":[`...)
	for todo := []task{{value: value}}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if next.event != "" {
			b = append(b, next.event...)
		} else {
			b, todo = appendEvent(b, todo, next.value)
		}
		if len(todo) > 0 {
			b = append(b, ',')
		}
	}
	return append(b, "]}"...)
}

// appendEvent appends the first event of a value and puts off the others.
func appendEvent(b []byte, todo []task, value any) ([]byte, []task) {
	switch value := value.(type) {
	case []any:
		todo = append(todo, task{event: `"]"`})
		for _, item := range slices.Backward(value) {
			todo = append(todo, task{value: item})
		}
		return append(b, `"["`...), todo
	case *jsonscan.Object:
		todo = append(todo, task{event: `"}"`})
		start := len(todo)
		for key, item := range value.All() {
			event := append(appendString([]byte(`["k",`), key), ']')
			todo = append(todo, task{event: string(event)}, task{value: item})
		}
		slices.Reverse(todo[start:])
		return append(b, `"{"`...), todo
	default:
		return append(appendScalar(append(b, `["v",`...), value), ']'), todo
	}
}

// appendScalar appends null, a boolean, a string or a number.
func appendScalar(b []byte, value any) []byte {
	switch value := value.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, value)
	case string:
		return appendString(b, value)
	default:
		return appendNumber(b, value.(jsonscan.Number))
	}
}

// appendNumber appends an integer as it is, or in quotes where binary64 might not hold it, and any other number as bits.
func appendNumber(b []byte, number jsonscan.Number) []byte {
	if !number.IsInteger() {
		bits := math.Float64bits(number.Float64())
		if number == "NaN" {
			bits = 0x7ff8 << 48 // the one that other languages make, where Go sets another bit
		}
		b = append(b, `{"$f":"`...)
		b = hex.AppendEncode(b, binary.BigEndian.AppendUint64(nil, bits))
		return append(b, `"}`...)
	}
	if n, err := strconv.ParseInt(string(number), 10, 64); err == nil && -maxPlain < n && n < maxPlain {
		return strconv.AppendInt(b, n, 10)
	}
	b = append(b, `{"$i":"`...)
	b = append(b, number...)
	return append(b, `"}`...)
}

// appendString appends a string, as code units if it is ill formed.
func appendString(b []byte, text string) []byte {
	if !utf8.ValidString(text) {
		b = append(b, `{"$u16":"`...)
		for _, unit := range jsonscan.ToUTF16(text) {
			b = appendUnit(b, unit)
		}
		return append(b, `"}`...)
	}
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case ' ' <= r && r <= '~':
			b = append(b, byte(r))
		default:
			for _, unit := range jsonscan.ToUTF16(string(r)) {
				b = appendUnit(append(b, '\\', 'u'), unit)
			}
		}
	}
	return append(b, '"')
}

// appendUnit appends the four digits of a code unit.
func appendUnit(b []byte, unit uint16) []byte {
	return append(b, hexDigits[unit>>12], hexDigits[unit>>8&0xF], hexDigits[unit>>4&0xF], hexDigits[unit&0xF])
}
