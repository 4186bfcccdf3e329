package sink

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The keys of all pages are read off what their lines begin with: of long lines, of one behind the blanks that a repair leaves, and
// not of one that is still being written.
func TestTheKeysOfAllPages(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLooks(dir, LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 30, Rotate: 300_000})
	if err != nil {
		t.Fatal(err)
	}
	want := map[uint64]uint32{}
	for n := range 20 {
		s := seenPage(n+1, .5)
		s.Keys = append(s.Keys, uint64(n)<<40+1)
		if n%3 == 0 {
			s.Record.Text = strings.Repeat("a long text ", 20_000)
		}
		for _, k := range s.Keys {
			want[k] = uint32(len(want))
		}
		if err := l.Take(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "look.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mended := strings.Repeat(" ", 100<<10) + string(text) + `{"relevance":0.5,"kept":true,"keys":[77],"li`
	if err := os.WriteFile(name, []byte(mended), 0o600); err != nil {
		t.Fatal(err)
	}
	have := map[uint64]uint32{}
	if err := LookKeys(dir, have); err != nil || !maps.Equal(have, want) {
		t.Errorf("%d keys, %v, want %d", len(have), err, len(want))
	}
	if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := LookKeys(dir, have); err == nil || !strings.Contains(err.Error(), "look.jsonl line 1: it has no record") {
		t.Errorf("of a line that is no page it says %v", err)
	}
	if err := LookKeys(t.TempDir(), have); err != nil {
		t.Errorf("a folder without pages: %v", err)
	}
}
