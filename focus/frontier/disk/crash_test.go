package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A drive is a crawl of a web that is drawn from the numbers of its pages, in virtual time, with a window of visits:
// what the engine does over a recorded web. Everything it knows but the web is in its frontier.
type drive struct {
	tb      testing.TB
	f       *Frontier
	clock   *frontier.Manual
	window  []visit
	began   map[uint64]time.Time // of interrupted visits
	learned []string             // what was visited, as a strategy would learn it
	pages   int64
	after   func(d *drive) // called after each outcome
}

type visit struct {
	it frontier.Item
	at time.Time
}

var start = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func draw(parts ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, parts...)
	return h.Sum64()
}

const webPages = 400

func address(n uint64) string { return fmt.Sprintf("https://host%d.example/page/%d", n%7, n) }

// begin opens the frontier and takes over what it remembers.
func beginDrive(tb testing.TB, dir string, o Options) *drive {
	tb.Helper()
	clock := frontier.NewManual(start)
	o.AtOnce = true
	if o.Every == 0 {
		o.Every = time.Hour // what is written, and when, is the drive's to say: no wall clock writes beside it
	}
	f, err := Open(dir, frontier.Manners{Delay: time.Second, Clock: clock}, o)
	if err != nil {
		tb.Fatal(err)
	}
	d := &drive{tb: tb, f: f, clock: clock, began: map[uint64]time.Time{}}
	r := f.Restored()
	if r.Counters["pages"] == 0 { // it may have been killed between two seeds
		for n := range uint64(3) {
			f.Push(frontier.Item{URL: address(n), Host: hostOf(address(n)), Score: 1})
		}
	}
	if r.At.IsZero() {
		return d
	}
	clock.Set(r.At)
	for _, l := range r.Leases {
		d.began[l.ID] = l.At
	}
	if r.Learned != nil {
		d.learned = strings.Split(string(r.Learned), "\n")
	}
	for _, l := range r.Lessons {
		d.learned = append(d.learned, string(l))
	}
	d.pages = r.Counters["pages"]
	if int(d.pages) != len(d.learned) || r.Files["harvest"] != 10*d.pages {
		tb.Fatalf("counters %v, files %v and %d lessons do not agree", r.Counters, r.Files, len(d.learned))
	}
	return d
}

// run crawls until the end, or until as many outcomes have been told.
func (d *drive) run(outcomes int) (over bool) {
	for range outcomes {
		for len(d.window) < 4 {
			it, ready, err := d.f.TryPop(int(draw("lane", d.pages) % 2))
			if it.ID != 0 {
				at := d.clock.Now()
				if began, ok := d.began[it.ID]; ok {
					at = began
				}
				d.window = append(d.window, visit{it, at})
				continue
			}
			if err != nil && err != frontier.ErrIdle && err != frontier.ErrEmpty {
				d.tb.Fatal(err)
			}
			if err == nil && len(d.window) == 0 {
				d.clock.Set(ready)
				continue
			}
			break
		}
		if len(d.window) == 0 {
			return true
		}
		d.visit()
		if d.after != nil {
			d.after(d)
		}
	}
	return false
}

// visit ends the oldest visit of the window.
func (d *drive) visit() {
	v := d.window[0]
	d.window = d.window[1:]
	d.clock.Set(v.at.Add(time.Duration(draw("latency", v.it.URL)%3000) * time.Millisecond))
	for i := range draw("links", v.it.URL)%6 + 2 {
		to := address(draw("link", v.it.URL, i) % webPages)
		id, _, err := d.f.Push(frontier.Item{URL: to, Host: hostOf(to), Via: v.it.ID, Depth: v.it.Depth + 1,
			Score: float32(draw("score", v.it.URL, to) % 100), Alt: float32(draw("alt", to) % 10),
			Numbers: []float32{float32(i)}, Note: []byte("note")})
		if err != nil {
			d.tb.Fatal(err)
		}
		if i == 1 { // what is learned changes what waits
			s := float32(draw("again", len(d.learned), to) % 100)
			d.f.Rescore(id, s, s, []float32{s}, nil)
		}
	}
	d.pages++
	d.learned = append(d.learned, v.it.URL)
	err := d.f.Done(v.it.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: []byte(v.it.URL),
		Files: map[string]int64{"harvest": 10 * d.pages}, Failed: draw("failed", v.it.URL)%9 == 0})
	if err != nil {
		d.tb.Fatal(err)
	}
}

// uninterrupted is the whole crawl in the order of its outcomes.
func uninterrupted(t *testing.T) []string {
	t.Helper()
	d := beginDrive(t, t.TempDir(), Options{})
	defer d.f.Close()
	if !d.run(1 << 20) {
		t.Fatal("the crawl does not end")
	}
	if len(d.learned) < webPages/2 {
		t.Fatalf("the crawl ends after %d pages", len(d.learned))
	}
	return d.learned
}

// kill leaves a folder as a killed process would: what was flushed is there, of the rest any part.
func kill(t *testing.T, d *drive, r *rand.Rand) (dir string) {
	t.Helper()
	dir = t.TempDir()
	before := sizes(t, d.f.dir)
	if r.IntN(4) > 0 {
		if err := d.f.log.flush(); err != nil { // as if the second were over just now
			t.Fatal(err)
		}
	}
	names, err := os.ReadDir(d.f.dir)
	if err != nil {
		t.Fatal(err)
	}
	cut := false // logs are written one after the other: nothing follows one that is cut
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(d.f.dir, n.Name()))
		if err != nil {
			continue // a snapshot was being renamed: the process died a little later
		}
		if had := before[n.Name()]; strings.HasPrefix(n.Name(), "log-") && len(data) > had {
			if cut {
				continue
			}
			if cut = r.IntN(2) == 0; cut {
				data = data[:had+r.IntN(len(data)-had)]
			}
		}
		if err := os.WriteFile(filepath.Join(dir, n.Name()), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d.f.Close()
	return dir
}

func sizes(t *testing.T, dir string) map[string]int {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, n := range names {
		if info, err := n.Info(); err == nil {
			out[n.Name()] = int(info.Size())
		}
	}
	return out
}

func TestKilledCrawlEndsLikeAnUninterruptedOne(t *testing.T) {
	want := uninterrupted(t)
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			dir, kills := t.TempDir(), 0
			for {
				d := beginDrive(t, dir, Options{Segment: 8 << 10})
				if seed%2 == 0 {
					d.after = func(d *drive) {
						if r.IntN(12) == 0 {
							if err := d.f.Snapshot([]byte(strings.Join(d.learned, "\n"))); err != nil {
								t.Fatal(err)
							}
							d.f.Settle()
						}
						if r.IntN(6) == 0 {
							d.f.Sync()
						}
					}
				}
				if d.run(1 + r.IntN(60)) {
					d.f.Close()
					if !slices.Equal(d.learned, want) {
						t.Errorf("after %d kills the crawl visited\n%v\nwant\n%v", kills, d.learned, want)
					}
					break
				}
				dir = kill(t, d, r)
				kills++
			}
			if kills < 4 {
				t.Errorf("only %d kills", kills)
			}
		})
	}
}

// smallLog crawls a little and closes; it answers the folder and how far the log was after each outcome.
func smallLog(t *testing.T, outcomes int) (dir string, ends []position) {
	t.Helper()
	dir = t.TempDir()
	d := beginDrive(t, dir, Options{})
	d.after = func(d *drive) {
		end, _ := d.f.log.position()
		ends = append(ends, end)
	}
	d.run(outcomes)
	if err := d.f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, ends
}

// loadLog is load of a folder with one log.
func loadLog(dir string, data []byte) (*state, error) {
	st := newState(dir, frontier.Manners{})
	st.inv.logs = []segment{1}
	st.readLog = func(segment) ([]byte, error) { return data, nil }
	st.order.Restore(0)
	return st, st.replay()
}

func TestEveryPrefixOpens(t *testing.T) {
	dir, ends := smallLog(t, 12)
	data, err := os.ReadFile(filepath.Join(dir, "log-000001"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(data) + 1 {
		st, err := loadLog(dir, data[:n])
		if err != nil {
			t.Fatalf("%d bytes of %d: %v", n, len(data), err)
		}
		want := int64(0)
		for _, end := range ends {
			if end.offset() <= int64(n) {
				want++
			}
		}
		if st.sums.counters["pages"] != want || int64(len(st.lessons)) != want {
			t.Fatalf("%d bytes of %d: %d pages, %d lessons, want %d", n, len(data), st.sums.counters["pages"], len(st.lessons), want)
		}
	}
}

// Every prefix does not only open: the crawl goes on from it and ends as it should.
func TestSomePrefixesGoOn(t *testing.T) {
	want := uninterrupted(t)
	dir, _ := smallLog(t, 12)
	data, err := os.ReadFile(filepath.Join(dir, "log-000001"))
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n <= len(data); n += len(data)/23 + 1 {
		cut := t.TempDir()
		if err := os.WriteFile(filepath.Join(cut, "log-000001"), data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		d := beginDrive(t, cut, Options{})
		d.run(1 << 20)
		d.f.Close()
		if !slices.Equal(d.learned, want) {
			t.Errorf("from %d bytes of %d it went another way", n, len(data))
		}
	}
}

// A changed byte in what was safe is never taken for the end of the log.
func TestEveryChangedByteIsNoticed(t *testing.T) {
	dir, ends := smallLog(t, 8)
	path := filepath.Join(dir, "log-000001")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		damaged := slices.Clone(data)
		damaged[i] ^= 0x41
		st, err := loadLog(dir, damaged)
		var damage *DamageError
		switch {
		case err == nil && int(st.sums.counters["pages"]) == len(ends): // the byte was behind the last outcome
		case errors.As(err, &damage):
			if damage.File != path || damage.Offset > int64(i) || damage.Offset < int64(i)-400 ||
				!strings.Contains(err.Error(), "thresher repair --run "+dir) {
				t.Fatalf("byte %d changed: %v", i, err)
			}
		case otherVersion(err):
		default:
			t.Fatalf("byte %d of %d changed: %v", i, len(data), err)
		}
	}
}

// A log of another format is left alone, and who can read it is said.
func TestALogOfAnotherFormat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	d := beginDrive(t, dir, Options{})
	d.run(30)
	if err := d.f.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "log-000001")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for other, who := range map[uint16]string{version + 1: "a newer thresher wrote it", version - 1: "an older thresher wrote it"} {
		head := binary.LittleEndian.AppendUint16(append([]byte(nil), logMagic...), other)
		head = append(head, whole[10:segmentHead-4]...)
		head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
		if err := os.WriteFile(path, append(head, whole[segmentHead:]...), 0o644); err != nil {
			t.Fatal(err)
		}
		var bad *DamageError
		if err := openError(dir); err == nil || errors.As(err, &bad) || !strings.Contains(err.Error(), who) {
			t.Errorf("format %d: %v", other, err)
		}
	}
}

func damage(t *testing.T, path string, at int64, n int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte(strings.Repeat("X", n)), at); err != nil {
		t.Fatal(err)
	}
}
