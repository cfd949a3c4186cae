package jsonscan

import (
	"errors"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string) any {
	t.Helper()
	value, err := ParseJSON(text)
	if err != nil {
		t.Fatalf("ParseJSON(%+.60q): %v", text, err)
	}
	return value
}

func TestParseRejects(t *testing.T) {
	for _, test := range []struct {
		text   string
		offset int
		cut    bool // the text ends too early
	}{
		{"", 0, true},
		{" ", 1, true},
		{"{", 1, true},
		{`{"a`, 3, true},
		{`{"a"`, 4, true},
		{`{"a":`, 5, true},
		{`{"a":1`, 6, true},
		{`{"a":1,`, 7, true},
		{"[1,", 3, true},
		{"tru", 3, true},
		{"-", 1, true},
		{"1.", 2, true},
		{"1e+", 3, true},
		{`"\`, 2, true},
		{`"\u12`, 5, true},
		{"truE", 3, false},
		{"True", 0, false},
		{"NaN", 0, false},
		{"Infinity", 0, false},
		{"-Infinity", 1, false},
		{"01", 1, false},
		{"-01", 2, false},
		{"+1", 0, false},
		{".5", 0, false},
		{"1.e1", 2, false},
		{"1e", 2, true},
		{"1ex", 2, false},
		{"0x10", 1, false},
		{"1_000", 1, false},
		{"\u0661", 0, false},
		{"\uff11", 0, false},
		{"[1,]", 3, false},
		{"[,1]", 1, false},
		{"[1 2]", 3, false},
		{"[1}", 2, false},
		{`{"a":1]`, 6, false},
		{`{"a":1,}`, 7, false},
		{"{,}", 1, false},
		{"{1:1}", 1, false},
		{"{a:1}", 1, false},
		{"{'a':1}", 1, false},
		{`{"a"}`, 4, false},
		{`{"a" 1}`, 5, false},
		{`{"a":}`, 5, false},
		{`{"a":1;"b":2}`, 6, false},
		{"{} {}", 3, false},
		{"// c\n1", 0, false},
		{"\"\x00\"", 1, false},
		{"\"\x1f\"", 1, false},
		{"\"a\nb\"", 2, false},
		{`"\'"`, 2, false},
		{`"\x41"`, 2, false},
		{`"\u00g0"`, 5, false},
		{`"\U0041"`, 2, false},
		{"\"\\\n\"", 2, false},
		{"\xff1", 0, false},
		{"\xed\xa0\x801", 0, false},
	} {
		_, err := ParseJSON(test.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("ParseJSON(%+q) gives the error %v", test.text, err)
		} else if syntax.Offset != test.offset || errors.Is(err, io.ErrUnexpectedEOF) != test.cut {
			t.Errorf("ParseJSON(%+q): %v, want offset %d, cut %v", test.text, err, test.offset, test.cut)
		}
	}
}

func TestParseWhiteSpace(t *testing.T) {
	for r := rune(0); r <= 0xFFFF; r++ {
		space := string(appendCodePoint(nil, r))
		_, inside := ParseJSON("{" + space + `"a":1}`)
		_, before := ParseJSON(space + "{}")
		_, after := ParseJSON("{}" + space)
		want := strings.ContainsRune(" \t\n\r", r)
		if (inside == nil) != want || (before == nil) != want || (after == nil) != want {
			t.Errorf("U+%04X: inside %v, before %v, after %v", r, inside, before, after)
		}
	}
}

func TestParseStrings(t *testing.T) {
	const lead, trail = "\xed\xa0\xbd", "\xed\xb8\x80" // D83D, DE00
	for text, want := range map[string]string{
		`""`:                                 "",
		`"a\"\\\/\b\f\n\r\tz"`:               "a\"\\/\b\f\n\r\tz",
		`"\u0000\u00e9\u00E9\u4e2d"`:         "\x00éé中",
		"\"\x7f\u0080\u2028\u2029\"":         "\x7f\u0080\u2028\u2029",
		`"\ud83d\ude00"`:                     "😀",
		`"\uD83D\uDE00"`:                     "😀",
		`"😀"`:                                "😀",
		`"\ud83d` + trail + `"`:              "😀",
		`"` + lead + `\ude00"`:               "😀",
		`"\ud83d"`:                           lead,
		`"\ude00"`:                           trail,
		`"` + lead + `"`:                     lead,
		`"` + trail + lead + `"`:             trail + lead,
		`"\ude00\ud83d"`:                     trail + lead,
		`"\ud83d\ud83d\ude00"`:               lead + "😀",
		`"\ud83d\ude00\ude00"`:               "😀" + trail,
		`"\ud83dx` + trail + `"`:             lead + "x" + trail,
		`"\ud83d\n\ude00"`:                   lead + "\n" + trail,
		`"\ud83d\u0061"`:                     lead + "a",
		`"\\ud83d"`:                          `\ud83d`,
		"\"\xff\"":                           "\xff",
		`"` + strings.Repeat("x", 300) + `"`: strings.Repeat("x", 300),
	} {
		if got := mustParse(t, text); got != want {
			t.Errorf("ParseJSON(%+q) is %+q, want %+q", text, got, want)
		}
	}
}

func TestParseNumbers(t *testing.T) {
	manyZeros := strings.Repeat("0", 200_000)
	for text, want := range map[string]float64{
		"0": 0, "-1": -1, "10.25": 10.25, "1E5": 1e5, "1e-3": 1e-3, "1e+2": 100, "0e5": 0,
		"1e400":                          math.Inf(1),
		"-1e400":                         math.Inf(-1),
		"1e-400":                         0,
		"1e1000000000000000000000":       math.Inf(1),
		"1e-1000000000000000000000":      0,
		"3e-324":                         5e-324,
		"2e-324":                         0,
		"9007199254740993":               9007199254740992,
		"1.7976931348623159e308":         math.Inf(1),
		strings.Repeat("1", 5000):        math.Inf(1),
		"0." + strings.Repeat("1", 5000): 0.1111111111111111,
		"1" + manyZeros + "e-200000":     1,
		"-0." + manyZeros + "25e200001":  -2.5,
		"1" + manyZeros + "e-1000000000000000000":  0,
		"0." + manyZeros + "1e1000000000000000000": math.Inf(1),
		"9007199254740993." + manyZeros:            9007199254740992, // a tie, to the even neighbour
		"9007199254740993." + manyZeros + "1":      9007199254740994,
	} {
		if got := mustParse(t, text).(Number).Float64(); got != want {
			t.Errorf("%.30s is %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"-0", "-0.0", "-0e1", "-1e-400", "-0." + manyZeros} {
		if got := mustParse(t, text).(Number).Float64(); got != 0 || !math.Signbit(got) {
			t.Errorf("%.30s is %v, want -0", text, got)
		}
	}
}

func TestNumberInt(t *testing.T) {
	long := strings.Repeat("9", 4300)
	for _, text := range []string{"0", "7", "-7", "9007199254740993", "-12345678901234567890", long, "-" + long} {
		want, _ := new(big.Int).SetString(text, 10)
		if got, ok := Number(text).Int(); !ok || got.Cmp(want) != 0 {
			t.Errorf("Int of %.30s is %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"-0", "1.0", "1e0", "1E0", "9" + long, "-9" + long} {
		if got, ok := Number(text).Int(); ok || got != nil {
			t.Errorf("Int of %.30s is %v, %v", text, got, ok)
		}
	}
}

func TestParseObjects(t *testing.T) {
	many := make([]string, 100)
	for i := range many {
		many[i] = `"` + strings.Repeat("k", i) + `":1`
	}
	for _, test := range []struct{ text, keys, last string }{
		{"{}", "", ""},
		{`{"b":1,"2":2,"1":3,"a":4}`, "b 2 1 a", "4"},
		{`{"a":1,"b":2,"a":3}`, "a b", "2"},
		{`{"a":1,"\u0061":2}`, "a", "2"},
		{`{"__proto__":1,"constructor":2}`, "__proto__ constructor", "2"},
		{`{"😀":1,"\ud83d\ude00":2,"\ud83d":3}`, "😀 \xed\xa0\xbd", "3"},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":5,"a":2,"j":6}`, "a b c d e f g h i j", "6"},
	} {
		object := mustParse(t, test.text).(*Object)
		var keys []string
		var last any = Number("")
		for key, value := range object.All() {
			keys = append(keys, key)
			last = value
			if got, ok := object.Get(key); !ok || got != value {
				t.Errorf("%s: Get(%+q) is %v, %v", test.text, key, got, ok)
			}
		}
		if strings.Join(keys, " ") != test.keys || string(last.(Number)) != test.last || object.Len() != len(keys) {
			t.Errorf("%s has the keys %+q and ends in %v", test.text, keys, last)
		}
		if _, ok := object.Get("absent"); ok {
			t.Errorf("%s has a member that is absent", test.text)
		}
	}
	object := mustParse(t, "{"+strings.Join(many, ",")+"}").(*Object)
	if got, ok := object.Get(strings.Repeat("k", 73)); object.Len() != 100 || !ok || got != Number("1") {
		t.Errorf("of 100 members %d are there, the 74th is %v", object.Len(), got)
	}
}

func TestObjectAllStops(t *testing.T) {
	seen := 0
	for range mustParse(t, `{"a":1,"b":2}`).(*Object).All() {
		seen++
		break
	}
	if seen != 1 {
		t.Errorf("%d members after a break", seen)
	}
}

func TestParseArrays(t *testing.T) {
	got := mustParse(t, ` [ null , true,false ,"x",[ ] ] `).([]any)
	if !slices.Equal(got[:4], []any{nil, true, false, "x"}) || len(got) != 5 {
		t.Errorf("got %v", got)
	}
	if inner, ok := got[4].([]any); !ok || inner == nil || len(inner) != 0 {
		t.Errorf("the empty array is %#v", got[4])
	}
}

func TestParseDeep(t *testing.T) {
	const depth = 1_000_000
	value := mustParse(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
	levels := 0
	for ; value != nil; levels++ {
		items := value.([]any)
		value = nil
		if len(items) > 0 {
			value = items[0]
		}
	}
	if levels != depth {
		t.Errorf("%d levels, want %d", levels, depth)
	}
	if _, err := ParseJSON(strings.Repeat(`{"":`, depth)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("open objects: %v", err)
	}
}
