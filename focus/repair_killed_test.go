package focus

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// damagedEverywhere is a run whose journal, snapshot, log, harvest and WARC file are damaged in the middle, and in which an address
// waits to be taken in.
func damagedEverywhere(t *testing.T, config Config, to string) {
	t.Helper()
	image(t, config.Store, to)
	spoil := func(name string, where func(raw []byte) int) {
		path := filepath.Join(to, name)
		raw, err := os.ReadFile(path)
		if err == nil {
			raw[where(raw)] ^= 0x20
			err = os.WriteFile(path, raw, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	middle := func(raw []byte) int { return len(raw) / 2 }
	spoil(filepath.Join(fileState, "log-000001"), middle)
	spoil(filepath.Join(fileState, "snapshot-000001"), middle)
	spoil(fileLog, func(raw []byte) int { return len(raw)/2 + bytes.IndexByte(raw[len(raw)/2:], '\n') + 1 })
	spoil("harvest.jsonl", func(raw []byte) int { return bytes.IndexByte(raw, '\n') + 1 })
	spoil("pages-0000.warc.gz", middle)
	if err := os.WriteFile(filepath.Join(to, fileState, fileInjected), []byte("http://daily.example/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A repair that is killed after any of its steps is ended by the next one: the run is as if it had not been killed, and the
// pages that are lost are named all the same. Until then no crawl goes on with it.
func TestARepairThatIsKilledIsEnded(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	config.Budget.Pages = 30
	crawled(t, context.Background(), config, nil)
	left := func(dir string) string {
		var all []string
		for _, name := range []string{fileLog, "harvest.jsonl", "pages-0000.warc.gz", filepath.Join(fileState, fileInjected)} {
			raw, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(raw))
		}
		return strings.Join(all, "\x00")
	}
	named := func(done *Repaired) string {
		var all []string
		for _, file := range []string{done.MissingFile, done.UnarchivedFile} {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
			}
			all = append(all, string(raw))
		}
		return strings.Join(all, "and\n")
	}
	whole := filepath.Join(t.TempDir(), "run")
	damagedEverywhere(t, config, whole)
	var steps []string
	want := Repaired{killed: func(step string) error { steps = append(steps, step); return nil }}
	if err := want.repair(whole); err != nil || len(want.Missing) != 1 || len(want.Unarchived) != 1 {
		t.Fatalf("%+v, %v", want, err)
	}
	if len(steps) < 12 || underRepair(whole) || !slices.Contains(steps, "salvaged") {
		t.Fatalf("steps: %q", steps)
	}
	killed := errors.New("killed")
	for n, step := range steps {
		run := filepath.Join(t.TempDir(), "run")
		damagedEverywhere(t, config, run)
		at := 0
		first := Repaired{killed: func(string) error {
			if at++; at > n {
				return killed
			}
			return nil
		}}
		if err := first.repair(run); !errors.Is(err, killed) {
			t.Fatalf("killed after step %d, %s: %v", n, step, err)
		}
		crawl := config
		crawl.Store, crawl.Budget.Pages = run, 60
		if c, err := New(crawl); err == nil || !strings.Contains(err.Error(), "thresher repair --run "+run) {
			t.Errorf("a crawl after step %d, %s: %v", n, step, err)
			c.Close()
		}
		done, err := Repair(run)
		if err != nil || done.Ended == "" || done.Sound {
			t.Fatalf("ended after step %d, %s: %+v, %v", n, step, done, err)
		}
		if left(run) != left(whole) {
			t.Errorf("killed after step %d, %s: the files are not those of a repair that was not killed", n, step)
		}
		if have := named(&done); have != named(&want) {
			t.Errorf("killed after step %d, %s: missing are\n%swant\n%s", n, step, have, named(&want))
		}
		if done, err := Repair(run); err != nil || !done.Sound {
			t.Errorf("repaired again after step %d, %s: %+v, %v", n, step, done, err)
		}
	}
}
