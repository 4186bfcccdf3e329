package drawn

import (
	"bytes"
	"container/heap"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// walker is as simple a crawler as can be, to see what a drawn web rewards.
type walker struct {
	t        testing.TB
	w        *replay.Web
	terms    []string
	relevant *regexp.Regexp
	scored   bool // follow the words; else in the order links were found
	pages    map[string]*page.Page
}

type waiting struct {
	address string
	score   float64
	hope    float64 // inherited
	n       int
}

// queue is what waits: the best first, and among equals the one that came first.
type queue []waiting

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].score > q[j].score || q[i].score == q[j].score && q[i].n < q[j].n
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(v any)   { *q = append(*q, v.(waiting)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// crawl fetches budget pages and answers how many of the topic were among them, and how many were fetched.
func (c *walker) crawl(seeds []string, budget int) (relevant, fetched int) {
	var q queue
	seen := map[string]bool{}
	push := func(address string, score, hope float64) {
		if recorded, ok := c.w.Has(address); ok && !seen[recorded] {
			seen[recorded] = true
			if !c.scored {
				score = 0
			}
			heap.Push(&q, waiting{recorded, score, hope, len(seen)})
		}
	}
	for _, s := range seeds {
		push(s, 1, 1)
	}
	for len(q) > 0 && fetched < budget {
		item := heap.Pop(&q).(waiting)
		p := c.read(item.address)
		fetched++
		if line, _ := c.w.Labels(item.address); c.relevant.MatchString(line + "\t") {
			relevant++
		}
		hope := 0.0
		if c.scored {
			if hope = c.relevance(p); hope < 0.2 {
				hope = item.hope / 2
			}
		}
		for _, l := range p.Links {
			push(l.URL, 0.5*hope+0.5*c.match(l.Anchor)+0.1*c.match(l.Before+l.After), hope)
		}
	}
	return relevant, fetched
}

func (c *walker) match(s string) float64 {
	s = strings.ToLower(s)
	for _, term := range c.terms {
		if strings.Contains(s, term) {
			return 1
		}
	}
	return 0
}

// relevance is how densely the terms stand on a page.
func (c *walker) relevance(p *page.Page) float64 {
	hits, length := 0, 1
	for _, r := range p.Runs {
		s := strings.ToLower(r.Text)
		length += len(s)
		for _, term := range c.terms {
			hits += strings.Count(s, term)
		}
	}
	return min(1, 50*float64(hits)/float64(length))
}

func (c *walker) read(address string) *page.Page {
	if p, ok := c.pages[address]; ok {
		return p
	}
	req, _ := http.NewRequest("GET", address, nil)
	resp, err := c.w.RoundTrip(req)
	if err != nil {
		c.t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	p := page.Parse(utf8Of(body), address, page.Options{})
	c.pages[address] = p
	return p
}

func utf8Of(body []byte) []byte {
	if utf8.Valid(body) {
		return body
	}
	var enc encoding.Encoding = simplifiedchinese.GBK
	if bytes.Contains(body, []byte("charset=big5")) {
		enc = traditionalchinese.Big5
	}
	plain, _ := enc.NewDecoder().Bytes(body)
	return plain
}

// walked are the pages of a web that some test has read.
func walked(web string) map[string]*page.Page {
	if readPages[web] == nil {
		readPages[web] = map[string]*page.Page{}
	}
	return readPages[web]
}

var readPages = map[string]map[string]*page.Page{}
