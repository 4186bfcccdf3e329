package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// watched is a file of which it is noticed when it is new and has nothing but its head.
type watched struct {
	*os.File
	isNew func()
}

func (f *watched) WriteAt(b []byte, at int64) (int, error) {
	if info, err := f.Stat(); err == nil && info.Size() == segmentHead && at == segmentHead {
		f.isNew()
	}
	return f.File.WriteAt(b, at)
}

// A process may be killed when it has begun another log, and written nothing into it: nothing is missing then. Whoever only
// reads meets the same while the crawl goes on.
func TestKilledAsALogBegins(t *testing.T) {
	want := uninterrupted(t)
	dir := t.TempDir()
	var images []string
	image := func() {
		left := filepath.Join(t.TempDir(), "state")
		if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		images = append(images, left)
	}
	d := beginDrive(t, dir, Options{Segment: 8 << 10, open: func(path string) (file, error) {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		return &watched{f, image}, err
	}})
	d.after = func(d *drive) { d.f.Sync() }
	d.run(1 << 20)
	d.f.Close()
	if len(images) < 4 {
		t.Fatalf("only %d logs were begun: the test sees nothing", len(images))
	}
	for n, left := range images {
		reads, err := OpenReadOnly(left)
		if err != nil {
			t.Fatalf("log %d: %v", n+1, err)
		}
		reads.Close()
		d := beginDrive(t, left, Options{Segment: 8 << 10})
		d.run(1 << 20)
		d.f.Close()
		if !slices.Equal(d.learned, want) {
			t.Errorf("log %d: the crawl went another way", n+1)
		}
		if f, err := Open(left, frontier.Manners{}, Options{}); err != nil {
			t.Errorf("log %d: what came after cannot be read: %v", n+1, err)
		} else {
			f.Close()
		}
	}
}
