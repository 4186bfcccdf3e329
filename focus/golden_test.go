package focus_test

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
)

var update = flag.Bool("update", false, "write testdata/journeys anew")

// goldenPages is how many visits of a journey are written down.
const goldenPages = 40

// Every strategy's journey over the small drawn web is written down in testdata/journeys: the order of the visits, what
// each link had promised and what that was made of, what its page turned out to be, and why it was not kept. A change of
// order or score shows there; `go test ./focus -run Golden -update` writes the files anew.
func TestGoldenJourneys(t *testing.T) {
	config := focus.DefaultSetting()
	for _, name := range config.Strategies() {
		t.Run(name, func(t *testing.T) {
			golden := filepath.Join("..", "testdata", "journeys", name+".golden")
			have := goldenJourney(t, name)
			if *update {
				if err := os.WriteFile(golden, []byte(have), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v; write it with -update", err)
			}
			if line, a, b := firstDifference(have, string(want)); line > 0 {
				t.Errorf("%s line %d:\nhave %s\nwant %s", golden, line, a, b)
			}
		})
	}
}

func goldenJourney(t *testing.T, strategy string) string {
	config := replayConfig(t)
	config.Store, config.Sinks = "", nil
	config.Window, config.Polite.Parallel, config.Polite.Delay = 1, 1, 0
	config.Strategy.Name = strategy
	config.Models = trainedElsewhere(t, strategy)
	config.Budget.Pages = goldenPages
	if strategy == "block-shark-strict" { // which lets no link of the front pages pass, and begins at articles, too
		config.Seeds = append(config.Seeds, "http://www.fairwind.example/", "http://townpost.test/s0/the-committee-has-begun-55.html",
			"http://www.ribao.example/tea/doc-40.html", "http://www.ribao.example/s1/doc-49.html")
	}
	if strategy == "adaptive" {
		config.Topic.Calibrate = "off" // or the centre would not move before the journey has ended
	}
	s, err := config.LoadStrategy(nil)
	if err != nil {
		t.Fatal(err)
	}
	nodes := s.Nodes()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: the first %d visits of a crawl for sailing, yacht, boat\n", strategy, goldenPages)
	if len(nodes) > 1 {
		fmt.Fprintf(&b, "# promise  found  what became of it, and the address; below it, the %d parts that count most in the promise\n", tellingParts)
	} else {
		fmt.Fprintf(&b, "# promise  found  what became of it, and the address; the promise is what %s says\n", nodes[0].Name)
	}
	crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) {
			promise, found, fate := "    start", "     -", "kept"
			if len(v.Item.Numbers) > 0 {
				promise = promised(v.Item.Numbers[0])
			} else if v.Item.Via != 0 {
				promise = promised(v.Item.Score) // no tree has scored it
			}
			if v.Page != nil {
				found = fmt.Sprintf("%6.3f", v.Judgement.Relevance)
			}
			if !v.Kept {
				if fate = string(v.Refused); v.Refused.Kind() == admit.RefusedRobots {
					fate = string(admit.RefusedRobots) // its line does not fit the column
				}
			}
			fmt.Fprintf(&b, "%s %s  %-16s %s\n", promise, found, fate, v.Item.URL)
			if v.Chosen != "" {
				fmt.Fprintf(&b, "%18s%s\n", "", v.Chosen)
			}
			if made := madeOf(nodes, v); made != "" {
				fmt.Fprintf(&b, "%18s%s\n", "", made)
			}
		})
	})
	return b.String()
}

// tellingParts is how many parts of a promise are written down.
const tellingParts = 4

// madeOf are the parts that count most in the promise of a visit's link: what leaves of its tree said, under the name of
// the branch they stand in, by what they count there. A tree of one node says no more than its number; a link that was
// taken in the order of the hedge was taken for what the second tree says.
func madeOf(nodes []rank.Node, v *focus.Visit) string {
	if len(nodes) < 2 || len(v.Item.Numbers) != len(nodes) {
		return ""
	}
	m := making{nodes: nodes, numbers: v.Item.Numbers}
	root := 0
	if strings.Contains(v.Chosen, "in the order of the hedge") {
		root = 1 + slices.IndexFunc(nodes[1:], func(n rank.Node) bool { return n.Depth == 0 })
	}
	m.take(root, 1, "")
	slices.SortStableFunc(m.parts, func(a, b made) int { return cmp.Compare(b.counts, a.counts) })
	var said []string
	for _, p := range m.parts[:min(len(m.parts), tellingParts)] {
		said = append(said, p.says)
	}
	return strings.Join(said, " · ")
}

// making is a walk through the numbers of a tree.
type making struct {
	nodes   []rank.Node
	numbers []float32
	parts   []made
}

// made is a part of a promise.
type made struct {
	says   string
	counts float64
}

// below are the children of a node.
func (m *making) below(i int) (children []int) {
	for j := i + 1; j < len(m.nodes) && m.nodes[j].Depth > m.nodes[i].Depth; j++ {
		if m.nodes[j].Depth == m.nodes[i].Depth+1 {
			children = append(children, j)
		}
	}
	return children
}

// take takes the leaves below a node that counts so much.
func (m *making) take(i int, counts float64, branch string) {
	n, x := m.nodes[i], float64(m.numbers[i])
	children := m.below(i)
	if len(children) == 0 {
		if said := math.Abs(x * counts); said > 0 {
			m.parts = append(m.parts, made{fmt.Sprintf("%s%s %.4g", branch, n.Name, x), said})
		}
		return
	}
	if n.Name != n.Use {
		branch = n.Name + "/"
	}
	switch n.Use {
	case "mix":
		total := 0.0
		for _, j := range children {
			if y := m.numbers[j]; y == y {
				total += m.nodes[j].Weight
			}
		}
		for _, j := range children {
			m.take(j, counts*m.nodes[j].Weight/total, branch)
		}
	case "blend":
		share := float64(m.numbers[children[0]])
		m.take(children[1], counts*share, branch)
		m.take(children[2], counts*(1-share), branch)
	case "best", "first":
		if j := slices.IndexFunc(children, func(j int) bool { return m.numbers[j] == m.numbers[i] }); j >= 0 {
			m.take(children[j], counts, branch)
		}
	case "product", "gate":
		for _, j := range children {
			if m.numbers[j] != 1 { // which changes nothing
				m.take(j, counts, branch)
			}
		}
	default: // an apprentice, of which chance and future come first
		for k, j := range children {
			weight := m.nodes[j].Weight
			if k < 2 {
				weight = 100
			}
			m.take(j, counts*weight, branch)
		}
	}
}

// trainedElsewhere are the models of strategies that need one, learned on another drawn web.
func trainedElsewhere(t *testing.T, strategy string) map[string]string {
	t.Helper()
	if strategy != "layers" && strategy != "context-graph" {
		return nil
	}
	on, err := study.OpenLabelledWeb(filepath.Join("..", "testdata", "webs", "quickstart"), "sailing")
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	var model interface{ Bytes() ([]byte, error) }
	if model, err = study.TrainLayers([]*study.LabelledWeb{on}, study.DefaultLayers()); strategy == "context-graph" {
		model, err = study.TrainContext([]*study.LabelledWeb{on}, study.DefaultContext())
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err := model.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), strategy)
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]string{strategy: file}
}

// round keeps minus nought and the last digits of single precision out of the files.
func round(x float32) float64 { return math.Round(float64(x)*1e4)/1e4 + 0 }

// promised is a promise as it is written down: small ones, as a surfer's time is, are told apart, too.
func promised(x float32) string {
	if y := math.Abs(float64(x)); 0 < y && y < 0.001 {
		return fmt.Sprintf("%9.1e", x)
	}
	return fmt.Sprintf("%9.4f", round(x))
}

// firstDifference is the first line in which two texts differ, counted from 1; 0 if they are the same.
func firstDifference(have, want string) (line int, a, b string) {
	h, w := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(h), len(w)) {
		a, b = "(nothing)", "(nothing)"
		if i < len(h) {
			a = h[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return i + 1, a, b
		}
	}
	return 0, "", ""
}
