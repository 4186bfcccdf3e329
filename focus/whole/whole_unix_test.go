//go:build unix

package whole

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no file is written into and stays what it is, also behind a link; nothing is left beside it.
func TestAPipeIsWrittenInto(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(other, "link")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link)); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // it waits for no writer
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, path := range []string{pipe, link} {
		if err := Write(path, []byte("text")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			t.Fatalf("%s is no pipe now: %v, %v", path, info, err)
		}
		heard := make([]byte, 10)
		if n, err := reader.Read(heard); err != nil || string(heard[:n]) != "text" {
			t.Errorf("%s: heard %q: %v", path, heard[:n], err)
		}
	}
	alone(t, dir, "pipe")
	alone(t, other, "link")
}

// A file that has no name any more is written into, too: there is no place to put another.
func TestAFileWithoutANameIsWrittenInto(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gone")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	open := fmt.Sprint("/dev/fd/", file.Fd())
	if info, err := os.Lstat(open); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Skip("open files have no links here")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, direct, err := Place(open); err != nil || !direct {
		t.Errorf("direct: %v, %v", direct, err)
	}
}
