package compare

import (
	"fmt"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/study"
)

// jury labels the pages of webs that have no labels, by a judge that was trained on other material. A nil jury labels
// nothing.
type jury struct {
	*study.Jury
	file   string
	shared bool     // it may be the crawls' own judge
	shares []string // where it was allowed not to be independent, and is not

	mu    sync.Mutex
	known map[*graph]map[int]bool
}

func newJury(file string, shared bool) (*jury, error) {
	if file == "" {
		return nil, nil
	}
	j, err := study.NewJury(file)
	if err != nil {
		return nil, misuse("%v", err)
	}
	return &jury{Jury: j, file: file, shared: shared, known: map[*graph]map[int]bool{}}, nil
}

// needsJury refuses a model that would judge nothing, because all webs have labels.
func (r *runner) needsJury() error {
	if r.jury == nil {
		return nil
	}
	for _, web := range r.webs {
		if web.Labelled() == 0 {
			return nil
		}
	}
	return misuse("--judge-model %s labels webs that have no labels, and all of these have some: leave it out, or try it on a copy without labels.tsv", r.jury.file)
}

// relevant judges a page of a web, once.
func (j *jury) relevant(g *graph, n int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.known[g] == nil {
		j.known = map[*graph]map[int]bool{g: {}} // webs come one after the other
	}
	said, ok := j.known[g][n]
	if !ok {
		if p, err := g.read.Page(g.address[n]); err == nil {
			said = j.Relevant(p)
		}
		j.known[g][n] = said
	}
	return said
}

// independent refuses to let a crawl be measured by its own judge, unless that was allowed.
func (j *jury) independent(k *task, c *focus.Config) error {
	if j == nil || j.shared || k.web.Labelled() > 0 || !c.Topic.Trained() {
		return nil
	}
	why, err := j.Shares(c)
	if err == nil && why != "" {
		err = j.refusal(why)
	}
	return err
}

func (j *jury) refusal(why string) error {
	return fmt.Errorf("the judge %s is not independent: %s; give another, or allow it with --shared-judge", j.file, why)
}

// strange refuses to label pages that the judge was trained on, or that are on hosts it was trained on, unless that was
// allowed; then the report says so.
func (j *jury) strange(k *task) error {
	if j == nil || k.web.Labelled() > 0 {
		return nil
	}
	var met study.Encounter
	for n, near := range k.near {
		if near {
			p, _ := k.read.Page(k.address[n]) // what is no page has a host
			j.Meet(&met, k.address[n], p)
		}
	}
	why := met.Why()
	switch {
	case why == "":
		return nil
	case !j.shared:
		return j.refusal(why)
	}
	j.shares = append(j.shares, fmt.Sprintf("not independent on %s %s: %s", k.web.Name(), k.topic.Name, why))
	return nil
}

// about is what a report says of the jury.
func (j *jury) about() string {
	if j == nil {
		return ""
	}
	a := j.About()
	said := []string{fmt.Sprintf("%s (%s, trained on %d relevant and %d other pages; on pages it had not seen macro F1 %.3f, micro F1 %.3f, average precision %.3f)",
		j.file, a.Kind, a.Relevant, a.Other, a.MacroF1, a.MicroF1, a.AP),
		j.Provenance()}
	if j.shared {
		said = append(said, "it was allowed to be the crawls' own judge, or to have learned from their pages: what it measures then is agreement with itself")
	}
	said = append(said, j.shares...)
	return strings.Join(append(said, j.Notes()...), "; ")
}
