package compare

import (
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// Three relevant pages on two hosts, and a dead link between them, a page every half an hour.
func TestWhatACrawlPays(t *testing.T) {
	k := &task{graph: &graph{address: []string{"http://s.example/", "http://a.example/1", "http://a.example/2", "http://b.example/", "http://c.example/"}},
		relevant: []bool{false, true, true, true, false}, reach: []bool{false, true, true, true, true}, total: 3, pages: 10}
	s := measure.Sequence{Relevant: []bool{true, false, true, false, true}, Total: 3, Reach: 10}
	fetched := []int32{1, -1, 2, 4, 3}
	var at []time.Duration
	for i := range fetched {
		at = append(at, time.Duration(i+1)*time.Hour/2)
	}
	p := k.paid(s, fetched, at)
	near(t, "recall after a hundred pages", p.First, 1)
	near(t, "hosts with relevant pages", p.RelevantHosts, 2)
	near(t, "of them after a tenth", p.Hosts["10"], 1)
	near(t, "of them after half", p.Hosts["50"], 2)
	near(t, "an hour until a tenth", p.PerHour["10"], 2)
	near(t, "an hour until half", p.PerHour["50"], 3/2.5)
	if p = k.paid(s, fetched, nil); p.PerHour != nil {
		t.Errorf("without manners an hour brings %v", p.PerHour)
	}
	p = meanPay([]Cell{{Pay: Pay{First: .2, RelevantHosts: 4, Hosts: map[string]float64{"20": 1}}}, {Pay: Pay{First: .4, RelevantHosts: 2, Hosts: map[string]float64{"20": 2}}}})
	near(t, "the mean of the first pages", p.First, .3)
	if got := p.hosts(inEnglish); got != "2 of 3" {
		t.Errorf("the mean of the hosts is %q", got)
	}
}

func TestTheWorstTopic(t *testing.T) {
	w := worst([]Cell{{Web: "w", Topic: "a", Focus: .5}, {Web: "w", Topic: "b", Focus: -.1}, {Web: "w", Topic: "c", Focus: .3}})
	if w != (Worst{"w", "b", -.1}) || w.String() != "-0.100 b" {
		t.Errorf("the worst is %+v: %s", w, w)
	}
}

// All pages of a sketch are on one host, which has a second between an answer and the next request.
func TestMannersTakeTime(t *testing.T) {
	web := sketch("s → a b r1 r2 c r3 d r4 e f").folder(t, "manners")
	o := Options{Webs: []string{web}, Strategies: []string{"breadth"}, Seed: 1}
	if c := run(t, o).Cells[0]; c.PerHour != nil {
		t.Errorf("nobody waited, and an hour brings %v", c.PerHour)
	}
	o.Manners = true
	c := run(t, o).Cells[0]
	near(t, "an hour until half", c.PerHour["50"], 2/(5*(time.Second+replay.DefaultLatency)).Hours())
	near(t, "the area, which one host's time does not change", c.AUC, c.Breadth)
}

func TestStartPagesAreDrawn(t *testing.T) {
	const web = "s → a b\na → b r1 r3\nb → a r2 r3\nr1 → s a\nr2 → b s\no1 → a"
	seen := map[string]bool{}
	for seed := range uint64(12) {
		k := boats(t, web, drawing{starts: 2, seed: seed}, 0)
		again := boats(t, web, drawing{starts: 2, seed: seed}, 0)
		if len(k.seeds) != 2 || k.sum() != again.sum() {
			t.Fatalf("seed %d draws %v, and counts %q and %q", seed, k.seeds, k.sum(), again.sum())
		}
		for _, s := range k.addresses(k.seeds) {
			seen[s] = true
		}
	}
	if len(seen) != 5 || seen[at("o1")] {
		t.Errorf("twelve draws of two start at %v, want each of the five in the scope", seen)
	}
	g := open(t, sketch(web).folder(t, "starts"), false)
	if _, err := newTask(g, g.web.Topics()[0], drawing{starts: 9}, 0); err == nil || err.Error() != "web starts, topic boats: 9 start pages are to be drawn, and 5 pages link to others" {
		t.Errorf("nine start pages of five: %v", err)
	}
}

// The random crawls are made once for all topics that start alike, and their mean has hardly any luck in it.
func TestTheRandomFloorIsKept(t *testing.T) {
	k := boats(t, "s → a b c d e r1\na → r2", drawing{}, 0)
	area, points := k.random(k.pages)
	if len(k.strolls) != 1 || points[0] != 0 || points[curvePoints] != 1 {
		t.Fatalf("%d starts are kept, the curve goes from %v to %v", len(k.strolls), points[0], points[curvePoints])
	}
	near(t, "the area again", k.floors(k.pages).randomAUC, area)
	if want := orders(k); area < want-.04 || area > want+.04 {
		t.Errorf("the area of a random crawl is %.3f, over all orders %.3f", area, want)
	}
}

// orders is the area of a random crawl over all orders that the lots of its pages can have.
func orders(k *task) float64 {
	lots := make([]float64, len(k.address))
	sum, n := 0.0, 0.0
	var deal func(from int)
	deal = func(from int) {
		if from == len(lots) {
			sum += k.counted(k.walk(fixed, func(n int32, _ *walk) float64 { return lots[n] })).AUC()
			n++
			return
		}
		for i := from; i < len(lots); i++ {
			lots[from], lots[i] = lots[i], lots[from]
			deal(from + 1)
			lots[from], lots[i] = lots[i], lots[from]
		}
	}
	for i := range lots {
		lots[i] = float64(i)
	}
	deal(0)
	return sum / n
}
