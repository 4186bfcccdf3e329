package rank

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// eightyLinks is the page the benchmarks rank: eighty links in three blocks, whose words have been compared with the
// topic already. What that comparison costs is for package topic to measure.
func eightyLinks() *told {
	var links []linkTold
	for i := range 80 {
		links = append(links, linkTold{int32(1 + i%3), float64(i%7) / 7, float64(i%5) / 5})
	}
	p := tellPage(page.Related, links...)
	for i := range p.page.Links {
		l := &p.page.Links[i]
		l.URL = fmt.Sprintf("http://site%d.example/research/groups/robotics/%d/people.html", i%7, i)
		l.Anchor, l.Heading = "Autonomous robots, and how they learn", "Research groups of the department"
		l.Before = "who is here, what we do, where we publish, and whom to ask about it; see also"
		l.After = "with videos of the last contest, software to take home, and 自动化研究所 的 新闻"
	}
	return p
}

// schooled is a strategy of the project, and where it needs a model one that was trained on such a page.
func schooled(b testing.TB, name string) *Strategy {
	p := eightyLinks().page
	layers, err := NewLayers(9, "per_target", "backoff", 0)
	if err != nil {
		b.Fatal(err)
	}
	for i := range p.Links {
		layers.Add(&p.Links[i], 1+i%9)
	}
	var pages [][]*page.Page
	for range 5 {
		pages = append(pages, []*page.Page{p})
	}
	models := Factors.Opening(func(factor, _, _ string) (path string, content []byte, err error) {
		if factor == "layers" {
			content, err = layers.Bytes()
		} else {
			content, err = TrainContexts(pages, 40, 1).Bytes()
		}
		return factor, content, err
	})
	file := filepath.Join(strategies, name+".yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	s, err := Load(file, data, models)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkScore is what one link costs, explanation included, in a crawl that has been going on for a while.
func BenchmarkScore(b *testing.B) {
	files, _ := filepath.Glob(strategies + "/*.yaml")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		b.Run(name, func(b *testing.B) {
			s, p := schooled(b, name), eightyLinks()
			crawl(s, p.memory, 1, 0, 200)
			all := make([]*Evidence, len(p.page.Links))
			for i := range all {
				all[i] = p.link(i)
				all[i].Item = uint64(1 + i*5)
			}
			numbers := make([]float32, 0, maxNodes)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_, numbers = s.Score(all[i%len(all)], numbers[:0])
			}
		})
	}
}

// A page that is like many before it: the words of its links, its Chinese too, were read on others.
func TestScoringAllocatesNothing(t *testing.T) {
	for _, known := range allStrategies(t) {
		s, p := schooled(t, known.Name), eightyLinks()
		crawl(s, p.memory, 1, 0, 50)
		for i := range p.page.Links {
			p.page.Links[i].Anchor += [...]string{"", ", 机器人研究所的新闻", ", Робототехника"}[i%3]
		}
		all := make([]*Evidence, len(p.page.Links))
		numbers := make([]float32, 0, maxNodes)
		for i := range all {
			all[i] = p.link(i)
			s.Score(all[i], numbers) // the first time pays for what is remembered
		}
		i := 0
		if n := testing.AllocsPerRun(3*len(all), func() { s.Score(all[i%len(all)], numbers); i++ }); n != 0 {
			t.Errorf("%s allocates %v times a link", s.Name, n)
		}
	}
}

// BenchmarkFeedback is what one fetched page costs that changes the scores of the 256 waiting links that are told at
// once: to find them, and to score them again.
func BenchmarkFeedback(b *testing.B) {
	for _, name := range []string{"block-shark", "shark-site"} {
		b.Run(name, func(b *testing.B) {
			s := shipped(b, name)
			var m *Memory
			const links = 20_000
			next, again := uint64(links), 0
			b.ReportAllocs()
			for b.Loop() {
				if next++; next > links-300 {
					b.StopTimer()
					m, next = waiting(s, links), 1
					b.StartTimer()
				}
				for _, item := range m.Fetched(next, 1, true, 256) {
					if _, ok := s.Rescore(item, m); ok {
						again++
					}
				}
			}
			b.ReportMetric(float64(again)/float64(b.N), "links/op")
		})
	}
}

// BenchmarkRescore is what it costs to score 128 of 20,000 waiting addresses again, each of which four pages link to: they lie as far
// apart in memory as those of a crawl.
func BenchmarkRescore(b *testing.B) {
	for _, name := range []string{"apprentice", "block-shark", "shark-site"} {
		b.Run(name, func(b *testing.B) {
			s, p, r := schooled(b, name), eightyLinks(), rand.New(rand.NewPCG(3, 7))
			const addresses = 20_000
			m := p.memory
			for n := range addresses * 4 / 80 {
				p.page.URL = fmt.Sprintf("http://site%d.example/%d.html", n%50, n)
				*p = told{page: &page.Page{URL: p.page.URL, Blocks: p.page.Blocks, Links: slices.Clone(p.page.Links)}, anchors: p.anchors, around: p.around, memory: m}
				for i := range p.page.Links {
					item := uint64(1 + r.IntN(addresses))
					p.page.Links[i].URL = fmt.Sprintf("http://site%d.example/section%d/%d.html", item%50, item%7, item)
					e := p.link(i)
					e.Parent, e.Item = uint64(addresses+1+n), item
					s.Score(e, nil)
					m.Linked(item, e)
				}
				m.Fetched(uint64(addresses+1+n), float64(n%5)/5, n%5 > 2, 0)
			}
			b.ReportAllocs()
			items := make([]uint64, 128)
			for b.Loop() {
				for i := range items {
					items[i] = uint64(1 + r.IntN(addresses))
				}
				s.RescoreAll(items, m, func(int, []float32) {})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(items)), "ns/address")
		})
	}
}

// waiting is a memory of links that all wait, all of one block and one host.
func waiting(s *Strategy, links int) *Memory {
	p := tellPage(page.Related, linkTold{2, 0.5, 0.5})
	e := p.link(0)
	for i := range links {
		s.Score(e, nil)
		p.memory.Linked(uint64(1+i), e)
	}
	return p.memory
}

// BenchmarkSolve is what a new solution of a graph costs that has ten links to a node. It is 20 iterations.
func BenchmarkSolve(b *testing.B) {
	for _, nodes := range []int{100_000, 1_000_000} {
		g := drawnGraph(nodes, 10)
		for name, m := range map[string]method{
			"pagerank": ranked("blind", 20), "topic": ranked("topic", 20),
			"hits": hits{hitsParams{Of: "authority", Edges: "all", Iterations: 20}},
		} {
			b.Run(fmt.Sprint(name, "/", nodes), func(b *testing.B) {
				values := make([]float32, nodes)
				for b.Loop() {
					m.solve(g, values)
				}
			})
		}
	}
}

func drawnGraph(nodes, links int) *graph {
	g := newGraph()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range nodes {
		g.node(uint64(i + 1))
	}
	for i := range nodes {
		for range links {
			g.link(uint64(i+1), uint64(1+r.IntN(nodes)), edge{links: links, sites: [2]uint32{uint32(i), uint32(i % 7)}})
		}
	}
	return g
}

// BenchmarkMemory is what a strategy's memory keeps of a waiting address that two pages link to, in bytes.
func BenchmarkMemory(b *testing.B) {
	files, _ := filepath.Glob(strategies + "/*.yaml")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		b.Run(name, func(b *testing.B) {
			s := shipped(b, name)
			const pages = 500
			var m *Memory
			for b.Loop() {
				before := heap()
				m = heardOf(s, pages)
				if m.Len() > 0 {
					b.ReportMetric((float64(heap())-float64(before))/float64(m.Len()), "B/address")
				}
			}
			runtime.KeepAlive(m)
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// heardOf is a memory of so many pages of eighty links each; every address is linked to from two of them.
func heardOf(s *Strategy, pages int) *Memory {
	p := eightyLinks()
	m := p.memory
	for n := range pages {
		m.Fetched(uint64(1+n), 0.5, true, 0)
		p.page.URL = fmt.Sprintf("http://site%d.example/%d.html", n%50, n)
		*p = told{page: &page.Page{URL: p.page.URL, Blocks: p.page.Blocks, Links: p.page.Links}, anchors: p.anchors, around: p.around, memory: m}
		for i := range p.page.Links {
			p.page.Links[i].URL = fmt.Sprintf("http://site%d.example/%d/people%d.html", i%7, n/2, i)
			e := p.link(i)
			e.Parent, e.Item = uint64(1+n), uint64(1_000_000+n/2*80+i)
			s.Score(e, nil)
			m.Linked(e.Item, e)
		}
	}
	return m
}
