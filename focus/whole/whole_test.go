package whole

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	for name, write := range map[string]func(string, []byte) error{"Write": Write, "Note": Note} {
		dir := t.TempDir()
		path := filepath.Join(dir, "run.json")
		for _, content := range []string{"first, and longer", "second"} {
			if err := write(path, []byte(content)); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != content {
				t.Errorf("%s: %q, want %q", name, got, content)
			}
			if err := os.Chmod(path, 0o640); err != nil {
				t.Fatal(err)
			}
		}
		if err := write(path, nil); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
			t.Errorf("%s: a file that was there has mode %v now", name, info.Mode())
		}
		alone(t, dir, "run.json")
	}
}

// TestModeOfANewFile: it is that of any other file that is made here.
func TestModeOfANewFile(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(Write(filepath.Join(dir, "a"), nil), os.WriteFile(filepath.Join(dir, "b"), nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	a, _ := os.Stat(filepath.Join(dir, "a"))
	b, _ := os.Stat(filepath.Join(dir, "b"))
	if a.Mode() != b.Mode() {
		t.Errorf("mode %v, others have %v", a.Mode(), b.Mode())
	}
}

// A folder stands where the file should be: nothing is written, and nothing is left beside it.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("text")); err == nil {
		t.Error("a folder was written over")
	}
	alone(t, dir, "taken")
	if err := Write(filepath.Join(dir, "none", "run.json"), nil); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
}

func TestClear(t *testing.T) {
	all := t.TempDir()
	mine, other := filepath.Join(all, "run[1]"), filepath.Join(all, "run1")
	for _, dir := range []string{mine, other} {
		for _, name := range []string{Beside + "1", "run.json"} {
			if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	Clear(mine)
	alone(t, mine, "run.json")
	if _, err := os.Stat(filepath.Join(other, Beside+"1")); err != nil {
		t.Error("a folder whose name is like it was cleared, too")
	}
}

func alone(t *testing.T, dir, name string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != name {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// A link stays, and what it leads to is written: a file with its mode, and one that was not there, also over a link to a link.
func TestALinkStays(t *testing.T) {
	dir, links := t.TempDir(), t.TempDir()
	file, link, other := filepath.Join(dir, "file"), filepath.Join(links, "link"), filepath.Join(links, "other")
	if err := os.Symlink("link", other); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"new", "another"} {
		if err := Write(other, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); string(got) != content {
			t.Errorf("%q, want %q: %v", got, content, err)
		}
	}
	for path, want := range map[string]string{link: file, other: "link"} {
		if to, err := os.Readlink(path); err != nil || to != want {
			t.Errorf("%s leads to %q: %v", path, to, err)
		}
	}
	alone(t, dir, "file")
	if err := errors.Join(os.Remove(link), os.Symlink("other", link)); err != nil {
		t.Fatal(err)
	}
	if err := Write(other, nil); err == nil {
		t.Error("written to links that lead to each other")
	}
}

// A folder in the place of the file is told as that, and nothing is left beside it.
func TestAFolderIsNotWrittenOver(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "folder")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("text")); err == nil || !strings.Contains(err.Error(), path+": is a folder, want a file") {
		t.Errorf("written over a folder: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
