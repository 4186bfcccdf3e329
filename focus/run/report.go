package run

import (
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

// Ending is what report.html tells of a crawl that has ended.
type Ending struct {
	Name, Strategy, Reason string
	Counts                 ledger.Counts
	Hosts                  map[string]ledger.Host
	Waiting                int
	Chinese                bool // it is told in Chinese
}

// WriteReport makes report.html: the curve, the hosts, the refusals.
func (f *Folder) WriteReport(e *Ending) error {
	path := filepath.Join(f.Dir, fileReport)
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	page := e.report()
	if e.Chinese {
		page.In("zh", reportChinese)
	}
	if err := page.HTML(file); err != nil {
		file.Close()
		return fmt.Errorf("write %s: %w", path, err)
	}
	return file.Close()
}

func (e *Ending) report() measure.Report {
	counts := &e.Counts
	page := measure.Report{Title: e.Name, Facts: []measure.Fact{
		{Name: "strategy", Value: e.Strategy}, {Name: "pages", Value: fmt.Sprint(counts.Pages)}, {Name: "relevant", Value: fmt.Sprint(counts.Relevant)},
		{Name: "harvest", Value: fmt.Sprintf("%.1f %%", 100*counts.Harvest())}, {Name: "kept", Value: fmt.Sprint(counts.Kept)},
		{Name: "links waiting", Value: fmt.Sprint(e.Waiting)}, {Name: "stopped because", Value: e.Reason},
	}}
	curve := measure.Line{Name: e.Strategy}
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
		measure.Section{Title: "Hosts", Table: e.hostTable()},
		measure.Section{Title: "Links refused", Table: e.tallyTable(counts.Refused)},
		measure.Section{Title: "Pages not kept", Table: e.tallyTable(counts.Dropped)})
	return page
}

// shownHosts is how many hosts a report shows.
const shownHosts = 50

func (e *Ending) hostTable() *measure.Table {
	t := &measure.Table{Head: []string{"host", "pages", "relevant", "harvest"}}
	hosts := slices.Collect(maps.Keys(e.Hosts))
	sort.Slice(hosts, func(i, j int) bool {
		a, b := e.Hosts[hosts[i]], e.Hosts[hosts[j]]
		if a.Relevant != b.Relevant {
			return a.Relevant > b.Relevant
		}
		return a.Pages > b.Pages || a.Pages == b.Pages && hosts[i] < hosts[j]
	})
	for _, h := range hosts[:min(len(hosts), shownHosts)] {
		n := e.Hosts[h]
		t.Rows = append(t.Rows, []string{h, fmt.Sprint(n.Pages), fmt.Sprint(n.Relevant), fmt.Sprintf("%.1f %%", 100*n.Harvest())})
	}
	return t
}

func (e *Ending) tallyTable(tally admit.Tally) *measure.Table {
	t := &measure.Table{Head: []string{"reason", "how many"}}
	for _, reason := range slices.Clip(tally.Sorted()) {
		name := reason.Sentence()
		if e.Chinese {
			name = reason.Chinese()
		}
		t.Rows = append(t.Rows, []string{name, fmt.Sprint(tally[reason])})
	}
	return t
}

// reportChinese are the words of report.html in Chinese.
var reportChinese = map[string]string{
	"strategy": "策略", "pages": "网页数", "relevant": "相关网页", "harvest": "收获率", "kept": "保存", "links waiting": "待访问链接",
	"stopped because": "停止原因", "every page relevant": "每页都相关", "pages fetched": "已抓取网页", "relevant pages": "相关网页数",
	"Harvest": "收获", "Hosts": "主机", "host": "主机", "Links refused": "被拒绝的链接", "Pages not kept": "未保存的网页",
	"reason": "原因", "how many": "数量", "nothing more to visit": "没有更多网页可访问",
	"the budget of # pages is used up": "# 页的预算已用完", "# relevant pages were found": "已找到 # 个相关网页", StoppedByUser: "用户停止",
}
