package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestHowFarSomethingIs: what takes more than a second shows on a terminal how far it is, in a line that is cleared at the end; into a pipe
// nothing is written, and of what is done at once nothing is shown.
func TestHowFarSomethingIs(t *testing.T) {
	screen, err := os.Create(filepath.Join(t.TempDir(), "screen"))
	noError(t, err)
	defer screen.Close()
	c := countingOn(screen)
	c.progress.screen = screen // as if it were a terminal
	c.show("%d pages read", 1)
	c.done()
	c.next, c.every = time.Time{}, time.Hour
	c.show("%d pages read", 20)
	c.show("%d pages read", 21) // it has just been shown
	c.done()
	c.done()
	if said := mustRead(t, screen.Name()); said != clearLine+"20 pages read"+clearLine {
		t.Errorf("a terminal shows %q", said)
	}
	var pipe bytes.Buffer
	c = countingOn(&pipe)
	c.next = time.Time{}
	c.show("%d pages read", 20)
	if c.done(); pipe.Len() > 0 {
		t.Errorf("into a pipe it writes %q", pipe.String())
	}
}

// TestAnExportShowsHowFarItIs: the line stands where the terminal is, and never among pages that are written there.
func TestAnExportShowsHowFarItIs(t *testing.T) {
	files(t, "run/kept.jsonl", `{"id":1,"url":"http://a.example.com/","final_url":"http://a.example.com/","title":"Tea","text":"tea"}`+"\n")
	s := newScreen(t)
	for out, want := range map[string]bool{"pages.jsonl": true, "": false} {
		f := exportFlags{to: "jsonl", out: out}
		if f.counted(s.slave, s.slave); (f.far.screen != nil) != want {
			t.Errorf("--out %q on a terminal: the line is shown: %v", out, !want)
			continue
		}
		f.far.next = time.Time{}
		leaves, total, err := f.leaves([]string{"run"})
		if f.far.done(); err != nil || len(leaves) != 1 || total != 1 || f.far.shown {
			t.Errorf("%d of %d pages, %v", len(leaves), total, err)
		}
	}
	s.see(clearLine + "1 page read" + clearLine)
}
