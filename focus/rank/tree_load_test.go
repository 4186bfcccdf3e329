package rank

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
)

func TestLoadNamesPlaceAndCure(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"parameter out of range", "rank:\n  mix:\n    - {use: context, with: {window: 0}}\n",
			"s.yaml:3:37: strategy.rank.mix[0].context: window is 0, want 1 to 100"},
		{"unknown parameter", "rank: {use: context, with: {windw: 3}}\n",
			`s.yaml:1:29: strategy.rank.context: windw: unknown key; did you mean "window"?`},
		{"parameter that is no number", "rank: {use: inherited, with: {decay: much}}\n",
			`s.yaml:1:38: strategy.rank.inherited: decay is "much", want a number`},
		{"parameter that is NaN", "rank: {use: inherited, with: {decay: .nan}}\n",
			"s.yaml:1:38: strategy.rank.inherited: decay is .nan, want 0 to 1"},
		{"parameters that contradict each other", "rank: {use: inherited, with: {page: 0}}\n",
			"s.yaml:1:30: strategy.rank.inherited: page, block and link are all 0; give one a weight"},
		{"a number that is always 0", "rank: {use: hits, with: {edges: relevant}}\n",
			"s.yaml:1:25: strategy.rank.hits: edges: relevant counts the links between pages that were fetched, so that an address that waits is always 0; write of: hub, or edges: all"},
		{"unknown factor", "rank: {use: anhcor}\n",
			`s.yaml:1:13: strategy.rank.use: unknown factor "anhcor"; did you mean "anchor"?`},
		{"factor that is nothing like any", "rank: {use: zzzzzzzz}\n", `unknown factor "zzzzzzzz"; known are address, anchor, `},
		{"weight that is NaN", "rank: {mix: [{use: anchor, weight: .nan}]}\n",
			"s.yaml:1:36: strategy.rank.mix[0].weight: is .nan, want 0 to 1000"},
		{"weight below 0", "rank: {mix: [{use: anchor, weight: -1}, {use: depth}]}\n", "strategy.rank.mix[0].weight: is -1, want 0 to 1000"},
		{"weights all zero", "rank: {mix: [{use: anchor, weight: 0}, {use: depth, weight: 0}]}\n",
			"strategy.rank.mix: all weights are 0; give one part a weight"},
		{"weight outside a mix", "rank: {best: [{use: anchor, weight: 2}]}\n",
			"strategy.rank.best[0].weight: counts only in the parts of a mix and of an apprentice; take it out"},
		{"a tree without leaves", "rank: {mix: []}\n", "strategy.rank.mix: a tree needs leaves; add a node, such as {use: relevance}"},
		{"a branch without leaves deep down", "rank: {mix: [{best: [{product: []}]}]}\n", "strategy.rank.mix[0].best[0].product: a tree needs leaves"},
		{"no tree", "about: nothing\n", "strategy.rank: there is no tree; write rank: {use: FACTOR}"},
		{"an empty tree", "rank:\n", "strategy.rank: there is no tree"},
		{"an empty file", "", "s.yaml:1:1: strategy: is empty; write at least rank: {use: FACTOR}"},
		{"a list", "[a]", "strategy: is a list, want a mapping"},
		{"a node that is a word", "rank: {mix: [anchor]}\n", `strategy.rank.mix[0]: is "anchor", want a mapping`},
		{"a node that is two things", "rank: {use: anchor, mix: [{use: depth}]}\n", "strategy.rank: has 2 of use, mix, best, product, gate, first, blend, apprentice, want exactly one"},
		{"a node that is nothing", "rank: {name: x}\n", "strategy.rank: has 0 of use, mix, best, product, gate, first, blend, apprentice, want exactly one"},
		{"unknown key of a node", "rank: {use: anchor, wieght: 2}\n", `strategy.rank.wieght: unknown key; did you mean "weight"?`},
		{"parameters on a branch", "rank: {mix: [{use: anchor}], with: {window: 1}}\n", "strategy.rank.with: belongs to use and apprentice; take it out"},
		{"a gate's key elsewhere", "rank: {use: anchor, at: 0.5}\n", "strategy.rank.at: belongs to gate; take it out"},
		{"a gate without conditions", "rank: {gate: [{use: anchor}]}\n", "strategy.rank.gate: 1 node, want at least 2"},
		{"a blend of two", "rank: {blend: [{use: anchor}, {use: depth}]}\n", "strategy.rank.blend: 2 nodes, want 3"},
		{"a cycle by reference", "rank: &r\n  mix:\n    - {use: anchor}\n    - *r\n", "s.yaml:4:"},
		{"a reference to nothing", "rank: *r\n", "s.yaml:1:"},
		{"a newer version", "version: 2\nsomething: new\nrank: {use: anchor}\n",
			"s.yaml:1:10: strategy.version: is 2; this program reads version 1 of strategy files"},
		{"unknown key", "rnak: {use: anchor}\n", `strategy.rnak: unknown key; did you mean "rank"?`},
		{"unknown judge", "judge: bm26\nrank: {use: anchor}\n", `strategy.judge: unknown word "bm26"; did you mean "bm25"?`},
		{"unknown content", "content: text\nrank: {use: anchor}\n", `strategy.content: unknown word "text"`},
		{"unknown selection", "select: bset\nrank: {use: anchor}\n", `strategy.select: unknown word "bset"; did you mean "best"?`},
		{"tunnel out of range", "admit: {tunnel: {depth: -2}}\nrank: {use: anchor}\n", "strategy.admit.tunnel.depth: is -2, want -1 to 10000"},
		{"tunnel that raises by nothing known", "admit: {tunnel: {raise: double}}\nrank: {use: anchor}\n", `strategy.admit.tunnel.raise: unknown word "double"`},
		{"not YAML", "rank: {use: [}\n", "s.yaml:1:"},
		{"two carriers that disagree", "rank: {mix: [{use: inherited}, {use: inherited, with: {decay: 0.9}}]}\n",
			"inherited stands twice with different parameters"},
		{"a tree as large as a forest", "rank: {mix: [" + strings.Repeat("{use: anchor},", maxNodes) + "]}\n", "257 nodes; a tree may have 256"},
	}
	for _, test := range tests {
		s, err := Load("s.yaml", []byte(test.yaml), nil)
		if err == nil {
			t.Errorf("%s: loaded as\n%s", test.name, s.YAML())
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the message is\n  %v\nwant\n  %s", test.name, err, test.want)
		}
		if strings.Contains(test.name, "weight") && strings.Count(err.Error(), "strategy.") > 1 {
			t.Errorf("%s: one mistake is told as several:\n  %v", test.name, err)
		}
	}
}

func TestLoadReportsEveryMistakeAtOnce(t *testing.T) {
	_, err := Load("s.yaml", []byte(`select: bset
rank:
  mix:
    - {use: context, with: {window: 0, windo: 1}}
    - {use: anhcor, weight: .inf}
    - best: []
`), nil)
	problems, ok := strict.Problems(err)
	if !ok || len(problems) != 6 {
		t.Fatalf("%d problems, want 6:\n%v", len(problems), err)
	}
	for i := 1; i < len(problems); i++ {
		if problems[i].Line < problems[i-1].Line {
			t.Errorf("problem %d stands before the one above it:\n%v", i, err)
		}
	}
}

func TestLoadFillsInWhatIsLeftOut(t *testing.T) {
	s, err := Load("dir/plain.yaml", []byte("rank: {use: anchor}\nadmit: {tunnel: {}}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Tunnel{Depth: 3, Max: 6, Step: 1, Raise: "inc", Spent: "judge"}
	if s.Name != "plain" || s.Select.Use != "best" || s.Admit.Tunnel != want || s.Source != "dir/plain.yaml" {
		t.Errorf("have %q, %q, %q, %+v", s.Name, s.Select, s.Source, s.Admit.Tunnel)
	}
}

func TestAnchorsOfYAMLShareATree(t *testing.T) {
	s := tree(t, "{mix: [&words {best: [{use: anchor}, {use: context}]}, *words]}")
	if len(s.Nodes()) != 7 {
		t.Errorf("%d nodes, want 7:\n%s", len(s.Nodes()), s.YAML())
	}
}

func TestFingerprint(t *testing.T) {
	base := "name: a\nrank: {mix: [{use: anchor}, {use: context, weight: 2}]}\n"
	print := load(t, base).Fingerprint()
	for _, same := range []string{"about: other words\n" + base, strings.Replace(base, "name: a", "name: b", 1), base + "select: best\n",
		strings.Replace(base, "weight: 2", "weight: 2, with: {window: 10}", 1)} {
		if load(t, same).Fingerprint() != print {
			t.Errorf("the fingerprint changed with\n%s", same)
		}
	}
	for _, other := range []string{base + "select: fifo\n", base + "judge: bm25\n", base + "admit: {tunnel: {}}\n",
		strings.Replace(base, "weight: 2", "weight: 3", 1), strings.Replace(base, "weight: 2", "weight: 2, with: {window: 9}", 1),
		strings.Replace(base, "use: anchor", "use: depth", 1), strings.Replace(base, "mix:", "best:", 1)} {
		other = strings.Replace(other, "best: [{use: anchor}, {use: context, weight: 2}", "best: [{use: anchor}, {use: context}", 1)
		if load(t, other).Fingerprint() == print {
			t.Errorf("the fingerprint did not change with\n%s", other)
		}
	}
}

// brag is a factor of a program of its own.
type brag struct {
	Volume int    `yaml:"volume" doc:"how loud" check:"1..11"`
	Who    string `yaml:"who" doc:"about whom"`
}

func newBrag(p brag) (Factor, error) {
	var wrong []error
	if p.Who == "" {
		wrong = append(wrong, errors.New("who is empty, want a name"))
	}
	if p.Volume == 2 {
		wrong = append(wrong, errors.New("volume is 2, want an odd number"))
	}
	return Func(func(*Evidence) float64 { return float64(p.Volume) / 11 }), errors.Join(wrong...)
}

func TestARegistryOfOnesOwn(t *testing.T) {
	mine := NewRegistry().With(Factors)
	Register(mine, "brag", "how loud a link is", brag{Volume: 11, Who: "me"}, newBrag)
	s, err := Load("s.yaml", []byte("rank: {mix: [{use: brag}, {use: brag, with: {volume: 1}}]}"), mine)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "score", score(s, linked(0, 0)), 6.0/11)
	if _, err := Load("s.yaml", []byte("rank: {use: brag}"), nil); err == nil || strings.Contains(err.Error(), "brag,") {
		t.Errorf("the factor was seen in the registry of all: %v", err)
	}
	_, err = Load("s.yaml", []byte(`rank: {use: brag, with: {volume: 2, who: ""}}`), mine)
	if problems, _ := strict.Problems(err); len(problems) != 2 {
		t.Errorf("want both mistakes its maker found: %v", err)
	}
	Register(mine, "nobody", "nothing", struct{}{}, without(nil))
	if _, err := Load("s.yaml", []byte("rank: {use: nobody}"), mine); err == nil || !strings.Contains(err.Error(), "the maker of the factor nobody has made none") {
		t.Errorf("a factor that is nil: %v", err)
	}
	doc, params := mine.Doc("brag")
	if doc != "how loud a link is" || len(params) != 2 || params[0].Path != "volume" || params[0].Allowed != "1 to 11" {
		t.Errorf("documentation %q %+v", doc, params)
	}
}

func TestRegisterRefusesWhatIsAMistakeOfTheProgram(t *testing.T) {
	for _, test := range []struct{ name, doc string }{{"anchor", "taken"}, {"Anchor2", "no word"}, {"", "no name"}, {"quiet", ""}} {
		func() {
			defer func() {
				if r := recover(); r == nil {
					t.Errorf("%q was registered", test.name)
				} else if !strings.Contains(fmt.Sprint(r), test.name) {
					t.Errorf("%q is refused with %v", test.name, r)
				}
			}()
			Register(NewRegistry().With(Factors), test.name, test.doc, struct{}{}, without(Func(func(*Evidence) float64 { return 0 })))
		}()
	}
}

// What is refused now may stand in a run that began before: it can be read, and its numbers shown, but not run.
func TestAStrategyThatIsRefusedIsReadInARun(t *testing.T) {
	text := []byte("rank: {mix: [{use: hits, with: {edges: relevant}}, {use: anchor}]}\n")
	if _, err := Load("s.yaml", text, nil); err == nil {
		t.Fatal("it is not refused")
	}
	s, err := Load("s.yaml", text, Factors.Reading())
	if err != nil {
		t.Fatal(err)
	}
	if nodes := s.Nodes(); len(nodes) != 3 || nodes[1].Name != "hits" || !strings.Contains(string(s.YAML()), "edges: relevant") {
		t.Errorf("it is read as %v:\n%s", nodes, s.YAML())
	}
	if _, err := Load("s.yaml", []byte("rank: {use: hits, with: {edges: some}}\n"), Factors.Reading()); err == nil {
		t.Error("a word that never was one is read")
	}
}

func FuzzLoad(f *testing.F) {
	files, _ := filepath.Glob(strategies + "/*.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("rank: &r {mix: [*r]}"))
	f.Add([]byte("rank: {gate: [{use: anchor}, {use: depth}], at: .nan}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Load("fuzz.yaml", data, nil)
		if err != nil {
			if _, ok := strict.Problems(err); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		again, err := Load("again.yaml", s.YAML(), nil)
		if err != nil || again.Fingerprint() != s.Fingerprint() {
			t.Fatalf("written down it is another strategy: %v\n%s", err, s.YAML())
		}
		for _, e := range []*Evidence{{}, judged(linked(0.5, none), 0.4)} {
			v, numbers := s.Score(e, nil)
			if v != v || len(numbers) != len(s.Nodes()) {
				t.Fatalf("score %v, %d numbers\n%s", v, len(numbers), s.YAML())
			}
			s.Follow(e)
		}
	})
}
