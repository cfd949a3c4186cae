package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxStdDepth is how deep the standard library reads.
const maxStdDepth = 10_000

// pieces are what the random texts are made of.
var pieces = strings.Split("{ } [ ] \" : , ' \\ 0 1 -0 1.5 01 1e400 12345678901234567890 . e - + true null nul {} [] "+
	"{\"a\":1} {\"a\":{\"b\":2}} \"a\": \"b\": \"a\" {\" \"} ,} \\\" \\\\ \\n \\ud83d \\ude00 \\u0061 \\u12 \\x é 中 😀 x "+
	"``` ```json ```JS json5 ` hello \u00a0 \u0085 \ufeff \u2028 \x00 \x1f \x7f ſ K", " ")

// soups returns n random texts, always the same.
func soups(n int) []string {
	r := rand.New(rand.NewSource(1))
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range 1 + r.Intn(24) {
			b.WriteString(pieces[r.Intn(len(pieces))])
			if r.Intn(6) == 0 {
				b.WriteByte(" \n\t\r"[r.Intn(4)])
			}
		}
		texts[i] = b.String()
	}
	return texts
}

func TestRandomTexts(t *testing.T) {
	for _, text := range soups(20_000) {
		checkParse(t, text)
		checkObject(t, text)
		checkExtract(t, text)
		checkSearch(t, text)
	}
}

func FuzzParseJSON(f *testing.F) { fuzz(f, checkParse) }

func FuzzExtractJSONObject(f *testing.F) { fuzz(f, checkObject) }

func FuzzExtractJSON(f *testing.F) { fuzz(f, checkExtract) }

func FuzzSearch(f *testing.F) { fuzz(f, checkSearch) }

func fuzz(f *testing.F, check func(*testing.T, string)) {
	for _, text := range soups(40) {
		f.Add(text)
	}
	for _, text := range []string{
		`{"a":[1,-0,1.5e3,"\ud83d\ude00",{"a":null,"a":true}]}`, "```json\n{'a':1,}\n```", `{"a":"{}",}`,
		`{"a":"\ud800`, "\xed\xa0\x80{\"\xed\xb0\x80\":1}", strings.Repeat("{x} ", 50) + `{"a":1}`,
	} {
		f.Add(text)
	}
	f.Fuzz(check)
}

// checkParse holds ParseJSON against encoding/json.
func checkParse(t *testing.T, text string) {
	if strings.Count(text, "[")+strings.Count(text, "{") > maxStdDepth {
		t.Skip("deeper than the standard library reads")
	}
	value, err := ParseJSON(text)
	if valid := json.Valid([]byte(text)); valid != (err == nil) {
		t.Fatalf("ParseJSON(%+q) gives the error %v, json.Valid says %v", text, err, valid)
	}
	var syntax *SyntaxError
	if err != nil && (!errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text)) {
		t.Fatalf("ParseJSON(%+q): error %#v", text, err)
	}
	if err != nil || !utf8.ValidString(text) {
		return
	}
	var want any
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&want); err != nil {
		t.Fatalf("encoding/json reads %+q as valid and fails: %v", text, err)
	}
	if got, same := standard(value); same && !reflect.DeepEqual(got, want) {
		t.Fatalf("ParseJSON(%+q) is %#v, encoding/json has %#v", text, got, want)
	}
}

// standard turns a value into what encoding/json makes of the same text. It cannot where that joins keys which differ
// in their lone surrogates.
func standard(value any) (_ any, ok bool) {
	switch value := value.(type) {
	case string:
		return replaceSurrogates(value), true
	case Number:
		return json.Number(value), true
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			if items[i], ok = standard(item); !ok {
				return nil, false
			}
		}
		return items, true
	case *Object:
		members := make(map[string]any, value.Len())
		for key, item := range value.All() {
			if members[replaceSurrogates(key)], ok = standard(item); !ok {
				return nil, false
			}
		}
		return members, len(members) == value.Len()
	default:
		return value, true
	}
}

func replaceSurrogates(text string) string {
	var b strings.Builder
	for pos := 0; pos < len(text); {
		r, size := decode(text, pos)
		b.WriteRune(r) // writes U+FFFD for a surrogate
		pos += size
	}
	return b.String()
}

func checkObject(t *testing.T, text string) {
	if got, want := ExtractJSONObject(text), naiveObject(text); got != want {
		t.Fatalf("ExtractJSONObject(%+q) is %+q, want %+q", text, got, want)
	}
}

func checkExtract(t *testing.T, text string) {
	value, err := ExtractJSON(text)
	from, code, preview := naiveJSON(text)
	if err != nil {
		var failure *ExtractError
		if !errors.As(err, &failure) || failure.Code != code || !sameText(failure.Preview, preview) {
			t.Fatalf("ExtractJSON(%+q) gives the error %#v, want %s with %+q", text, err, code, preview)
		}
		return
	}
	if want, err := ParseJSON(from); code != "" || err != nil || !reflect.DeepEqual(value, want) {
		t.Fatalf("ExtractJSON(%+q) is %#v, want the value of %+q or the error %q", text, value, from, code)
	}
}

// sameText compares strings as JavaScript would, since a naive preview has U+FFFD for bytes that are not WTF-8.
func sameText(a, b string) bool { return reflect.DeepEqual(ToUTF16(a), ToUTF16(b)) }

// checkSearch holds Search to the laws of REPAIR.md: the edits of a match make strict JSON of the same value (but where
// they join values, of which equal ones have none), there are none just where its text is that, and what RepairSafe gives
// as the whole text RepairFull gives as well.
func checkSearch(t *testing.T, text string) {
	for _, options := range []Options{off, safe, most, sole} {
		match, err := Search(text, options)
		if err != nil || slices.ContainsFunc(match.Edits, func(edit Edit) bool { return edit.Code == "root-array" }) {
			continue
		}
		part := text[match.Start:match.End]
		if match.Complete && len(match.Edits) == 0 {
			if value, err := ParseJSON(part); err != nil || fingerprint(value) != fingerprint(match.Value) {
				t.Errorf("%+q: no edits, but %+q reads as %v, %v", text, part, value, err)
			}
		}
		repaired := applied(text, match.Start, match.End, match.Edits)
		if value, err := ParseJSON(repaired); err != nil || fingerprint(value) != fingerprint(match.Value) {
			t.Errorf("%+q: %+v make %+q, which is %v, %v", text, match.Edits, repaired, value, err)
		}
	}
	safely, err := Search(text, anyKind)
	if err != nil || safely.Source != FromBare {
		return
	}
	if match, err := Search(text, Options{Expect: ExpectAny, Repair: RepairFull}); err != nil || fingerprint(match.Value) != fingerprint(safely.Value) {
		t.Errorf("%+q: RepairSafe gives %v, RepairFull %+v, %v", text, safely.Value, match, err)
	}
}
