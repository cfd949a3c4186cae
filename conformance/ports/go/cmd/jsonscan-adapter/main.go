// Command jsonscan-adapter answers for package jsonscan in the conformance protocol: requests on standard input,
// answers on standard output, one JSON object a line.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"jsonscan"
)

const hello = `{"protocol":1,"implementation":"jsonscan-go","version":"0.1.0","language":"go",` +
	`"operations":["json_parse","extract_json_object","extract_json","try_extract_json","search","finditer","repair"],` +
	`"host":{"strings":"utf8","ill_formed":"kept","integers":"exact","numbers":"typed","key_order":"kept"}}` + "\n"

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "jsonscan-adapter:", err)
		os.Exit(1)
	}
}

// serve answers the requests of in until bye or its end.
func serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriterSize(out, 1<<16)
	for {
		if !lineWaits(r) { // nobody must wait for an answer that only the next request would push out
			if err := w.Flush(); err != nil {
				return err
			}
		}
		line, err := r.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return w.Flush()
		}
		if err != nil && err != io.EOF {
			return err
		}
		answer, err := reply(string(line))
		if err != nil {
			return err
		}
		if answer == nil {
			return w.Flush()
		}
		if _, err := w.Write(answer); err != nil {
			return err
		}
	}
}

// lineWaits tells whether a whole line has been read from the pipe already.
func lineWaits(r *bufio.Reader) bool {
	buffered, _ := r.Peek(r.Buffered())
	return bytes.IndexByte(buffered, '\n') >= 0
}

// reply returns the answer to a line, nil to bye. A line that is no request and bears no id is an error.
func reply(line string) ([]byte, error) {
	value, err := jsonscan.ParseJSON(line)
	if err != nil {
		return nil, fmt.Errorf("unreadable request: %w", err)
	}
	request, ok := value.(*jsonscan.Object)
	if !ok {
		return nil, fmt.Errorf("a request that is no object")
	}
	if _, ok := request.Get("hello"); ok {
		return []byte(hello), nil
	}
	if _, ok := request.Get("bye"); ok {
		return nil, nil
	}
	id, ok := get[jsonscan.Number](request, "id")
	if !ok || !id.IsInteger() {
		return nil, fmt.Errorf("a request without an id")
	}
	answer := append([]byte(`{"id":`), id...)
	op, _ := get[string](request, "op")
	input, _ := get[*jsonscan.Object](request, "input")
	options, _ := get[*jsonscan.Object](request, "options")
	raw, ok := text(input)
	if operation := operations[op]; ok && operation != nil {
		if more, ok := operation(answer, raw, options); ok {
			return append(more, "}\n"...), nil
		}
	}
	return append(answer, `,"outcome":"unsupported"}`+"\n"...), nil
}

// operations append the members of an answer to a text under options, or return false where they cannot.
var operations = map[string]func([]byte, string, *jsonscan.Object) ([]byte, bool){
	"json_parse": core(func(b []byte, raw string) []byte {
		value, err := jsonscan.ParseJSON(raw)
		if err != nil {
			return append(b, `,"outcome":"error","code":"syntax"`...)
		}
		return appendOutcome(b, value)
	}),
	"extract_json_object": core(func(b []byte, raw string) []byte {
		found := jsonscan.ExtractJSONObject(raw)
		if found == raw {
			return append(b, `,"outcome":"unchanged"`...)
		}
		return appendString(append(b, `,"outcome":"found","text":`...), found)
	}),
	"extract_json": core(func(b []byte, raw string) []byte {
		value, err := jsonscan.ExtractJSON(raw)
		if err != nil {
			return appendFailure(b, err.(*jsonscan.ExtractError))
		}
		return appendOutcome(b, value)
	}),
	"try_extract_json": core(func(b []byte, raw string) []byte {
		value := jsonscan.TryExtractJSON(raw)
		if value == nil {
			return append(b, `,"outcome":"null"`...)
		}
		return appendOutcome(b, value)
	}),
	"search":   appendSearch,
	"finditer": appendMatches,
	"repair":   appendRepaired,
}

// core is an operation without options, of JavaScript's functions, for which ill-formed bytes are no text.
func core(answer func([]byte, string) []byte) func([]byte, string, *jsonscan.Object) ([]byte, bool) {
	return func(b []byte, raw string, _ *jsonscan.Object) ([]byte, bool) {
		if !jsonscan.ValidWTF8(raw) {
			return b, false
		}
		return answer(b, raw), true
	}
}

// appendOutcome appends the members of an answer that holds a value.
func appendOutcome(b []byte, value any) []byte {
	return appendValue(append(b, `,"outcome":"value","value":`...), value)
}

// appendFailure appends the members of an answer that ExtractJSON's error gives.
func appendFailure(b []byte, err *jsonscan.ExtractError) []byte {
	b = append(b, `,"outcome":"error","code":"`...)
	b = append(b, err.Code...)
	b = append(b, '"')
	if err.Code == jsonscan.InvalidInput {
		return b
	}
	return appendString(append(b, `,"preview":`...), err.Preview)
}

// text returns the text of a request's input. A value that is no string cannot be asked of Go.
func text(input *jsonscan.Object) (string, bool) {
	if input == nil || input.Len() != 1 {
		return "", false
	}
	if raw, ok := get[string](input, "text"); ok {
		return raw, true
	}
	if hex, ok := get[string](input, "utf16"); ok {
		return decodeUTF16(hex)
	}
	if hex, ok := get[string](input, "bytes"); ok {
		return decodeBytes(hex)
	}
	return "", false
}

// get returns the member of an object where it has the given type.
func get[T any](o *jsonscan.Object, key string) (T, bool) {
	value, _ := o.Get(key)
	typed, ok := value.(T)
	return typed, ok
}
