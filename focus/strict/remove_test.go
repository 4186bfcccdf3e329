package strict

import "testing"

// TestRemoveLeavesWhatElseIsThere: x and y go, and every comment that is not theirs stays.
func TestRemoveLeavesWhatElseIsThere(t *testing.T) {
	for _, c := range []struct{ have, want string }{
		{"seeds: [a, x, y]\n", "seeds: [a]\n"},
		{"seeds: [x, a, y] # old\n", "seeds: [a] # old\n"},
		{"seeds: [ x, y, a ]\n", "seeds: [ a ]\n"},
		{"b: {seeds: [z]}\nseeds: [x, a, b, y,]\n", "b: {seeds: [z]}\nseeds: [a, b]\n"},
		{"seeds: [\n  a,\n  x, # out\n  # about b\n  b]\n", "seeds: [\n  a,\n  # about b\n  b]\n"},
		{"seeds: [a, # best, really\n  x]\n", "seeds: [a, # best, really\n  ]\n"},
		{"seeds: [\n  a, # best\n  x, # out\n  y\n  # the end\n]\n", "seeds: [\n  a, # best\n  # the end\n]\n"},
		{"seeds: [\n  a,\n  x,\n  y # out\n]\nb: 1\n", "seeds: [\n  a\n]\nb: 1\n"},
		{"seeds: [a, x, # of both\n  b, y]\n", "seeds: [a, # of both\n  b]\n"},
		{"seeds: [a, x, # out\n  y]\n", "seeds: [a # out\n  ]\n"},
		{"seeds: [x, # best\n  a]\n", "seeds: [ # best\n  a]\n"},
		{"seeds: [\"x\", 'a, b # c', 'y']\n", "seeds: ['a, b # c']\n"},
		{"seeds: [\r\n  x,\r\n  a,\r\n  y\r\n]\r\n", "seeds: [\r\n  a\r\n]\r\n"},
		{"seeds:\n  - x # out\n  # about a\n  - a\n  - y\nb: 2\n", "seeds:\n  # about a\n  - a\nb: 2\n"},
		{"# c\r\nseeds:\r\n  - a # one\r\n  - x\r\nb: 2\r\n", "# c\r\nseeds:\r\n  - a # one\r\nb: 2\r\n"},
		{"seeds: [a,#out]\n  x ]\n", "seeds: [a,#out]\n   ]\n"},
		{"seeds:\n- x\n- y\n- a\n", "seeds:\n- a\n"},
	} {
		have, err := Remove("f.yaml", []byte(c.have), "seeds", "x", "y")
		if err != nil || string(have) != c.want {
			t.Errorf("%q:\nhave %q %v\nwant %q", c.have, have, err, c.want)
		}
	}
	have, err := Remove("f.yaml", []byte("t:\n  s: [{term: a,\n    weight: 1}, {term: x}, # out\n    {term: y,\n    weight: 2}]"), "t.s", "{term: x}", "{term: y, weight: 2}")
	if want := "t:\n  s: [{term: a,\n    weight: 1} # out\n    ]"; err != nil || string(have) != want {
		t.Errorf("mappings where the file ends: %q %v, want %q", have, err, want)
	}
}

// TestRemoveRefusesWhatItCannotDoWithCertainty.
func TestRemoveRefusesWhatItCannotDoWithCertainty(t *testing.T) {
	for _, text := range []string{"seeds: [x, y]\n", "seeds: &s [a, x]\nb: *s\n", "b: &s [a, x]\nseeds: *s\n", "seeds: [a, x # b\n  , b]\n", "seeds: [a, !!str x]\n# ]", "seeds: [{A: 1},\r#0000000\rx]"} {
		if have, err := Remove("f.yaml", []byte(text), "seeds", "x", "y"); err == nil {
			t.Errorf("%q became %q", text, have)
		}
	}
}

// FuzzRemove: whatever the file, one of its items goes or it is refused, and the rest still says the same.
func FuzzRemove(f *testing.F) {
	for _, seed := range []string{"seeds: [a, x, b]\n", "seeds:\n- x\n# c\n- b\n", "b: 1\nseeds: [x, \"b]\", # c\n x,\n]\n", "seeds: [{x: b},\r\n  x]", "seeds: [A,#00]00\n x  ] "} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2<<10 {
			t.Skip("the YAML library's time grows with the square of what is wrong")
		}
		removed, err := Remove("f", data, "seeds", "x")
		if err != nil {
			return
		}
		if after, err := Parse("f", removed); err != nil {
			t.Fatalf("%q became %q: %v", data, removed, err)
		} else if list, _ := after.Get("seeds"); list.Kind() == List {
			for _, item := range flows(list.Items()) {
				if item == "x" {
					t.Fatalf("%q became %q: x is still there", data, removed)
				}
			}
		}
	})
}
