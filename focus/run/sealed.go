package run

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/shell"
)

// What is left in the state folder by others than the frontier (addresses to be taken in, what the crawl is told, what is
// under way) are lines of text, each behind its checksum: a line that is not as it was written is damage, and no address.

// The word that a repair puts in the place of a line that cannot be read.
const markDamaged = "?damaged"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sealed is a line with its checksum.
func Sealed(line string) string {
	return string(append(append(appendSeal(make([]byte, 0, sealLength+len(line)+2), line), ' '), line+"\n"...))
}

// sealLength is how long a checksum is that is written.
const sealLength = 8

// appendSeal writes the checksum of a line.
func appendSeal(to []byte, line string) []byte {
	var sum [sealLength / 2]byte
	binary.BigEndian.PutUint32(sum[:], crc32.Checksum([]byte(line), castagnoli))
	return hex.AppendEncode(to, sum[:])
}

var errSealed = errors.New("the line is not as it was written")

// unsealed is the line that was sealed, empty for one that a repair took out.
func unsealed(line string) (string, error) {
	line = strings.TrimSuffix(line, "\n")
	if seal, text, ok := strings.Cut(line, " "); ok && len(seal) == sealLength {
		var room [sealLength]byte
		if seal == string(appendSeal(room[:0], text)) {
			return text, nil
		}
	}
	if line == "" || strings.HasPrefix(line, markDamaged[:1]) {
		return "", nil
	}
	return "", errSealed
}

// EachSealed goes through the whole lines of a file from a place on, which begins a line, and answers where it ended: what has
// no end yet is being written. A file that is not there has no lines.
func EachSealed(path string, from int64, see func(line string)) (end int64, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && int64(len(text)) < from {
		return from, nil
	}
	if err != nil {
		return from, err
	}
	read, err := eachSealed(string(text[from:]), see)
	if end = from + int64(read); err != nil {
		err = fmt.Errorf("%s is damaged at byte %d: %w: 'thresher repair --run %s' takes it out", path, end, err, shell.Word(filepath.Dir(filepath.Dir(path))))
	}
	return end, err
}

// eachSealed goes through the whole lines of a text, up to one that is damaged, and answers how many bytes they are.
func eachSealed(text string, see func(line string)) (read int, err error) {
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		said, err := unsealed(line)
		if err != nil {
			return read, err
		}
		if read += len(line); said != "" {
			see(said)
		}
	}
	return read, nil
}

// sealedFiles are those below state.
var sealedFiles = []string{FileInjected, FileCommand, FileUnderway, FileOrders}

// sound tells of damage in what others have left for the crawl. Nothing has been changed then.
func (f *Folder) sound() error {
	for _, name := range sealedFiles {
		if _, err := EachSealed(filepath.Join(f.Dir, FileState, name), 0, func(string) {}); err != nil {
			return err
		}
	}
	return nil
}
