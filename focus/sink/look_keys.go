package sink

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// LookKeys adds to keys, which are numbered as they come, those of all pages for a second look of a run: what a link to none of them says is of no use to the others.
// Of a page that was visited again they may be more than ReadLooks has.
func LookKeys(dir string, keys map[uint64]uint32) error {
	names := LookFiles(dir)
	if below, ok := visitedAgain(dir); ok {
		names = append(names, LookFiles(below)...)
	}
	for _, name := range names {
		if err := lookKeys(name, keys); err != nil {
			return fmt.Errorf("read pages for a second look: %w", err)
		}
	}
	return nil
}

// lookKeys reads what lines begin with, and passes over the rest.
func lookKeys(path string, keys map[uint64]uint32) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		told := addKeys(line, keys)
		if !told && len(line) > 0 { // behind blanks that a repair has left
			line = bytes.Clone(line)
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			var more []byte
			if more, err = in.ReadSlice('\n'); !told {
				line = append(line, more...)
			}
		}
		if err == io.EOF {
			return nil // what has no end is still being written
		}
		if err == nil && isBlank(line) {
			continue
		}
		if err == nil && !told {
			var s Seen
			err = s.UnmarshalJSON(line)
			for _, k := range s.Keys {
				numbered(k, keys)
			}
		}
		if err != nil {
			return fmt.Errorf("%s line %d: %w", path, number, lookCured(path, err))
		}
	}
}

// addKeys reads the keys off a line as Take writes it, and answers false where it is another one.
func addKeys(line []byte, keys map[uint64]uint32) bool {
	rest, ok := bytes.CutPrefix(line, []byte(lookBegins))
	_, rest, more := bytes.Cut(rest, []byte(`,"keys":[`))
	all, _, ends := bytes.Cut(rest, []byte(`],"links":`))
	if !ok || !more || !ends {
		return false
	}
	for key := range bytes.SplitSeq(all, []byte(",")) {
		if n, err := strconv.ParseUint(string(key), 10, 64); err == nil {
			numbered(n, keys)
		}
	}
	return true
}

// numbered gives a key a number, if it has none.
func numbered(key uint64, keys map[uint64]uint32) {
	if _, known := keys[key]; !known {
		keys[key] = uint32(len(keys))
	}
}
