package strict

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEncodeIsReadBackTheSame(t *testing.T) {
	odd := []string{"", " ", "a: b", "- a", "#c", "a #b", "5", "1e3", "true", "null", "~", "yes", "旅游 景点", "https://a.example/x?y=1&z=2#f",
		"it's", `say "x"`, "a\nb\n", "\t", "[a]", "{a}", "a,b", "*.example.com", "&x", "!x", "%x", "@x", "`x", "|", ">", "- ", "? x", ": x", "x:", "...", "---",
		"a\\b", "é\u0085\u2028x", "\ufeffx", "..", "0x1F", "2026-11-21", "1:30", "<<", "=", ".5s", "\x7f\x01", "😀", "a  b", "- - -", "x: [y"}
	s := sample{Name: strings.Join(odd, "\n"), Weights: map[string]float64{}}
	for i, o := range odd {
		s.Topic.Examples = append(s.Topic.Examples, o)
		s.Topic.Terms = append(s.Topic.Terms, term{Term: o, Weight: float64(i) / 7})
		s.Weights[o] = 1 / float64(i+1)
	}
	s.Topic.Language = "zh"
	s.Budget.Time, s.Budget.Bytes, s.Budget.Share = 90*time.Minute, 3<<20, 1e-9
	s.Delay, s.Obey, s.Small = Pace(time.Second/3), true, -128
	tree, err := Parse("t.yaml", []byte("mix: [{use: a, weight: 0.5}, {use: \"5\", with: {x: [1, 2, {y: ~}]}}]\nlong: ["+strings.Repeat("abcdef, ", 30)+"x]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s.Tree = tree
	file := Encode(&s)
	var back sample
	if err := Decode("x.yaml", file, &back); err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	if again := Encode(&back); !bytes.Equal(again, file) {
		t.Errorf("written again:\n%s\nfirst:\n%s", again, file)
	}
	s.Tree, back.Tree = Node{}, Node{}
	if !reflect.DeepEqual(s, back) {
		t.Errorf("have %+v\nwant %+v\nfile\n%s", back, s, file)
	}
}

func TestEncodeReadsWell(t *testing.T) {
	s := sample{Name: "旅游", Delay: Pace(1500 * time.Millisecond)}
	s.Topic.Language = "zh"
	s.Topic.Terms = []term{{"旅游", 1}, {"景点", 0.8}}
	s.Topic.Examples = []string{"a.html", "b.html"}
	s.Budget.Bytes = 10_000_000
	want := `name: 旅游
topic:
  language: zh
  threshold: 0
  terms:
    - {term: 旅游, weight: 1}
    - {term: 景点, weight: 0.8}
  examples: [a.html, b.html]
budget:
  pages: 0
  time: 0s
  bytes: 10MB
  share: 0
delay: 1.5s
weights: {}
obey: false
small: 0
count: 0
`
	if have := string(Encode(s)); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestScalarsAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]time.Duration{"1.5s": 1500 * time.Millisecond, "2": 2 * time.Second, "0": 0, "0.25": 250 * time.Millisecond,
		"1h30m": 90 * time.Minute, "2d": 48 * time.Hour, "-1s": -time.Second} {
		if have, err := parseDuration(written); err != nil || have != want {
			t.Errorf("time %q: %v, %v", written, have, err)
		}
	}
	for written, want := range map[string]Size{"10MB": 10e6, "10 mb": 10e6, "512KB": 512e3, "1.5GiB": 3 << 29, "7": 7, "7B": 7, "0": 0, "-1": -1} {
		var have Size
		if err := have.UnmarshalText([]byte(written)); err != nil || have != want {
			t.Errorf("size %q: %d, %v", written, have, err)
		}
	}
	for written, want := range map[string]time.Duration{"2/s": 500 * time.Millisecond, "30/m": 2 * time.Second, "100 / h": 36 * time.Second, "1.5s": 1500 * time.Millisecond, "3": 3 * time.Second} {
		var have Pace
		if err := have.UnmarshalText([]byte(written)); err != nil || time.Duration(have) != want {
			t.Errorf("pace %q: %v, %v", written, have, err)
		}
	}
	for _, bad := range []string{"", "s", "1x", ".nan", ".inf", "1e300", "nan", "1,5s"} {
		if d, err := parseDuration(bad); err == nil {
			t.Errorf("time %q read as %v", bad, d)
		}
		var s Size
		if err := s.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("size %q read as %v", bad, s)
		}
		var p Pace
		if err := p.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("pace %q read as %v", bad, p)
		}
	}
	for _, bad := range []string{"0/s", "-1/s", ".nan/s", "1/0", "1/", "/s", "1/s/s"} {
		var p Pace
		if err := p.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("pace %q read as %v", bad, p)
		}
	}
	for f, want := range map[float64]string{math.NaN(): ".nan", math.Inf(-1): "-.inf", 0.1: "0.1", 1e20: "1e+20", 1e-9: "1e-09", 3000: "3000"} {
		if have := Scalar(f); have != want {
			t.Errorf("%v written %s", f, have)
		}
		if math.IsNaN(f) {
			continue
		}
		if back, ok := parseFloat(want); !ok || back != f {
			t.Errorf("%s read back as %v, %v", want, back, ok)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"language", "threshold", "per_host", "vsm", "centroid", "shark", "block-shark"}
	for word, want := range map[string]string{"langage": "language", "treshold": "threshold", "perhost": "per_host", "per-host": "per_host", "vms": "vsm",
		"sharc": "shark", "shrak": "shark", "blockshark": "block-shark", "zebra": "", "": "", "LANGUAGE": "language"} {
		if have := Nearest(word, known); have != want {
			t.Errorf("%q: %q, want %q", word, have, want)
		}
	}
}

// Whatever is read can be written, and what was written is read back and written the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"{}", "a: 1", "a: &b [1, *c]", "a: &a {b: 1}\nc: {<<: *a}", "- - x", "\"x\\n\": 'y'", "a: |\n  b\n  c\n", "a: >-\n  b\n  c\n", "? a\n: b", "---\na\n...\n",
		"a: [\n", "{a: {b: [c, {d: e}]}}", "a:\n\t- b", "%YAML 1.2\n---\na: b", "&a a: *a", "!!map {a: b}", "a: 'it''s'", "x: # c\n  y", "[a: b]", "a: b: c", "<<: {a: b}", "\xff", "a: \"\\x\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			t.Skip("the YAML library's time grows with the square of what is wrong")
		}
		n, err := Parse("f.yaml", data)
		if err != nil {
			if problems, ok := Problems(err); !ok || len(problems) == 0 {
				t.Fatalf("not a list of problems: %v", err)
			}
			return
		}
		var s sample
		for _, p := range n.Decode(&s) {
			if p.Line == 0 || p.Column == 0 || p.Want == "" {
				t.Errorf("a problem without a place: %+v", p)
			}
		}
		if n.value.size > 1000 || n.Kind() != Map {
			return
		}
		file := Encode(n)
		back, err := Parse("g.yaml", file)
		if err != nil {
			t.Fatalf("%q was written as %q: %v", data, file, err)
		}
		if !same(n, back) {
			t.Fatalf("%q was written as %q", data, file)
		}
	})
}

// same tells whether two nodes say the same.
func same(a, b Node) bool {
	if a.Kind() != b.Kind() || a.Kind() != Null && a.Text() != b.Text() || len(a.Items()) != len(b.Items()) || !slices.Equal(a.Keys(), b.Keys()) {
		return false
	}
	for i, item := range a.Items() {
		if !same(item, b.Items()[i]) {
			return false
		}
	}
	for _, key := range a.Keys() {
		x, _ := a.Get(key)
		y, _ := b.Get(key)
		if !same(x, y) {
			return false
		}
	}
	return true
}
