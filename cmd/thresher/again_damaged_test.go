package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// damagedRounds damages what rounds have left, file by file: it is refused with the command that helps, which is that of the run, and
// that helps; nothing of what is kept is lost, and the next round is the next.
func damagedRounds(t *testing.T, w *changingWeb) {
	t.Helper()
	was := keptByPath(t, w)
	spoil := func(raw []byte) []byte { return append([]byte("{\x00"), raw[2:]...) }
	cut := func(raw []byte) []byte { return raw[:len(raw)-3] }
	for _, c := range []struct {
		file   string
		change func([]byte) []byte // nil takes it away
	}{
		{"visits.jsonl", cut}, {"links.json", spoil}, {"look.jsonl", nil}, {"visits.jsonl", nil}, {"harvest.jsonl", spoil},
	} {
		path := filepath.Join("runs", "boats", "again", c.file)
		if c.change == nil {
			remove(t, path)
		} else {
			damage(t, path, c.change)
		}
		command := []string{"crawl", "boats.yaml", "--again"}
		if c.file == "look.jsonl" {
			command = []string{"winnow"}
		}
		code, _, errs := thresher(t, command...)
		if code != exitFailed || !strings.Contains(errs, path) || !strings.Contains(errs, "'thresher repair --run runs/boats' goes on with what is left") {
			t.Errorf("%s: %v: exit %d: %s", path, command, code, errs)
		}
		if said := must(t, "repair"); !strings.Contains(said, "damaged: "+path) || strings.Contains(said, "thresher repair") {
			t.Errorf("%s: repair says %s", path, said)
		}
		must(t, "winnow")
		now := keptByPath(t, w)
		for path, r := range was {
			if s := now[path]; s == nil || s.ID != r.ID || s.Text != r.Text || !s.LastSeen.Equal(r.LastSeen) || s.Gone != r.Gone {
				t.Errorf("%s: of %s is kept %.60v, was %.60v", c.file, path, s, r)
			}
		}
	}
	replies(t, exitDone, "nothing is damaged", "repair")
	out := must(t, "crawl", "boats.yaml", "--again", "--quiet")
	if !strings.Contains(out, "boats, round 5: ") || strings.Contains(out, "new and kept") || len(keptByPath(t, w)) != len(was) {
		t.Errorf("the next round says %s", out)
	}
}
