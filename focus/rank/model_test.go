package rank

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
)

// courses is the model of the source's example: three classes, of nine.
func courses(t *testing.T, smoothing string) *Layers {
	t.Helper()
	m, err := NewLayers(9, "per_target", smoothing, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	for class, words := range map[int]string{1: "course:6 homework:4", 2: "department:5 course:1 people:4", 3: "university:8 department:2"} {
		for _, w := range strings.Fields(words) {
			word, n, _ := strings.Cut(w, ":")
			m.Add(&page.Link{Anchor: strings.Repeat(word+" ", int(n[0]-'0'))}, class)
		}
	}
	m.Grounds = []Ground{{Web: "texas", Topic: "course", Hosts: []string{"a.example"}}}
	return m
}

// opened is a registry whose models are in memory.
func opened(models map[string][]byte) *Registry {
	return Factors.Opening(func(factor, file, in string) (string, []byte, error) {
		if file == "" {
			return "", nil, nil
		}
		raw, ok := models[file]
		if !ok {
			return file, nil, errors.New("there is no such file, and it was named in " + in)
		}
		return "/models/" + file, raw, nil
	})
}

func TestLayersScoreByClass(t *testing.T) {
	raw, err := courses(t, "backoff").Bytes()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Load("s.yaml", []byte("rank: {use: layers, with: {model: c.layers}}\n"), opened(map[string][]byte{"c.layers": raw}))
	if err != nil {
		t.Fatal(err)
	}
	for words, class := range map[string]int{"Courses Homework": 1, "department courses": 1, "zzz university": 3, "departments people course": 2, "zzz": 9, "": 9} {
		e := linked(0, 0)
		e.Link.Anchor = words
		near(t, words, score(s, e), 1-float64(class-1)/9)
	}
	e := linked(0, 0)
	e.Link.URL = "http://www.x.edu/courses/2/homework/index.html"
	near(t, "the words of the address", score(s, e), 1)
	if on := s.TrainedOn(); len(on) != 1 || on[0].Web != "texas" || len(s.Untrained()) != 0 {
		t.Errorf("trained on %+v, untrained %v", on, s.Untrained())
	}
	if !strings.Contains(string(s.YAML()), "model: /models/c.layers") {
		t.Errorf("written down it does not say where its model is:\n%s", s.YAML())
	}
}

// A link's class is its queue: the model says how many there are, and a file that says otherwise is refused.
func TestRoundsHaveAQueueForEachClassOfTheModel(t *testing.T) {
	few, err := NewLayers(4, "nearest", "jm", 0.9)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := few.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	read := func(strategy string) (*Strategy, error) {
		return Load("s.yaml", []byte(strategy), opened(map[string][]byte{"m": raw}))
	}
	for strategy, queues := range map[string]int{
		"rank: {use: layers, with: {model: m}}\nselect: rounds\n":                                                   4,
		"rank: {use: layers, with: {model: m}}\nselect: {use: rounds, with: {again: best}}\n":                       4,
		"rank: {use: layers, with: {model: m}}\nselect: {use: rounds, with: {queues: 4}}\n":                         4,
		"rank: {mix: [{use: layers, with: {model: m}}, {use: anchor}]}\nselect: {use: rounds, with: {queues: 7}}\n": 7, // a score of its own
		"rank: {use: layers}\nselect: {use: rounds, with: {queues: 7}}\n":                                           7, // which waits for its model
	} {
		s, err := read(strategy)
		if err != nil {
			t.Errorf("%s%v", strategy, err)
		} else if s.Select.Params.(*Rounds).Queues != queues {
			t.Errorf("%s%d queues, want %d", strategy, s.Select.Params.(*Rounds).Queues, queues)
		}
	}
	for _, queues := range []int{3, 5, 9} {
		_, err := read(fmt.Sprintf("rank: {use: layers, with: {model: m}}\nselect: {use: rounds, with: {queues: %d}}\n", queues))
		want := fmt.Sprintf("s.yaml:2:38: strategy.select.with.queues: is %d, and the model of layers has 4 classes", queues)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d queues: %v", queues, err)
		}
	}
}

func TestLinkWords(t *testing.T) {
	var r linkReader
	for text, want := range map[string]string{
		"http://www.cs.example.edu/~ann/Courses/CS101/index.html?id=7": "cs exampl ann cours cs101 id",
		"The Homework and the Departments of People":                   "homework depart peopl",
		"课程作业 Homework2":                                               "课程 作业 homework2",
		"a 1 22":                                                       "",
		"ＢＢＣ新闻 Ｃｏｕｒｓｅｓ Ａ １２３":                                          "bbc 新闻 cours",
	} {
		if have := strings.Join(r.words(text), " "); have != want {
			t.Errorf("%s: %q, want %q", text, have, want)
		}
	}
}

// Layer 0 has the words w1 w1 w1 w2, layer 1 w1 w2 w2 w2: of a page w1 w1 w2 the posterior is 2/3.
func TestContextGraphHasBandsByLayer(t *testing.T) {
	m := newContexts()
	m.Layers, m.PerPage = 2, 40
	m.numbers = contextNumbers{Pages: 4, In: map[string]float64{"whale": 1, "boat": 1}, Bayes: learn.NewBayes(2, 1)}
	m.numbers.Bayes.Add(0, []string{"whale", "whale", "whale", "boat"})
	m.numbers.Bayes.Add(1, []string{"whale", "boat", "boat", "boat"})
	m.Grounds = []Ground{{Web: "w"}}
	raw, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	of := func(confidence, text string) float64 {
		s, err := Load("s.yaml", []byte("rank: {use: context-graph, with: {model: m, confidence: "+confidence+"}}\n"), opened(map[string][]byte{"m": raw}))
		if err != nil {
			t.Fatal(err)
		}
		e := linked(0, 0)
		e.Page.Runs = []page.Run{{Text: text}}
		if first, second := score(s, e), score(s, e); first != second {
			t.Errorf("a page is %v first and %v then", first, second)
		}
		return score(s, e)
	}
	near(t, "layer 0", of("0.6", "whale whale boat nonsense"), (2+0.666667)/3)
	near(t, "layer 1", of("0.6", "boat boat whale"), (1+0.666667)/3)
	near(t, "none sure enough", of("0.7", "whale whale boat"), 0.666667/3)
}

func TestTrainedContextsTellLayersApart(t *testing.T) {
	var layers [][]*page.Page
	for _, words := range []string{"sails boats harbour", "links of clubs and teachers", "news weather money"} {
		var pages []*page.Page
		for i := range 5 {
			pages = append(pages, &page.Page{Runs: []page.Run{{Text: fmt.Sprintf("%s common%d everywhere", words, i)}}})
		}
		layers = append(layers, pages)
	}
	m := TrainContexts(layers, 3, 1)
	for layer, pages := range layers {
		if have, p := m.Layer(m.Terms(pages[0]), 0.5); have != layer {
			t.Errorf("a page of layer %d is in %d (%.2f)", layer, have, p)
		}
		if n := len(m.Terms(pages[0])); n > 3 {
			t.Errorf("%d words of a page count, want 3", n)
		}
	}
}

func TestBadModels(t *testing.T) {
	good, _ := courses(t, "jm").Bytes()
	context, _ := TrainContexts([][]*page.Page{{{}}}, 40, 1).Bytes()
	lied, _ := seal(layersKind, LayersAbout{Classes: 3}, learn.Unigram{Smoothing: "jm", Lambda: .5, Totals: []float64{1, 2}})
	models := map[string][]byte{
		"judge":   []byte("thresher judge 1\n{}\n"),
		"context": context,
		"newer":   bytes.Replace(good, []byte("layers 1\n"), []byte("layers 2\n"), 1),
		"short":   good[:len(good)-100],
		"shorter": good[:20],
		"changed": bytes.Replace(good, []byte("jm"), []byte("jn"), 1),
		"text":    []byte("hello"),
		"empty":   {},
		"lied":    lied,
	}
	for name, want := range map[string]string{
		"judge":   "s.yaml:1:28: strategy.rank.layers: model: judge: is a model for judge, want one for layers; `thresher train layers",
		"context": "is a model for context-graph, want one for layers",
		"newer":   "model: newer: is a model for layers that this program cannot read: a newer thresher wrote it (format 2, and this one reads 1); use that one",
		"short":   "model: short: is cut short or damaged; copy it again, or train anew with `thresher train layers",
		"shorter": "is cut short or damaged",
		"changed": "is cut short or damaged",
		"text":    "model: text: is no model; `thresher train layers",
		"empty":   "is no model",
		"lied":    "totals of 2 classes, want 3",
		"nowhere": "model: there is no such file, and it was named in s.yaml",
	} {
		_, err := Load("s.yaml", []byte("rank: {use: layers, with: {model: "+name+"}}\n"), opened(models))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\nhave %v\nwant %s", name, err, want)
		}
	}
	s := load(t, "rank: {mix: [{use: layers}, {use: anchor}]}\n")
	if u := s.Untrained(); len(u) != 1 || u[0] != "layers" {
		t.Errorf("untrained are %v", u)
	}
	near(t, "without a model there is no evidence", score(s, linked(0.5, 0)), 0.5)
}
