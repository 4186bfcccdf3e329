package sink

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/thresher-crawler/thresher/focus/warc"
)

// Gaps finds what in the first bytes of a WARC file of a run folder cannot be read. A file that ends earlier is looked at
// up to its end.
func Gaps(path string, length int64) ([]warc.Gap, error) {
	var gaps []warc.Gap
	err := archive(path, length, func(*warc.Record) {}, &gaps)
	return gaps, err
}

// Exchanges names the addresses whose answers are in a WARC file and can be read, and those that led to them.
func Exchanges(path string, see func(address string)) error {
	return archive(path, math.MaxInt64, func(r *warc.Record) {
		if r.Type == "response" {
			see(r.Target)
		}
		if r.Type != "metadata" {
			return
		}
		for line := range strings.Lines(string(r.Body)) {
			if address, ok := strings.CutPrefix(line, "found-as: "); ok {
				see(strings.TrimSpace(address))
			}
		}
	}, new([]warc.Gap))
}

// archive reads all records in the first bytes of a WARC file.
func archive(path string, length int64, see func(*warc.Record), gaps *[]warc.Gap) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("sink: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("sink: %w", err)
	}
	r, err := warc.NewReader(io.NewSectionReader(f, 0, min(length, info.Size())))
	for err == nil {
		var rec *warc.Record
		if rec, err = r.Next(); err == nil {
			see(rec)
		}
	}
	var cut *warc.CutError
	if !errors.Is(err, io.EOF) && !errors.As(err, &cut) {
		return fmt.Errorf("sink: read %s: %w", path, err)
	}
	if r != nil {
		*gaps = r.Gaps()
	}
	return nil
}
