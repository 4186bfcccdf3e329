//go:build unix

package main

import (
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
