package focus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
)

// One byte that is changed in what a run has written down of its links is never passed over in silence. Who reads the run
// is answered as if it were sound, or told the file, the byte and the command; a crawl is not gone on with before it is repaired,
// and then comes to its end.
func TestNoChangedByteOfAStateIsPassedOver(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a run some hundred times")
	}
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 25
	crawled(t, context.Background(), config, nil)
	sound, dir := answers(t, config.Store), config.Store
	path := filepath.Join(dir, run.FileState, "log-000001")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	told, end := 0, len(whole)-100 // behind it stands what closes the log
	for n, at := 0, 3; at < end; n, at = n+1, at+end/17 {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 0x20
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		for who, answer := range answers(t, dir) {
			if err, failed := answer.(error); failed {
				told++
				namesDamage(t, who, err, path, at)
			} else if answer != sound[who] {
				t.Errorf("byte %d of %d: %s says %v, and of the sound run %v", at, len(whole), who, answer, sound[who])
			}
		}
		_, err := NewWith(config)
		namesDamage(t, "crawl", err, path, at)
		if n%8 == 0 {
			repairAndGoOn(t, config, at)
		}
	}
	if told == 0 {
		t.Error("no byte mattered to anybody")
	}
}

// answers are what the commands that read the state of a run answer.
func answers(t *testing.T, dir string) map[string]any {
	t.Helper()
	r, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	if links, _, err := r.Waiting(); err != nil {
		all["list frontier"] = err
	} else {
		all["list frontier"] = fmt.Sprint(links)
	}
	for _, address := range []string{"http://daily.example/", "http://www.ribao.example/"} {
		all["why "+address] = whyOf(r, address)
	}
	err = r.Log(func(d *run.Decision) bool {
		if d.Decision == "push" && d.ID%31 == 0 {
			all["why "+d.URL] = whyOf(r, d.URL)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func whyOf(r *run.Run, address string) any {
	w, err := r.Why(address)
	if err != nil {
		return err
	}
	return fmt.Sprintf("%v %v %+v, %+v", w.Fate, w.Reason, *w.Last(), w.Trail)
}

// namesDamage tells whether an error says where the damage is, and what to do.
func namesDamage(t *testing.T, who string, err error, path string, at int) {
	t.Helper()
	var bad *disk.DamageError
	if !errors.As(err, &bad) || bad.File != path || bad.Offset > int64(at) ||
		!strings.Contains(err.Error(), "thresher repair --run ") {
		t.Errorf("byte %d changed: %s says %v", at, who, err)
	}
}

// repairAndGoOn repairs a copy of a run, and crawls on to its end.
func repairAndGoOn(t *testing.T, config Setting, at int) {
	t.Helper()
	dir := config.Store
	config.Store = filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(config.Store, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	done, err := Repair(config.Store)
	if err != nil || done.Sound || len(done.Damage) == 0 || done.Lost > 0 {
		t.Fatalf("byte %d: %+v, %v", at, done, err)
	}
	config.Budget.Pages = 45
	if report := crawled(t, context.Background(), config, nil); !report.Finished || report.Counts.Pages != 45 {
		t.Errorf("byte %d: %d pages, %s", at, report.Counts.Pages, report.Reason)
	}
	if done, err := Repair(config.Store); err != nil || !done.Sound {
		t.Errorf("byte %d: repaired and ended, and yet %+v, %v", at, done, err)
	}
}
