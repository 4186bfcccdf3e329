// Package ask answers one question: where does the search for an answer begin?
//
// A question becomes the topic of a small crawl. It begins at what an earlier run knows: the pages that answer best, the front pages
// of their sites, and the links that wait and speak of the question. The earlier run is only read.
package ask

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// The bounds of what is asked for at once.
const (
	MostPages   = 1000
	MostSeconds = 900
	longest     = 300 // characters of a question
)

// Known is a page that an earlier run kept and that answers the question.
type Known struct {
	URL       string  `json:"url"`
	Title     string  `json:"title"`
	Relevance float64 `json:"relevance"`
}

// Plan is a crawl for a question.
type Plan struct {
	Config crawlfile.Config
	Known  []Known    // the best first
	out    run.Orders // hosts that the run asks nothing, of which a page that it has kept may be known all the same
}

// Make plans a crawl of so many more pages: by the manners, the web and the scope of a crawl file, and for the question in the place
// of its topic. folders are those of a run of it; without any it begins at the seeds of the file, which the caller may replace. store
// is where it is kept; empty is a folder named after the question.
func Make(ctx context.Context, base crawlfile.Config, folders []string, question, store string, pages int) (*Plan, error) {
	question = strings.Join(strings.Fields(question), " ")
	if question == "" || len([]rune(question)) > longest {
		return nil, fmt.Errorf("the question has %d characters, want 1 to %d", len([]rune(question)), longest)
	}
	p := &Plan{Config: base}
	c, usual := &p.Config, crawlfile.Default()
	c.Name = base.Name + ": " + question
	c.Topic, c.Strategy, c.Learn, c.Sinks = usual.Topic, usual.Strategy, usual.Learn, usual.Sinks
	c.Topic.Language, c.Topic.About = "auto", question
	c.Engines, c.Directories, c.Extract = nil, nil, nil // what a page of the crawl must have, an answer need not
	c.SecondLook, c.Metrics = "off", ""
	if c.Store = store; store == "" {
		c.Store = Folder(base.Name, question)
	}
	c.Budget = crawlfile.BudgetConfig{Pages: pages}
	if before, err := run.ReadStanding(c.Store); err == nil {
		if strings.EqualFold(before.Name, c.Name) { // as it was asked the first time, which is what the run there is for
			c.Name, c.Topic.About = before.Name, strings.TrimPrefix(before.Name, base.Name+": ")
		} else {
			return nil, fmt.Errorf("%s holds another run, %q: give another folder", c.Store, before.Name)
		}
		c.Budget.Pages += before.Pages
	}
	strategy, err := c.LoadStrategy(c.Factors)
	if err != nil {
		return nil, err
	}
	about, err := probe.Topic(c, strategy, nil)
	if err != nil {
		return nil, fmt.Errorf("nothing can be looked for by %q: %w", question, err)
	}
	return p, p.begin(ctx, about, folders, pages)
}

// Folder is where what is found for a question stays, the same for the same question.
func Folder(name, question string) string {
	words := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	said := []rune(strings.Join(words, "-"))
	sum := sha256.Sum256([]byte(name + "\n" + strings.ToLower(question)))
	return filepath.Join("runs", fmt.Sprintf("ask-%s-%x", string(said[:min(len(said), 30)]), sum[:3]))
}

// Is tells of a folder of Folder's name that it holds the answers to a question.
func Is(dir string) bool {
	name := filepath.Base(filepath.Clean(dir))
	if !strings.HasPrefix(name, "ask-") {
		return false
	}
	s, err := run.ReadStanding(dir)
	if err != nil {
		return false
	}
	for at := 0; ; at++ { // what a run is called may have a colon in it, too
		next := strings.Index(s.Name[at:], ": ")
		if next < 0 {
			return false
		}
		at += next
		if filepath.Base(Folder(s.Name[:at], s.Name[at+2:])) == name {
			return true
		}
	}
}

// begin finds the start pages in what a run knows.
func (p *Plan) begin(ctx context.Context, about *topic.Topic, folders []string, pages int) error {
	var links []link
	for _, folder := range folders {
		orders, err := run.ReadOrders(folder)
		if err != nil {
			return err
		}
		p.out.Blocked = append(p.out.Blocked, orders.Blocked...)
		if err := p.read(ctx, about, folder); err != nil {
			return err
		}
		more, err := waiting(about, folder)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return fmt.Errorf("read what %s knows: %w", folder, err)
		}
		links = append(links, more...)
	}
	slices.SortStableFunc(p.Known, func(a, b Known) int { return cmp.Compare(b.Relevance, a.Relevance) })
	slices.SortStableFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(b.terms, a.terms), cmp.Compare(b.said, a.said), cmp.Compare(b.promise, a.promise))
	})
	links = slices.DeleteFunc(links, func(l link) bool { return p.out.KeepOut(l.url) })
	best := max(3, pages/8)
	begin := p.starts(best)
	p.Known = p.Known[:min(len(p.Known), best)]
	for _, l := range links[:min(len(links), max(4, pages/4))] {
		if !slices.Contains(begin, l.url) {
			begin = append(begin, l.url)
		}
	}
	if len(begin) > 0 {
		p.Config.Seeds = begin
	}
	return nil
}

// starts are the best of the known pages that may be asked for, and the front pages of their sites.
func (p *Plan) starts(most int) []string {
	var begin, fronts []string
	for _, k := range p.Known {
		if len(begin) == most {
			break
		}
		if p.out.KeepOut(k.URL) || slices.Contains(begin, k.URL) {
			continue
		}
		begin = append(begin, k.URL)
		if u, err := url.Parse(k.URL); err == nil {
			fronts = append(fronts, u.Scheme+"://"+u.Host+"/")
		}
	}
	for _, front := range fronts {
		if !slices.Contains(begin, front) {
			begin = append(begin, front)
		}
	}
	return begin
}

// KeepOut has the crawl of the plan ask nothing of the hosts that the run asks nothing, by whatever way it comes to them: it lies in a
// folder of its own, which knows nothing of that by itself. It comes when the crawl is made, and before it runs.
func (p *Plan) KeepOut() error {
	orders, err := run.ReadOrders(p.Config.Store)
	if err != nil {
		return err
	}
	more := slices.DeleteFunc(p.out.Blocked, func(host string) bool { return slices.Contains(orders.Blocked, host) })
	if len(more) > 0 {
		_, err = run.Block(p.Config.Store, more, false)
	}
	return err
}

// The position of titles, as package page numbers them.
const titlePosition = 6

// read judges what a folder keeps.
func (p *Plan) read(ctx context.Context, about *topic.Topic, folder string) error {
	if names, err := sink.HarvestFiles(folder); !sink.HasKept(folder) && (err != nil || len(names) == 0) {
		return err
	}
	for r, err := range sink.Kept(folder) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return fmt.Errorf("read what %s knows: %w", folder, err)
		}
		j := about.Judge(&text.Doc{Segments: []text.Segment{{Text: r.Title, Position: titlePosition}, {Text: r.Text}}})
		if j.Relevant {
			p.Known = append(p.Known, Known{r.FinalURL, r.Title, j.Relevance})
		}
	}
	return nil
}

// link is a link that waits and speaks of the question.
type link struct {
	url     string
	terms   int     // of the question that it has
	said    float64 // what the judge makes of its words
	promise float64 // by the run
}

// waiting are the links of a run that speak of the question.
func waiting(about *topic.Topic, folder string) ([]link, error) {
	ran, err := run.Open(folder)
	if err != nil {
		return nil, err
	}
	all, _, err := ran.Waiting()
	if err != nil {
		return nil, err
	}
	var links []link
	for _, l := range all {
		j := about.Judge(&text.Doc{Segments: []text.Segment{{Text: l.Anchor + " " + words(l.URL)}}})
		n := 0
		for _, t := range j.Terms {
			if t.Added > 0 {
				n++
			}
		}
		if n > 0 {
			links = append(links, link{l.URL, n, j.Raw, l.Score})
		}
	}
	return links, nil
}

// words are the words of an address behind its host.
func words(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.Join(strings.FieldsFunc(u.Path+" "+u.RawQuery, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// ErrNoStart: nothing is known where the search could begin.
var ErrNoStart = errors.New("there is nothing to begin at: the run has no page and no link that speaks of it, and its crawl file has no seeds")
