package focus

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/measure"
)

// gauge keeps the meter of a run. A nil gauge keeps none.
type gauge struct {
	lines *lineFile
	meter *measure.Meter
	row   bytes.Buffer
}

func openGauge(path string) (*gauge, error) {
	lines, err := openLines(path)
	if err != nil {
		return nil, err
	}
	g := &gauge{lines: lines}
	if g.meter, err = measure.NewMeter(&g.row); err == nil {
		err = g.meter.Flush()
	}
	if err == nil && lines.size() == 0 {
		err = lines.write(g.row.Bytes()) // the names of the columns
	}
	if err != nil {
		lines.close()
		return nil, err
	}
	return g, nil
}

// read takes down how the crawl stands after a page.
func (g *gauge) read(v *Visit, c *ledger.Counts, waiting int) error {
	if g == nil {
		return nil
	}
	r := measure.Reading{Page: c.Pages, Relevant: c.Relevant, Kept: c.Kept, Waiting: waiting, Harvest: c.Harvest(), Recent: c.Recent(),
		Relevance: math.NaN(), Host: v.Item.Host}
	if v.Page != nil {
		r.Relevance = v.Judgement.Relevance
	}
	g.row.Reset()
	if err := errors.Join(g.meter.Write(r), g.meter.Flush()); err != nil { // into memory
		return fmt.Errorf("focus: meter: %w", err)
	}
	return g.lines.write(g.row.Bytes())
}

// Close writes what is gathered.
func (g *gauge) Close() error {
	if g == nil {
		return nil
	}
	return g.lines.close()
}

// writeReport makes report.html: the curve, the hosts, the refusals.
func (c *Crawler) writeReport(r *Report) error {
	if c.folder == nil {
		return nil
	}
	path := filepath.Join(c.folder.dir, fileReport)
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("focus: report: %w", err)
	}
	page := c.reportOf(r)
	if c.config.Chinese() {
		page.In("zh", reportChinese)
	}
	if err := page.HTML(file); err != nil {
		file.Close()
		return fmt.Errorf("focus: write %s: %w", path, err)
	}
	return file.Close()
}

func (c *Crawler) reportOf(r *Report) measure.Report {
	counts := &r.Counts
	page := measure.Report{Title: r.Name, Facts: []measure.Fact{
		{Name: "strategy", Value: r.Strategy}, {Name: "pages", Value: fmt.Sprint(counts.Pages)}, {Name: "relevant", Value: fmt.Sprint(counts.Relevant)},
		{Name: "harvest", Value: fmt.Sprintf("%.1f %%", 100*counts.Harvest())}, {Name: "kept", Value: fmt.Sprint(counts.Kept)},
		{Name: "links waiting", Value: fmt.Sprint(r.Waiting)}, {Name: "stopped because", Value: r.Reason},
	}}
	curve := measure.Line{Name: r.Strategy}
	all := measure.Line{Name: "every page relevant", Faint: true, X: []float64{0, float64(counts.Pages)}, Y: []float64{0, float64(counts.Pages)}}
	for _, p := range counts.Curve {
		curve.X, curve.Y = append(curve.X, float64(p.Pages)), append(curve.Y, float64(p.Relevant))
	}
	most := math.Max(1, float64(counts.Relevant))
	if float64(counts.Pages) > most {
		all.X[1], all.Y[1] = most, most
	}
	chart := &measure.Chart{X: "pages fetched", Y: "relevant pages", XMax: float64(counts.Pages), YMax: most, Lines: []measure.Line{curve, all}}
	page.Sections = append(page.Sections,
		measure.Section{Title: "Harvest", Chart: chart},
		measure.Section{Title: "Hosts", Table: c.hostTable()},
		measure.Section{Title: "Links turned away", Table: c.tallyTable(counts.Refused)},
		measure.Section{Title: "Pages not kept", Table: c.tallyTable(counts.Dropped)})
	return page
}

// shownHosts is how many hosts a report shows.
const shownHosts = 50

func (c *Crawler) hostTable() *measure.Table {
	t := &measure.Table{Head: []string{"host", "pages", "relevant", "harvest"}}
	counted, _ := c.ledger.Hosts()
	hosts := slices.Collect(maps.Keys(counted))
	sort.Slice(hosts, func(i, j int) bool {
		a, b := counted[hosts[i]], counted[hosts[j]]
		if a.Relevant != b.Relevant {
			return a.Relevant > b.Relevant
		}
		return a.Pages > b.Pages || a.Pages == b.Pages && hosts[i] < hosts[j]
	})
	for _, h := range hosts[:min(len(hosts), shownHosts)] {
		n := counted[h]
		t.Rows = append(t.Rows, []string{h, fmt.Sprint(n.Pages), fmt.Sprint(n.Relevant), fmt.Sprintf("%.1f %%", 100*n.Harvest())})
	}
	return t
}

func (c *Crawler) tallyTable(tally admit.Tally) *measure.Table {
	t := &measure.Table{Head: []string{"reason", "how many"}}
	for _, reason := range slices.Clip(tally.Sorted()) {
		name := string(reason)
		if c.config.Chinese() {
			name = chinese(reason)
		}
		t.Rows = append(t.Rows, []string{name, fmt.Sprint(tally[reason])})
	}
	return t
}
