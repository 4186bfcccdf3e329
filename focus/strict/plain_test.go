package strict

import (
	"encoding/binary"
	"maps"
	"testing"
	"unicode/utf16"
)

// What spreadsheets and shells save: lists with a mark before them, with the line ends of several systems, and in other codings.
func TestPlain(t *testing.T) {
	wide := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune("a\tb\n")) {
		wide = binary.LittleEndian.AppendUint16(wide, unit)
	}
	for name, c := range map[string]struct{ data, text, wrong string }{
		"a list":        {"茶\tb\n", "茶\tb\n", ""},
		"a mark":        {"\ufeffa\tb", "a\tb", ""},
		"Windows":       {"a\tb\r\nc\td\r\n", "a\tb\r\nc\td\r\n", ""},
		"an old Mac":    {"a\tb\rc\td\r", "a\tb\nc\td\n", ""},
		"nothing":       {"\ufeff", "", ""},
		"UTF-16":        {string(wide), "", "l.tsv:1:1: not UTF-8; save the file as UTF-8"},
		"no mark":       {string(wide[2:]), "", "l.tsv:1:2: a NUL byte; is this a text file?"},
		"GBK":           {"a\tb\n\xb2\xe8\tb\n", "", "l.tsv:2:1: not UTF-8; save the file as UTF-8"},
		"an odd letter": {"a\ufffd\tb", "a\ufffd\tb", ""},
	} {
		text, err := plain("l.tsv", []byte(c.data))
		if wrong := ""; err != nil {
			wrong = err.Error()
			if wrong != c.wrong || text != "" {
				t.Errorf("%s: %q, want %q", name, wrong, c.wrong)
			}
		} else if text != c.text || c.wrong != "" {
			t.Errorf("%s: %q, want %q", name, text, c.text)
		}
	}
}

// A list is told by the lines that say something, each with the number that an editor shows.
func TestListed(t *testing.T) {
	list, err := Listed("l.tsv", []byte("\ufeff# why\r\na\tb\r\n\n \nc#"))
	if err != nil {
		t.Fatal(err)
	}
	said := map[int]string{}
	for number, line := range list {
		said[number] = line
	}
	if want := map[int]string{2: "a\tb", 4: " ", 5: "c#"}; !maps.Equal(said, want) {
		t.Errorf("%v, want %v", said, want)
	}
}
