package sink

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// series is a file of a run folder that is continued in numbered ones when it is full.
type series struct {
	stem, suffix string
	bare         bool // the first file has no number
	thinned      bool // the first files may be gone; what was committed as empty is
}

// The series a run folder may hold. Cut touches no other file.
var (
	jsonl    = series{"harvest", ".jsonl", true, false}
	table    = series{"harvest", ".csv", true, false}
	archives = series{"pages", ".warc.gz", false, false}
	looks    = series{"look", ".jsonl", true, true}

	everySeries = []series{jsonl, table, archives, looks}
)

func (s series) name(n int) string {
	if n == 0 && s.bare {
		return s.stem + s.suffix
	}
	return fmt.Sprintf("%s-%04d%s", s.stem, n, s.suffix)
}

// number is which file of the series a name is.
func (s series) number(name string) (n int, ok bool) {
	middle, ok := strings.CutPrefix(name, s.stem)
	if !ok {
		return 0, false
	}
	if middle, ok = strings.CutSuffix(middle, s.suffix); !ok {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimPrefix(middle, "-"))
	if err != nil {
		n = 0
	}
	return n, s.name(n) == name
}

// OfSeries tells of a name that a run may give to a file of its results that is continued in numbered ones.
func OfSeries(name string) bool {
	return slices.ContainsFunc(everySeries, func(s series) bool { _, ok := s.number(name); return ok })
}

// list are the files of the series in a folder, in order. A gap in the numbers is an error: records are missing.
func (s series) list(dir string) ([]string, error) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	there := map[int]bool{}
	for _, f := range found {
		if n, ok := s.number(f.Name()); ok {
			there[n] = true
		}
	}
	first := 0
	for s.thinned && len(there) > 0 && !there[first] {
		first++
	}
	var names []string
	for n := first; n < first+len(there); n++ {
		if !there[n] {
			return nil, fmt.Errorf("%s is missing, though later ones are there: put it back, or rename them", filepath.Join(dir, s.name(n)))
		}
		names = append(names, s.name(n))
	}
	return names, nil
}

// Gaps tells of a file of a run folder that is missing though later ones of its series are there.
func Gaps(dir string) error {
	for _, s := range everySeries {
		if _, err := s.list(dir); err != nil {
			return err
		}
	}
	return nil
}

// pending is how much is gathered before it is written, and mostPending how much may wait for the system before whoever writes does.
// What is on disk ends with a whole record.
const (
	pending     = 64 << 10
	mostPending = 4 << 20
)

// files writes a series. Sync may be called while the one goroutine that writes goes on.
type files struct {
	dir     string
	series  series
	rotate  int64
	mu      sync.Mutex // guards what follows
	f       *os.File
	n       int              // number of the open file,
	name    string           // and its name
	length  int64            // of the open file, with what is pending
	lengths map[string]int64 // of the files before it; 0 of those that are to go
	waits   chunks           // what is pending
	failed  error            // the first failure; what comes after it would leave a gap
	going   bool             // bytes are on their way to the system,
	gone    *sync.Cond       // and have come there
}

// openFiles opens a series at its end.
func openFiles(dir string, s series, rotate int64) (*files, error) {
	w := &files{dir: dir, series: s, rotate: rotate, lengths: map[string]int64{}}
	w.gone = sync.NewCond(&w.mu)
	there, err := s.list(dir)
	if err != nil {
		return nil, fmt.Errorf("open run folder: %w", err)
	}
	for _, name := range there {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("open run folder: %w", err)
		}
		w.lengths[name] = info.Size()
	}
	last := 0
	if len(there) > 0 {
		last, _ = s.number(there[len(there)-1])
	}
	return w, w.open(last)
}

// open opens file n of the series.
func (w *files) open(n int) error {
	name := w.series.name(n)
	f, err := os.OpenFile(filepath.Join(w.dir, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	w.f, w.n, w.name, w.length = f, n, name, w.lengths[name]
	delete(w.lengths, name)
	return nil
}

// full tells whether so many more bytes belong into the next file.
func (w *files) full(more int) bool { return w.length > 0 && w.length+int64(more) > w.rotate }

// next closes the file and begins the next one.
func (w *files) next() error {
	if err := w.Sync(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.f.Close(); err != nil {
		return w.fail(err)
	}
	w.lengths[w.name] = w.length
	if err := w.open(w.n + 1); err != nil {
		w.failed = err
	}
	return w.failed
}

// size is how many bytes the pieces of a record have.
func size(parts [][]byte) (n int) {
	for _, p := range parts {
		n += len(p)
	}
	return n
}

// write takes the bytes of one whole record, which may be in pieces.
func (w *files) write(parts ...[]byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return w.failed
	}
	n := size(parts)
	for _, p := range parts {
		w.waits.add(p)
	}
	w.length += int64(n)
	if w.waits.size >= pending && !w.going || w.waits.size >= mostPending {
		w.send()
	}
	return w.failed
}

// send hands what is pending to the system, and does not wait for it: who writes may hold up others. Whether it went well is known
// when something is written or synced next, before anybody is told that it is safe. The lock must be held.
func (w *files) send() {
	for w.going {
		w.gone.Wait()
	}
	if w.failed != nil || w.waits.size == 0 {
		return
	}
	w.going = true
	go w.carry()
}

// carry hands what is pending to the system, until there is too little of it to be worth that.
func (w *files) carry() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for more := true; more; more = w.failed == nil && w.waits.size >= pending {
		f, going, start := w.f, w.waits, w.length-int64(w.waits.size)
		w.waits = chunks{}
		w.mu.Unlock()
		err := going.writeTo(f, start)
		if err != nil {
			f.Truncate(start) // half a record is worse than none; where this fails too, Cut finds it
		}
		going.give()
		w.mu.Lock()
		if err != nil {
			w.fail(err)
		}
	}
	w.going = false
	w.gone.Broadcast()
}

// flush hands what is pending to the system. The lock must be held.
func (w *files) flush() error {
	w.send()
	for w.going {
		w.gone.Wait()
	}
	return w.failed
}

// fail remembers a failure, with what to do about it.
func (w *files) fail(err error) error {
	hint := "what was written before is whole; go on when that is mended"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		hint = "the disk is full; what was written before is whole; make room and go on"
	}
	var path *fs.PathError
	if !errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", filepath.Join(w.dir, w.series.name(w.n)), err)
	}
	w.failed = fmt.Errorf("%w: %s", err, hint)
	return w.failed
}

// Lengths tells how long each file of the series is, with what is pending.
func (w *files) Lengths() map[string]int64 {
	all := map[string]int64{}
	w.AddLengths(all)
	return all
}

// AddLengths is Lengths beside what is there.
func (w *files) AddLengths(all map[string]int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.Copy(all, w.lengths)
	all[w.name] = w.length
}

// Sync flushes, and has the disk keep it. The disk is waited for without the lock: writing goes on.
func (w *files) Sync() error {
	w.mu.Lock()
	err := w.flush()
	f := w.f
	w.mu.Unlock()
	if err != nil {
		return err
	}
	err = f.Sync()
	if err == nil || errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EINVAL) {
		return nil // a file that is full was synced before it was closed; EINVAL: a file of a kind that has no disk
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fail(err)
}

// Close flushes and closes.
func (w *files) Close() error {
	err := w.Sync()
	w.mu.Lock()
	defer w.mu.Unlock()
	if cerr := w.f.Close(); err == nil && cerr != nil {
		err = w.fail(cerr)
	}
	return err
}
