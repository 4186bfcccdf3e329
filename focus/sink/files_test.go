package sink

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is gathered goes to the file behind whoever writes: all of it is there once it is synced, in its order, whoever syncs
// meanwhile; and of a write that went wrong nobody is told that it is safe.
func TestWhatIsWrittenBehindIsThereAfterASync(t *testing.T) {
	dir := t.TempDir()
	w, err := openFiles(dir, jsonl, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan error)
	go func() {
		var failed error
		for range 20 {
			if err := w.Sync(); err != nil {
				failed = err
			}
		}
		over <- failed
	}()
	var want []byte
	for n := range 200 {
		line := append(bytes.Repeat([]byte{byte('a' + n%26)}, pending/10), '\n')
		if want = append(want, line...); w.write(line) != nil {
			t.Fatal(w.failed)
		}
	}
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	if err := w.Sync(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, jsonl.name(0)))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes are there, want the %d that were written: %v", len(got), len(want), err)
	}
	w.f.Close()
	w.write(make([]byte, pending)) // may not know yet
	if err := w.Sync(); err == nil {
		t.Error("what could not be written is said to be safe")
	}
	if err := w.write([]byte("more\n")); err == nil {
		t.Error("what comes behind a gap is taken")
	}
}
