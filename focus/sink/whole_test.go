package sink

import (
	"os"
	"path/filepath"
	"testing"
)

// Cut anywhere, a file is whole up to the end of a record: cut back to there, a sink goes on with it.
func TestWholeUpToTheLastRecord(t *testing.T) {
	for _, to := range []string{"jsonl", "csv", "warc"} {
		dir := t.TempDir()
		ends := []int64{0}
		s, err := Open(dir, Options{To: to, Rotate: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		for n := range 4 {
			if err := s.Write(kept(uint64(n))); err != nil {
				t.Fatal(err)
			}
			for of, length := range s.Lengths() {
				name, ends = of, append(ends, length)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for cut := 0; cut <= len(raw); cut += max(1, len(raw)/37) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, raw[:cut], 0o644); err != nil {
				t.Fatal(err)
			}
			length, records, err := Whole(path)
			if err != nil {
				t.Fatalf("%s cut at %d: %v", to, cut, err)
			}
			if length > int64(cut) || records > 0 && to != "warc" && ends[records] != length {
				t.Fatalf("%s cut at %d: whole up to %d with %d records; records end at %v", to, cut, length, records, ends)
			}
			if to != "warc" && records < 4 && int64(cut) >= ends[records+1] {
				t.Fatalf("%s cut at %d: %d records only; they end at %v", to, cut, records, ends)
			}
			if err := os.Truncate(path, length); err != nil {
				t.Fatal(err)
			}
			again, err := Open(filepath.Dir(path), Options{To: to, Rotate: 1 << 20})
			if err != nil {
				t.Fatalf("%s cut at %d, whole up to %d: %v", to, cut, length, err)
			}
			again.Close()
		}
	}
	if length, records, err := Whole(filepath.Join(t.TempDir(), "harvest.jsonl")); length != 0 || records != 0 || err != nil {
		t.Errorf("a file that is gone: %d, %d, %v", length, records, err)
	}
}
