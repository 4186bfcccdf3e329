package disk

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// hanging is a disk that stands still where it is told to, until it is let go.
type hanging struct {
	at, on chan struct{} // it has come to where it stands still; it goes on
	once   sync.Once
}

func newHanging() *hanging { return &hanging{at: make(chan struct{}, 1), on: make(chan struct{})} }

func (h *hanging) goOn() { h.once.Do(func() { close(h.on) }) }

func (h *hanging) hang() {
	select {
	case h.at <- struct{}{}:
	default:
	}
	<-h.on
}

type hangingFile struct {
	*os.File
	sync func()
}

func (f hangingFile) Sync() error {
	f.sync()
	return f.File.Sync()
}

// goesOn pushes, pops and ends visits, and looks items up: what a crawl does meanwhile.
func goesOn(t *testing.T, f *Frontier, from, links int) {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		done <- func() error {
			for n := from; n < from+links; n++ {
				if _, _, err := f.Push(frontier.Item{URL: address(uint64(n)), Host: fmt.Sprint("h", n)}); err != nil {
					return err
				}
				it, _, err := f.TryPop(0)
				if err != nil || it.URL == "" {
					return fmt.Errorf("popped %+v: %v", it, err)
				}
				if err := f.Done(it.ID, frontier.Outcome{Lesson: []byte("l")}); err != nil {
					return err
				}
				if got, _ := f.Get(it.ID); got.URL != it.URL || f.Len() > 1 {
					return fmt.Errorf("looked up: %+v; %d wait", got, f.Len())
				}
			}
			return nil
		}()
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the crawl waits for the disk")
	}
}

// While the disk takes its time to make safe what it was given, the crawl goes on.
func TestNobodyWaitsForASlowSync(t *testing.T) {
	disk, hangs := newHanging(), make(chan struct{})
	defer disk.goOn()
	open := func(path string) (file, error) {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		return hangingFile{f, func() {
			select {
			case <-hangs:
				disk.hang()
			default:
			}
		}}, err
	}
	f := mustOpen(t, t.TempDir(), frontier.Manners{}, Options{open: open, Segment: 4 << 10, Every: time.Hour})
	goesOn(t, f, 1, 100)
	close(hangs)
	synced := make(chan error, 1)
	go func() { synced <- f.Sync() }()
	<-disk.at
	goesOn(t, f, 101, 300)
	if err := f.Snapshot([]byte("learned")); err != nil { // it has to wait
		t.Error(err)
	}
	goesOn(t, f, 401, 100)
	disk.goOn()
	if err := <-synced; err != nil {
		t.Error(err)
	}
	if err := f.Settle(); err != nil {
		t.Error(err)
	}
}

// While the disk takes its time to remove the files that compaction has left over, the crawl goes on.
func TestNobodyWaitsForASlowRemoval(t *testing.T) {
	disk := newHanging()
	defer disk.goOn()
	f := mustOpen(t, t.TempDir(), frontier.Manners{}, Options{Segment: 4 << 10, Every: time.Hour, remove: func(path string) error {
		disk.hang()
		return os.Remove(path)
	}})
	goesOn(t, f, 1, 20)
	id, _, err := f.Push(frontier.Item{URL: "http://again.example/", Host: "again"})
	if err != nil {
		t.Fatal(err)
	}
	removing := false
	for round := 0; !removing; round++ {
		if round > 100 {
			t.Fatal("nothing was compacted")
		}
		for n := range 400 {
			f.Rescore(id, float32(round), 0, []float32{float32(n), 2, 3, 4, 5, 6, 7, 8}, nil)
		}
		if err := f.Snapshot([]byte("learned")); err != nil {
			t.Fatal(err)
		}
		settled := make(chan error, 1)
		go func() { settled <- f.Settle() }()
		select {
		case err := <-settled:
			if err != nil {
				t.Fatal(err)
			}
		case <-disk.at:
			removing = true
		}
	}
	goesOn(t, f, 101, 300)
	disk.goOn()
	if err := f.Settle(); err != nil {
		t.Error(err)
	}
	goesOn(t, f, 401, 20)
}
