package sink

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/shell"
)

// lines is the sink of jsonl and csv.
type lines struct {
	*files
	to     string
	fields []string
	enc    *Encoder
}

func init() {
	Register("jsonl", openLines)
	Register("csv", openLines)
}

// openLines opens a file of lines to go on with it. One that ends inside a line is refused: a crawl has cut its files back by now.
func openLines(dir string, o Options) (Sink, error) {
	kind := jsonl
	if o.To == "csv" {
		kind = table
	}
	s := &lines{to: o.To, fields: o.Fields}
	if err := s.begin(); err != nil {
		return nil, err
	}
	var err error
	if s.files, err = openFiles(dir, kind, o.Rotate); err != nil {
		return nil, err
	}
	if s.length > 0 {
		var last [1]byte
		_, err := s.f.ReadAt(last[:], s.length-1)
		if err != nil && err != io.EOF {
			return nil, errors.Join(fmt.Errorf("open: %w", err), s.f.Close())
		}
		if last[0] != '\n' {
			s.f.Close()
			return nil, fmt.Errorf("open: %s ends inside a line: 'thresher repair --run %s' goes on with what is left",
				filepath.Join(dir, kind.name(s.n)), shell.Word(dir))
		}
		if s.enc.begun = s.sameColumns(); !s.enc.begun {
			return s, s.next()
		}
	}
	return s, nil
}

// sameColumns tells whether the file that is there has the columns that are written now; a crawl may have been gone on with for
// others, which begin a file of their own.
func (s *lines) sameColumns() bool {
	if s.enc.csv == nil {
		return true
	}
	s.enc.buf = s.enc.buf[:0]
	s.enc.head()
	head := make([]byte, len(s.enc.buf))
	_, err := s.f.ReadAt(head, 0)
	return err == nil && bytes.Equal(head, s.enc.buf)
}

// begin makes the encoder of a new file.
func (s *lines) begin() error {
	var err error
	s.enc, err = NewEncoder(nil, s.to, s.fields)
	return err
}

func (s *lines) Write(r *Record) error {
	line := s.enc.parts(r)
	if s.full(size(line)) {
		if err := s.next(); err != nil {
			return err
		}
		s.enc.begun = false // the names of the columns head each file
		line = s.enc.parts(r)
	}
	return s.write(line...)
}
