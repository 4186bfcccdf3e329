package suggest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// recorded is a recorded web, read.
type recorded struct {
	*replay.Web
	address []string
	labels  []string
	pages   []*page.Page
	docs    []*text.Doc
}

func openRecorded(t *testing.T, name string) *recorded {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "webs", name)
	if os.Getenv("THRESHER_SHARED") != "1" || os.Getenv("THRESHER_WORDS") != "1" {
		t.Skip("set THRESHER_SHARED=1 and THRESHER_WORDS=1 to measure suggestions over recorded webs")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the recorded web %s is not here", name)
	}
	web, err := replay.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.Close() })
	w := &recorded{Web: web}
	pages := study.NewPages(web, nil)
	for address := range web.Addresses() {
		p, err := pages.Page(address)
		line, ok := web.Labels(address)
		if err == nil && ok {
			w.address, w.labels, w.pages, w.docs = append(w.address, address), append(w.labels, line), append(w.pages, p), append(w.docs, study.Document(p))
		}
	}
	return w
}

// archive is what a crawl of all pages of a scope would leave behind, and how right its first look is.
func (w *recorded) archive(t *testing.T, about replay.Topic, spec topic.Spec) (pages []winnow.Page, found learn.Confusion) {
	t.Helper()
	judge, err := topic.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	scope, relevant := regexp.MustCompile(about.Scope), regexp.MustCompile(about.Relevant)
	for i, p := range w.pages {
		if !scope.MatchString(w.labels[i]) {
			continue
		}
		j := judge.Judge(w.docs[i])
		found.Add(j.Relevant, relevant.MatchString(w.labels[i]))
		if j.Relevant || sink.Likely(j.Relevance, judge.Threshold(), w.address[i]) {
			seen := winnow.Page{ID: uint64(i + 1), URL: w.address[i], Keys: []uint64{sink.Key(w.address[i])}, Title: p.Title, Text: p.MainText(), Relevance: j.Relevance, Raw: j.Raw}
			for k := range p.Links {
				l := &p.Links[k]
				seen.Links = append(seen.Links, sink.Pointer{To: sink.Key(l.URL), Block: l.Block, Anchor: l.Anchor})
			}
			pages = append(pages, seen)
		}
	}
	return pages, found
}

// better takes every suggestion.
func better(terms []topic.Term, r *suggest.Result) []topic.Term {
	terms = slices.Clone(terms)
	for _, s := range r.Suggestions {
		terms = slices.DeleteFunc(terms, func(t topic.Term) bool { return t.Term == s.Term })
		if s.Weight != 0 {
			terms = append(terms, topic.Term{Term: s.Term, Weight: s.Weight})
		}
	}
	return terms
}

func (w *recorded) suggestions(t *testing.T, about replay.Topic, spec topic.Spec) (*suggest.Result, learn.Confusion) {
	t.Helper()
	pages, found := w.archive(t, about, spec)
	o := winnow.Options{Threshold: spec.Threshold}
	looked, err := winnow.Look(pages, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := suggest.Propose(suggest.Of(pages, suggest.Stands(pages, &o), &looked, &o), suggest.Options{Spec: spec})
	if err != nil {
		t.Logf("%s: %v (%s)", about.Name, err, looked.Refused)
		return &suggest.Result{}, found
	}
	return r, found
}

// What four of the terms of a topic reach when every suggestion is taken, twice, beside all of its terms.
func TestSuggestionsOverRecordedWebs(t *testing.T) {
	for _, name := range []string{"webkb", "zh_portals"} {
		t.Run(name, func(t *testing.T) {
			w := openRecorded(t, name)
			var out strings.Builder
			fmt.Fprintf(&out, "%-18s %6s %6s %6s | %6s %6s\n", name, "four", "once", "twice", "all", "better")
			var sum [5]float64
			for _, about := range w.Topics() {
				var f1 [5]float64
				spec := topic.Defaults()
				spec.Content = "main_text"
				terms := func(list []string) (all []topic.Term) {
					for _, s := range list {
						all = append(all, topic.Term{Term: s, Weight: 1})
					}
					return all
				}
				spec.Terms = terms(about.Terms[:4])
				for round := range 3 {
					r, found := w.suggestions(t, about, spec)
					f1[round] = found.F1()
					tell(t, about.Name, round, &found, r)
					spec.Terms = better(spec.Terms, r)
				}
				spec.Terms = terms(about.Terms)
				for round := range 2 {
					r, found := w.suggestions(t, about, spec)
					f1[3+round] = found.F1()
					tell(t, about.Name+" all", round, &found, r)
					spec.Terms = better(spec.Terms, r)
				}
				fmt.Fprintf(&out, "%-18s %6.3f %6.3f %6.3f | %6.3f %6.3f\n", about.Name, f1[0], f1[1], f1[2], f1[3], f1[4])
				for i := range sum {
					sum[i] += f1[i] / float64(len(w.Topics()))
				}
			}
			fmt.Fprintf(&out, "%-18s %6.3f %6.3f %6.3f | %6.3f %6.3f\n", "mean", sum[0], sum[1], sum[2], sum[3], sum[4])
			t.Log("F1 of the first look over all pages\n" + out.String())
			if sum[2] < .9*sum[3] {
				t.Errorf("with four terms and every suggestion, twice, F1 is %.3f, want nine tenths of %.3f", sum[2], sum[3])
			}
			if sum[4] < sum[3]-.01 {
				t.Errorf("with every suggestion to all terms F1 falls from %.3f to %.3f", sum[3], sum[4])
			}
		})
	}
}

func tell(t *testing.T, name string, round int, found *learn.Confusion, r *suggest.Result) {
	t.Helper()
	if !testing.Verbose() {
		return
	}
	var said []string
	for _, s := range r.Suggestions {
		said = append(said, fmt.Sprintf("%s %+.2g (%s %.0f/%.0f%% +%d-%d)", s.Term, s.Weight, s.Why, 100*s.Sure, 100*s.Foreign, s.In, s.Out))
	}
	t.Logf("%s %d: P %.3f R %.3f F1 %.3f; sure %d foreign %d: %s", name, round, found.Precision(), found.Recall(), found.F1(), r.Sure, r.Foreign, strings.Join(said, ", "))
}
