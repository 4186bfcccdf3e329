//go:build unix

package main

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
)

// TestAStoppedRoundSaysSo: to whoever reads the events, too, who would else wait for the last one; and it is no failure.
func TestAStoppedRoundSaysSo(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "")
	must(t, "crawl", "boats.yaml", "--quiet")
	for _, at := range []string{"/sitemap.xml", "/boats/"} {
		cmd := itself("crawl boats.yaml --again --json --set polite.delay=1s") // so that nothing is begun before the signal is heard
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		var once sync.Once
		w.mu.Lock()
		w.seen = func(path string) {
			if strings.HasPrefix(path, at) {
				once.Do(func() { _ = cmd.Process.Signal(os.Interrupt) })
			}
		}
		err := cmd.Start()
		w.mu.Unlock()
		noError(t, err)
		noError(t, cmd.Wait())
		last := ended(t, out.String())
		if last.Finished || last.Reason != "you stopped it" || last.Round != 1 || last.Folder != "runs/boats" || last.Changed+last.Same > 0 {
			t.Errorf("stopped at %s it says %s", at, out.String())
		}
		if !strings.Contains(errs.String(), "'thresher crawl boats.yaml --again' goes on with it") {
			t.Errorf("stopped at %s it says %s", at, errs.String())
		}
	}
}

// TestARoundOfAnotherVersion: a round under way that another version began, by other settings than this one would, is refused in a line that
// harms nothing, and does what it says: the run stays, and a new round begins.
func TestARoundOfAnotherVersion(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "")
	must(t, "crawl", "boats.yaml", "--quiet")
	cmd := itself("crawl boats.yaml --again --quiet --set polite.delay=1s")
	var once sync.Once
	w.mu.Lock()
	w.seen = func(path string) {
		if strings.HasPrefix(path, "/boats/") {
			once.Do(func() { _ = cmd.Process.Signal(os.Interrupt) })
		}
	}
	err := cmd.Start()
	w.mu.Unlock()
	noError(t, err)
	noError(t, cmd.Wait())
	const round, plan = "runs/boats/again/round", "runs/boats/again/plan.json"
	said := mustRead(t, round+"/crawl.yaml")
	noError(t, os.WriteFile(round+"/crawl.yaml", []byte(strings.Replace(said, "sitemaps: true", "sitemaps: false", 1)), 0o600))
	code, out, errs := thresher(t, "crawl", "boats.yaml", "--again", "--quiet")
	if code != exitFailed || strings.Contains(errs, "--fresh") || strings.Contains(errs, "--store") ||
		!strings.Contains(errs, "the round under way in runs/boats was begun by another crawl file or another version of thresher: scope.sitemaps was false and is true; ") ||
		!strings.Contains(errs, "delete "+round+" and "+plan+", and a new round begins") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	noError(t, errors.Join(os.RemoveAll(round), os.Remove(plan)))
	if out := must(t, "crawl", "boats.yaml", "--again", "--quiet"); !strings.Contains(out, "boats, round 1: ") {
		t.Errorf("a new round: %s", out)
	}
}
