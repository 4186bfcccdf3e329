package focus_test

import (
	"fmt"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
)

// TestTheFilesOfAFolder: what a server makes of a folder is read and followed, and is not kept.
func TestTheFilesOfAFolder(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	list := "<title>Index of /solar</title><h1>Index of /solar</h1><a href=/>Parent Directory</a>"
	for i := range 5 {
		list += fmt.Sprintf(" <a href=solar-energy-panel-%d.html>Solar energy panel %d</a>", i, i)
		w.pages[fmt.Sprintf("http://a.example/solar/solar-energy-panel-%d.html", i)] = answer{status: 200,
			body: fmt.Sprintf("<title>Solar panel %d</title><p>Solar energy comes from a panel, this one is number %d.", i, i)}
	}
	w.pages["http://a.example/"] = answer{status: 200, body: "<title>Solar</title><p>Solar energy from a solar panel. <a href=/solar/>solar energy files</a>"}
	w.pages["http://a.example/solar/"] = answer{status: 200, body: list}
	config := solarConfig(t, w)
	report := crawlWith(t, config)
	kept := map[string]bool{}
	for _, r := range harvest(t, config) {
		kept[r.URL] = true
	}
	if len(kept) != 6 || kept["http://a.example/solar/"] {
		t.Errorf("kept are %v, want the start page and the five pages of the folder", kept)
	}
	if report.Counts.Dropped[admit.Refuse(admit.RefusedList, "the files of a folder")] != 1 {
		t.Errorf("not kept are %v, want one list", report.Counts.Dropped)
	}
}
