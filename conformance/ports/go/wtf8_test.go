package jsonscan

import (
	"math/rand"
	"slices"
	"testing"
)

func TestUTF16(t *testing.T) {
	for _, test := range []struct {
		text  string
		units []uint16
	}{
		{"", nil},
		{"aé中", []uint16{'a', 0xE9, 0x4E2D}},
		{"\U00010000\U0010FFFF", []uint16{0xD800, 0xDC00, 0xDBFF, 0xDFFF}},
		{"\xed\xa0\x80", []uint16{0xD800}},
		{"\xed\xbf\xbf", []uint16{0xDFFF}},
		{"\xed\xb8\x80\xed\xa0\xbd", []uint16{0xDE00, 0xD83D}},
		{"\xed\xa0\xbd😀", []uint16{0xD83D, 0xD83D, 0xDE00}},
		{"\ud7ff\ue000\uffff", []uint16{0xD7FF, 0xE000, 0xFFFF}},
	} {
		if got := ToUTF16(test.text); !slices.Equal(got, test.units) {
			t.Errorf("ToUTF16(%+q) is %x", test.text, got)
		}
		if got := FromUTF16(test.units); got != test.text {
			t.Errorf("FromUTF16(%x) is %+q", test.units, got)
		}
		if got := UTF16Len(test.text); got != len(test.units) {
			t.Errorf("UTF16Len(%+q) is %d", test.text, got)
		}
	}
}

func TestUTF16RoundTrip(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	kinds := []uint16{0x41, 0xE9, 0x4E2D, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF, 0xFFFD, 0xFFFF}
	for range 2000 {
		units := make([]uint16, r.Intn(8))
		for i := range units {
			units[i] = kinds[r.Intn(len(kinds))]
		}
		text := FromUTF16(units)
		if got := ToUTF16(text); !slices.Equal(got, units) || UTF16Len(text) != len(units) {
			t.Errorf("%x came back as %x", units, got)
		}
	}
}

func TestUTF16OfOtherBytes(t *testing.T) {
	for _, test := range []struct {
		text  string
		units []uint16
	}{
		{"\xff", []uint16{0xFFFD}},
		{"a\x80b", []uint16{'a', 0xFFFD, 'b'}},
		{"\xed\xa0", []uint16{0xFFFD, 0xFFFD}},
		{"\xed\xa0x", []uint16{0xFFFD, 0xFFFD, 'x'}},
		{"\xf0\x9f\x98", []uint16{0xFFFD, 0xFFFD, 0xFFFD}},
	} {
		if got := ToUTF16(test.text); !slices.Equal(got, test.units) || UTF16Len(test.text) != len(test.units) {
			t.Errorf("ToUTF16(%+q) is %x", test.text, got)
		}
	}
}
