package sink

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Whoever writes does not wait for a slow disk until much is pending, and what was pending then stands in the file in its order.
func TestASlowDiskHoldsNobodyUp(t *testing.T) {
	dir := t.TempDir()
	w, err := openFiles(dir, jsonl, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	w.going = true // as if the system had not yet taken what came before
	var want []byte
	for n := range 40 {
		record := append(bytes.Repeat([]byte{byte('a' + n%26)}, pending/2+n), '\n')
		want = append(want, record...)
		if err := w.write(record); err != nil {
			t.Fatal(err)
		}
	}
	if w.waits.size != len(want) || len(want) >= mostPending {
		t.Fatalf("%d bytes of %d are pending", w.waits.size, len(want))
	}
	w.carry() // it has
	if err := w.write([]byte("end\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, jsonl.name(0)))
	if err != nil || !bytes.Equal(got, append(want, "end\n"...)) {
		t.Errorf("%d bytes in the file, want %d in their order (%v)", len(got), len(want)+4, err)
	}
}
