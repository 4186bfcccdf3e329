package compare

import (
	"fmt"
	"strconv"
	"time"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
)

// Pay is what people who pay for a crawl ask of it beside its area: the first pages, sites they did not know, and hours.
type Pay struct {
	First         float64            `json:"recall_100"`         // recall after the first hundred pages
	RelevantHosts float64            `json:"relevant_hosts"`     // hosts that have a relevant page, among those that can be reached
	Hosts         map[string]float64 `json:"hosts"`              // how many of them were found after 5, 10, 20, 50 % of the reach
	PerHour       map[string]float64 `json:"per_hour,omitempty"` // relevant pages per hour of virtual time until then; of crawls with manners
}

// firstPages is how many pages are the first.
const firstPages = 100

// paid reads off what a crawl found, page by page: fetched are the pages that count, -1 for a dead link, and at is when each of
// them was there, beside the beginning; empty where no manners were kept.
func (k *task) paid(s measure.Sequence, fetched []int32, at []time.Duration) Pay {
	p := Pay{First: s.Recall(firstPages), Hosts: map[string]float64{}}
	hosts := map[string]bool{}
	for n, in := range k.reach {
		if in && k.relevant[n] {
			hosts[page.Host(k.address[n])] = true
		}
	}
	p.RelevantHosts = float64(len(hosts))
	clear(hosts)
	found := make([]int, len(fetched)+1)
	for i, n := range fetched {
		if n >= 0 && k.relevant[n] {
			hosts[page.Host(k.address[n])] = true
		}
		found[i+1] = len(hosts)
	}
	for _, share := range shares {
		key, n := strconv.Itoa(share), min(s.At(float64(share)/100), len(fetched))
		p.Hosts[key] = float64(found[n])
		if len(at) == 0 {
			continue
		}
		if p.PerHour == nil {
			p.PerHour = map[string]float64{}
		}
		p.PerHour[key] = 0
		if n > 0 && at[n-1] > 0 {
			p.PerHour[key] = float64(s.Found(n)) / at[n-1].Hours()
		}
	}
	return p
}

// meanPay is the mean of several.
func meanPay(cells []Cell) Pay {
	of := func(figure func(*Cell) float64) float64 { return measure.Mean(across(cells, figure)) }
	mean := Pay{First: of(func(c *Cell) float64 { return c.First }), RelevantHosts: of(func(c *Cell) float64 { return c.RelevantHosts }),
		Hosts: meanShares(cells, func(c *Cell) map[string]float64 { return c.Hosts })}
	if cells[0].PerHour != nil {
		mean.PerHour = meanShares(cells, func(c *Cell) map[string]float64 { return c.PerHour })
	}
	return mean
}

// Worst is the topic on which a strategy is least.
type Worst struct {
	Web   string  `json:"web"`
	Topic string  `json:"topic"`
	Focus float64 `json:"focus"`
}

func worst(cells []Cell) Worst {
	w := Worst{cells[0].Web, cells[0].Topic, cells[0].Focus}
	for _, c := range cells[1:] {
		if c.Focus < w.Focus {
			w = Worst{c.Web, c.Topic, c.Focus}
		}
	}
	return w
}

func (w Worst) String() string { return three(w.Focus) + " " + w.Topic }

// of parts how many there are from how many there might be.
const of = " of "

// hourly is what an hour brought until a fifth of the reach, if that is told.
func (p *Pay) hourly() string {
	if x, ok := p.PerHour["20"]; ok {
		return fmt.Sprintf("%.0f", x)
	}
	return none
}

// hosts are those that were found after a fifth of the reach, and of how many, in the words of say.
func (p *Pay) hosts(say func(string) string) string {
	if _, ok := p.Hosts["20"]; !ok {
		return none
	}
	return fmt.Sprintf("%.0f%s%.0f", p.Hosts["20"], say(of), p.RelevantHosts)
}
