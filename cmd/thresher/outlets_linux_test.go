package main

import (
	"strings"
	"testing"
)

// TestTheLiveLineSteersByItselfAlone: on a terminal nothing stands beside the line's own way back but plain text.
func TestTheLiveLineSteersByItselfAlone(t *testing.T) {
	steering(t)
	s := newScreen(t)
	noError(t, <-s.run("crawl", "steers.yaml"))
	s.mu.Lock()
	for !strings.Contains(s.shown, isOver) {
		s.more.Wait()
	}
	shown, _, _ := strings.Cut(s.shown, isOver)
	s.mu.Unlock()
	if !strings.Contains(shown, clearLine) || !strings.Contains(shown, "solar") {
		t.Fatalf("there is no live line, or no page: %q", shown)
	}
	steersNot(t, "the screen", strings.ReplaceAll(shown, clearLine, ""))
}
