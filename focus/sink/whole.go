package sink

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/warc"
)

// Whole is how long a file of a run folder is up to the end of its last whole record, and how many records that are, the
// names that head a table not counted. Of a file that was cut by accident the rest is no use. A file that is gone is
// empty.
func Whole(path string) (length int64, records int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	switch {
	case strings.HasSuffix(path, archives.suffix):
		length, records, err = wholeArchive(f)
	case isTable(filepath.Base(path)):
		length, records, err = wholeTable(f)
	default:
		length, records, err = wholeLines(f)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("read %s: %w", path, err)
	}
	return length, records, nil
}

func isTable(name string) bool {
	_, ok := table.number(name)
	return ok
}

// wholeLines counts the lines that end.
func wholeLines(f io.Reader) (length int64, records int, err error) {
	in := longLines{Reader: bufio.NewReaderSize(f, 1<<16)}
	for {
		line, err := in.next()
		if errors.Is(err, io.EOF) {
			return length, records, nil
		}
		if err != nil {
			return 0, 0, err
		}
		length, records = length+int64(len(line)), records+1
	}
}

// wholeTable counts the rows that end, the first of which is the names: a row may be many lines.
func wholeTable(f io.Reader) (length int64, records int, err error) {
	in := &endings{r: f}
	rows := csv.NewReader(in)
	rows.ReuseRecord = true
	for {
		_, err := rows.Read()
		var bad *csv.ParseError
		if errors.Is(err, io.EOF) || errors.As(err, &bad) {
			return length, max(records-1, 0), nil
		}
		if err != nil {
			return 0, 0, err
		}
		if end := rows.InputOffset(); end < in.read || in.last == '\n' { // the last row may have no end
			length, records = end, records+1
		}
	}
}

// endings knows what was read last.
type endings struct {
	r    io.Reader
	read int64
	last byte
}

func (e *endings) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if e.read += int64(n); n > 0 {
		e.last = p[n-1]
	}
	return n, err
}

// wholeArchive counts the records that are whole.
func wholeArchive(f *os.File) (length int64, records int, err error) {
	r, err := warc.NewReader(f)
	if errors.Is(err, io.EOF) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	for {
		_, err := r.Next()
		var cut *warc.CutError
		switch {
		case errors.As(err, &cut):
			return cut.Offset, records, nil
		case errors.Is(err, io.EOF):
			info, err := f.Stat()
			if err != nil {
				return 0, 0, err
			}
			return info.Size(), records, nil
		case err != nil:
			return 0, 0, err
		}
		records++
	}
}
