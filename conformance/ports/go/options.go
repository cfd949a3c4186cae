package jsonscan

// Options say how [Search], [FindAll] and [Repair] read. The zero value is the default.
type Options struct {
	Expect        Expect
	Repair        Level
	KeepTruncated bool // give a value inside which the text ends, with Complete false, rather than an error
	Select        Select
	DuplicateKeys DuplicateKeys
	Nonfinite     Nonfinite
	Fragments     bool // let FindAll give the strict values inside broken and cut ones too
	Limits        Limits
}

// Expect is the kind of value that is looked for.
type Expect uint8

const (
	ExpectContainer Expect = iota // an object or array
	ExpectObject
	ExpectArray
	ExpectAny // scalars too
)

// A Level is what may be done to a value that is no JSON. REPAIR.md in the corpus has the edits of each.
type Level uint8

const (
	RepairSafe Level = iota // edits that keep all that was written and have one reading
	RepairOff
	RepairFull // readings that guess as well
)

// Select tells which of several values is the answer.
type Select uint8

const (
	SelectAnswer Select = iota // the one that the rules of the corpus rank best
	SelectFirst                // the first, by no other rule; so the next two
	SelectLast
	SelectLargest // the longest text
	SelectSole    // different values that compete are the error Ambiguous
)

// DuplicateKeys tells which value a key has that stands twice in an object.
type DuplicateKeys uint8

const (
	LastKey   DuplicateKeys = iota // the last, at the place of the first
	FirstKey                       // the first
	RaiseKeys                      // none: the object is broken
)

// Nonfinite tells what the words NaN and Infinity are.
type Nonfinite uint8

const (
	RefuseNonfinite Nonfinite = iota // no JSON
	AllowNonfinite                   // a Number
	NullNonfinite                    // null
)

// Limits are bounds the passing of which is the error Limit. Zero is the default, a negative number none.
type Limits struct {
	MaxInput      int // bytes of text; no bound by default
	MaxDepth      int // open containers; 1,000 by default
	MaxCandidates int // places at which a value was tried; no bound by default
	MaxRepairs    int // edits in one value; 10,000 by default
	MaxDigits     int // digits of one integer; 4,300 by default
}

const unbounded = int(^uint(0) >> 1)

// bound returns a bound as it is meant.
func bound(given, otherwise int) int {
	switch {
	case given < 0:
		return unbounded
	case given == 0:
		return otherwise
	}
	return given
}

func (l Limits) input() int      { return bound(l.MaxInput, unbounded) }
func (l Limits) candidates() int { return bound(l.MaxCandidates, unbounded) }
func (l Limits) repairs() int    { return bound(l.MaxRepairs, 10_000) }

// bounds returns what a machine is to refuse.
func (o *Options) bounds() bounds {
	return bounds{bound(o.Limits.MaxDepth, 1000), bound(o.Limits.MaxDigits, maxDigits), o.DuplicateKeys}
}
