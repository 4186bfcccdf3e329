package winnow

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// FileFigures is the file of a run folder that says how much of the topic its harvest has.
const FileFigures = "figures.json"

// Figures say how much of the topic a harvest has, as far as anybody knows.
type Figures struct {
	Audit   *audit.Figures `json:"audit"`             // of what is kept now, by somebody's answers; null where nobody was asked
	Audited string         `json:"audited,omitempty"` // the harvest that was audited
}

// ReadFigures reads what is known of a run: nothing, where nothing was written.
func ReadFigures(dir string) (*Figures, error) {
	f := &Figures{}
	path := filepath.Join(dir, FileFigures)
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; delete it, and winnow and label --audit write it again", path, err)
	}
	return f, nil
}

// fingerprint tells a harvest from another.
func fingerprint(kept map[uint64]bool) string {
	h := fnv.New64a()
	for _, id := range slices.Sorted(maps.Keys(kept)) {
		fmt.Fprintln(h, id) // it cannot fail
	}
	return fmt.Sprintf("%d-%016x", len(kept), h.Sum64())
}

// renew leaves out what is said of another harvest than the one that is kept now.
func (f *Figures) renew(folders []string) error {
	kept, err := keptOf(folders)
	if err == nil && f.Audited != fingerprint(kept) {
		f.Audit, f.Audited = nil, ""
	}
	return err
}

// write writes the figures into a run folder, and into the reports of its folders.
func (f *Figures) write(dir string, folders []string, chinese bool) error {
	raw, err := json.MarshalIndent(f, "", "  ")
	if err == nil {
		err = whole.Write(filepath.Join(dir, FileFigures), append(raw, '\n'))
	}
	for _, folder := range folders {
		if err == nil {
			err = measure.WritePart(filepath.Join(folder, "report.html"), measure.PartFigures, f.sections(chinese))
		}
	}
	return err
}

// sections are what a report says of the figures.
func (f *Figures) sections(chinese bool) []measure.Section {
	say := func(en, zh string) string {
		if chinese {
			return zh
		}
		return en
	}
	var sections []measure.Section
	if a := f.Audit; a != nil {
		t := &measure.Table{Head: []string{say("figure", "指标"), say("estimate", "估计"), say("from", "下限"), say("to", "上限")}}
		add := func(name string, i *audit.Interval, form string) {
			if i != nil {
				t.Rows = append(t.Rows, []string{name, fmt.Sprintf(form, i.Estimate), fmt.Sprintf(form, i.Low), fmt.Sprintf(form, i.High)})
			}
		}
		add(say("precision", "准确率"), a.Precision, "%.2f")
		add(say("recall of what was fetched", "已抓取网页的召回率"), a.Recall, "%.2f")
		add(say("relevant pages fetched and not kept", "已抓取但未保留的相关网页"), &a.Missed, "%.0f")
		sections = append(sections, measure.Section{Title: say("Audit", "抽检"), Text: fmt.Sprintf(say(
			"Somebody answered for %d pages that were drawn by lot from the %d that were judged; the intervals are 95 %% ones.",
			"从 %[2]d 个已判定的网页中随机抽取了 %[1]d 个，由人判断；区间的置信度为 95%%。"), a.Asked, a.Pages), Table: t})
	}
	return sections
}
