package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAtWorkReadsWhatWasAdded follows what is under way while it is added to, while a line is half written, and when the file is
// written anew, by this process and by the next, longer and shorter than it was, in the place of the old one.
func TestAtWorkReadsWhatWasAdded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileState, FileUnderway)
	noError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	begun := func(from, to int) (text string) {
		for i := from; i < to; i++ {
			text += Sealed(fmt.Sprintf("+ http://a.test/%d", i))
		}
		return text
	}
	half := Sealed("+ http://b.test/")
	a := NewAtWork(dir)
	for _, c := range []struct {
		what, text string
		want       int
	}{
		{"three have begun", begun(0, 3), 3},
		{"one has ended, one came too late", begun(0, 3) + Sealed("- http://a.test/1") + Sealed("~ http://a.test/2"), 1},
		{"a line is being written", begun(0, 3) + half[:9], 3},
		{"now it stands", begun(0, 3) + half, 4},
		{"written anew, and shorter", begun(7, 9), 2},
		{"written anew, and longer", begun(20, 25), 5},
		{"what comes after damage is not counted", begun(0, 2) + strings.Replace(half, "b.test", "c.test", 1) + half, 2},
		{"more have ended than have begun", Sealed("- http://a.test/1"), 0},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil { // the same file, so that only what stands in it tells
			t.Fatal(err)
		}
		if got := a.Now(); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
		if got := NewAtWork(dir).Now(); got != c.want {
			t.Errorf("%s, read for the first time: %d, want %d", c.what, got, c.want)
		}
	}
	noError(t, os.Remove(path))
	if got := a.Now(); got != 0 {
		t.Errorf("%d are under way in a run that has ended", got)
	}
}

// BenchmarkAtWork asks again and again how much is under way, while the file is as long as it becomes and a visit goes on each time.
func BenchmarkAtWork(b *testing.B) {
	dir := b.TempDir()
	path := filepath.Join(dir, FileState, FileUnderway)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for i := 0; text.Len() < mostUnderway; i++ {
		text.WriteString(Sealed(fmt.Sprintf("+ http://a.test/%d", i)) + Sealed(fmt.Sprintf("- http://a.test/%d", i)))
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	a := NewAtWork(dir)
	a.Now()
	for b.Loop() {
		f.WriteString(Sealed("+ http://b.test/") + Sealed("- http://b.test/"))
		if n := a.Now(); n != 0 {
			b.Fatal(n)
		}
	}
}
