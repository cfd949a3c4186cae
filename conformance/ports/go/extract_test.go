package jsonscan

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestExtractJSONObject(t *testing.T) {
	deep := `{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"
	for _, test := range []struct{ name, raw, want string }{
		{"empty text", "", ""},
		{"no brace", "[1, 2]", "[1, 2]"},
		{"prose around", `Sure: {"a": 1} - done`, `{"a": 1}`},
		{"fence", "```json\n{\"a\":1}\n```", `{"a":1}`},
		{"prose braces first", `for {name}: {"a":1}`, `{"a":1}`},
		{"first of two", `{"a":1} {"b":2}`, `{"a":1}`},
		{"in an array", `[{"a":1},{"b":2}]`, `{"a":1}`},
		{"closing brace in a string", `- {"a":"}"} -`, `{"a":"}"}`},
		{"escaped quote in a string", `- {"a":"\"}"} -`, `{"a":"\"}"}`},
		{"string that ends in a backslash", `- {"a":"\\"} -`, `{"a":"\\"}`},
		{"stray quote before", `5" wide {"a":1} 6"`, `{"a":1}`},
		{"inner of a broken one", `{"a":{"b":1},} x`, `{"b":1}`},
		{"inner of a cut one", `{"a":1,"b":[{"c":2},{"d":3}`, `{"c":2}`},
		{"inner after an open one", `{"a":{"b":{"c":{}},!`, `{"c":{}}`},
		{"in a string of a broken one", `{"a":"{}",}`, "{}"},
		{"past the fault of a broken one", `{"a":"{"b":1}"}`, `{"b":1}`},
		{"out of an unclosed string", `{"a":"x} {"b":2} y`, `{"b":2}`},
		{"raw line feed in a string", "{\"a\":\"\n\"} {}", "{}"},
		{"duplicate keys are no fault", ` {"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"lone surrogate kept", " {\"a\":\"\xed\xa0\xbd\"}", "{\"a\":\"\xed\xa0\xbd\"}"},
		{"deep", "x" + deep, deep},
		{"50th brace", strings.Repeat("{", 49) + `{"a":1}`, `{"a":1}`},
		{"51st brace", strings.Repeat("{", 50) + `{"a":1}`, strings.Repeat("{", 50) + `{"a":1}`},
		{"50th brace, others quoted", strings.Repeat(`"{" `, 49) + `{"a":1}`, `{"a":1}`},
		{"51st brace, others quoted", strings.Repeat(`"{" `, 50) + `{"a":1}`, strings.Repeat(`"{" `, 50) + `{"a":1}`},
		{"51st brace, others nested", strings.Repeat(`{{x}}`, 25) + `{}`, strings.Repeat(`{{x}}`, 25) + `{}`},
		{"brackets do not count", strings.Repeat("[", 60) + `{"a":1}`, `{"a":1}`},
		{"at the bound", "{}" + strings.Repeat(" ", 262142), "{}"},
		{"beyond the bound", "{}" + strings.Repeat(" ", 262143), "{}" + strings.Repeat(" ", 262143)},
		{"at the bound, pairs", "{}" + strings.Repeat("😀", 131071), "{}"},
		{"beyond the bound, pairs", "{}" + strings.Repeat("😀", 131071) + "x", "{}" + strings.Repeat("😀", 131071) + "x"},
		{"at the bound, three bytes", "{}" + strings.Repeat("中", 262142), "{}"},
		{"at the bound, lone surrogates", "{}" + strings.Repeat("\xed\xa0\xbd", 262142), "{}"},
	} {
		if got := ExtractJSONObject(test.raw); got != test.want {
			t.Errorf("%s: got %+.60q, want %+.60q", test.name, got, test.want)
		}
	}
}

func TestExtractJSON(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"bare object", `{"a":1}`, `{"a":1}`},
		{"bare array", ` [1] `, `[1]`},
		{"first bracket wins", `see [1]: {"a":1}`, `[1]`},
		{"first brace wins", `x {"a":[1]} [2]`, `{"a":[1]}`},
		{"closing bracket first", `][{}]`, `[{}]`},
		{"fence wins over an earlier object", "{} ```json\n[1]\n```", "[1]"},
		{"fenced scalar", "```\n7\n```", "7"},
		{"fenced null", "```json\nnull\n```", "null"},
		{"tag against the value", "```json5```", "5"},
		{"tag in capitals", "```JSON 5```", "5"},
		{"tag yaml", "```yaml 5```", "5"},
		{"tag js", "```js 5```", "5"},
		{"tag javascript", "```JavaScript 5```", "5"},
		{"tag typescript", "```typescript 5```", "5"},
		{"tag dart", "```dart 5```", "5"},
		{"unknown tag", "```python\n{\"a\":1}\n```", `{"a":1}`},
		{"unclosed fence", "```json\n{\"a\":1}", `{"a":1}`},
		{"second fence is no answer", "```\nx\n```\n```json\n5\n``` [1]", "[1]"},
		{"first closing fence counts", "```json\n7``` ```", "7"},
		{"fence in a string", "{\"a\":\"```5```\"}", "5"},
		{"broken fence", "```json\n{\"a\":1,}\n``` {}", `{"a":1}`},
		{"brackets in strings", `{"a":"}","b":"\"}"}`, `{"a":"}","b":"\"}"}`},
		{"trailing commas", "{\"a\":[1, \n],\n}", `{"a":[1]}`},
		{"comma before a no-break space", "[1,\u00a0\ufeff]", `[1]`},
		{"lone comma", "[,]", "[]"},
		{"apostrophes", `{'a':'b'}`, `{"a":"b"}`},
		{"escaped apostrophe", `{'a':'it\'s'}`, `{"a":"it\"s"}`},
		{"comma in a string of a broken one", `{"a":"x, }",}`, `{"a":"x}"}`},
		{"valid text is not edited", `{"a":"it's, }"}`, `{"a":"it's, }"}`},
	} {
		value, err := ExtractJSON(test.raw)
		if want := mustParse(t, test.want); err != nil || !reflect.DeepEqual(value, want) {
			t.Errorf("%s: got %v, %v, want %v", test.name, value, err, want)
		}
		if tried := TryExtractJSON(test.raw); !reflect.DeepEqual(tried, value) {
			t.Errorf("%s: tried, got %v", test.name, tried)
		}
	}
}

func TestExtractJSONErrors(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	const lead = "\xed\xa0\xbd" // of 😀
	for _, test := range []struct {
		name, raw string
		code      Code
		preview   string
	}{
		{"empty text", "", InvalidInput, ""},
		{"blank text", " ", NoJSON, " "},
		{"bare scalar", "5", NoJSON, "5"},
		{"tag with a long s", "```j\u017fon 5```", NoJSON, "```j\u017fon 5```"},
		{"tag after a space", "``` json 5```", NoJSON, "``` json 5```"},
		{"two tags", "```jsonjson 5```", NoJSON, "```jsonjson 5```"},
		{"unclosed fenced scalar", "```json 5", NoJSON, "```json 5"},
		{"four backticks", "````5````", NoJSON, "````5````"},
		{"preview of 200", x(201), NoJSON, x(200)},
		{"preview cuts a pair", x(199) + "😀x", NoJSON, x(199) + lead},
		{"preview ends with a pair", x(198) + "😀x", NoJSON, x(198) + "😀"},
		{"preview of three-byte characters", strings.Repeat("中", 201), NoJSON, strings.Repeat("中", 200)},
		{"preview of lone surrogates", strings.Repeat(lead, 201), NoJSON, strings.Repeat(lead, 200)},
		{"never closed", `x [1, {"a":2}`, Unbalanced, `[1, {"a":2}`},
		{"closed by the other kind", `[1}`, Unbalanced, `[1}`},
		{"closed in an unclosed string", `{"a} y`, Unbalanced, `{"a} y`},
		{"text ends in an escape", `{"a\`, Unbalanced, `{"a\`},
		{"preview from the bracket", "a{" + x(400), Unbalanced, "{" + x(299)},
		{"bracket preview cuts a pair", "{" + x(298) + "😀", Unbalanced, "{" + x(298) + lead},
		{"no repair helps", `a {b} c`, ParseFailed, `{b}`},
		{"other brackets do not count", `{"a":[1}]}`, ParseFailed, `{"a":[1}`},
		{"two commas", "[1,,]", ParseFailed, "[1,,]"},
		{"next line is no white space", "[1,\u0085]", ParseFailed, "[1,\u0085]"},
		{"apostrophe in a string", `{"a":"it's",}`, ParseFailed, `{"a":"it's",}`},
		{"candidate preview", "[" + x(400) + "]", ParseFailed, "[" + x(299)},
	} {
		value, err := ExtractJSON(test.raw)
		var failure *ExtractError
		if value != nil || !errors.As(err, &failure) {
			t.Errorf("%s: got %v, %v", test.name, value, err)
			continue
		}
		if failure.Code != test.code || failure.Preview != test.preview {
			t.Errorf("%s: got %s with %+q", test.name, failure.Code, failure.Preview)
		}
		if !strings.HasSuffix(err.Error(), test.preview) {
			t.Errorf("%s: the message %+q does not end in the preview", test.name, err.Error())
		}
		var syntax *SyntaxError
		if errors.As(err, &syntax) != (test.code == ParseFailed) {
			t.Errorf("%s: wraps %v", test.name, failure.Err)
		}
		if tried := TryExtractJSON(test.raw); tried != nil {
			t.Errorf("%s: tried, got %v", test.name, tried)
		}
	}
}

// TestJavaScriptWhiteSpace tries every code unit where JavaScript's white space counts.
func TestJavaScriptWhiteSpace(t *testing.T) {
	const spaces = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
		"\u2028\u2029\u202f\u205f\u3000\ufeff"
	for r := rune(0); r <= 0xFFFF; r++ {
		space := string(appendCodePoint(nil, r))
		want := !isSurrogate(r) && strings.ContainsRune(spaces, r)
		for _, raw := range []string{"```json" + space + "true```", "```true" + space + " ```"} {
			if got := TryExtractJSON(raw) != nil; got != want {
				t.Errorf("U+%04X in %+q: %v", r, raw, got)
			}
		}
		if got := TryExtractJSON(`{"a":1,`+space+"}") != nil; got != (want || r == '}') {
			t.Errorf("U+%04X after a trailing comma: %v", r, got)
		}
	}
}

// TestLinear has texts on which quadratic work would not end in a lifetime of this test.
func TestLinear(t *testing.T) {
	const n = 2 << 20
	for name, raw := range map[string]string{
		"unclosed fence and white space": "```" + strings.Repeat(" ", n),
		"commas":                         "[" + strings.Repeat(",", n) + "]",
		"commas and white space":         "[" + strings.Repeat(",  ", n) + "]",
		"one comma and white space":      "[," + strings.Repeat(" ", n) + "x]",
		"open brackets":                  strings.Repeat("[", n),
		"open braces":                    strings.Repeat(`{"a":`, n),
		"quotes":                         "[" + strings.Repeat(`"`, n) + "]",
		"backslashes":                    "[" + strings.Repeat(`\`, n) + "]",
		"backticks":                      strings.Repeat("`", n) + "x",
		"digits":                         "[" + strings.Repeat("1", n) + " 1]",
		"keys that repeat":               "{" + strings.Repeat(`"a":1,`, n) + "1}",
	} {
		if value, err := ExtractJSON(raw); err == nil {
			t.Errorf("%s: got %v", name, value)
		}
		ExtractJSONObject(raw)
	}
}

// TestReadsOverlap counts the bytes that ExtractJSONObject's reads cover, for texts made to have them overlap. No byte is
// covered more than twice by reads that fail.
func TestReadsOverlap(t *testing.T) {
	const n = 2000
	for _, raw := range []string{
		strings.Repeat("{", n), strings.Repeat(`{"a":`, n), strings.Repeat(`{"`, n), strings.Repeat(`{"a":"`, n),
		strings.Repeat(`{"a":"{"a":`, n), strings.Repeat(`{"a":["`, n), `{"` + strings.Repeat(`{`, n), strings.Repeat(`{"{":"`, n),
		strings.Repeat(`{"a":`+strings.Repeat("[", 60), n),
		strings.Repeat(`{"a":{},"b":"`, n) + `"`, `{"":"` + strings.Repeat(`{\"":"`, n),
	} {
		covered := 0
		result := extractObject(raw, func(m *machine) stop {
			start := m.pos
			why := m.run()
			if why != done {
				covered += m.pos - start + 1
			}
			return why
		})
		if want := naiveObject(raw); result != want {
			t.Errorf("%.20q...: got %.60q, want %.60q", raw, result, want)
		}
		if limit := 2*len(raw) + maxAttempts; covered > limit {
			t.Errorf("%.20q...: %d bytes read, more than %d", raw, covered, limit)
		}
	}
}
