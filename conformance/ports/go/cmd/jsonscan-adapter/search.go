package main

import (
	"strconv"

	"jsonscan"
)

// appendSearch appends the members of an answer of search, and returns false where an option is not one of this port.
func appendSearch(b []byte, raw string, wire *jsonscan.Object) ([]byte, bool) {
	options, ok := searchOptions(wire)
	if !ok {
		return b, false
	}
	match, err := jsonscan.Search(raw, options)
	switch {
	case err == nil:
		return appendMatch(append(b, `,"outcome":"found",`...), match), true
	case err.(*jsonscan.SearchError).Code == jsonscan.NoJSON:
		return append(b, `,"outcome":"none"`...), true
	}
	return appendError(b, err), true
}

// appendMatches does the same for finditer.
func appendMatches(b []byte, raw string, wire *jsonscan.Object) ([]byte, bool) {
	options, ok := searchOptions(wire)
	if !ok {
		return b, false
	}
	matches, err := jsonscan.FindAll(raw, options)
	if err != nil {
		return appendError(b, err), true
	}
	b = append(b, `,"outcome":"found","matches":[`...)
	for i, match := range matches {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendMatch(append(b, '{'), match), '}')
	}
	return append(b, ']'), true
}

// appendRepaired does the same for repair, which reads any value unless told otherwise, and whose offsets are code points.
func appendRepaired(b []byte, raw string, wire *jsonscan.Object) ([]byte, bool) {
	options, ok := searchOptions(wire)
	if !ok {
		return b, false
	}
	if _, told := get[string](wire, "expect"); !told {
		options.Expect = jsonscan.ExpectAny
	}
	repaired, err := jsonscan.Repair(raw, options)
	if err != nil {
		return appendError(b, err), true
	}
	b = appendValue(append(b, `,"outcome":"found","value":`...), repaired.Value)
	b = append(appendString(append(b, `,"text":`...), repaired.Text), `,"repairs":[`...)
	points, at := 0, 0
	offset := func(pos int) int64 { // in code points; edits stand in text order
		points += jsonscan.CodePoints(raw[at:pos])
		at = pos
		return int64(points)
	}
	for i, edit := range repaired.Edits {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `["`...), edit.Code...), `",`...)
		b = strconv.AppendInt(b, offset(edit.Start), 10)
		b = strconv.AppendInt(append(b, ','), offset(edit.End), 10)
		b = append(b, ']')
	}
	return append(b, ']'), true
}

// appendError appends the members of an answer that is an error.
func appendError(b []byte, err error) []byte {
	return append(append(append(b, `,"outcome":"error","code":"`...), err.(*jsonscan.SearchError).Code...), '"')
}

// appendMatch appends the members of a match.
func appendMatch(b []byte, match *jsonscan.Match) []byte {
	b = append(b, `"span":[`...)
	b = strconv.AppendInt(b, int64(match.Start), 10)
	b = strconv.AppendInt(append(b, ','), int64(match.End), 10)
	b = appendValue(append(b, `],"value":`...), match.Value)
	b = append(append(append(b, `,"source":"`...), match.Source...), `","complete":`...)
	b = append(strconv.AppendBool(b, match.Complete), `,"repairs":[`...)
	for i, edit := range match.Edits {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), edit.Code...), '"')
	}
	return append(b, ']')
}

// choices are the options that are a word.
var choices = map[string]map[string]func(*jsonscan.Options){
	"expect": {
		"container": func(o *jsonscan.Options) { o.Expect = jsonscan.ExpectContainer },
		"object":    func(o *jsonscan.Options) { o.Expect = jsonscan.ExpectObject },
		"array":     func(o *jsonscan.Options) { o.Expect = jsonscan.ExpectArray },
		"any":       func(o *jsonscan.Options) { o.Expect = jsonscan.ExpectAny },
	},
	"repair": {
		"off":  func(o *jsonscan.Options) { o.Repair = jsonscan.RepairOff },
		"safe": func(o *jsonscan.Options) { o.Repair = jsonscan.RepairSafe },
		"full": func(o *jsonscan.Options) { o.Repair = jsonscan.RepairFull },
	},
	"truncated": {
		"raise": func(o *jsonscan.Options) { o.KeepTruncated = false },
		"keep":  func(o *jsonscan.Options) { o.KeepTruncated = true },
	},
	"select": {
		"answer":  func(o *jsonscan.Options) { o.Select = jsonscan.SelectAnswer },
		"first":   func(o *jsonscan.Options) { o.Select = jsonscan.SelectFirst },
		"last":    func(o *jsonscan.Options) { o.Select = jsonscan.SelectLast },
		"largest": func(o *jsonscan.Options) { o.Select = jsonscan.SelectLargest },
		"sole":    func(o *jsonscan.Options) { o.Select = jsonscan.SelectSole },
	},
	"duplicate_keys": {
		"last":  func(o *jsonscan.Options) { o.DuplicateKeys = jsonscan.LastKey },
		"first": func(o *jsonscan.Options) { o.DuplicateKeys = jsonscan.FirstKey },
		"raise": func(o *jsonscan.Options) { o.DuplicateKeys = jsonscan.RaiseKeys },
	},
	"nonfinite": {
		"raise": func(o *jsonscan.Options) { o.Nonfinite = jsonscan.RefuseNonfinite },
		"allow": func(o *jsonscan.Options) { o.Nonfinite = jsonscan.AllowNonfinite },
		"null":  func(o *jsonscan.Options) { o.Nonfinite = jsonscan.NullNonfinite },
	},
	"big_int": {"exact": func(*jsonscan.Options) {}}, // a Number keeps its digits
}

// searchOptions returns the options of a request, and whether this port has them all.
func searchOptions(wire *jsonscan.Object) (options jsonscan.Options, ok bool) {
	if wire == nil {
		return options, true
	}
	for name, value := range wire.All() {
		if name == "limits" {
			if !setLimits(&options.Limits, value) {
				return options, false
			}
			continue
		}
		if given, isBool := value.(bool); isBool && name == "fragments" {
			options.Fragments = given
			continue
		}
		word, _ := value.(string)
		set := choices[name][word]
		if set == nil {
			return options, false
		}
		set(&options)
	}
	return options, true
}

// setLimits sets the limits of a request, where null is no bound, and tells whether it knows them all.
func setLimits(limits *jsonscan.Limits, wire any) bool {
	object, ok := wire.(*jsonscan.Object)
	if !ok {
		return false
	}
	fields := map[string]*int{
		"max_input": &limits.MaxInput, "max_depth": &limits.MaxDepth, "max_candidates": &limits.MaxCandidates,
		"max_repairs": &limits.MaxRepairs, "max_digits": &limits.MaxDigits,
	}
	for name, value := range object.All() {
		field := fields[name]
		if field == nil {
			return false
		}
		number, _ := value.(jsonscan.Number)
		n, err := strconv.Atoi(string(number))
		switch {
		case value == nil:
			*field = -1
		case err != nil || n < 1:
			return false
		default:
			*field = n
		}
	}
	return true
}
