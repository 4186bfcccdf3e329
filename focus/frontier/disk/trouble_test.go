package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// ailing is a disk that runs full, or that fails to sync.
type ailing struct {
	mu    sync.Mutex
	room  int // bytes that can still be written
	syncs error
}

type ailingFile struct {
	*os.File
	disk *ailing
}

func (f *ailingFile) WriteAt(b []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if n := f.disk.room; n < len(b) {
		f.disk.room = 0
		f.File.WriteAt(b[:n], at)
		return n, syscall.ENOSPC
	}
	f.disk.room -= len(b)
	return f.File.WriteAt(b, at)
}

func (f *ailingFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.syncs != nil {
		return f.disk.syncs
	}
	return f.File.Sync()
}

func (d *ailing) set(room int, syncs error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room, d.syncs = room, syncs
}

func (d *ailing) open(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	return &ailingFile{f, d}, err
}

// A disk may run full in the middle of a segment, and where one begins: the head of it may be there in part, or not at all.
func TestFullDisk(t *testing.T) {
	want := uninterrupted(t)
	for _, segment := range []int64{8 << 10, 1} {
		fullDisk(t, segment, want)
	}
}

func fullDisk(t *testing.T, segment int64, want []string) {
	t.Helper()
	disk := &ailing{room: 1 << 30}
	d := beginDrive(t, t.TempDir(), Options{open: disk.open, Segment: segment})
	d.run(20)
	for i, trouble := range []struct {
		room  int
		syncs error
		want  string
	}{{100, nil, "the disk is full: make room"}, {0, nil, "the disk is full"}, {10, nil, "the disk is full"}, {1 << 30, syscall.EIO, "input/output error"}} {
		d.run(20)
		disk.set(trouble.room, trouble.syncs)
		err := d.f.Sync()
		if err == nil || !strings.Contains(err.Error(), trouble.want) || !strings.Contains(err.Error(), "log-0") {
			t.Fatalf("trouble %d: %v", i, err)
		}
		if _, _, again := d.f.Push(frontier.Item{URL: "http://x/", Host: "x"}); again == nil {
			t.Errorf("trouble %d: pushed while the disk fails", i)
		}
		if _, _, again := d.f.TryPop(0); again == nil {
			t.Errorf("trouble %d: popped while the disk fails", i)
		}
		if again := d.f.Done(1, frontier.Outcome{}); again == nil || errors.Is(again, frontier.ErrNotLeased) {
			t.Errorf("trouble %d: %v", i, again)
		}
		disk.set(1<<30, nil)
		if err := d.f.Sync(); err != nil {
			t.Fatalf("trouble %d is over, but: %v", i, err)
		}
	}
	d.run(20)
	disk.set(0, nil)
	if err := d.f.Close(); err == nil {
		t.Error("closed on a full disk without an error")
	}
	d = beginDrive(t, d.f.dir, Options{})
	if d.pages != 100 {
		t.Errorf("%d pages were safe, want 100", d.pages)
	}
	d.run(1 << 20)
	d.f.Close()
	if !reflect.DeepEqual(d.learned, want) {
		t.Error("the crawl went another way")
	}
}

// What the crawl's own files hold is made safe before an outcome that tells of it.
func TestBeforeSync(t *testing.T) {
	calls, fail := 0, errors.New("no")
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{BeforeSync: func() error { calls++; return fail }, Every: time.Hour})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	if err := f.Sync(); !errors.Is(err, fail) {
		t.Errorf("Sync: %v", err)
	}
	if n := len(sizes(t, dir)); n != 1 { // the lock
		t.Errorf("%d files were written before the crawl's own", n)
	}
	fail = nil
	if err := f.Sync(); err != nil || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	if st, err := load(dir, frontier.Manners{}); err != nil || st.order.Count() != 1 {
		t.Errorf("%v", err)
	}
}

// What is told is on the disk a while later, without anybody asking.
func TestWritesByItself(t *testing.T) {
	clock := frontier.NewManual(start)
	synced := make(chan struct{}, 10)
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{Clock: clock, BeforeSync: func() error { synced <- struct{}{}; return nil }})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	clock.AwaitTimers(1)
	if st, err := load(dir, frontier.Manners{}); err != nil || st.order.Count() != 0 {
		t.Errorf("written at once: %v", err)
	}
	clock.Advance(time.Second)
	<-synced
	f.Sync() // waits for the one that is under way
	if st, err := load(dir, frontier.Manners{}); err != nil || st.order.Count() != 1 {
		t.Errorf("not written: %v", err)
	}
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{})
	_, err := Open(dir, frontier.Manners{}, Options{})
	var busy *InUseError
	if !errors.As(err, &busy) || busy.Process != fmt.Sprint(os.Getpid()) || !strings.Contains(err.Error(), "process "+busy.Process) {
		t.Errorf("opened twice: %v", err)
	}
	f.Close()
	f, err = Open(dir, frontier.Manners{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	d := beginDrive(t, dir, Options{Segment: 8 << 10})
	defer d.f.Close()
	for i := range 8 {
		d.run(10)
		if i%2 == 0 {
			d.f.Snapshot([]byte("x"))
			d.f.Settle()
		}
		d.f.Sync()
		before := sizes(t, dir)
		f, err := OpenReadOnly(dir)
		if err != nil {
			t.Fatal(err)
		}
		if r := f.Restored(); r.Counters["pages"] != d.pages || f.Len() == 0 {
			t.Errorf("%d pages, %d wait; want %d pages", r.Counters["pages"], f.Len(), d.pages)
		}
		n := 0
		f.Each(0, func(uint64) bool { n++; return true })
		if n != f.Len() {
			t.Errorf("%d of %d items", n, f.Len())
		}
		if it, _ := f.Get(f.Find(address(0))); it.URL != address(0) {
			t.Errorf("%s is found as %q", address(0), it.URL)
		}
		if _, _, err := f.Push(frontier.Item{URL: "http://a/", Host: "a"}); err != errReadOnly {
			t.Errorf("pushed: %v", err)
		}
		if _, _, err := f.TryPop(0); err != errReadOnly {
			t.Errorf("popped: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if after := sizes(t, dir); !reflect.DeepEqual(after, before) {
			t.Errorf("reading changed the folder from %v to %v", before, after)
		}
	}
	if _, err := OpenReadOnly(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that there is not: %v", err)
	}
}

// Re-scored again and again, a frontier does not grow without end, and loses nothing by that.
func TestCompaction(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{Segment: 8 << 10, Every: time.Hour})
	numbers := func(id, round int) []float32 { return []float32{float32(id), float32(round), 3, 4, 5, 6, 7, 8} }
	const items = 200
	for id := 1; id <= items; id++ {
		f.Push(frontier.Item{URL: address(uint64(id)), Host: "a", Score: 1, Numbers: numbers(id, 0), Note: []byte("kept")})
	}
	for range 20 {
		it, _, err := f.TryPop(0)
		if err != nil {
			t.Fatal(err)
		}
		f.Done(it.ID, frontier.Outcome{})
	}
	const rounds = 60
	for round := 1; round <= rounds; round++ {
		for id := 21; id <= items; id++ {
			f.Rescore(uint64(id), float32(round), 0, numbers(id, round), nil)
		}
		if err := f.Snapshot([]byte("learned")); err != nil {
			t.Fatal(err)
		}
		if err := f.Settle(); err != nil {
			t.Fatal(err)
		}
	}
	written := rounds * (items - 20) * 50
	total := 0
	for name, n := range sizes(t, dir) {
		if strings.HasPrefix(name, "log-") || strings.HasPrefix(name, "base-") {
			total += n
		}
	}
	if total > written/5 {
		t.Errorf("%d bytes are left of %d that were written", total, written)
	}
	check := func(f *Frontier) {
		t.Helper()
		for id := 1; id <= items; id++ {
			it, st := f.Get(uint64(id))
			want := frontier.Item{ID: uint64(id), URL: address(uint64(id)), Host: "a", Score: rounds, Numbers: numbers(id, rounds), Note: []byte("kept")}
			wantState := frontier.Waiting
			if id <= 20 {
				want.Score, want.Numbers, wantState = 1, numbers(id, 0), frontier.Finished
			}
			want.Alt = 0
			if !reflect.DeepEqual(it, want) || st != wantState {
				t.Fatalf("item %d is %+v, %v\nwant %+v, %v", id, it, st, want, wantState)
			}
		}
	}
	check(f)
	f.Close()
	f = mustOpen(t, dir, frontier.Manners{}, Options{Segment: 8 << 10})
	check(f)
	if string(f.Restored().Learned) != "learned" {
		t.Errorf("learned %q", f.Restored().Learned)
	}
	f.Close()

	// What is compacted cannot be read without its snapshot, and is not taken for nothing.
	for name := range sizes(t, dir) {
		if strings.HasPrefix(name, "snapshot") {
			damage(t, filepath.Join(dir, name), 100, 10)
		}
	}
	var bad *DamageError
	if _, err := Open(dir, frontier.Manners{}, Options{}); !errors.As(err, &bad) {
		t.Fatalf("a damaged snapshot: %v", err)
	}
}

// A snapshot that waits for the end of a visit is written when it has come, and left out when it does not.
func TestSnapshotWaitsForTheVisit(t *testing.T) {
	for _, ends := range []bool{true, false} {
		dir := t.TempDir()
		f := mustOpen(t, dir, frontier.Manners{}, Options{})
		f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
		it, _, _ := f.TryPop(0)
		if err := f.Snapshot([]byte("learned")); err != nil {
			t.Fatal(err)
		}
		f.Push(frontier.Item{URL: "http://a/2", Host: "a", Via: it.ID})
		if ends {
			f.Done(it.ID, frontier.Outcome{})
			if err := f.Settle(); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		f = mustOpen(t, dir, frontier.Manners{}, Options{})
		if r := f.Restored(); ends && (r.Items != 2 || string(r.Learned) != "learned") || !ends && r.Items != 1 {
			t.Errorf("ended %v: restored %+v", ends, r)
		}
	}
}

func framed(kind kind, commit bool, code func(*pack.Coder)) []byte {
	var k pack.Coder
	appendFrame(&k, kind, commit, code)
	return k.Bytes
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte{})
	item := frontier.Item{ID: 1, URL: "http://a/", Numbers: []float32{1}, Note: []byte("n")}
	f.Add(framed(kindItem, true, func(k *pack.Coder) { codeItem(k, &item) }))
	f.Add(framed(kindDone, true, (&ended{id: 1, counters: map[string]int64{"a": 1}, lesson: []byte("l")}).code))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, commit, body, n, err := cutFrame(data)
		if err == nil {
			again := framed(k, commit, func(k *pack.Coder) { k.Left(&body) })
			if got, _, same, _, err := cutFrame(again); err != nil || got != k || string(same) != string(body) || n < len(again) {
				t.Fatalf("frame %v written again is %v, %v", data, again, err)
			}
		}
		for k := range kinds { // a body of any kind: errors, but no panic
			st := newState("", frontier.Manners{})
			st.order.Restore(0)
			st.order.Add("a", 0, 0, 0, link{})
			st.apply(said{kind: k, body: data})
		}
		read(data, new(mark).code)
		readHead(data, new(head))
		read(data, func(k *pack.Coder) { codeHosts(k, new([]frontier.HostRecord)) })
		loadLog("", data)
	})
}

// A lease that has run out is not taken for an interrupted visit, and its host's rest is remembered.
func TestLapsedLeaseIsRemembered(t *testing.T) {
	dir, clock := t.TempDir(), frontier.NewManual(start)
	m := frontier.Manners{Delay: time.Hour, Lease: time.Minute, Clock: clock}
	f := mustOpen(t, dir, m, Options{})
	f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	if it, _, _ := f.TryPop(0); it.ID != 1 {
		t.Fatal("nothing was popped")
	}
	clock.Advance(time.Minute)
	want := start.Add(time.Hour + time.Minute)
	if _, ready, err := f.TryPop(0); err != nil || !ready.Equal(want) {
		t.Fatalf("the next is ready at %v, %v, want %v", ready, err, want)
	}
	f.Close()
	f = mustOpen(t, dir, m, Options{})
	if r := f.Restored(); len(r.Leases) != 0 || r.Waiting != 1 {
		t.Errorf("restored %+v", r)
	}
	if _, ready, err := f.TryPop(0); err != nil || !ready.Equal(want) {
		t.Errorf("opened again, the next is ready at %v, %v, want %v", ready, err, want)
	}
}

// A file that ends too early, even between two frames, is noticed when a later one says that more was safe.
func TestMissingFramesAreNoticed(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{Segment: 1, Every: time.Hour}) // a file for each batch
	f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	f.Sync()
	it, _, _ := f.TryPop(0)
	f.Sync()
	f.Done(it.ID, frontier.Outcome{})
	f.Close()
	path := filepath.Join(dir, "log-000002")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, mark, err := cutFrame(data[segmentHead:])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(segmentHead+mark)); err != nil {
		t.Fatal(err)
	}
	var bad *DamageError
	if _, err := Open(dir, frontier.Manners{}, Options{}); !errors.As(err, &bad) || bad.File != path {
		t.Errorf("a lease was lost: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, frontier.Manners{}, Options{}); !errors.As(err, &bad) || bad.File != path {
		t.Errorf("a file was lost: %v", err)
	}
}

// The first batches of a process are written sooner than a second after they were told, and later ones then.
func TestWritesTheFirstSooner(t *testing.T) {
	clock := frontier.NewManual(start)
	synced := make(chan struct{}, 10)
	f := mustOpen(t, t.TempDir(), frontier.Manners{}, Options{Clock: clock, BeforeSync: func() error { synced <- struct{}{}; return nil }})
	for n, wait := range []time.Duration{time.Second / 64, time.Second / 32, time.Second / 16, time.Second / 8, time.Second / 4, time.Second / 2, time.Second, time.Second} {
		f.Push(frontier.Item{URL: fmt.Sprintf("http://a/%d", n), Host: "a"})
		clock.AwaitTimers(1)
		clock.Advance(wait - 1)
		if len(synced) > 0 {
			t.Fatalf("batch %d was written before %v", n, wait)
		}
		clock.Advance(1)
		<-synced
	}
}

// A file system that does not sync its folders is none that fails: as if it had.
func TestAFolderThatCannotBeSynced(t *testing.T) {
	const folder = "/proc/self"
	if d, err := os.Open(folder); err != nil || d.Sync() == nil || d.Close() != nil {
		t.Skip("it can, or is not there")
	}
	if err := syncDir(folder); err != nil {
		t.Error(err)
	}
	if err := syncDir(filepath.Join(folder, "none")); err == nil {
		t.Error("a folder that is not there is safe")
	}
}
