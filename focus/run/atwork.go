package run

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// AtWork counts the visits that are under way in a run, and hears which hosts rest, as far as that is written down. Each time it
// reads what was added since it was asked last: what is under way is written at every visit, and read every few seconds by who
// watches.
type AtWork struct {
	path string
	file os.FileInfo // which file was read
	at   int64
	last []byte // the line that ends there: where it does not stand there any more, the file is another one
	n    int

	rests []Rest // that nobody has asked for
}

// NewAtWork counts those of the run in a folder.
func NewAtWork(dir string) *AtWork {
	return &AtWork{path: filepath.Join(dir, FileState, FileUnderway)}
}

// Now is how many there are. What cannot be read is not counted.
func (a *AtWork) Now() int {
	f, err := os.Open(a.path)
	if err != nil {
		*a = AtWork{path: a.path}
		return 0
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return max(a.n, 0)
	}
	if a.file == nil || !os.SameFile(a.file, info) || !a.stands(f) {
		*a = AtWork{path: a.path}
	}
	a.file = info
	text, err := io.ReadAll(io.NewSectionReader(f, a.at, max(info.Size()-a.at, 0)))
	if err != nil {
		return max(a.n, 0)
	}
	read, _ := eachSealed(string(text), a.take) // the crawl says what is damaged when it is gone on with
	if a.at += int64(read); read > 0 {
		a.last = bytes.Clone(text[bytes.LastIndexByte(text[:read-1], '\n')+1 : read])
	}
	return max(a.n, 0)
}

// stands tells whether the file is as it was, as far as it was read. It is written anew where it has grown long, and by each process.
func (a *AtWork) stands(f *os.File) bool {
	now := make([]byte, len(a.last))
	_, err := f.ReadAt(now, a.at-int64(len(a.last)))
	return err == nil && bytes.Equal(now, a.last)
}

func (a *AtWork) take(line string) {
	switch line[0] {
	case signBegun:
		a.n++
	case signEnded, signLate:
		a.n--
	case signRests:
		if r, ok := readRest(line); ok {
			a.rests = append(a.rests, r)
		}
	}
}

// Rests are the hosts that were let rest since it was asked last, in that order, as far as the log is read: what comes after that is
// not committed, and told later.
func (a *AtWork) Rests(read int64) (told []Rest) {
	n := 0
	for n < len(a.rests) && a.rests[n].told <= read {
		n++
	}
	told, a.rests = a.rests[:n:n], a.rests[n:]
	return told
}
