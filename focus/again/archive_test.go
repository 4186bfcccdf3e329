package again

import (
	"os"
	"path/filepath"
	"testing"
)

// TestArchivesAreWrittenOverByNone: whoever deletes the archives of old rounds, or puts them elsewhere, loses none of the others by it.
func TestArchivesAreWrittenOverByNone(t *testing.T) {
	r := &Round{below: t.TempDir(), memory: &memory{}}
	lay := func(folder, name, text string) {
		t.Helper()
		dir := filepath.Join(r.below, folder)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lay("", "pages-0002.warc.gz", "of round 3") // those of the first two are gone
	lay("", "pages-0004.warc.gz", "of round 5")
	lay("", "pages-0005.warc.gz", "")
	lay(folderRound, "pages-0000.warc.gz", "of round 7")
	lay(folderRound, "pages-0001.warc.gz", "of round 7, too")
	if err := r.archive(); err != nil {
		t.Fatal(err)
	}
	if r.memory.Archives != 7 {
		t.Errorf("%d archives have been written, want 7", r.memory.Archives)
	}
	for name, want := range map[string]string{"pages-0002.warc.gz": "of round 3", "pages-0004.warc.gz": "of round 5",
		"pages-0005.warc.gz": "of round 7", "pages-0006.warc.gz": "of round 7, too"} {
		if got, err := os.ReadFile(filepath.Join(r.below, name)); string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
}

// TestArchivesGoOnBehindThoseThatAreElsewhere: what is put beside them later has the name of none.
func TestArchivesGoOnBehindThoseThatAreElsewhere(t *testing.T) {
	r := &Round{below: t.TempDir(), memory: &memory{links: links{Archives: 7}}, plan: plan{Round: 8}}
	dir := filepath.Join(r.below, folderRound)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pages-0000.warc.gz"), []byte("of round 8"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.archive(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(r.below, "pages-0007.warc.gz")); err != nil {
		t.Error(err)
	}
	if err := r.links(nil); err != nil {
		t.Fatal(err)
	}
	var written links
	if err := readJSON(filepath.Join(r.below, fileLinks), &written); err != nil || written.Archives != 8 {
		t.Errorf("%d archives are written down (%v), want 8", written.Archives, err)
	}
}
