package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// position is where a frame stands: its segment, and the byte in it. 0 is nowhere.
type position uint64

const (
	segmentShift = 40
	// bases are the segments that compaction wrote: they hold contents, and are not replayed.
	bases segment = 1 << 23
)

// segment is the number of a file of the log.
type segment uint32

func at(s segment, offset int64) position { return position(s)<<segmentShift | position(offset) }

func (p position) segment() segment { return segment(p >> segmentShift) }
func (p position) offset() int64    { return int64(p & (1<<segmentShift - 1)) }

func (s segment) file() string {
	if s&bases != 0 {
		return fmt.Sprintf("base-%06d", s&^bases)
	}
	return fmt.Sprintf("log-%06d", s)
}

// segmentOf is the segment that a file is, if it is one.
func segmentOf(name string) (s segment, ok bool) {
	if n, err := fmt.Sscanf(name, "log-%06d", &s); n == 1 && err == nil && s.file() == name {
		return s, true
	}
	if n, err := fmt.Sscanf(name, "base-%06d", &s); n == 1 && err == nil && (s|bases).file() == name {
		return s | bases, true
	}
	return 0, false
}

// The head of a segment: magic, version, the segment's number, the key of the hashes, a checksum.
const (
	logMagic    = "thrshlog"
	version     = 2
	segmentHead = 8 + 2 + 4 + 16 + 4
)

func appendHead(b []byte, s segment, k key) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint16(append(b, logMagic...), version)
	b = binary.LittleEndian.AppendUint32(b, uint32(s))
	b = binary.LittleEndian.AppendUint64(b, k[0])
	b = binary.LittleEndian.AppendUint64(b, k[1])
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

var errHead = errors.New("the head of the file is not that of a frontier's log")

// cutHead reads the head of a segment.
func cutHead(b []byte, s segment) (key, error) {
	if len(b) < segmentHead {
		return key{}, errShort
	}
	if string(b[:8]) != logMagic {
		return key{}, errHead
	}
	if v := binary.LittleEndian.Uint16(b[8:]); v != version && checkedHead(b) {
		return key{}, pack.Version(int(v), version)
	}
	if !checkedHead(b) || binary.LittleEndian.Uint32(b[10:]) != uint32(s) {
		return key{}, errHead
	}
	return keyOf(b[14:]), nil
}

func checkedHead(b []byte) bool {
	return crc32.Checksum(b[:segmentHead-4], castagnoli) == binary.LittleEndian.Uint32(b[segmentHead-4:])
}

// otherVersion tells of an error that a file of another format is met with: it is not damaged.
func otherVersion(err error) bool {
	var other *pack.VersionError
	return errors.As(err, &other)
}

// Holds tells of a folder that a frontier has written a log there, damaged or not.
func Holds(dir string) bool {
	inv, err := takeInventory(dir)
	if err != nil {
		return false
	}
	for _, s := range append(inv.logs, inv.bases...) {
		if begins(filepath.Join(dir, s.file()), logMagic) {
			return true
		}
	}
	return false
}

// begins tells of a file that it begins so.
func begins(path, with string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	have := make([]byte, len(with))
	_, err = io.ReadFull(f, have)
	return err == nil && string(have) == with
}

// DamageError says that a file of the frontier is not as it was written.
type DamageError struct {
	File   string
	Offset int64
	What   error
}

func (e *DamageError) Error() string {
	run := filepath.Dir(e.File)
	if filepath.Base(run) == "state" {
		run = filepath.Dir(run)
	}
	return fmt.Sprintf("%q is damaged at byte %d: %v: 'thresher repair --run %s' rebuilds the state",
		e.File, e.Offset, e.What, shell.Word(run))
}

// Unwrap is what was found there.
func (e *DamageError) Unwrap() error { return e.What }

// inventory is what lies in a frontier's folder.
type inventory struct {
	logs      []segment // in order
	bases     []segment
	snapshots []uint64 // in order
}

// takeInventory lists what is there by its names, and opens nothing.
func takeInventory(dir string) (inv inventory, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return inv, err
	}
	for _, f := range files {
		if s, ok := segmentOf(f.Name()); ok && s&bases != 0 {
			inv.bases = append(inv.bases, s)
		} else if ok {
			inv.logs = append(inv.logs, s)
		} else if n, ok := snapshotOf(f.Name()); ok {
			inv.snapshots = append(inv.snapshots, n)
		}
	}
	slices.Sort(inv.logs)
	slices.Sort(inv.bases)
	slices.Sort(inv.snapshots)
	return inv, nil
}

// unfinished are files that were being written when the process ended.
func unfinished(name string) bool { return strings.HasSuffix(name, ".new") }

// create makes a file, or empties the one that is there. Like all of a frontier's, it is nobody else's to read.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

// syncDir makes new names in a folder safe, where the file system knows how: some of file servers and of virtual machines do not.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
