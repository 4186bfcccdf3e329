package run

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// What is left in the state folder by others than the frontier (addresses to be taken in, what the crawl is told, what is
// under way) are lines of text, each behind its checksum: a line that is not as it was written is damage, and no address.

// The word that a repair puts in the place of a line that cannot be read.
const markDamaged = "?damaged"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sealed is a line with its checksum.
func Sealed(line string) string {
	return fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(line), castagnoli), line)
}

// unsealedLine is what earlier versions wrote.
var unsealedLine = regexp.MustCompile(`^([-+#=]|!+) |^https?://|^(pause|stop)$`)

var errSealed = errors.New("the line is not as it was written")

// unsealed is the line that was sealed, empty for one that a repair took out.
func unsealed(line string) (string, error) {
	line = strings.TrimSuffix(line, "\n")
	switch {
	case line == "", strings.HasPrefix(line, markDamaged[:1]):
		return "", nil
	case unsealedLine.MatchString(line):
		return line, nil
	}
	seal, text, _ := strings.Cut(line, " ")
	if seal != fmt.Sprintf("%08x", crc32.Checksum([]byte(text), castagnoli)) {
		return "", errSealed
	}
	return text, nil
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
	end = from
	for line := range strings.Lines(string(text[from:])) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		said, err := unsealed(line)
		if err != nil {
			return end, fmt.Errorf("%s is damaged at byte %d: %w: 'thresher repair --run %s' takes it out", path, end, err, filepath.Dir(filepath.Dir(path)))
		}
		if end += int64(len(line)); said != "" {
			see(said)
		}
	}
	return end, nil
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
