package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// ask returns the answers to some requests.
func ask(t *testing.T, requests ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := serve(strings.NewReader(strings.Join(requests, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct{ request, answer string }{
		{`"op":"json_parse","input":{"text":"[1,1.0,-0,1e400,true,null]"}`, `"outcome":"value","value":` +
			`[1,{"$f":"3ff0000000000000"},{"$f":"8000000000000000"},{"$f":"7ff0000000000000"},true,null]`},
		{`"op":"json_parse","input":{"text":"[9007199254740991,9007199254740992,-9007199254740992]"}`,
			`"outcome":"value","value":[9007199254740991,{"$i":"9007199254740992"},{"$i":"-9007199254740992"}]`},
		{`"op":"json_parse","input":{"text":"\"\\\\\"\\u00e9\ud83d\ude00\u007f\\ud83d\""}`, `"outcome":"error","code":"syntax"`},
		{`"op":"json_parse","input":{"text":"\"\\\"\\\\\\n\u00e9\ud83d\ude00\u007f\""}`,
			`"outcome":"value","value":"\"\\\u000a\u00e9\ud83d\ude00\u007f"`},
		{`"op":"json_parse","input":{"text":"\"\\ud83d\u00e9\""}`, `"outcome":"value","value":{"$u16":"d83d00e9"}`},
		{`"op":"json_parse","input":{"utf16":"0022d83d0022"}`, `"outcome":"value","value":{"$u16":"d83d"}`},
		{`"op":"json_parse","input":{"utf16":"0022d83dde000022"}`, `"outcome":"value","value":"\ud83d\ude00"`},
		{`"op":"json_parse","input":{"bytes":"22c3a922"}`, `"outcome":"value","value":"\u00e9"`},
		{`"op":"json_parse","input":{"text":"{\"b\":{},\"a\":[]}"}`, `"outcome":"value","value":{"b":{},"a":[]}`},
		{`"op":"json_parse","input":{"text":"{\"b\":1,\"$a\":{\"\\ud800\":2}}"}`,
			`"outcome":"value","value":{"$o":[["b",1],["$a",{"$o":[[{"$u16":"d800"},2]]}]]}`},
		{`"op":"extract_json_object","input":{"text":"x {} y"}`, `"outcome":"found","text":"{}"`},
		{`"op":"extract_json_object","input":{"text":"{}"}`, `"outcome":"unchanged"`},
		{`"op":"extract_json","input":{"text":"[1,]"}`, `"outcome":"value","value":[1]`},
		{`"op":"extract_json","input":{"text":""}`, `"outcome":"error","code":"invalid-input"`},
		{`"op":"extract_json","input":{"text":"x"}`, `"outcome":"error","code":"no-json","preview":"x"`},
		{`"op":"extract_json","input":{"text":"x{"}`, `"outcome":"error","code":"unbalanced","preview":"{"`},
		{`"op":"extract_json","input":{"text":"x{y}z"}`, `"outcome":"error","code":"parse-failed","preview":"{y}"`},
		{`"op":"try_extract_json","input":{"text":"x"}`, `"outcome":"null"`},
		{`"op":"try_extract_json","input":{"text":"` + "```null```" + `"}`, `"outcome":"null"`},
		{`"op":"try_extract_json","input":{"text":"[null]"}`, `"outcome":"value","value":[null]`},
		{`"op":"extract_json","input":{"value":null}`, `"outcome":"unsupported"`},
		{`"op":"extract_json","input":{"bytes":"ff"}`, `"outcome":"unsupported"`},
		{`"op":"extract_json","input":{"utf16":"d83"}`, `"outcome":"unsupported"`},
		{`"op":"extract_json"`, `"outcome":"unsupported"`},
		{`"op":"brew","input":{"text":"x"}`, `"outcome":"unsupported"`},
		{`"op":"search","input":{"text":"\u00e9: {\"a\": 1}"}`, `"outcome":"found","span":[4,12],"value":{"a":1},` +
			`"source":"prose","complete":true,"repairs":[]`},
		{`"op":"search","input":{"text":"no"}`, `"outcome":"none"`},
		{`"op":"search","input":{"bytes":"7bff"}`, `"outcome":"error","code":"encoding"`},
		{`"op":"search","input":{"value":1}`, `"outcome":"unsupported"`},
		{`"op":"finditer","input":{"text":"[1]\n[2]"}`, `"outcome":"found","matches":[{"span":[0,3],"value":[1],"source":"prose",` +
			`"complete":true,"repairs":[]},{"span":[4,7],"value":[2],"source":"prose","complete":true,"repairs":[]}]`},
		{`"op":"finditer","input":{"text":"x"}`, `"outcome":"found","matches":[]`},
		{`"op":"repair","input":{"text":"[\u00e9,'\ud83d\ude00']","options":{}}`, `"outcome":"unsupported"`},
		{`"op":"repair","input":{"text":"['\u00e9','\ud83d\ude00']"}`, `"outcome":"found","value":["\u00e9","\ud83d\ude00"],` +
			`"text":"[\"\u00e9\",\"\ud83d\ude00\"]","repairs":[["single-quotes",1,4],["single-quotes",5,8]]`},
		{`"op":"repair","input":{"text":"1"}`, `"outcome":"found","value":1,"text":"1","repairs":[]`},
		{`"op":"repair","input":{"text":" "}`, `"outcome":"error","code":"no-json"`},
	} {
		got := ask(t, `{"id":7,`+test.request+`,"options":{}}`)
		if want := `{"id":7,` + test.answer + "}"; len(got) != 1 || got[0] != want {
			t.Errorf("%s\n got %s\nwant %s", test.request, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct{ text, options, answer string }{
		{"{'a': 1,", `"truncated":"keep"`, `"outcome":"found","span":[0,8],"value":{"a":1},"source":"bare","complete":false,` +
			`"repairs":["single-quotes","truncated"]`},
		{"{'a': 1}", `"repair":"off"`, `"outcome":"error","code":"unexpected"`},
		{"[NaN]", `"nonfinite":"allow"`, `"outcome":"found","span":[0,5],"value":[{"$f":"7ff8000000000000"}],"source":"bare",` +
			`"complete":true,"repairs":["nonfinite"]`},
		{"[] {'a': 1}", `"expect":"object","select":"sole"`, `"outcome":"found","span":[3,11],"value":{"a":1},` +
			`"source":"prose","complete":true,"repairs":["single-quotes"]`},
		{"[[1]]", `"limits":{"max_depth":1}`, `"outcome":"error","code":"limit"`},
		{"[[1]]", `"limits":{"max_depth":null}`, `"outcome":"found","span":[0,5],"value":[[1]],"source":"bare",` +
			`"complete":true,"repairs":[]`},
		{"[]", `"limits":{"max_depth":0}`, `"outcome":"unsupported"`},
		{"[]", `"limits":{"max_breadth":1}`, `"outcome":"unsupported"`},
		{"[]", `"big_int":"str"`, `"outcome":"unsupported"`},
		{"[]", `"repair":"some"`, `"outcome":"unsupported"`},
		{"[]", `"fragments":1`, `"outcome":"unsupported"`},
	} {
		got := ask(t, fmt.Sprintf(`{"id":7,"op":"search","input":{"text":%q},"options":{%s}}`, test.text, test.options))
		if want := `{"id":7,` + test.answer + "}"; len(got) != 1 || got[0] != want {
			t.Errorf("%s under %s\n got %s\nwant %s", test.text, test.options, got, want)
		}
	}
}

func TestDeepValues(t *testing.T) {
	nested := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	got := ask(t, `{"id":1,"op":"json_parse","input":{"text":"`+nested(200)+`"}}`)
	if want := `{"id":1,"outcome":"value","value":` + nested(200) + "}"; got[0] != want {
		t.Errorf("200 deep: %s", got[0])
	}
	deep := `{\"a\":` + nested(200) + `,\"$\":\"x\",\"b\":{}}`
	got = ask(t, `{"id":1,"op":"json_parse","input":{"text":"`+deep+`"}}`)
	want := `{"id":1,"outcome":"value","value":{"$flat":["{",["k","a"]` + strings.Repeat(`,"["`, 200) +
		strings.Repeat(`,"]"`, 200) + `,["k","$"],["v","x"],["k","b"],"{","}","}"]}}`
	if got[0] != want {
		t.Errorf("201 deep:\n got %s\nwant %s", got[0], want)
	}
	got = ask(t, `{"id":1,"op":"json_parse","input":{"text":"`+nested(1_000_000)+`"}}`)
	if want := strings.Repeat(`"]",`, 999_999) + `"]"]}}`; !strings.HasSuffix(got[0], want) {
		t.Errorf("1,000,000 deep: %d bytes", len(got[0]))
	}
}

func TestConversation(t *testing.T) {
	got := ask(t, `{"hello":1}`, `{"id":2,"op":"x"}`, `{"id":1,"op":"x"}`, `{"bye":1}`, `{"id":3,"op":"x"}`)
	if len(got) != 3 || !strings.HasPrefix(got[0], `{"protocol":1,`) ||
		!strings.HasPrefix(got[1], `{"id":2,`) || !strings.HasPrefix(got[2], `{"id":1,`) {
		t.Errorf("got %q", got)
	}
}

func TestUnreadable(t *testing.T) {
	for _, line := range []string{"", "x", "[]", "{}", `{"id":"1"}`, `{"id":1.5}`} {
		if err := serve(strings.NewReader(line+"\n"), io.Discard); err == nil {
			t.Errorf("%q was answered", line)
		}
	}
}

// TestFlush sends a request and half of the next, and waits for the first answer before it goes on.
func TestFlush(t *testing.T) {
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	failed := make(chan error, 1)
	go func() { failed <- serve(in, out) }()
	go fmt.Fprint(requests, "{\"id\":1,\"op\":\"x\"}\n{\"id\":2,")
	lines := bufio.NewScanner(answers)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), `{"id":1,`) {
		t.Fatalf("got %q", lines.Text())
	}
	go fmt.Fprint(requests, "\"op\":\"x\"}\n{\"bye\":1}\n")
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), `{"id":2,`) {
		t.Fatalf("got %q", lines.Text())
	}
	if err := <-failed; err != nil {
		t.Error(err)
	}
}
