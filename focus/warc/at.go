package warc

import (
	"fmt"
	"io"
	"math"
	"sync"
)

// readers are kept for At: a gzip reader is 40 KB of tables that need not be made anew for every page.
var readers = sync.Pool{New: func() any { return &Reader{} }}

// At reads the record that starts at an offset of a file, as Record.Offset told it.
func At(f io.ReaderAt, offset int64) (*Record, error) {
	r := readers.Get().(*Reader)
	defer readers.Put(r)
	if err := r.reset(io.NewSectionReader(f, offset, math.MaxInt64-offset)); err != nil {
		return nil, err
	}
	r.seek = nil // the record asked for or none: nothing is looked for behind it
	rec, err := r.Next()
	if err == nil && r.skipped > 0 {
		err = r.last
	}
	if err != nil {
		name := ""
		if n, ok := f.(interface{ Name() string }); ok {
			name = n.Name()
		}
		return nil, fmt.Errorf("read %q: no whole record at byte %d: the file has changed or is damaged: %w", name, offset, err)
	}
	rec.Offset = offset
	return rec, nil
}
