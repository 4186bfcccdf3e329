package suggest_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// language is what a drawn web writes in: words that stand anywhere, those of the topic and those of other things.
type language struct {
	usual, topic, other []string
	parts               []string // of a phrase of the topic; they stand alone elsewhere
	phrase              string
	join                string
}

var languages = map[string]language{
	"en": {strings.Fields("window morning paper letter table garden river music winter street village picture corner market basket"),
		strings.Fields("seismograph aftershock tremor epicentre magnitude"), strings.Fields("casserole marinade saffron oregano skillet"), []string{"fault", "line"}, "fault line", " "},
	"zh": {strings.Fields("窗户 早晨 报纸 桌子 花园 河流 冬天 街道 村庄 图片 角落 篮子 朋友 衣服 雨伞"),
		strings.Fields("地震仪 余震 震中 震级 断层"), strings.Fields("砂锅 腌料 藏红花 香料 煎锅"), []string{"板块", "边界"}, "板块边界", "，"},
}

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// drawn is a crawl of a topic that is told by its first term: half of its pages are of it.
func drawn(l language, pages int, spec topic.Spec) []suggest.Page {
	judge, err := topic.New(spec)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	some := func(words []string, n int) (list []string) {
		for range n {
			list = append(list, words[r.IntN(len(words))])
		}
		return list
	}
	var all []suggest.Page
	for n := range pages {
		of := n%2 == 0
		site := n / 2 % 6
		words, title := some(l.usual, 30), some(l.usual, 2)
		if of {
			words = append(append(words, some(l.topic, 5)...), l.phrase, l.topic[0])
		} else {
			words = append(words, some(l.other, 5)...)
			for _, part := range l.parts {
				words = append(words, part, l.usual[n%len(l.usual)]) // never next to each other
			}
		}
		p := suggest.Page{URL: fmt.Sprintf("https://www.site%d.example/%d/%d.html", site, n%9, n), Title: strings.Join(title, l.join), Stands: 1}
		p.Text = strings.Join(words, l.join) + "\nprivacy imprint zebra\n"
		if site == 0 {
			p.Text += fmt.Sprintf("Grandhotel %d\n", n)
		}
		p.Raw = judge.Judge(doc(p.Title, p.Text)).Raw
		p.Of = .03
		if of {
			p.Of = .9 + r.Float64()/20
		}
		all = append(all, p)
	}
	return all
}

func doc(title, said string) *text.Doc {
	return &text.Doc{Segments: []text.Segment{{Text: title, Position: text.Title, Block: -1}, {Text: said}}, Main: []bool{true}}
}

func terms(words ...string) (list []topic.Term) {
	for _, w := range words {
		list = append(list, topic.Term{Term: w, Weight: 1})
	}
	return list
}

func specOf(list ...topic.Term) topic.Spec {
	s := topic.Defaults()
	s.Terms = list
	return s
}

func names(r *suggest.Result) (list []string) {
	for _, s := range r.Suggestions {
		list = append(list, s.Term)
	}
	return list
}

func TestWordsOfTheTopicAreFound(t *testing.T) {
	for name, l := range languages {
		spec := specOf(terms(l.topic[0])...)
		pages := drawn(l, 240, spec)
		r, err := suggest.Propose(pages, suggest.Options{Spec: spec})
		if err != nil {
			t.Fatal(name, err)
		}
		found := names(r)
		t.Log(name, found)
		for _, w := range append(slices.Clone(l.topic[1:]), l.phrase) {
			if !slices.Contains(found, w) {
				t.Errorf("%s: %s was not found: %v", name, w, found)
			}
		}
		for _, s := range r.Suggestions {
			if slices.Contains(l.usual, s.Term) || slices.Contains([]string{"zebra", "imprint", "grandhotel", l.topic[0]}, s.Term) {
				t.Errorf("%s: %s is no word to add", name, s.Term)
			}
			if s.Weight != .5 || s.Why != suggest.Parts || s.Sure < 3*s.Foreign || len(s.Titles) == 0 {
				t.Errorf("%s: %+v", name, s)
			}
		}
		again, err := suggest.Propose(pages, suggest.Options{Spec: spec})
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%s: asked twice: %v and %v", name, names(r), names(again))
		}
	}
}

// A word that is in the file is not suggested, however it is written, nor is a phrase with it.
func TestWhatIsThereIsNotSuggested(t *testing.T) {
	l := languages["en"]
	spec := specOf(terms("seismographs", "Aftershock", "fault")...)
	r, err := suggest.Propose(drawn(l, 240, spec), suggest.Options{Spec: spec})
	noError(t, err)
	for _, s := range r.Suggestions {
		if strings.Contains("seismograph aftershock fault line", s.Term) && s.Term != "line" && s.Was == 0 {
			t.Errorf("%s is in the file", s.Term)
		}
	}
}

// Suggestions weigh half of what terms of the file weigh; and few are made where the file has a dozen.
func TestSuggestionsKeepToTheScaleOfTheFile(t *testing.T) {
	l := languages["en"]
	list := terms(l.topic[0])
	for i := range 12 {
		list = append(list, topic.Term{Term: fmt.Sprintf("absent%d", i), Weight: 4})
	}
	spec := specOf(list...)
	r, err := suggest.Propose(drawn(l, 120, spec), suggest.Options{Spec: spec})
	noError(t, err)
	if found := slices.DeleteFunc(r.Suggestions, func(s suggest.Suggestion) bool { return s.Why != suggest.Parts }); len(found) != 2 || found[0].Weight != 2 {
		t.Errorf("%+v", found)
	}
	if r, err = suggest.Propose(drawn(l, 120, spec), suggest.Options{Spec: spec, Most: 1}); err != nil || len(r.Suggestions) != 1 {
		t.Errorf("one was asked for: %v %v", names(r), err)
	}
}

// A word is not added that links say which lead to foreign pages; and to a dozen terms only one that links prove.
func TestLinksSayWhichWordsMislead(t *testing.T) {
	for name, l := range languages {
		bad, good := l.topic[2], l.topic[3]
		spec := specOf(terms(l.topic[0])...)
		pages := drawn(l, 240, spec)
		for i := range pages {
			switch {
			case pages[i].Of < .5 && i%3 == 0:
				pages[i].Called = l.usual[0] + "\n" + bad
			case pages[i].Of > .5 && i%3 == 0:
				pages[i].Called = l.usual[1] + l.join + good
			default:
				pages[i].Called = l.usual[2]
			}
		}
		r, err := suggest.Propose(pages, suggest.Options{Spec: spec})
		if err != nil {
			t.Fatal(name, err)
		}
		if found := names(r); slices.Contains(found, bad) || !slices.Contains(found, good) || !slices.Contains(found, l.topic[1]) {
			t.Errorf("%s: %v, want %s and %s, and not %s", name, found, good, l.topic[1], bad)
		}
		for i := range 12 {
			spec.Terms = append(spec.Terms, topic.Term{Term: fmt.Sprintf("absent%d", i), Weight: 1})
		}
		if r, err = suggest.Propose(pages, suggest.Options{Spec: spec}); err != nil {
			t.Fatal(name, err)
		}
		var added []string
		for _, s := range r.Suggestions {
			if s.Why == suggest.Parts {
				added = append(added, s.Term)
			}
		}
		if !slices.Equal(added, []string{good}) {
			t.Errorf("%s: to a dozen terms %v are added, want %s alone", name, added, good)
		}
	}
}

// What the links say that lead to a page is taken from the pages they stand on, every wording once, and no page calls itself.
func TestWhatLinksSay(t *testing.T) {
	to := func(n uint64, anchors ...string) (links []sink.Pointer) {
		for _, a := range anchors {
			links = append(links, sink.Pointer{To: n, Anchor: a})
		}
		return links
	}
	pages := []winnow.Page{{Keys: []uint64{1, 2}, Links: to(1, "myself")}, {Keys: []uint64{3}, Links: to(2, "tea", "", "green tea", "tea")}, {Keys: []uint64{4}, Links: to(1, "tea", "pu-erh")}}
	o := winnow.Options{Threshold: .3}
	looked, err := winnow.Look(pages, o)
	noError(t, err)
	got := suggest.Of(pages, suggest.Stands(pages, &o), &looked, &o)
	if got[0].Called != "tea\ngreen tea\npu-erh" || got[1].Called != "" || got[2].Called != "" {
		t.Errorf("%q, %q, %q", got[0].Called, got[1].Called, got[2].Called)
	}
}

// Of pages whose texts and links are not held those are read again that words are taken from, and what is suggested is the same.
func TestWhatIsReadAgainSuggestsTheSame(t *testing.T) {
	l := languages["en"]
	spec := specOf(terms(l.topic[0], l.topic[1])...)
	var pages []winnow.Page
	for i, p := range drawn(l, 600, spec) {
		relevance := .1
		if p.Of > .5 {
			relevance = .5
		}
		pages = append(pages, winnow.Page{ID: uint64(i + 1), URL: p.URL, Title: p.Title, Text: p.Text, Raw: p.Raw, Relevance: relevance, Keys: []uint64{uint64(i)}})
		for n := range uint64(6) {
			pages[i].Links = append(pages[i].Links, sink.Pointer{To: (uint64(i)*7 + n*n) % 600, Anchor: p.Title})
		}
	}
	o := winnow.Options{Threshold: .3, All: true}
	looked, err := winnow.Look(pages, o)
	noError(t, err)
	asked := suggest.Options{Spec: spec, Pages: 200}
	want, err := suggest.Propose(suggest.Of(pages, suggest.Stands(pages, &o), &looked, &o), asked)
	noError(t, err)
	lean := slices.Clone(pages)
	for i := range lean {
		lean[i].Text, lean[i].Links = "", nil
	}
	asked.Again = func(take func(int, *sink.Seen) error) error {
		for i, p := range pages {
			if err := take(i, &sink.Seen{Links: p.Links, Record: &sink.Record{Text: p.Text}}); err != nil {
				return err
			}
		}
		return nil
	}
	have, err := suggest.Propose(suggest.Of(lean, suggest.Stands(lean, &o), &looked, &o), asked)
	noError(t, err)
	if len(want.Suggestions) == 0 || len(want.Suggestions[0].Titles) == 0 || !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v\nwant %+v", have, want)
	}
	other := suggest.Options{Spec: specOf(terms(l.topic[1], l.topic[2])...)}
	retold, err := suggest.Retold(pages, nil, suggest.Options{Spec: spec}, other)
	noError(t, err)
	leanly, err := suggest.Retold(lean, asked.Again, suggest.Options{Spec: spec}, other)
	noError(t, err)
	for i := range retold {
		if retold[i].Raw != leanly[i].Raw || retold[i].Relevance != leanly[i].Relevance || leanly[i].Text != "" {
			t.Fatalf("page %d is retold as %v and %v", i, retold[i].Relevance, leanly[i].Relevance)
		}
	}
	if retold[0].Raw == pages[0].Raw && retold[1].Raw == pages[1].Raw {
		t.Error("the other terms change nothing")
	}
	asked.Again = func(func(int, *sink.Seen) error) error { return errors.New("it is gone") }
	if _, err := suggest.Propose(suggest.Of(lean, suggest.Stands(lean, &o), &looked, &o), asked); err == nil || err.Error() != "it is gone" {
		t.Errorf("pages that cannot be read: %v", err)
	}
}

// A term that stands nowhere, or on foreign pages more often, is to be taken out; a word of strays is to speak against them.
func TestTermsThatHurt(t *testing.T) {
	l := languages["en"]
	spec := specOf(terms(l.topic[0], l.topic[1], "saffron", "unheard")...)
	pages := drawn(l, 400, spec)
	r, err := suggest.Propose(pages, suggest.Options{Spec: spec})
	noError(t, err)
	why := map[string]suggest.Why{}
	for _, s := range r.Suggestions {
		why[s.Term] = s.Why
		if (s.Why == suggest.Hurts || s.Why == suggest.Nowhere) && (s.Weight != 0 || s.Was != 1) || s.Why == suggest.Strays && s.Weight >= 0 {
			t.Errorf("%+v", s)
		}
	}
	if why["saffron"] != suggest.Hurts || why["unheard"] != suggest.Nowhere || why[l.topic[0]] != "" || why[l.topic[1]] != "" {
		t.Errorf("%v", why)
	}
	if !slices.ContainsFunc(l.other, func(w string) bool { return why[w] == suggest.Strays }) {
		t.Errorf("no word speaks against the pages that saffron took in: %v", why)
	}
}

// What is told of a suggestion is what the judge says when it was taken.
func TestMovedVerdictsAreThoseOfTheJudge(t *testing.T) {
	l := languages["en"]
	spec := specOf(terms(l.topic[0], l.topic[1])...)
	spec.Threshold = .75
	pages := drawn(l, 200, spec)
	r, err := suggest.Propose(pages, suggest.Options{Spec: spec})
	if err != nil || len(r.Suggestions) == 0 {
		t.Fatal(err)
	}
	before, err := topic.New(spec)
	noError(t, err)
	moved := 0
	for _, s := range r.Suggestions {
		with := spec
		with.Terms = append(slices.Clone(spec.Terms), topic.Term{Term: s.Term, Weight: s.Weight})
		after, err := topic.New(with)
		noError(t, err)
		in, out := 0, 0
		for i := range pages {
			was, is := before.Judge(doc(pages[i].Title, pages[i].Text)).Relevant, after.Judge(doc(pages[i].Title, pages[i].Text)).Relevant
			if is && !was {
				in++
			}
			if was && !is {
				out++
			}
		}
		moved += in + out
		if in != s.In || out != s.Out {
			t.Errorf("%s: %d in and %d out, the judge says %d and %d", s.Term, s.In, s.Out, in, out)
		}
	}
	if moved == 0 {
		t.Error("nothing moved: the test says nothing")
	}
}

// Pages judged again by other terms get what the judge would give them, and keep what only the page itself showed.
func TestRetold(t *testing.T) {
	l := languages["en"]
	was, now := specOf(terms(l.topic[0], l.topic[1])...), specOf(terms(l.topic[1], l.topic[2])...)
	judge, err := topic.New(now)
	noError(t, err)
	var pages []winnow.Page
	for _, p := range drawn(l, 60, was) {
		pages = append(pages, winnow.Page{URL: p.URL, Title: p.Title, Text: p.Text, Raw: p.Raw})
	}
	again, err := suggest.Retold(pages, nil, suggest.Options{Spec: was}, suggest.Options{Spec: now})
	noError(t, err)
	for i := range again {
		want := judge.Judge(doc(pages[i].Title, pages[i].Text))
		if d := again[i].Relevance - want.Relevance; d > 1e-6 || d < -1e-6 {
			t.Errorf("page %d: %v, the judge says %v", i, again[i].Relevance, want.Relevance)
		}
	}
	pages[0].Raw += .2 // a heading said it
	higher, err := suggest.Retold(pages, nil, suggest.Options{Spec: was}, suggest.Options{Spec: was})
	if err != nil || higher[0].Raw < pages[0].Raw-1e-9 {
		t.Errorf("%v, want %v: %v", higher[0].Raw, pages[0].Raw, err)
	}
	other, err := suggest.Retold(pages, nil, suggest.Options{Spec: was}, suggest.Options{Spec: specOf(terms("zeppelin")...)})
	if err != nil || other[0].Raw > 0 {
		t.Errorf("of other terms that no page has: %v %v", other[0].Raw, err)
	}
}

// A topic of examples alone gets terms.
func TestATopicOfExamplesGetsTerms(t *testing.T) {
	l := languages["zh"]
	pages := drawn(l, 120, specOf(terms(l.topic[0])...))
	r, err := suggest.Propose(pages, suggest.Options{Spec: specOf(), Examples: true})
	if err != nil || !slices.Contains(names(r), l.topic[0]) {
		t.Errorf("%v %v", r, err)
	}
}

func TestWhatNothingCanBeSuggestedFor(t *testing.T) {
	l := languages["en"]
	spec := specOf(terms(l.topic[0])...)
	pages := drawn(l, 240, spec)
	var few suggest.TooFew
	if _, err := suggest.Propose(pages[:12], suggest.Options{Spec: spec}); !errors.As(err, &few) || few.Sure != 6 {
		t.Errorf("too few pages: %v", err)
	}
	if _, err := suggest.Propose(nil, suggest.Options{Spec: spec}); !errors.As(err, &few) {
		t.Errorf("no page: %v", err)
	}
	for _, judge := range []string{"centroid", topic.Classifier} {
		other := spec
		other.Judge = judge
		if _, err := suggest.Propose(pages, suggest.Options{Spec: other}); err == nil || !strings.Contains(err.Error(), judge) {
			t.Errorf("judge %s: %v", judge, err)
		}
	}
}
