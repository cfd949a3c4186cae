package jsonscan

import (
	"iter"
	"math/big"
	"strconv"
	"strings"
)

// An Object is a JSON object: keys that are all different, in the order in which they were first set. The zero Object
// is empty and ready to use.
type Object struct {
	members []member
	index   map[string]int // where each key is, once looking at all of them is too slow
}

type member struct {
	key   string
	value any
}

// scanLimit is the number of members up to which a key is looked for one by one.
const scanLimit = 8

// Len returns the number of members.
func (o *Object) Len() int { return len(o.members) }

// Get returns the value of key and whether there is one.
func (o *Object) Get(key string) (any, bool) {
	if i := o.find(key); i >= 0 {
		return o.members[i].value, true
	}
	return nil, false
}

// Set gives key a value. A new key goes to the end, a known one keeps its place.
func (o *Object) Set(key string, value any) {
	if i := o.find(key); i >= 0 {
		o.members[i].value = value
		return
	}
	if o.index != nil {
		o.index[key] = len(o.members)
	}
	o.members = append(o.members, member{key, value})
	if o.index == nil && len(o.members) > scanLimit {
		o.index = make(map[string]int, 2*len(o.members))
		for i, m := range o.members {
			o.index[m.key] = i
		}
	}
}

// find returns the place of key, or -1.
func (o *Object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i, m := range o.members {
		if m.key == key {
			return i
		}
	}
	return -1
}

// All returns the members in order.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, m := range o.members {
			if !yield(m.key, m.value) {
				return
			}
		}
	}
}

// A Number is a JSON number, as it was written. Only where [Options] say so it is one of the words that are none in JSON,
// NaN and the infinities.
type Number string

// maxDigits is the number of digits up to which an integer is exact; a longer one is only the float that JavaScript
// makes of it, an infinity.
const maxDigits = 4300

// Float64 returns the nearest float, as JavaScript has it: an infinity where the number is too large.
func (n Number) Float64() float64 {
	text := string(n)
	if len(text) > maxParseFloat {
		text = shorten(text)
	}
	f, _ := strconv.ParseFloat(text, 64) // the only error left is that of range, and then f is the infinity
	return f
}

// IsInteger tells whether the number was written as an integer, without fraction and exponent, of no more than 4,300
// digits. "-0" is no integer, since no integer is the same as JavaScript's -0.
func (n Number) IsInteger() bool {
	return 0 < n.digits() && n.digits() <= maxDigits && n != "-0"
}

// digits returns the number of digits of an integer, and 0 for every other number.
func (n Number) digits() int {
	digits := strings.TrimPrefix(string(n), "-")
	if skipDigits(digits, 0) < len(digits) {
		return 0
	}
	return len(digits)
}

// Int returns the integer that was written and true, or nil and false where n is none; see [Number.IsInteger].
func (n Number) Int() (*big.Int, bool) {
	if !n.IsInteger() {
		return nil, false
	}
	return new(big.Int).SetString(string(n), 10)
}

// maxParseFloat is a length up to which strconv.ParseFloat is exact. It stops counting an exponent at 10,000, which is
// wrong where as many zeros make up for it.
const maxParseFloat = 10_000

// maxSignificant is a number of digits after which further ones can only break a tie.
const maxSignificant = 800

// shorten returns a number of at most about maxSignificant digits that has the same nearest float.
func shorten(text string) string {
	rest, negative := strings.CutPrefix(text, "-")
	exponent := 0
	if e := strings.IndexAny(rest, "eE"); e >= 0 {
		exponent = readExponent(rest[e+1:])
		rest = rest[:e]
	}
	whole, fraction, _ := strings.Cut(rest, ".")
	exponent += len(whole) // the value is 0.DIGITS times ten to the exponent
	digits := whole + fraction
	significant := strings.TrimLeft(digits, "0")
	exponent -= len(digits) - len(significant)
	if significant == "" {
		significant = "0"
	}
	if len(significant) > maxSignificant {
		tail := significant[maxSignificant:]
		significant = significant[:maxSignificant]
		if strings.Trim(tail, "0") != "" {
			significant += "1"
		}
	}
	sign := ""
	if negative {
		sign = "-"
	}
	return sign + "0." + significant + "e" + strconv.Itoa(exponent)
}

// readExponent reads digits with an optional sign. What is too large becomes a number of more than a milliard or less
// than minus that, which no text's zeros can make up for.
func readExponent(text string) int {
	n, _ := strconv.ParseInt(text, 10, 31) // after an error of range n is the limit
	return int(n)
}
