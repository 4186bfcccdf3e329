package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// The files of an index folder.
const (
	folderName   = "index"      // beside harvest.jsonl
	fileCurrent  = "current"    // the name of the generation that is read
	fileState    = "state.json" // in a generation: what it is made of
	fileCards    = "cards"      // in a generation: what is known of each page but its words
	folderBleve  = "bleve"      // in a generation
	generations  = "generation-"
	unfinished   = ".new"
	stateFormat  = 12
	markedLength = 4096 // bytes at the head and at the end of what was read of a file, by which it is known again
)

// state says what a generation is made of.
type state struct {
	Format int               `json:"format"`
	Words  int               `json:"words"` // the text.Version that cut them
	Files  map[string]mark   `json:"files"` // how far each file of the run was read, by its name below the run
	Sums   map[string]uint32 `json:"sums"`  // CRC-32C of each file of the generation
	Parts  int               `json:"parts"` // files with what was read of pages: see archive.go

	Waiting  []uint64 `json:"waiting,omitempty"` // pages at the end of the harvest whose bytes were not in the archives yet
	Archived int64    `json:"archived"`          // bytes that were in the archives
	Looked   string   `json:"looked,omitempty"`  // the second looks by which pages are kept: see stampOf
}

// mark is how far a file was read, and what stood there.
type mark struct {
	Length int64  `json:"length"`
	Head   uint32 `json:"head"`
	Tail   uint32 `json:"tail"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// markOf is the mark of the first bytes of a file.
func markOf(path string, length int64) (mark, error) {
	f, err := os.Open(path)
	if err != nil {
		return mark{}, err
	}
	defer f.Close()
	m := mark{Length: length}
	piece := make([]byte, min(length, markedLength))
	if _, err := f.ReadAt(piece, 0); err != nil {
		return m, err
	}
	m.Head = crc32.Checksum(piece, castagnoli)
	if _, err := f.ReadAt(piece, length-int64(len(piece))); err != nil {
		return m, err
	}
	m.Tail = crc32.Checksum(piece, castagnoli)
	return m, nil
}

// stands tells whether a file begins as it did when it was marked.
func (m mark) stands(path string) bool {
	now, err := markOf(path, m.Length)
	return err == nil && now == m
}

// damagedError says why an index cannot be used as it is.
type damagedError struct{ why string }

func (e *damagedError) Error() string { return e.why }

func damaged(format string, args ...any) error { return &damagedError{fmt.Sprintf(format, args...)} }

// checked remembers the files whose sums were found right: one that is the same still, or was linked into another
// generation, is not read through again.
type checked struct {
	files []os.FileInfo
	read  int64 // bytes that were summed
}

// known tells whether a file was found right before.
func (k *checked) known(info os.FileInfo) bool {
	return slices.ContainsFunc(k.files, func(o os.FileInfo) bool {
		return os.SameFile(o, info) && o.Size() == info.Size() && o.ModTime().Equal(info.ModTime())
	})
}

// current is the folder of the generation that is read, and its state. It is fs.ErrNotExist where there is no index, and
// a *damagedError where its files are not what they were.
func (k *checked) current(dir string) (string, *state, error) {
	name, err := os.ReadFile(filepath.Join(dir, fileCurrent))
	if err != nil {
		return "", nil, err
	}
	base := strings.TrimSpace(string(name))
	if !strings.HasPrefix(base, generations) || base != filepath.Base(base) {
		return "", nil, damaged("%s names no generation", filepath.Join(dir, fileCurrent))
	}
	generation := filepath.Join(dir, base)
	st, err := readState(generation)
	if err == nil {
		err = k.check(generation, st)
	}
	return generation, st, err
}

func readState(generation string) (*state, error) {
	raw, err := os.ReadFile(filepath.Join(generation, fileState))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, damaged("%s is gone", filepath.Join(generation, fileState))
	}
	if err != nil {
		return nil, err
	}
	st := &state{}
	if err := json.Unmarshal(raw, st); err != nil {
		return nil, damaged("%s cannot be read", filepath.Join(generation, fileState))
	}
	if st.Format != stateFormat || st.Words != text.Version {
		return nil, damaged("another version of thresher has made it")
	}
	return st, nil
}

// check sums those files of a generation that were not found right before.
func (k *checked) check(generation string, st *state) error {
	now := make([]os.FileInfo, 0, len(st.Sums))
	for name, sum := range st.Sums {
		path := filepath.Join(generation, name)
		info, err := os.Stat(path)
		if err == nil && k.known(info) {
			now = append(now, info)
			continue
		}
		got := uint32(0)
		if err == nil {
			got, err = sumOf(path)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return damaged("%s is gone", path)
		case err != nil:
			return err
		case got != sum:
			return damaged("%s is not what was written", path)
		}
		k.read += info.Size()
		now = append(now, info)
	}
	k.files = now
	return nil
}

func sumOf(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	_, err = io.Copy(sum, f)
	return sum.Sum32(), err
}

// seal writes down what a generation is made of, and puts it in the place of the one before, which lies in from: files that
// are the same in both keep their sums.
func seal(dir, made, name string, st *state, from string, before *state) error {
	st.Format, st.Words, st.Sums = stateFormat, text.Version, map[string]uint32{}
	err := filepath.WalkDir(made, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(made, path)
		if err != nil {
			return err
		}
		if sum, known := before.sumOf(rel); known && sameFile(path, filepath.Join(from, rel)) {
			st.Sums[rel] = sum // what is linked never changes
			return nil
		}
		if err := syncFile(path); err != nil {
			return err
		}
		st.Sums[rel], err = sumOf(path)
		return err
	})
	if err != nil {
		return err
	}
	raw, err := json.Marshal(st)
	if err == nil {
		err = whole.Private(filepath.Join(made, fileState), raw)
	}
	like, unseen := os.Stat(dir)
	if unseen == nil {
		whole.Share(made, like.Mode())
	}
	if err == nil {
		err = os.Rename(made, filepath.Join(dir, name))
	}
	if err == nil {
		err = whole.Private(filepath.Join(dir, fileCurrent), []byte(name+"\n"))
	}
	if err == nil && unseen == nil {
		whole.Share(filepath.Join(dir, fileCurrent), like.Mode())
	}
	return err
}

func (s *state) sumOf(name string) (uint32, bool) {
	if s == nil {
		return 0, false
	}
	sum, ok := s.Sums[name]
	return sum, ok
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// link makes a second name for each file of a generation in a new one; where the disk knows no such names, a copy. What
// is written on is always copied.
func link(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		into := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(into, 0o700)
		case rel == fileState || rel == fileCards:
			return nil // they are written anew
		case strings.HasSuffix(rel, ".zap") || strings.HasPrefix(rel, partName):
			if os.Link(path, into) == nil {
				return nil
			}
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(into, content, 0o600)
	})
}

// sweep removes all generations but one, and what a process that was killed has left.
func sweep(dir, but string) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range found {
		if strings.HasPrefix(f.Name(), generations) && f.Name() != but {
			_ = os.RemoveAll(filepath.Join(dir, f.Name())) // where a reader holds it open it goes the next time
		}
	}
}
