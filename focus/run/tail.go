package run

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
)

// Tail reads the log of a run as it grows. It takes no lock, and it reads no line that is not committed: such a line may be gone
// when the crawl is interrupted and gone on with.
type Tail struct {
	path string
	dir  string
	at   int64
	file os.FileInfo // which file was read
	buf  []byte
}

// NewTail follows the log in the folder of a run, from its beginning.
func NewTail(dir string) *Tail { return &Tail{path: filepath.Join(dir, FileLog), dir: dir} }

// At is how far the log is read.
func (t *Tail) At() int64 { return t.at }

// tailed is how much of a log is read at once.
const tailed = 256 << 10

// Read visits the lines that were committed since it was asked last. anew tells that the log is not the one that was read, or was
// cut back: then nothing was visited, what was gathered does not hold any more, and the next call begins at its beginning.
func (t *Tail) Read(visit func(*Line)) (anew bool, err error) {
	f, err := os.Open(t.path)
	if errors.Is(err, os.ErrNotExist) {
		return t.forget(), nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	upTo := info.Size()
	if committed, ok := Committed(t.dir); ok {
		upTo = min(upTo, committed)
	}
	if t.file != nil && (!os.SameFile(t.file, info) || upTo < t.at) {
		return t.forget(), nil
	}
	t.file = info
	return false, t.lines(io.NewSectionReader(f, t.at, upTo-t.at), visit)
}

func (t *Tail) forget() (anew bool) {
	anew = t.at > 0
	t.at, t.file = 0, nil
	return anew
}

// lines visits the whole lines of what is new.
func (t *Tail) lines(from io.Reader, visit func(*Line)) error {
	if t.buf == nil {
		t.buf = make([]byte, tailed)
	}
	kept := 0
	var line Line
	for {
		n, err := from.Read(t.buf[kept:])
		whole := bytes.LastIndexByte(t.buf[:kept+n], '\n') + 1
		for rest := t.buf[:whole]; len(rest) > 0; {
			end := bytes.IndexByte(rest, '\n')
			if line.take(rest[:end]) {
				visit(&line)
			}
			rest = rest[end+1:]
		}
		t.at += int64(whole)
		if kept = copy(t.buf, t.buf[whole:kept+n]); kept == len(t.buf) {
			t.buf = append(t.buf, make([]byte, len(t.buf))...) // a line that is longer than that
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Line is a line of the log of which only what is asked for is read. It holds until the next one.
type Line struct {
	raw    []byte
	fields [untilURL + 1][]byte

	scheme, authority, site []byte // where the address was whose site was asked for last: the links of a page often stay on one
}

// untilURL is how many fields stand before the address: what comes after it is parted when the whole of a line is wanted.
const untilURL = 10

// take parts a line into its fields; false for one that has no decision.
func (l *Line) take(raw []byte) bool {
	if len(raw) == 0 || raw[0] == '#' {
		return false
	}
	l.raw = raw
	for i := range l.fields {
		end := bytes.IndexByte(raw, '\t')
		if end < 0 {
			l.fields[i] = raw
			clear(l.fields[i+1:])
			return true
		}
		l.fields[i], raw = raw[:end], raw[end+1:]
	}
	return true
}

// Is tells whether the decision of the line is that, whatever its reason.
func (l *Line) Is(decision string) bool {
	said := l.fields[2]
	return len(said) >= len(decision) && string(said[:len(decision)]) == decision && (len(said) == len(decision) || said[len(decision)] == ':')
}

// Reason is why it was decided so; it is empty where none is said. It holds as long as the line.
func (l *Line) Reason() []byte {
	_, reason, _ := bytes.Cut(l.fields[2], []byte(": "))
	return reason
}

// ID is the number of the link; 0 of one that did not enter.
func (l *Line) ID() uint64 { return unsigned(l.fields[3]) }

// unsigned reads a number without making a string of it.
func unsigned(digits []byte) (n uint64) {
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0
		}
		n = 10*n + uint64(d-'0')
	}
	return n
}

// Score is what the link promised; NaN of a start page.
func (l *Line) Score() float64 {
	if len(l.fields[8]) == 1 && l.fields[8][0] == '-' {
		return math.NaN()
	}
	x, err := strconv.ParseFloat(string(l.fields[8]), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Site is the host of the address of the line, as siteOf tells it. It holds as long as the line.
func (l *Line) Site() []byte {
	scheme, rest, _ := bytes.Cut(l.URL(), []byte("://"))
	if end := bytes.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	odd := len(rest) == 0 || rest[0] == '\\' // the host stands behind it
	if odd || !bytes.Equal(scheme, l.scheme) || !bytes.Equal(rest, l.authority) {
		l.site = append(l.site[:0], siteOf(string(l.URL()))...)
		l.scheme, l.authority = append(l.scheme[:0], scheme...), append(l.authority[:0], rest...)
	}
	return l.site
}

// URL is the address of the line. It holds as long as the line.
func (l *Line) URL() []byte { return l.fields[untilURL] }

// Whole is the whole of it.
func (l *Line) Whole() (*Decision, error) { return readDecision(l.raw) }
