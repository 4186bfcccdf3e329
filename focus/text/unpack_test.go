package text

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestUnpackedFilesAreRight(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "folder")
	paths, err := unpackFor(userDict{words: []userWord{{word: "甲骨水寨", frequency: 3}}}, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) != 5 {
		t.Fatalf("%d files, gojieba wants 5", len(paths))
	}
	for _, p := range paths {
		if info, err := os.Stat(p); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", p, err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".unpacking-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestUnpackMendsWhatIsWrong holds that a torn or foreign file is replaced, and a right one left alone.
func TestUnpackMendsWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	paths, err := unpackFor(userDict{}, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(paths[0])
	if err := os.WriteFile(paths[1], []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := unpackFor(userDict{}, []string{dir}); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(paths[1]); len(b) < 100000 {
		t.Errorf("the torn model has %d bytes still", len(b))
	}
	if after, _ := os.Stat(paths[0]); !os.SameFile(before, after) {
		t.Error("a right dictionary was written again")
	}
}

func TestUnpackElsewhereIfNotHere(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), "a;b|c") // C++ would take it for three folders
	good := t.TempDir()
	paths, err := unpackFor(userDict{}, []string{filepath.Join(blocked, "below"), odd, good})
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(paths[0]) != good {
		t.Errorf("unpacked into %s, want %s", paths[0], good)
	}
	_, err = unpackFor(userDict{}, []string{filepath.Join(blocked, "below"), odd})
	if err == nil || !strings.Contains(err.Error(), blocked) || !strings.Contains(err.Error(), "a;b|c") {
		t.Errorf("error %v, want one that names both folders", err)
	}
}

func TestUnpackByManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if _, err := unpackFor(userDict{}, []string{dir}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, f := range dictFiles(userDict{}) {
		if !f.isAt(filepath.Join(dir, f.name)) {
			t.Errorf("%s is not right", f.name)
		}
	}
}

// TestPlacesWithoutHome holds that an empty environment still leaves a place.
func TestPlacesWithoutHome(t *testing.T) {
	if n := len(places()); n != 2 {
		t.Errorf("%d places with a home, want 2", n)
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", "")
	list := places()
	if len(list) != 1 || !strings.HasPrefix(list[0], os.TempDir()) {
		t.Errorf("places %v, want one below %s", list, os.TempDir())
	}
}
