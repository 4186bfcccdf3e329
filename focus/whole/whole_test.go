package whole

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.json")
	for _, content := range []string{"first, and longer", "second"} {
		if err := Write(path, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != content {
			t.Errorf("%q, want %q", got, content)
		}
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	alone(t, dir, "run.json")
}

// A folder stands where the file should be: nothing is written, and nothing is left beside it.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("text"), 0o644); err == nil {
		t.Error("a folder was written over")
	}
	alone(t, dir, "taken")
	if err := Write(filepath.Join(dir, "none", "run.json"), nil, 0o644); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
}

func TestClear(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{Beside + "1", "run.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Clear(dir)
	alone(t, dir, "run.json")
}

func alone(t *testing.T, dir, name string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != name {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}
