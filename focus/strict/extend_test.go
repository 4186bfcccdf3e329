package strict

import (
	"strings"
	"testing"
)

// TestExtendChangesNothingElse: items are added in the way in which the list is written, and every other byte stays.
func TestExtendChangesNothingElse(t *testing.T) {
	for _, c := range []struct{ have, want string }{
		{"", "seeds:\n  - x\n  - y\n"},
		{"a: 1", "a: 1\n\nseeds:\n  - x\n  - y\n"},
		{"# 头\na: 1 # one\n", "# 头\na: 1 # one\n\nseeds:\n  - x\n  - y\n"},
		{"seeds: []\nb: 2\n", "seeds:\n  - x\n  - y\nb: 2\n"},
		{"seeds: [ ]  # to be found\nb: 2\n", "seeds:  # to be found\n  - x\n  - y\nb: 2\n"},
		{"seeds:\nb: 2\n", "seeds:\n  - x\n  - y\nb: 2\n"},
		{"seeds:   # none\n\nb: 2\n", "seeds:   # none\n  - x\n  - y\n\nb: 2\n"},
		{"b: 2\nseeds:", "b: 2\nseeds:\n  - x\n  - y\n"},
		{"seeds: [a, 'b # c'] # of old\nb: 2\n", "seeds: [a, 'b # c', x, y] # of old\nb: 2\n"},
		{"seeds: [a,]\n", "seeds: [a, x, y]\n"},
		{"seeds: [\n  a, # one\n  \"]\" # two\n]\nb: 2\n", "seeds: [\n  a, # one\n  \"]\",\n  x,\n  y # two\n]\nb: 2\n"},
		{"seeds:\n  - a   # one\n  # - b\n\n# about b\nb: 2\n", "seeds:\n  - a   # one\n  # - b\n  - x\n  - y\n\n# about b\nb: 2\n"},
		{"seeds:\n- a\n- b\n# about c\nc: 2\n", "seeds:\n- a\n- b\n- x\n- y\n# about c\nc: 2\n"},
		{"seeds:\n\n    # first\n    - a\n    - b", "seeds:\n\n    # first\n    - a\n    - b\n    - x\n    - y"},
		{"seeds:\r\n  - a\r\nb: 2\r\n", "seeds:\r\n  - a\r\n  - x\r\n  - y\r\nb: 2\r\n"},
		{"# c\r\nb: 2\r\nseeds:\r\n  - a # one\r\n\r\n# d\r\nc: 3", "# c\r\nb: 2\r\nseeds:\r\n  - a # one\r\n  - x\r\n  - y\r\n\r\n# d\r\nc: 3"},
		{"\"seeds\": [a]\n", "\"seeds\": [a, x, y]\n"},
		{"\ufeffseeds: [a]\n", "\ufeffseeds: [a, x, y]\n"},
		{"b: {seeds: [z]}\nseeds: [a]\n", "b: {seeds: [z]}\nseeds: [a, x, y]\n"},
		{"text: |\n  seeds:\n    - q\nseeds:\n  - a\n  - c: 1\n    d: 2\ne: 1\n", "text: |\n  seeds:\n    - q\nseeds:\n  - a\n  - c: 1\n    d: 2\n  - x\n  - y\ne: 1\n"},
		{"seeds:\n  - |\n    # no comment\n  - b # c\n\n\nz: 1\n", "seeds:\n  - |\n    # no comment\n  - b # c\n  - x\n  - y\n\n\nz: 1\n"},
		{"seeds: [it's, don't]\n", "seeds: [it's, don't, x, y]\n"},
	} {
		have, err := Extend("f.yaml", []byte(c.have), "seeds", "x", "y")
		if err != nil || string(have) != c.want {
			t.Errorf("%q:\nhave %q %v\nwant %q", c.have, have, err, c.want)
		}
	}
	if have, err := Extend("f.yaml", []byte("a: 1"), "seeds"); err != nil || string(have) != "a: 1" {
		t.Errorf("nothing to add: %q %v", have, err)
	}
}

// TestExtendRefusesWhatItCannotDoWithCertainty.
func TestExtendRefusesWhatItCannotDoWithCertainty(t *testing.T) {
	for _, text := range []string{"{a: 1}\n", "- a\n", "seeds: x\n", "seeds: ~\n", "a: &a [b]\nseeds: *a\n", "seeds: &a [b]\nc: *a\n", "a: 1\n...\n", " seeds: [a]\n", "seeds: {a: 1}\n", "seeds: !x [a]\n", "? seeds\n: [a]\n", "seeds: [a\n"} {
		if have, err := Extend("f.yaml", []byte(text), "seeds", "x"); err == nil {
			t.Errorf("%q became %q", text, have)
		}
	}
}

// FuzzExtend: whatever the file, items are added or it is refused, and the rest still says the same.
func FuzzExtend(f *testing.F) {
	for _, seed := range []string{"seeds: []\nb: 2\n", "seeds:\n- a\n# c\nb: [1, 2]\n", "b: 1\nseeds: [a, \"b]\", # c\n d]\n", "seeds:\r\n  - {a: b}\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2<<10 {
			t.Skip("the YAML library's time grows with the square of what is wrong")
		}
		before, err := Parse("f", data)
		if err != nil {
			return
		}
		extended, err := Extend("f", data, "seeds", "https://x.example/", "{site: y.example, weight: 0.7}")
		if err != nil {
			return
		}
		after, err := Parse("f", extended)
		if err != nil {
			t.Fatalf("%q became %q: %v", data, extended, err)
		}
		for _, key := range before.Keys() {
			a, _ := before.Get(key)
			b, _ := after.Get(key)
			if key != "seeds" && Flow(a) != Flow(b) {
				t.Fatalf("%q became %q: %s is %s, was %s", data, extended, key, Flow(b), Flow(a))
			}
		}
		list, _ := after.Get("seeds")
		old, _ := before.Get("seeds")
		for i, item := range old.Items() {
			if Flow(item) != Flow(list.Items()[i]) {
				t.Fatalf("%q became %q", data, extended)
			}
		}
		if n := len(list.Items()); n < 2 || list.Items()[n-2].Text() != "https://x.example/" || !strings.Contains(Flow(list.Items()[n-1]), "y.example") {
			t.Fatalf("%q became %q: the list ends with %s", data, extended, Flow(list))
		}
	})
}
