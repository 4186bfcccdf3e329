package sink

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/shell"
)

// Harvest reads the kept pages of a run folder back, in the order they were kept, through all files of harvest.jsonl.
// An error ends it; it names file and offset. A number that was written as null, or not at all, is NaN. Of a page that was
// visited again it is what the last visit found.
func Harvest(dir string) iter.Seq2[*Record, error] { return harvestAgain(dir, HarvestOnce(dir)) }

// HarvestOnce is Harvest without what later visits found: what the crawl itself has kept, and its state tells of.
func HarvestOnce(dir string) iter.Seq2[*Record, error] { return harvestOnce(dir, false) }

func harvestOnce(dir string, brief bool) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		names, err := jsonl.list(dir)
		if err == nil && len(names) == 0 {
			err = fmt.Errorf("there is no harvest.jsonl in %s: want the folder of a run that has a jsonl sink", dir)
		}
		if err != nil {
			yield(nil, fmt.Errorf("read harvest: %w", err))
			return
		}
		for _, name := range names {
			if !harvestFile(filepath.Join(dir, name), brief, yield) {
				return
			}
		}
	}
}

// Place is where a record stands.
type Place struct {
	path   string
	offset int64
	length int
}

// Read reads the record that stands there.
func (p Place) Read() (*Record, error) {
	f, err := os.Open(p.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line, r := make([]byte, p.length), &Record{}
	if _, err = f.ReadAt(line, p.offset); err == nil {
		err = r.UnmarshalJSON(line)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s at byte %d: %w", p.path, p.offset, err)
	}
	return r, nil
}

// harvestFile reads the records of a file; brief ones have no text and no Markdown.
func harvestFile(path string, brief bool, yield func(*Record, error) bool) bool {
	return placedFile(path, brief, func(r *Record, _ Place, err error) bool { return yield(r, err) })
}

// placedFile reads the records of a file with the places of their lines, and stops at the first that cannot be read: what is wrong is
// said with file and byte, and with what helps.
func placedFile(path string, brief bool, yield func(*Record, Place, error) bool) bool {
	fail := func(offset int64, err error) bool {
		yield(nil, Place{}, fmt.Errorf("read harvest: %s at byte %d: %w", path, offset, err))
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return fail(0, err)
	}
	defer f.Close()
	in := longLines{Reader: bufio.NewReaderSize(f, 256<<10)}
	for offset := int64(0); ; {
		line, err := in.next()
		if err == io.EOF && len(line) == 0 {
			return true
		}
		if err == io.EOF {
			return fail(offset, cured(path, errCutShort))
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			offset += int64(len(line))
			continue // there was a record that could not be read
		}
		r := &Record{}
		if err == nil {
			if err = r.read(scan{left: line, brief: brief}); err != nil { // and not json.Unmarshal, which would look at it twice
				err = cured(path, err)
			}
		}
		if err != nil {
			return fail(offset, err)
		}
		if !yield(r, Place{path, offset, len(line)}, nil) {
			return false
		}
		offset += int64(len(line))
	}
}

var errCutShort = errors.New("the last line is not whole")

// cured says what helps where a line cannot be read. What a second look has written is none of what a crawl goes on with: it is written
// anew, or done without.
func cured(path string, err error) error {
	dir := filepath.Dir(path)
	switch {
	case filepath.Base(dir) == FolderAgain:
		return AgainCured(filepath.Dir(dir), err)
	case filepath.Base(path) == FileKept && HasLooks(dir):
		return fmt.Errorf("%w: 'thresher winnow --run %s' writes it anew", err, shell.Word(dir))
	case filepath.Base(path) == FileKept:
		return fmt.Errorf("%w: 'thresher repair --run %s' sets it aside, and the harvest counts", err, shell.Word(dir))
	case err == errCutShort:
		return fmt.Errorf("%w: the crawl was stopped in the middle of it, and cuts it when it is resumed; where it refuses to, 'thresher repair --run %s' goes on with what is left", err, dir)
	}
	return fmt.Errorf("%w: 'thresher repair --run %s' leaves this record out", err, shell.Word(dir))
}

// longLines reads lines of any length.
type longLines struct {
	*bufio.Reader
	long []byte
}

// next is the next line with its end, or what is there of it and why that is all. It is valid until the one behind it.
func (l *longLines) next() ([]byte, error) {
	line, err := l.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	l.long = append(l.long[:0], line...)
	for err == bufio.ErrBufferFull {
		line, err = l.ReadSlice('\n')
		l.long = append(l.long, line...)
	}
	return l.long, err
}

// UnmarshalJSON reads a line of harvest.jsonl. A number that is null, or not there, is NaN.
func (r *Record) UnmarshalJSON(b []byte) error { return r.read(scan{left: b}) }

func (r *Record) read(s scan) error {
	b := s.left
	if at := s.record(); s.ends() {
		*r = *at
		return nil
	}
	p := unread()
	if err := json.Unmarshal(b, p); err != nil {
		return err
	}
	*r = *p.record()
	return nil
}

// plainRecord is a record that is read as it stands, without UnmarshalJSON, which would go over its bytes once more.
type plainRecord Record

// unread is a record before it is read.
func unread() *plainRecord {
	return &plainRecord{Relevance: math.NaN(), Raw: math.NaN(), Way: Way{Score: math.NaN()}}
}

// record is what was read. What is empty is not there.
func (p *plainRecord) record() *Record {
	if len(p.Data) == 0 {
		p.Data = nil
	}
	if len(p.OptOuts) == 0 {
		p.OptOuts = nil
	}
	return (*Record)(p)
}

// MarshalJSON writes what Encoder writes.
func (r *Record) MarshalJSON() ([]byte, error) {
	var line growing
	e, err := NewEncoder(&line, "jsonl", nil)
	if err == nil {
		err = e.Encode(r)
	}
	return line, err
}

// UnmarshalJSON reads a node of the score's tree; null is NaN.
func (n *Number) UnmarshalJSON(b []byte) error {
	type plain Number
	p := plain{Value: math.NaN()}
	err := json.Unmarshal(b, &p)
	*n = Number(p)
	return err
}

// UnmarshalJSON reads an ancestor; a relevance of null is NaN.
func (s *Step) UnmarshalJSON(b []byte) error {
	type plain Step
	p := plain{Relevance: math.NaN()}
	err := json.Unmarshal(b, &p)
	*s = Step(p)
	return err
}
