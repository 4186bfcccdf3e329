package sink

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// Nothing that a page is called is a formula in a spreadsheet, or an order to a terminal.
func TestWhatAPageSaysIsHarmless(t *testing.T) {
	for title, want := range map[string]string{
		"=cmd|' /C calc'!A0":     "'=cmd|' /C calc'!A0",
		"+1+cmd":                 "'+1+cmd",
		"-2+3":                   "'-2+3",
		"@SUM(A1)":               "'@SUM(A1)",
		" =1+1":                  "' =1+1",
		"\uff1d1+1":              "'\uff1d1+1",
		"-0.5":                   "-0.5",
		"a = b":                  "a = b",
		"\u009b31mred":           " 31mred",
		"\x1b]0;title\x07":       " ]0;title ",
		"abc\u202efdp.exe":       "abc fdp.exe",
		"\u2066left\u2069 right": " left  right",
	} {
		r := &Record{Title: title}
		var column, line bytes.Buffer
		for to, w := range map[string]*bytes.Buffer{"csv": &column, "jsonl": &line} {
			e, err := NewEncoder(w, to, []string{"title"})
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(e.Encode(r), e.Close()); err != nil {
				t.Fatal(err)
			}
			if strings.ContainsFunc(strings.TrimRight(w.String(), "\r\n"), func(r rune) bool { return Steers(r) && r != '\n' && r != '\r' }) {
				t.Errorf("%s of %q steers a terminal: %q", to, title, w)
			}
		}
		rows, err := csv.NewReader(&column).ReadAll()
		if err != nil || len(rows) != 2 || rows[1][0] != want {
			t.Errorf("%q is the column %q, want %q (%v)", title, rows, want, err)
		}
		var back struct{ Title string }
		if err := json.Unmarshal(line.Bytes(), &back); err != nil || back.Title != title {
			t.Errorf("%q came back from jsonl as %q, %v", title, back.Title, err)
		}
	}
}

// A table of no pages has its columns, so that whoever reads it finds a table.
func TestATableOfNothingHasColumns(t *testing.T) {
	for to, want := range map[string]string{"csv": "url,title\n", "jsonl": ""} {
		var out bytes.Buffer
		e, err := NewEncoder(&out, to, []string{"url", "title"})
		if err := errors.Join(err, e.Close(), e.Close()); err != nil || out.String() != want {
			t.Errorf("%s: %q, %v, want %q", to, out.String(), err, want)
		}
	}
}

// What is written is read back, wherever characters begin and end; bytes that are none become U+FFFD one by one.
func TestTextsOfAllBytesAreReadBack(t *testing.T) {
	pieces := []string{"a", "\"", "\\", "\n", "\x00", "\x7f", "茶", "鿿", "　", "é", "\u200f", "\u2066", "\u2028", "𠀀", "ｆ", "\xE4", "\xE4\xB8", "\xE4\xB8\x22", "\xE9\x80", "\x80", "\xFF", "\xED\xA0\x80"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		text := ""
		for range random.IntN(8) {
			text += pieces[random.IntN(len(pieces))]
		}
		want := string([]rune(text))
		var have string
		line := appendString(nil, text)
		if err := json.Unmarshal(line, &have); err != nil || have != want || strings.ContainsFunc(string(line), Steers) {
			t.Fatalf("%q is written as %s and read as %q: %v", text, line, have, err)
		}
	}
}
