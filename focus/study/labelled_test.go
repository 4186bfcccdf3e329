package study

import (
	"math/bits"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// sketched is a labelled web of pages by name: "s h, h t" is a page s that links to h, which links to t. Pages whose names
// begin with t are looked for.
func sketched(sketch string) *LabelledWeb {
	t := &LabelledWeb{Web: "sketch", Topic: "t", Number: map[string]int{}}
	pages := map[int]*page.Page{}
	number := func(name string) int {
		address := "http://a.example/" + name
		n, ok := t.Number[address]
		if !ok {
			n = len(t.Addresses)
			t.Number[address] = n
			t.Addresses = append(t.Addresses, address)
			t.Inside = append(t.Inside, true)
			t.Relevant = append(t.Relevant, name[0] == 't')
			pages[n] = &page.Page{URL: address, Runs: []page.Run{{Text: "page about " + name}}}
		}
		return n
	}
	for _, line := range strings.Split(sketch, ",") {
		names := strings.Fields(line)
		from := number(names[0])
		for _, to := range names[1:] {
			address := t.Addresses[number(to)]
			pages[from].Links = append(pages[from].Links, page.Link{URL: address, Anchor: "word" + to})
		}
	}
	t.Page = func(n int) (*page.Page, error) { return pages[n], nil }
	return t
}

// classesOf are the classes of all links, by the names of their ends.
func classesOf(t *LabelledWeb, membership string, classes int) map[string][]int {
	in := map[string][]int{}
	t.layered(membership, classes, func(from int, l *page.Link, classes []int) {
		in[strings.TrimPrefix(t.Addresses[from], "http://a.example/")+">"+strings.TrimPrefix(l.URL, "http://a.example/")] = classes
	})
	return in
}

func TestLayersOfLinks(t *testing.T) {
	chain := "p10 p9,p9 p8,p8 p7,p7 p6,p6 p5,p5 p4,p4 p3,p3 p2,p2 p1,p1 h,h t"
	for _, membership := range Memberships {
		in := classesOf(sketched("s h,h t"), membership, 9)
		if want := map[string][]int{"h>t": {1}, "s>h": {2}}; !reflect.DeepEqual(in, want) {
			t.Errorf("%s: %v, want %v", membership, in, want)
		}
		if in := classesOf(sketched(chain), membership, 9); len(in) != 9 || in["p10>p9"] != nil || in["p8>p7"][0] != 9 {
			t.Errorf("%s: ten hops away: %v", membership, in)
		}
	}
	two := "s h k,h t1,k m,m t2,t1 s" // h is a link from t1 and 5 from t2, because t1 leads back to s
	for membership, want := range map[string][]int{"nearest": {2}, "per_target": {2, 6}, "path": {2, 6}, "walk": {2, 5, 6, 8, 9}} {
		if in := classesOf(sketched(two), membership, 9); !reflect.DeepEqual(in["s>h"], want) {
			t.Errorf("%s: s>h is in %v, want %v", membership, in["s>h"], want)
		}
	}
	ways := "s h,h t a,a t b,b a t" // h is 1, 2 and 3 links from t; a to b to a is a circle
	for membership, want := range map[string][]int{"nearest": {2}, "per_target": {2}, "path": {2, 3, 4}, "walk": {2, 3, 4, 5, 6, 7, 8, 9}} {
		if in := classesOf(sketched(ways), membership, 9); !reflect.DeepEqual(in["s>h"], want) {
			t.Errorf("%s: s>h is in %v, want %v", membership, in["s>h"], want)
		}
	}
	if in := classesOf(sketched("s s x,x s"), "nearest", 9); len(in) != 0 {
		t.Errorf("without a target: %v", in)
	}
}

func TestLabelledWebsKeepToTheirScope(t *testing.T) {
	web := sketched("s o h,o t,h t")
	web.Inside[web.Number["http://a.example/o"]] = false
	in := classesOf(web, "nearest", 9)
	if len(in) != 2 || in["o>t"] != nil || in["s>o"] != nil {
		t.Errorf("learned from outside: %v", in)
	}
}

func TestTrainLayersCounts(t *testing.T) {
	m, err := TrainLayers([]*LabelledWeb{sketched("s h,h t"), sketched("x h2,h2 t9")}, DefaultLayers())
	noError(t, err)
	raw, err := m.Bytes()
	if again, _ := m.Bytes(); err != nil || string(again) != string(raw) {
		t.Errorf("the same model is written in two ways: %v", err)
	}
	if m.Links[0] != 2 || m.Links[1] != 2 || m.Links[2] != 0 || len(m.Grounds) != 2 || m.Grounds[0].Targets != 1 || m.Vocabulary[0] == 0 {
		t.Errorf("learned %+v", m.LayersAbout)
	}
	if c := m.Class(&page.Link{Anchor: "wordt"}); c != 1 {
		t.Errorf("a link to t is of class %d", c)
	}
	o := DefaultLayers()
	o.Membership = "all"
	if _, err := TrainLayers([]*LabelledWeb{sketched("h t")}, o); err == nil || !strings.Contains(err.Error(), "per_target, nearest, path, walk") {
		t.Errorf("an unknown membership: %v", err)
	}
	if _, err := TrainLayers([]*LabelledWeb{sketched("s h")}, DefaultLayers()); err == nil || !strings.Contains(err.Error(), "no link in sketch:t points to") {
		t.Errorf("nothing to learn: %v", err)
	}
}

func TestTrainContextGoesBackwards(t *testing.T) {
	o := DefaultContext()
	o.Layers, o.PerLayer = 2, 2
	m, err := TrainContext([]*LabelledWeb{sketched("a b,b c1 c2 c3,c1 t1,c2 t1,c3 t1,far a")}, o)
	noError(t, err)
	if !reflect.DeepEqual(m.Pages, []int{1, 2, 1}) {
		t.Errorf("layers of %v pages, want 1, 2 of 3, 1", m.Pages)
	}
	if _, err := TrainContext([]*LabelledWeb{sketched("a b")}, o); err == nil {
		t.Error("a web without targets was learned")
	}
}

func TestOverlapOfWords(t *testing.T) {
	o := DefaultLayers()
	same, err := Overlaps([]*LabelledWeb{sketched("s h,h t")}, []*LabelledWeb{sketched("s h,h t")}, o, 1)
	if err != nil || len(same) != 2 || same[0].Of != "anchors" || same[0].Across[0] != 1 {
		t.Errorf("the same web: %+v, %v", same, err)
	}
	other, _ := Overlaps([]*LabelledWeb{sketched("s h,h t")}, []*LabelledWeb{sketched("x y,y tz")}, o, 1)
	if other[0].Across[0] != 0 {
		t.Errorf("other words: %+v", other)
	}
	if have := common([]string{"a", "b", "c"}, []string{"c", "a"}, 50); have != 0.5 {
		t.Errorf("two of the shorter list of two, one in common: %v", have)
	}
}

func TestOpenLabelledWeb(t *testing.T) {
	quickstart := filepath.Join("..", "..", "testdata", "webs", "quickstart")
	web, err := OpenLabelledWeb(quickstart, "sailing")
	noError(t, err)
	defer web.Close()
	if g := web.ground(); g.Targets == 0 || g.Pages <= g.Targets || len(g.Hosts) == 0 || g.Fingerprint == "" {
		t.Errorf("the ground is %+v", g)
	}
	if sets := web.distances(backwards(web.links()), "nearest", 9); bits.OnesCount64(sets[web.targets()[0]]) != 1 {
		t.Errorf("a target is %b links away", sets[web.targets()[0]])
	}
	for topic, want := range map[string]string{"": "has several topics; name one of them", "saling": `did you mean "sailing"?`} {
		if _, err := OpenLabelledWeb(quickstart, topic); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("topic %q: %v", topic, err)
		}
	}
}
