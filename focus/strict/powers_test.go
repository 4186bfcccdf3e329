package strict

import (
	"strings"
	"testing"
	"time"
)

// site checks of itself what no tag can say, may be written as one word, and has defaults of its own in lists.
type site struct {
	Host string   `yaml:"host"`
	From int      `yaml:"from"`
	To   int      `yaml:"to"`
	Tags []string `yaml:"tags,omitempty"`
}

func (s *site) SetDefaults() { s.To = 10 }

func (s *site) DecodeNode(n Node) []Problem {
	if n.Kind() == Map {
		type plain site
		return n.Decode((*checkedSite)((*plain)(s)))
	}
	s.Host = n.Text()
	return n.OneOf("a.org", "b.org", "")
}

type checkedSite site

func (s *checkedSite) Check(wrong func(key, want string)) {
	if s.From > s.To {
		wrong("from", "is beyond to")
	}
	for i, tag := range s.Tags {
		if tag == "" {
			wrong("tags["+string(rune('0'+i))+"]", "is empty")
		}
	}
	if s.Host == "" {
		wrong("host", "is missing")
	}
	if len(s.Tags) > 2 {
		wrong("", "has too many tags")
	}
}

type powers struct {
	Sites   []site   `yaml:"sites"`
	Wait    Duration `yaml:"wait" check:"0s..1h"`
	Pause   Pace     `yaml:"pause"`
	Share   *float64 `yaml:"share" check:"0..1"`
	Deepest struct {
		Word word `yaml:"word"`
	} `yaml:"deepest"`
}

// word is written as another value.
type word struct{ text string }

func (w *word) DecodeNode(n Node) []Problem { return n.Decode(&w.text) }
func (w word) EncodeNode() any              { return w.text }

func TestValuesWithPowersOfTheirOwn(t *testing.T) {
	var p powers
	err := Decode("x.yaml", []byte("sites: [a.org, {host: c.org, from: 3}]\nwait: 90\npause: 30/m\nshare: 0.5\ndeepest: {word: hello}\n"), &p)
	if err != nil {
		t.Fatal(err)
	}
	if p.Sites[0].Host != "a.org" || p.Sites[0].To != 10 || p.Sites[1].From != 3 || p.Sites[1].To != 10 {
		t.Errorf("sites %+v", p.Sites)
	}
	if p.Wait.Duration() != 90*time.Second || p.Pause.Duration() != 2*time.Second || *p.Share != 0.5 {
		t.Errorf("%+v", p)
	}
	want := "sites:\n  - {host: a.org, from: 0, to: 10}\n  - {host: c.org, from: 3, to: 10}\nwait: 1m30s\npause: 2s\nshare: 0.5\ndeepest: {word: hello}\n"
	if have := string(Encode(p)); have != want {
		t.Errorf("written as\n%s\nwant\n%s", have, want)
	}
	if have := Values(p); have["deepest.word"] != "hello" || have["deepest"] != "{word: hello}" || have["share"] != "0.5" || have["wait"] != "1m30s" {
		t.Errorf("values %v", have)
	}
}

func TestMistakesThatNoTagCanSayHaveTheirPlacesToo(t *testing.T) {
	var p powers
	err := Decode("x.yaml", []byte(`sites:
  - {host: c.org, from: 30, tags: [x, ""]}
  - {from: 1, tags: [x, y, z]}
  - c.org
  - [d.org]
  - {host: c.org, form: 30}
wait: 2h
share: 1.5
deepest: {word: [a]}
`), &p)
	want := `x.yaml:2:25: sites[0].from: is beyond to
x.yaml:2:39: sites[0].tags[1]: is empty
x.yaml:3:5: sites[1].host: is missing
x.yaml:3:5: sites[1]: has too many tags
x.yaml:4:5: sites[2]: unknown word "c.org"; did you mean "a.org"?
x.yaml:5:5: sites[3]: is a list, want one of a.org, b.org, ""
x.yaml:6:19: sites[4].form: unknown key; did you mean "from"?
x.yaml:7:7: wait: is 2h, want 0s to 1h
x.yaml:8:8: share: is 1.5, want 0 to 1
x.yaml:9:17: deepest.word: is a list, want text`
	if err == nil || err.Error() != want {
		t.Errorf("have\n%v\nwant\n%s", err, want)
	}
}

func TestOnlyIsStrictAboutKeysKnownAtRunTime(t *testing.T) {
	n, err := Parse("x.yaml", []byte("use: a\nwiht: {}\nuse: b\nzebra: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	have := Err(n.Only("use", "with"))
	want := `x.yaml:2:1: wiht: unknown key; did you mean "with"?
x.yaml:3:1: use: given already on line 1; keep one of the two
x.yaml:4:1: zebra: unknown key; known are use, with`
	if have == nil || have.Error() != want {
		t.Errorf("have\n%v\nwant\n%s", have, want)
	}
	use, _ := n.Get("use")
	if problems := use.Only("a"); len(problems) != 1 || problems[0].Want != `is "a", want a mapping with a` {
		t.Errorf("%v", problems)
	}
}

func TestTheZeroNodeAnswersNothing(t *testing.T) {
	var n Node
	line, column := n.At()
	if n.Kind() != Absent || n.File()+n.Path()+n.Text() != "" || line+column != 0 || n.Keys() != nil || n.Items() != nil || n.Over(n) != n || n.With("a", "b") != n || n.Without("a") != n {
		t.Errorf("%v", n)
	}
	if _, ok := n.Get("a"); ok || Flow(n) != "null" {
		t.Errorf("%s", Flow(n))
	}
	long := strings.Repeat("x", 100)
	m, err := Parse("x.yaml", []byte("a: "+long))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		A int `yaml:"a"`
	}
	if problems := m.Decode(&s); len(problems) != 1 || strings.Contains(problems[0].Want, long) || !strings.Contains(problems[0].Want, "xxx...") {
		t.Errorf("%v", problems)
	}
}
