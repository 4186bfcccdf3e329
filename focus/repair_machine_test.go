package focus_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// The folder of a machine whose log has lost its end is refused with what helps, repair says the same, and that it does: the
// machine goes on in a new folder, and what it harvested before is there.
func TestTheDamagedFolderOfAMachineIsMovedAway(t *testing.T) {
	db := miniredis.RunT(t)
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	join := func(pages int) (r focus.Report, err error) {
		c := focus.Default()
		c.Name, c.Store, c.Web, c.Seeds = "shared", "redis://"+db.Addr(), web, smallSeeds
		c.Strategy.Name, c.Topic.Terms = "shark", []crawlfile.TermConfig{{Term: "sailing", Weight: 1}}
		c.Budget.Pages, c.MinFree = pages, 0
		crawler, err := focus.New(c)
		if err != nil {
			return r, err
		}
		return crawler.Run(context.Background())
	}
	if _, err := join(8); err != nil {
		t.Fatal(err)
	}
	folder := focus.Parts("runs/shared")[0]
	log := filepath.Join(folder, "crawl.log")
	if err := os.Truncate(log, 300); err != nil {
		t.Fatal(err)
	}
	helps := "mv '" + folder + "' '" + folder + ".damaged'"
	if _, err := join(12); err == nil || !strings.Contains(err.Error(), helps) || strings.Contains(err.Error(), "thresher repair") {
		t.Errorf("crawl: %v", err)
	}
	if done, err := focus.Repair(folder); err == nil || !strings.Contains(err.Error(), helps) || done.Sound {
		t.Errorf("repair: %+v, %v", done, err)
	}
	if err := os.Rename(folder, folder+".damaged"); err != nil {
		t.Fatal(err)
	}
	if r, err := join(12); err != nil || r.Counts.Pages != 12 {
		t.Errorf("in a new folder: %d pages, %v", r.Counts.Pages, err)
	}
	if parts := focus.Parts("runs/shared"); len(parts) != 2 {
		t.Errorf("folders: %v", parts)
	}
	if _, err := focus.OpenRuns("runs/shared"); err != nil {
		t.Error(err)
	}
	run := filepath.Join(folder, "state", "run.json")
	if err := os.Truncate(run, 5); err != nil {
		t.Fatal(err)
	}
	if _, err := focus.ReadStanding(folder); err == nil || !strings.Contains(err.Error(), helps) || strings.Contains(err.Error(), "thresher repair") {
		t.Errorf("standing: %v", err)
	}
}
