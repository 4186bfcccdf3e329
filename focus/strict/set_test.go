package strict

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestSetGivesAFieldAValueFromElsewhere(t *testing.T) {
	var s sample
	for _, c := range []struct{ path, value string }{
		{"name", "a: b # c"}, {"topic.language", "zh"}, {"topic.threshold", " 0.5 "}, {"topic.examples", "a.html, b.html"},
		{"topic.terms", "[{term: x, weight: 2}, {term: y}]"}, {"budget.pages", "3e3"}, {"budget.time", "1h"}, {"delay", "2/s"},
		{"obey", "true"}, {"weights", "{title: 3}"}, {"tree", "{use: anchor}"},
	} {
		if problems := Set(&s, c.path, c.value, "--"+c.path); len(problems) > 0 {
			t.Errorf("%s: %v", c.path, problems)
		}
	}
	if have := Flow(s.Tree); have != "{use: anchor}" {
		t.Errorf("tree is %s", have)
	}
	s.Tree = Node{}
	var want sample
	want.Name, want.Obey, want.Delay, want.Weights = "a: b # c", true, Pace(time.Second/2), map[string]float64{"title": 3}
	want.Topic.Language, want.Topic.Threshold, want.Topic.Examples = "zh", 0.5, []string{"a.html", "b.html"}
	want.Topic.Terms = []term{{"x", 2}, {"y", 1}}
	want.Budget.Pages, want.Budget.Time = 3000, time.Hour
	if !reflect.DeepEqual(s, want) {
		t.Errorf("have %+v\nwant %+v", s, want)
	}
	if Set(&s, "topic.examples", "[]", "x"); len(s.Topic.Examples) != 0 {
		t.Errorf("an empty list left %v", s.Topic.Examples)
	}
	if problems := Set(&s, "name", "", "x"); len(problems) > 0 || s.Name != "" {
		t.Errorf("empty text: %v, %q", problems, s.Name)
	}
}

func TestSetRefusesAsAFileIsRefused(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"budget.pages", "many", `--x: budget.pages: is "many", want a whole number`},
		{"budget.pages", "", "--x: budget.pages: has no value; give it one, or take the line out"},
		{"topic.threshold", ".nan", "--x: topic.threshold: is .nan, want 0 to 1"},
		{"topic.language", "fr", `--x: topic.language: unknown word "fr"; known are zh, en, auto`},
		{"topic.terms", "[{trem: x}]", `--x: topic.terms[0].trem: unknown key; did you mean "term"?`},
		{"topic.terms", "[", "--x: topic.terms: not YAML: "},
		{"topic.terms", "x", `--x: topic.terms[0]: is "x", want a mapping with term, weight`},
		{"budget.paegs", "1", "--x: budget.paegs: unknown key"},
		{"budget", "1", "--x: budget: is 1, want a mapping with pages, time, bytes, share"},
		{"name.x", "1", "--x: name.x: unknown key"},
	} {
		var s sample
		problems := Set(&s, c.path, c.value, "--x")
		if have := fmt.Sprint(problems); !strings.HasPrefix(have, "["+c.want) {
			t.Errorf("%s=%s:\nhave %s\nwant %s", c.path, c.value, have, c.want)
		}
	}
}

func TestFieldsAreTheDocumentation(t *testing.T) {
	s := sample{Name: "x"}
	s.Budget.Time = time.Minute
	have := map[string]string{}
	for _, f := range Fields(&s) {
		have[f.Path] = fmt.Sprintf("%s|%s|%s|%s|%v", f.Type, f.Default, f.Allowed, f.Doc, f.Group)
	}
	for path, want := range map[string]string{
		"name":                 "text|x||what it is called|false",
		"topic":                "a mapping||||true",
		"topic.language":       `text|""|zh | en | auto||false`,
		"topic.terms":          "a list of mappings|[]|||false",
		"topic.terms[].weight": "a number|1|0 to 1000||false",
		"budget.time":          "a time such as 1.5s|1m|at least 0s||false",
		"tree":                 "one value or a mapping||||false",
	} {
		if have[path] != want {
			t.Errorf("%s: %q, want %q", path, have[path], want)
		}
	}
}

func TestNodesLaidOverEachOtherKeepTheirPlaces(t *testing.T) {
	base, err := Parse("base.yaml", []byte("name: shark\nselect: best\nrank: {use: anchor}\n"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := Parse("crawl.yaml", []byte("strategy: {from: base, select: fifo}\n"))
	if err != nil {
		t.Fatal(err)
	}
	over, _ := n.Get("strategy")
	both := over.Without("from").Over(base)
	if have := Flow(both); have != "{select: fifo, name: shark, rank: {use: anchor}}" {
		t.Errorf("both are %s", have)
	}
	for key, want := range map[string]string{"select": "crawl.yaml:1:32: strategy.select: x", "rank": "base.yaml:3:7: strategy.rank: x"} {
		part, _ := both.Get(key)
		if have := part.Problem("x").String(); have != want {
			t.Errorf("%s: %s, want %s", key, have, want)
		}
	}
	if have := both.KeyProblem("rank", "x").String(); have != "base.yaml:3:1: strategy.rank: x" {
		t.Errorf("the key is at %s", have)
	}
}

func TestWithChangesATextAndNothingElse(t *testing.T) {
	n, err := Parse("x.yaml", []byte("from: shark\nselect: fifo\n"))
	if err != nil {
		t.Fatal(err)
	}
	changed := n.With("from", "5").With("none", "x")
	if have := Flow(changed) + Flow(n); have != `{from: "5", select: fifo}{from: shark, select: fifo}` {
		t.Error(have)
	}
	from, _ := changed.Get("from")
	if have := from.Problem("x").String(); have != "x.yaml:1:7: from: x" {
		t.Error(have)
	}
}

type whole struct {
	Seeds  []string `yaml:"seeds" called:"start_urls"`
	Budget struct {
		Pages int `yaml:"pages" called:"max_pages"`
	} `yaml:"budget" called:"limits"`
	Text struct {
		Limit int `yaml:"limit"`
	} `yaml:"text"`
}

func TestAKeyInTheWrongPlaceIsShownTheRightOne(t *testing.T) {
	err := Decode("x.yaml", []byte("pages: 5\nbudget: {seeds: [a]}\n"), &whole{})
	want := "x.yaml:1:1: pages: unknown key here; did you mean budget.pages?\nx.yaml:2:10: budget.seeds: unknown key here; did you mean seeds?"
	if err == nil || err.Error() != want {
		t.Errorf("have %v\nwant %s", err, want)
	}
}

func TestAKeyAsOtherProgramsCallItIsShownOurs(t *testing.T) {
	err := Decode("x.yaml", []byte("start_urls: [a]\nlimit: 3\nbudget: {MAX_PAGES: 5, limits: 5}\n"), &whole{})
	want := "x.yaml:1:1: start_urls: unknown key here; did you mean seeds?\nx.yaml:2:1: limit: unknown key here; did you mean text.limit?\n" +
		"x.yaml:3:10: budget.MAX_PAGES: unknown key here; did you mean budget.pages?\nx.yaml:3:24: budget.limits: unknown key; known are pages"
	if err == nil || err.Error() != want {
		t.Errorf("have %v\nwant %s", err, want)
	}
}
