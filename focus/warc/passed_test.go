package warc

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// readThrough reads a file to its end.
func readThrough(t *testing.T, data []byte) (targets []string) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		var cut *CutError
		if errors.As(err, &cut) || errors.Is(err, io.EOF) {
			return targets
		}
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, rec.Target)
	}
}

// Whichever byte of a record is changed, all others are read, each from its place.
func TestWhatIsDamagedIsPassedOver(t *testing.T) {
	good, starts := file(t, 4)
	all := readThrough(t, good)
	if len(all) != 4 {
		t.Fatalf("%d records", len(all))
	}
	ends := append(starts[1:], int64(len(good)))
	for which := range starts {
		lost := 0
		for at := starts[which]; at < ends[which]; at += 7 {
			data := bytes.Clone(good)
			data[at] ^= 0x55
			targets := readThrough(t, data)
			if len(targets) == 4 {
				continue // a byte that says nothing, such as the time in gzip's head
			}
			lost++
			if len(targets) != 3 {
				t.Fatalf("byte %d of record %d: %d records", at, which, len(targets))
			}
			for other, start := range starts {
				if rec, err := At(bytes.NewReader(data), start); other != which && (err != nil || rec.Target != all[other]) {
					t.Fatalf("record %d: %v", other, err)
				}
			}
		}
		if lost == 0 {
			t.Errorf("no byte of record %d matters", which)
		}
	}
	two := bytes.Clone(good)
	two[starts[1]+30] ^= 0x55
	two[starts[2]+30] ^= 0x55
	if targets := readThrough(t, two); len(targets) != 2 {
		t.Errorf("two in a row: %d records", len(targets))
	}
	if targets := readThrough(t, good[:len(good)-9]); len(targets) != 3 {
		t.Errorf("cut: %d records", len(targets))
	}
}
