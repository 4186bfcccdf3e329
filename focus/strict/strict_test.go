package strict

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type term struct {
	Term   string  `yaml:"term"`
	Weight float64 `yaml:"weight" check:"0..1000"`
}

func (t *term) SetDefaults() { t.Weight = 1 }

type sample struct {
	Name  string `yaml:"name" doc:"what it is called"`
	Topic struct {
		Language  string   `yaml:"language" check:"zh|en|auto"`
		Threshold float64  `yaml:"threshold" check:"0..1"`
		Terms     []term   `yaml:"terms"`
		Examples  []string `yaml:"examples"`
	} `yaml:"topic"`
	Budget struct {
		Pages int           `yaml:"pages" check:"0.."`
		Time  time.Duration `yaml:"time" check:"0s.."`
		Bytes Size          `yaml:"bytes" check:"0.."`
		Share float64       `yaml:"share" check:"(0..1)"`
	} `yaml:"budget"`
	Delay   Pace               `yaml:"delay" check:"0s..1h"`
	Weights map[string]float64 `yaml:"weights" check:"0.."`
	Obey    bool               `yaml:"obey"`
	Small   int8               `yaml:"small"`
	Count   uint16             `yaml:"count"`
	Tree    Node               `yaml:"tree"`
	Private string
}

func decodeSample(t *testing.T, file string) (sample, string) {
	t.Helper()
	s := sample{Name: "default", Private: "kept"}
	s.Topic.Threshold = 0.3
	err := Decode("x.yaml", []byte(file), &s)
	if err == nil {
		return s, ""
	}
	return s, err.Error()
}

func TestDecodeKeepsDefaultsAndReadsWhatIsWritten(t *testing.T) {
	s, problems := decodeSample(t, `
topic:
  language: zh
  terms:
    - {term: 旅游, weight: 2.5}
    - {term: "景点"}
    - term: 5
  examples: [a.html, "b: c.html"]
budget: {pages: 3_000, time: 1h30m, bytes: 1.5MB, share: 0.5}
delay: 2/s
weights: {title: 3, body: 1.0}
obey: true
count: 3e3
`)
	if problems != "" {
		t.Fatal(problems)
	}
	want := sample{Name: "default", Private: "kept", Delay: Pace(500 * time.Millisecond), Obey: true, Count: 3000,
		Weights: map[string]float64{"title": 3, "body": 1}}
	want.Topic.Language, want.Topic.Threshold = "zh", 0.3
	want.Topic.Terms = []term{{"旅游", 2.5}, {"景点", 1}, {"5", 1}}
	want.Topic.Examples = []string{"a.html", "b: c.html"}
	want.Budget.Pages, want.Budget.Time, want.Budget.Bytes, want.Budget.Share = 3000, 90*time.Minute, 1_500_000, 0.5
	if !reflect.DeepEqual(s, want) {
		t.Errorf("have %+v\nwant %+v", s, want)
	}
}

func TestEveryMistakeIsReportedAtItsPlace(t *testing.T) {
	_, have := decodeSample(t, `name: [a]
topic:
  langage: zh
  language: e
  threshold: .nan
  terms:
    - {term: x, weight: -1}
    - y
    - {trem: z}
  threshold: 0.5
budget: {pages: many, time: soon, bytes: 10 apples, share: 1}
delay: 2/fortnight
weights: {a: .inf}
obey: yes
small: 300
count: -1
polite: {}
Topic: {}
obey: "true"
`)
	want := `x.yaml:1:7: name: is a list, want text
x.yaml:3:3: topic.langage: unknown key; did you mean "language"?
x.yaml:4:13: topic.language: unknown word "e"; known are zh, en, auto
x.yaml:5:14: topic.threshold: is .nan, want 0 to 1
x.yaml:7:25: topic.terms[0].weight: is -1, want 0 to 1000
x.yaml:8:7: topic.terms[1]: is "y", want a mapping with term, weight
x.yaml:9:8: topic.terms[2].trem: unknown key; did you mean "term"?
x.yaml:10:3: topic.threshold: given already on line 5; keep one of the two
x.yaml:11:17: budget.pages: is "many", want a whole number
x.yaml:11:29: budget.time: is "soon", want a time such as 1.5s, 250ms, 10m, 2h or 1d
x.yaml:11:42: budget.bytes: is "10 apples", want a size such as 10MB, 512KB or 1.5GiB
x.yaml:11:60: budget.share: is 1, want more than 0 and less than 1
x.yaml:12:8: delay: is "2/fortnight", want a rate such as 2/s, 30/m or 100/h, or a pause such as 1.5s
x.yaml:13:14: weights.a: is .inf, want at least 0
x.yaml:14:7: obey: is "yes", want true or false
x.yaml:15:8: small: is 300, want a whole number of at most 127
x.yaml:16:8: count: is -1, want a whole number from 0 to 65535
x.yaml:17:1: polite: unknown key; known are name, topic, budget, delay, weights, obey, small, count, tree
x.yaml:18:1: Topic: unknown key; did you mean "topic"?
x.yaml:19:1: obey: given already on line 14; keep one of the two`
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

// TestSignsThatLookLikeThoseOfYAML: an input method for Chinese writes a wide colon and wide blanks, and nobody sees the difference.
func TestSignsThatLookLikeThoseOfYAML(t *testing.T) {
	for file, want := range map[string]string{
		"name： x\ntopic： y\n":             `x.yaml:1:1: is "name： x topic： y", want a mapping with name, topic, budget, delay, weights, obey, small, count, tree; its colon is a wide one, which only looks like that of YAML`,
		"topic: {language： zh}\n":         `x.yaml:1:9: topic.language： zh: unknown key: its colon is a wide one, which only looks like that of YAML; write language: zh`,
		"name: x\n\u3000topic: {}\n":      "x.yaml:2:1: \u3000topic: unknown key: its blank is a wide one, which only looks like that of YAML; write topic",
		"topic:\n\u00a0 language: zh\n":   "x.yaml:2:1: \u00a0 language: unknown key: its blank is a wide one, which only looks like that of YAML; write language",
		"topic:\n  language:zh\n":         `x.yaml:2:3: topic: is "language:zh", want a mapping with language, threshold, terms, examples; a blank is missing behind the colon`,
		"topic: {terms: [{term：x}]}\n":    `x.yaml:1:18: topic.terms[0].term：x: unknown key: its colon is a wide one, which only looks like that of YAML; write term: x`,
		"topic: {terms: [{term: 茶：一}]}\n": "",
		"topic: {terms: ［茶］}\n":           `x.yaml:1:16: topic.terms: is "［茶］", want a list, such as [a, b]; its brackets are wide ones, which only look like those of YAML`,
		"topic: ｛terms: x｝\n":             `; on this line stands ｛, ｝, and YAML knows but`,
	} {
		if _, have := decodeSample(t, file); !strings.Contains(have, want) || want == "" && have != "" {
			t.Errorf("%q:\nhave %s\nwant %s", file, have, want)
		}
	}
}

// TestLargestWholeNumber: the largest number that a message allows may be given, in every way of writing one.
func TestLargestWholeNumber(t *testing.T) {
	var have struct {
		Seed uint64 `yaml:"seed"`
	}
	for text, want := range map[string]uint64{"18446744073709551615": math.MaxUint64, "9_223_372_036_854_775_808": 1 << 63, "+5": 5, "3e3": 3000} {
		if err := Decode("x.yaml", []byte("seed: "+text), &have); err != nil || have.Seed != want {
			t.Errorf("%s is %d: %v", text, have.Seed, err)
		}
	}
	for _, text := range []string{"18446744073709551616", "-1", "-3e3"} {
		err := Decode("x.yaml", []byte("seed: "+text), &have)
		if want := "x.yaml:1:7: seed: is " + text + ", want a whole number from 0 to 18446744073709551615"; err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
