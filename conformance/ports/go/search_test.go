package jsonscan

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

var (
	off     = Options{Repair: RepairOff}
	safe    = Options{}
	full    = Options{Repair: RepairFull}
	keep    = Options{KeepTruncated: true}
	anyKind = Options{Expect: ExpectAny}
	sole    = Options{Select: SelectSole}
	most    = Options{Repair: RepairFull, Expect: ExpectAny, KeepTruncated: true}
)

// found searches, and returns the text of the match, its value as encoding/json would have it, and the match; or the
// code of the error.
func found(t *testing.T, text string, options Options) (code Code, part string, match *Match) {
	t.Helper()
	match, err := Search(text, options)
	var failure *SearchError
	switch {
	case errors.As(err, &failure):
		if failure.Offset < 0 || failure.Offset > len(text) {
			t.Errorf("%q: an error at byte %d", text, failure.Offset)
		}
		return failure.Code, "", nil
	case err != nil || match == nil:
		t.Fatalf("%q: %v, %v", text, match, err)
	}
	return "", text[match.Start:match.End], match
}

// plainJSON returns a value as JSON with its members in order.
func plainJSON(value any) string {
	switch value := value.(type) {
	case *Object:
		var members []string
		for key, item := range value.All() {
			members = append(members, quoted(key)+":"+plainJSON(item))
		}
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		var items []string
		for _, item := range value {
			items = append(items, plainJSON(item))
		}
		return "[" + strings.Join(items, ",") + "]"
	case string:
		return quoted(value)
	case Number:
		return string(value)
	default:
		return spelling(value)
	}
}

// TestPlaces says which part of a text is the answer, or which error there is.
func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		rule, text string
		options    Options
		want       string // the text of the match, or the code of the error
		source     Source
	}{
		{"ANS-1", " {\"a\": [1]}\n", safe, `{"a": [1]}`, FromBare},
		{"ANS-2", `"see {\"a\": 1}"`, safe, "no-json", ""},
		{"ANS-3", `"{\"a\": 1}"`, full, `"{\"a\": 1}"`, FromBare},
		{"ANS-4", `True`, anyKind, "True", FromBare},
		{"ANS-4", `it is True`, anyKind, "no-json", ""},
		{"ANS-4", `just words`, most, "just words", FromBare},
		{"ANS-4", `Just a sentence.`, most, "no-json", ""},
		{"ANS-5", `"a": 1}` + " {\"b\": 2}", safe, "unexpected", ""},
		{"ANS-5", `"a": 1}` + " and more", full, `"a": 1}`, FromProse},
		{"LAND-1", "{\"a\": \"```json [1] ```\"} ok", safe, "{\"a\": \"```json [1] ```\"}", FromProse},
		{"FENCE-1", "x {\"b\": 2}\n   ```json\n{\"a\": 1}\n```", safe, `{"a": 1}`, FromFence},
		{"FENCE-2", "~~~~\n{\"a\": 1}\n~~~\n~~~~\n{\"b\": 2}", safe, `{"a": 1}`, FromFence},
		{"FENCE-3", "see ```json{\"a\": 1}``` there", safe, `{"a": 1}`, FromFence},
		{"FENCE-4", "é\n```json\n{\"a\": 1}\n\nmore", safe, `{"a": 1}`, FromFence},
		{"FENCE-5", "```markdown\n```json\n{\"a\": 1}\n```\n```", safe, `{"a": 1}`, FromFence},
		{"FENCE-7", "```json\n{\"a\": [1,\n```\nthen ]}", safe, "truncated", ""},
		{"FENCE-7", "{'a': 'x\n```\ny'}", safe, "{'a': 'x\n```\ny'}", FromBare},
		{"FENCE-8", "[\n```json\n{\"a\": 1}\n```\n]", safe, `{"a": 1}`, FromFence},
		{"FENCE-9", "```python\nx = {\"a\": 1};\n```", safe, `{"a": 1}`, FromFence},
		{"FENCE-9", "```python\nx = f({\"a\": 1})\n```", safe, "no-json", ""},
		{"TAG-1", "<think>{\"a\": 1}</think>{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"TAG-1", "<example>{\"a\": 1}</example>", safe, "no-json", ""},
		{"TAG-1", "◁think▷{\"a\": 1}◁/think▷{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"TAG-1", "[THINK]{\"a\": 1}[/THINK]{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"TAG-1", "<details type=\"reasoning\">{\"a\": 1}</details>{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"TAG-1", "<|begin_of_thought|>{\"a\": 1}<|end_of_thought|>{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"TAG-2", "{\"a\": 1}</think> {\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"TAG-3", "<think>\n{\"a\": 1}", safe, "no-json", ""},
		{"TAG-3", "a `<think>` tag: {\"a\": 1}", safe, `{"a": 1}`, FromProse},
		{"TAG-4", "<tool_call>{\"a\": 1}</tool_call>", safe, `{"a": 1}`, FromTag},
		{"TAG-5", "{\"b\": 2}\n<answer>so {\"a\": 1}</answer>", safe, `{"a": 1}`, FromProse},
		{"TAG-5", "[ANSWER]{\"a\": 1}[/ANSWER]\n{\"b\": 2}", safe, `{"a": 1}`, FromTag},
		{"TAG-6", "<|channel|>analysis<|message|>{\"a\": 1}<|end|><|channel|>final<|message|>{\"b\": 2}", safe, `{"b": 2}`, FromTag},
		{"CAND-1", "{\"b\": {\"a\": 1}, \"c\": }", off, "unexpected", ""},
		{"CAND-2", "${a: 1} {x} S = {x : x > 0} {\"a\": 1}", safe, `{"a": 1}`, FromProse},
		{"CAND-3", "see [1] and a[\"b\"]: [\"c\"]", safe, `["c"]`, FromProse},
		{"CAND-3", "it is: [1, 2]", safe, `[1, 2]`, FromProse},
		{"CAND-3", "[1, 2] is cited", safe, "no-json", ""},
		{"CAND-3", "is cited [1, 2]", safe, "no-json", ""},
		{"CAND-4", "{the \"x\": {\"a\": 1}", safe, `{"a": 1}`, FromProse},
		{"CAND-5", `{"a": 1}, "b": 2}`, safe, "unexpected", ""},
		{"CAND-5", `{"a": 1}, "b": 2}`, full, `{"a": 1}, "b": 2}`, FromBare},
		{"CAND-5", `{"a": 1}, "b": x y}`, full, `{"a": 1}, "b": x y}`, FromBare},
		{"CAND-5", "> {\"a\": 1},\n> \"b\": 2}", safe, "unexpected", ""},
		{"CAND-8", `é {"x" {"a": 1}}`, safe, "unexpected", ""},
		{"CAND-8", `{"x"` + strings.Repeat(" ", 128) + `{"a": 1}}`, safe, "unexpected", ""},
		{"CAND-8", `{"x"` + strings.Repeat(" ", 129) + `{"a": 1}}`, safe, `{"a": 1}`, FromProse},
		{"CAND-8", `é {"x" => {"a": 1} \}`, safe, "unexpected", ""},
		{"CAND-8", "[+1,\u3000{'a': 1}]", safe, "unexpected", ""},
		{"CAND-8", `é {to: all, á.b : {"a": 1}}`, safe, "unexpected", ""},
		{"CAND-8", `é [so: {"a": 1}]`, safe, `{"a": 1}`, FromProse},
		{"CAND-8", `é {"x" > {"a": 1}}`, safe, `{"a": 1}`, FromProse},
		{"CAND-8", `use "x" {"a": 1}.`, safe, `{"a": 1}`, FromProse},
		{"RANK-1", "I ran {\"a\": 1} before.\n{\"b\": 2}\n", safe, `{"b": 2}`, FromProse},
		{"RANK-2", "{'a': 1}\n\nor\n{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"RANK-3", "{\"a\": 1}\n\nor\n{\"b\": 2}", safe, `{"a": 1}`, FromProse},
		{"JOIN-2", "{\"a\": 1}\n{\"b\": 2}", safe, "ambiguous", ""},
		{"JOIN-5", "{\"a\": 1}\n{\"b\": 2}", full, "{\"a\": 1}\n{\"b\": 2}", FromBare},
		{"JOIN-5", "{\"a\": 1}\n{\"b\": 2}", Options{Expect: ExpectObject}, `{"a": 1}`, FromProse},
		{"SEL-1", "{\"a\": 1, \"b\": 2}\n{\"b\": 2, \"a\": 1}", safe, `{"a": 1, "b": 2}`, FromProse},
		{"SEL-2", "{}\n{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"SEL-3", "{\"properties\": {\"a\": {\"type\": \"string\"}}}\n\nso\n{\"a\": \"x\"}", safe, `{"a": "x"}`, FromProse},
		{"SEL-4", "{\"a\": \"your name\"}\n\nso\n{\"a\": \"x\"}", safe, `{"a": "x"}`, FromProse},
		{"SEL-5", "Draft:\n{\"a\": 1}\n\nthen\n{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"SEL-5", "{\"a\": 1}\n\nCorrected:\n{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"SEL-5", "Tool input:\n{\"a\": 1}\n\nthen\n{\"b\": 2}", safe, `{"a": 1}`, FromProse},
		{"SEL-4", "{\"a\": \"string (optional)\", \"b\": \"int[]\", \"c\": \"x | y\"}\n\nso\n{\"a\": \"x\", \"c\": 2}", safe, `{"a": "x", "c": 2}`, FromProse},
		{"SEL-4", "{\"a\": \"<name>\", \"b\": \"...\"}\n\nso\n{\"a\": \"x\"}", safe, `{"a": "x"}`, FromProse},
		{"SEL-4", "{\"a\": \"strings\"}\n\nso\n{\"a\": \"x\"}", safe, `{"a": "strings"}`, FromProse},
		{"SEL-5", "The format is:\n{\"a\": 1}\n\nlook:\n{\"a\": 2}", safe, `{"a": 2}`, FromProse},
		{"SEL-4", "{\"a\": \"A\"}\n\n{\"a\": \"x\"}", safe, `{"a": "A"}`, FromProse},
		{"SEL-4", "{\"a\": \"The Great\"}\n\n{\"a\": \"x\"}", safe, `{"a": "The Great"}`, FromProse},
		{"SEL-5", "Take <b>this</b>!\n{\"a\": 1}\n\nWait, here is the corrected one with it:\n{\"b\": 2}", safe, `{"b": 2}`, FromProse},
		{"SEL-5", "Updated:\n{\"a\": 1}\n\nLast updated:\n{\"b\": 2}", safe, `{"a": 1}`, FromProse},
		{"SEL-8", "Draft:\n{\"a\": 1}\n\nNotes:\n{\"b\": 2}", safe, "ambiguous", ""},
		{"SEL-5", "Formatted:\n{\"a\": 1}\n\nthen\n{\"b\": 2}", safe, `{"a": 1}`, FromProse},
		{"SEL-6", "{\"a\": 1}\n\nor\n[\"b\", 22]", Options{Select: SelectLargest}, `["b", 22]`, FromProse},
		{"SEL-6", "{\"a\": 1}\n\nor\n{\"b\": 2}", Options{Select: SelectLast}, `{"b": 2}`, FromProse},
		{"SEL-7", "{\"a\": 1}\n\nor\n{\"b\": 2}", sole, "ambiguous", ""},
		{"SEL-7", "I will not run {\"a\": 1} because", sole, "ambiguous", ""},
		{"KIND-1", "{\"a\": 1}\n\n[2]", Options{Expect: ExpectArray}, `[2]`, FromProse},
		{"KIND-2", "it is\n```\n42\n```", anyKind, "42", FromFence},
		{"KIND-3", "it is\n```\n(1, 2)\n```", full, "(1, 2)", FromFence},
		{"KIND-3", "it is\n```\n(1, 2) x\n```", full, "no-json", ""},
		{"JOIN-1", `{"a": 1}, /* and */ {"a": 1}`, full, `{"a": 1}, /* and */ {"a": 1}`, FromBare},
		{"JOIN-2", "[1]\n/* and */\n[2]", full, "[1]\n/* and */\n[2]", FromBare},
		{"ANS-4", `/[a-z]+/`, most, "/[a-z]+/", FromBare},
		{"ANS-4", `"a "b"] c"`, most, `"a "b"] c"`, FromBare},
		{"ANS-4", `"`, most, "no-json", ""},
		{"ANS-4", `2.`, most, "2.", FromBare},
		{"ANS-4", `Note well: more words`, most, "Note well: more words", FromBare},
		{"ANS-4", `Note: more words`, most, "no-json", ""},
		{"ANS-4", "one\ntwo", most, "one\ntwo", FromBare},
		{"TRUNC-1", "{\"a\": \"x", safe, "truncated", ""},
		{"TRUNC-2", "{\"a\": 1, \"b\": {\"c\": 2}\n\nThat is all!", safe, "truncated", ""},
		{"TRUNC-2", "{\"a\": 1, \"b\": {\"c\": 2 x\n\nThat is all!", safe, "unexpected", ""},
		{"DUP-1", `{"a": 1, "a": 2}`, Options{DuplicateKeys: RaiseKeys}, "duplicate-key", ""},
		{"LIMIT-1", `[[["x"]]] {"a": 1}`, Options{Limits: Limits{MaxDepth: 2}}, "limit", ""},
		{"LIMIT-1", "{'a': 1, 'b': 2}", Options{Limits: Limits{MaxRepairs: 1}}, "limit", ""},
		{"LIMIT-1", "[1]\n\n[2]", Options{Limits: Limits{MaxCandidates: 1}}, "limit", ""},
		{"LIMIT-1", "[12]", Options{Limits: Limits{MaxDigits: 1}}, "limit", ""},
		{"LIMIT-1", "{\"a\": 1}", Options{Limits: Limits{MaxInput: 7}}, "limit", ""},
		{"ERR-1", "{\"a\": 01}", off, "number", ""},
		{"ERR-1", "{\"a\": \"\\x\"}", off, "escape", ""},
		{"ERR-1", "{\"a\": \"\n\"}", off, "control", ""},
		{"ERR-1", "{\"a\": tru }", off, "literal", ""},
		{"ERR-1", "no JSON", safe, "no-json", ""},
		{"ERR-1", `["" \/ 1]`, safe, "unexpected", ""},
		{"encoding", "{\"a\": 1} \xff", safe, "encoding", ""},
	} {
		code, part, match := found(t, test.text, test.options)
		if got := string(code) + part; got != test.want || (match != nil && match.Source != test.source) {
			t.Errorf("%s: %q\n got %q, %+v\nwant %q, %s", test.rule, test.text, got, match, test.want, test.source)
		}
	}
}

// TestRepairs says what damaged values become: under RepairSafe, and under RepairFull where that alone reads them.
func TestRepairs(t *testing.T) {
	for _, test := range []struct{ codes, text, want string }{
		{"comment comment comment", "[1, // one\n/* x */ 2 # y\n]", "[1,2]"},
		{"trailing-comma", "[1, 2,]", "[1,2]"},
		{"missing-comma", `{"a": 1 "b": 2}`, `{"a":1,"b":2}`},
		{"missing-closer", `[{"a": 1]`, `[{"a":1}]`},
		{"single-quotes", `{'a': "b"}`, `{"a":"b"}`},
		{"typographic-quotes", `{“a”: 1}`, `{"a":1}`},
		{"control-character", "{\"a\": \"x\ny\"}", `{"a":"x\ny"}`},
		{"invalid-escape", `["\d+"]`, `["\\d+"]`},
		{"needless-escape", `["it\'s"]`, `["it's"]`},
		{"unquoted-key", `{a: 1}`, `{"a":1}`},
		{"python-literal python-literal", `[True, None]`, `[true,null]`},
		{"digit-grouping", `[71_350]`, `[71350]`},
		{"escaped-space", `{"a":\n[1]}`, `{"a":[1]}`},

		{"odd-space", "{\"a\":\u00a01}", `{"a":1}`},
		{"wide-punctuation wide-punctuation", `{"a"：1，"b": 2}`, `{"a":1,"b":2}`},
		{"extra-comma", `["a",,2]`, `["a",2]`},
		{"wrong-comma", `{"a": 1; "b": 2}`, `{"a":1,"b":2}`},
		{"wrong-colon", `{"a" => 1}`, `{"a":1}`},
		{"missing-colon", `{"a" 1}`, `{"a":1}`},
		{"missing-value", `{"a": , "b": 1}`, `{"a":null,"b":1}`},
		{"mismatched-closer", `{"a": ["x"}, "b": 2}`, `{"a":["x"],"b":2}`},
		{"surplus-opener", `{{"a": 1}`, `{"a":1}`},
		{"missing-opener", `[{"a": 1}, "b": 2}]`, `[{"a":1},{"b":2}]`},
		{"other-quotes", "{`a`: 1}", `{"a":1}`},
		{"code-escape", "[\"a\\\nb\"]", `["ab"]`},
		{"literal-backslash invalid-escape", `["C:\temp\x"]`, `["C:\\temp\\x"]`},
		{"inner-quote", `{"a": "say "x" now"}`, `{"a":"say \"x\" now"}`},
		{"missing-quote", `{"a": "b, "c": 1}`, `{"a":"b","c":1}`},
		{"missing-quote", `{a": 1}`, `{"a":1}`},
		{"concatenation", `{"a": "x" + 'y'}`, `{"a":"xy"}`},
		{"string-prefix", `{"a": b'x'}`, `{"a":"x"}`},
		{"triple-quotes", `{"a": """say "x" """}`, `{"a":"say \"x\" "}`},
		{"escaped-quotes", `{"a": \"b\"}`, `{"a":"b"}`},
		{"escaped-json", `{\"a\": 1}`, `{"a":1}`},
		{"doubled-quotes", `{""a"": 1}`, `{"a":1}`},
		{"doubled-quotes", `{"a": ""b"}`, `{"a":"b"}`},
		{"html-entities", `{&quot;a&quot;: 1}`, `{"a":1}`},
		{"unquoted-key", `{first name: 1}`, `{"first name":1}`},
		{"unquoted-value", `{"a": some text}`, `{"a":"some text"}`},
		{"other-literal other-literal", `["x", undefined, NULL]`, `["x",null,null]`},
		{"plus-sign bare-point hex-number", `["x", +1, .5, 0x1F]`, `["x",1,0.5,31]`},
		{"bare-exponent", `{"a": 2e}`, `{"a":2e0}`},
		{"decimal-comma", `{"a": 58,4}`, `{"a":58.4}`},
		{"number-text", `{"a": 5 mg}`, `{"a":"5 mg"}`},
		{"number-text", `{"a": 1,000}`, `{"a":"1,000"}`},
		{"tuple tuple", `{"a": (1, 2)}`, `{"a":[1,2]}`},
		{"call", `{"a": ObjectId("x")}`, `{"a":"x"}`},
		{"call call", `{"a": set([1])}`, `{"a":[1]}`},
		{"call", `{"a": date(2024, 1)}`, `{"a":"date(2024, 1)"}`},
		{"ellipsis", `["a", ...]`, `["a"]`},
		{"emphasis emphasis", `{**"a"**: 1}`, `{"a":1}`},
		{"list-marker", "[\"x\",\n- \"a\"]", `["x","a"]`},
		{"stray-text", `{"a": "x" more words, "b": 1}`, `{"a":"x","b":1}`},
		{"root-array root-array", `{"a": 1}, {"b": 2}`, `[{"a":1},{"b":2}]`},

		{"number-text", `{"a": 1__0}`, `{"a":"1__0"}`},
		{"call", `{"a": f(g("x)"), 1)}`, `{"a":"f(g(\"x)\"), 1)"}`},
		{"html-entities", `{&#34;a&#34;: &#x22;b&amp;c&#x22;}`, `{"a":"b&c"}`},
		{"wide-punctuation wide-punctuation wide-punctuation", `{"a"：［1］}`, `{"a":[1]}`},
		{"wide-punctuation wide-punctuation", `{"a": [1，］}`, `{"a":[1]}`},
		{"unquoted-value", `{"a": ...}`, `{"a":"..."}`},
		{"ellipsis", `{"a": 1, ..., "b": 2}`, `{"a":1,"b":2}`},
		{"ellipsis", `["x", …]`, `["x"]`},
		{"call", `{"a": new Date("2020")}`, `{"a":"2020"}`},
		{"call", `{"a": OrderedDict([1])}`, `{"a":"OrderedDict([1])"}`},
		{"tuple tuple", `{"a": ("x")}`, `{"a":"x"}`},
		{"tuple tuple", `{"a": (1, 2,)}`, `{"a":[1,2]}`},
		{"single-quotes missing-colon", `{'a' "b"}`, `{"a":"b"}`},
		{"unquoted-key missing-colon", `{key "b"}`, `{"key":"b"}`},
		{"emphasis", `{**a b**: 1}`, `{"a b":1}`},
		{"unquoted-key", `{__a__: 1}`, `{"__a__":1}`},
		{"missing-closer", `[{"a": 1, {"b": 2}]`, `[{"a":1},{"b":2}]`},
		{"missing-closer", `{"a": [1, "b": 2}`, `{"a":[1],"b":2}`},
		{"inner-quote", `{"a": "The 1/2", old driver", "b": 1}`, `{"a":"The 1/2\", old driver","b":1}`},
		{"number-text", `{"a": 5, 6 mg, "b": 1}`, `{"a":"5, 6 mg","b":1}`},
		{"missing-colon typographic-quotes", `{"a" “b”}`, `{"a":"b"}`},
		{"missing-colon", `{"a" true}`, `{"a":true}`},
		{"missing-colon", `{"a" -5}`, `{"a":-5}`},
		{"digit-grouping", `{"a": 1_000_000.5}`, `{"a":1000000.5}`},
		{"wrong-comma wrong-comma", `{"a": "x"; "b": 2;}`, `{"a":"x","b":2}`},
		{"extra-comma", `{"a": 1,, "b": 2}`, `{"a":1,"b":2}`},
		{"missing-comma missing-comma unquoted-value", `["a" "b" c d, "e"]`, `["a","b","c d","e"]`},
		{"missing-closer missing-comma", `[{"a": "x" {"b": 2}]`, `[{"a":"x"},{"b":2}]`},
		{"single-quotes single-quotes missing-quote", `{"a": 'b", "c": 1}`, `{"a":"b\", \"c\": 1"}`},
		{"missing-quote missing-comma", "{\"a\": \"b, c\n\"d\": 1}", `{"a":"b, c","d":1}`},
		{"missing-quote", "{\"a\": \"see https://x.y, z\n}", `{"a":"see https://x.y, z"}`},
		{"missing-quote", `["https://x.y/z, 2]`, `["https://x.y/z",2]`},
		{"invalid-escape", `{"a": "C:\dir\", "b": 1}`, `{"a":"C:\\dir\\","b":1}`},
		{"inner-quote", `{"a": "is {"b": 1}, ok", "c": 2}`, `{"a":"is {\"b\": 1}, ok","c":2}`},
		{"concatenation", "{\"a\": \"x +\n\"y\"}", `{"a":"xy"}`},
		{"string-prefix string-prefix", `{"a": r"\d", "b": rb'x'}`, `{"a":"\\d","b":"x"}`},
		{"typographic-quotes typographic-quotes", `{“a”: „b“}`, `{"a":"b"}`},
		{"inner-quote", `{"a": "12" x 4" y", "b": 1}`, `{"a":"12\" x 4\" y","b":1}`},
		{"missing-comma missing-quote", `["x" y", "z"]`, `["x","y","z"]`},
	} {
		_, _, match := found(t, test.text, full)
		if match == nil {
			t.Errorf("%q: nothing was found", test.text)
			continue
		}
		var codes []string
		isSafe := true
		for _, edit := range match.Edits {
			if edit.Code == "trailing-comma" && !strings.Contains(test.codes, edit.Code) {
				continue // it comes with others
			}
			codes = append(codes, edit.Code)
			isSafe = isSafe && safeCodes[edit.Code]
		}
		if got := plainJSON(match.Value); got != test.want || strings.Join(codes, " ") != test.codes {
			t.Errorf("%q\n got %s by %v\nwant %s by %s", test.text, got, codes, test.want, test.codes)
		}
		repaired := applied(test.text, match.Start, match.End, match.Edits)
		if value, err := ParseJSON(repaired); err != nil || plainJSON(value) != test.want {
			t.Errorf("%q: the edits give %q", test.text, repaired)
		}
		if _, _, safely := found(t, test.text, safe); safely != nil && !isSafe && !strings.Contains(test.codes, "root-array") {
			t.Errorf("%q: RepairSafe reads it too, as %s", test.text, plainJSON(safely.Value))
		}
	}
	for _, text := range []string{`{first name: 1}`, `[{"a": 1, {"b": 2}]`} { // their codes are those of safe edits as well
		if code, _, _ := found(t, text, safe); code == "" {
			t.Errorf("%q: RepairSafe reads it too", text)
		}
	}
}

// TestCut gives a text to its first n bytes, for every n: what is kept of it only ever grows, and its edits make it JSON.
func TestCut(t *testing.T) {
	text := `{"a": "é😀\n\ud83d\ude00", "b": [12, true, null, {"c": -1.5e3}], "d": "x\\"}`
	for n := range text {
		if n == 0 {
			continue
		}
		code, _, match := found(t, text[:n], keep)
		if match == nil {
			t.Errorf("%q: %s", text[:n], code)
			continue
		}
		repaired := applied(text[:n], match.Start, match.End, match.Edits)
		if value, err := ParseJSON(repaired); match.Complete || err != nil || plainJSON(value) != plainJSON(match.Value) {
			t.Errorf("%q\n gives %s\n and edits to %s", text[:n], plainJSON(match.Value), repaired)
		}
		if !json.Valid([]byte(plainJSON(match.Value))) || strings.Contains(plainJSON(match.Value), "\xed") {
			t.Errorf("%q: half a character in %s", text[:n], plainJSON(match.Value))
		}
	}
	for text, want := range map[string]string{`{"a": 12`: `{}`, `{"a": 12 `: `{"a":12}`, `{"a": "x\u00`: `{"a":"x"}`, `{"a": 1, "b`: `{"a":1}`} {
		if _, _, match := found(t, text, keep); match == nil || plainJSON(match.Value) != want {
			t.Errorf("%q gives %+v, want %s", text, match, want)
		}
	}
}

func TestOptionsOfValues(t *testing.T) {
	for _, test := range []struct {
		text    string
		options Options
		want    string
	}{
		{`{"a": 1, "b": 3, "a": 2}`, safe, `{"a":2,"b":3}`},
		{`{"a": 1, "b": 3, "a": 2}`, Options{DuplicateKeys: FirstKey}, `{"a":1,"b":3}`},
		{`{"a": NaN}`, Options{Nonfinite: NullNonfinite}, `{"a":null}`},
		{`{"a": -Infinity}`, Options{Nonfinite: AllowNonfinite}, `{"a":-Infinity}`},
		{`[123456789012345678901234567890]`, safe, `[123456789012345678901234567890]`},
	} {
		if code, _, match := found(t, test.text, test.options); match == nil || plainJSON(match.Value) != test.want {
			t.Errorf("%q gives %+v %s, want %s", test.text, match, code, test.want)
		}
	}
}

// TestSearchIsLinear counts the bytes looked at in texts that would make a careless search look at too many.
func TestSearchIsLinear(t *testing.T) {
	for _, unit := range []string{
		"{", "[", `{"`, `{"a`, `{"a":"{`, `["x `, `{"a": x y z `, "{\"a\": 1 oops\n\n", `{"a": "x {"b": "y `, `{"a": "x "y" z, `,
		"```json\n{\"a\": \"x\n```\n", `{"a":1}, "b":`, `{"a":1}, "b": x, `, `"a": {"b": `, `{""a"": `, `{\"a\":1} `, `{\"a\":`,
		`{"a": "x}" y} `, `{"a": "({[ "} b", `, `[{"a":1]`, `{"a":[1}`, "{# }", "[1, // ]\n", `["a" + `, `["""a `, "[(1, 2, ", `[set([`,
		`{&quot;a&quot;: `, `<answer>{"a": b c`, `<|channel|>x<|message|>{"a": b`, "x</think>", "<details>think", `{"a": "x +` + "\n\"y",
		`",":{`, "```json\n(\"a ", "```json\n((\"a\n",
	} {
		text := strings.Repeat(unit, 20_000/len(unit))
		if unit == `",":{` { // objects that go on in the strings of a broken one
			text = `["{` + text + `" x`
		}
		for _, options := range []Options{safe, most, sole} {
			looked := 0
			onLook = func(n int) { looked += n }
			_, _ = Search(text, options)
			onLook = nil
			limit := 10 * len(text)
			if unit == `{\"a\":1} ` { // a piece of the text is taken out of its layer for each
				limit += firstPiece / len(unit) * len(text)
			}
			if looked > limit {
				t.Errorf("%q, %+v: looked at %d bytes of %d", unit, options, looked, len(text))
			}
		}
	}
}

func TestFindAll(t *testing.T) {
	for _, test := range []struct {
		text    string
		options Options
		want    string
	}{
		{"{\"a\": 1}\n{\"b\": 2}", safe, `{"a": 1}|{"b": 2}`},
		{"<think>[\"x\"]</think> {'a': 1} {\"b\": ", safe, `{'a': 1}`},
		{"{'a': 1} {\"b\": ", keep, `{'a': 1}|{"b": `},
		{"{\"a\": [1], \"b\": {\"c\": {}}, : }", Options{Fragments: true}, `[1]|{"c": {}}`},
		{"{\"a\": [1], \"b\": {\"c\": {}}, : }", Options{Fragments: true, Expect: ExpectArray}, `[1]`},
		{"{\"a\": [1], : }", safe, ``},
		{"7", safe, ``},
		{"7", anyKind, `7`},
	} {
		matches, err := FindAll(test.text, test.options)
		var parts []string
		for _, match := range matches {
			parts = append(parts, test.text[match.Start:match.End])
		}
		if got := strings.Join(parts, "|"); err != nil || got != test.want {
			t.Errorf("%q gives %s, %v, want %s", test.text, got, err, test.want)
		}
	}
	if _, err := FindAll("[1]\n[2]", Options{Limits: Limits{MaxCandidates: 1}}); err == nil {
		t.Error("a limit was passed, and no error given")
	}
}

func TestRepair(t *testing.T) {
	for _, test := range []struct {
		text    string
		options Options
		want    string // the text, or the code of the error
	}{
		{" {\"a\": 1}\n", anyKind, " {\"a\": 1}\n"},
		{"\ufeff{'a': 1}} // ok", anyKind, `{"a": 1} `},
		{"const x: T = {a: 1};", most, `{"a": 1}`},
		{"```json\n{a: 1}\n```", most, "\n{\"a\": 1}\n"},
		{"json: [1]", most, `[1]`},
		{"{\"a\": 1}\n{\"b\": 2},", most, "[{\"a\": 1},\n{\"b\": 2}]"},
		{"'a' + 'b'", most, `"ab"`},
		{"5mg", most, `"5mg"`},
		{"{\"a\": [\"x", keep, `{"a": ["x"]}`},
		{"{\"a\": [\"x", anyKind, "truncated"},
		{"{\"a\": 1} words", most, "unexpected"},
		{"[1]", Options{Expect: ExpectObject}, "no-json"},
		{" ", anyKind, "no-json"},
		{"[[1]]", Options{Limits: Limits{MaxDepth: 1}}, "limit"},
		{"[1] /* a */ /* b */ words", Options{Limits: Limits{MaxRepairs: 1}}, "limit"},
		{"\xff", anyKind, "encoding"},
	} {
		repaired, err := Repair(test.text, test.options)
		var failure *SearchError
		got := ""
		if errors.As(err, &failure) {
			got = string(failure.Code)
		} else {
			got = repaired.Text
			if value, err := ParseJSON(got); err != nil || plainJSON(value) != plainJSON(repaired.Value) {
				t.Errorf("%q: the text %q is %v, %v", test.text, got, value, err)
			}
		}
		if got != test.want {
			t.Errorf("%q gives %q, want %q", test.text, got, test.want)
		}
	}
}
