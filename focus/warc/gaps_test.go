package warc

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// gapsOf reads a file to its end: its records, and what was passed over.
func gapsOf(t *testing.T, data []byte) (targets []string, gaps []Gap) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		var cut *CutError
		if errors.As(err, &cut) || errors.Is(err, io.EOF) {
			return targets, r.Gaps()
		}
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, rec.Target)
	}
}

// Whichever byte of a record is changed, all others are read, and what is not is told from its first byte to its last;
// with a filler in its place the file is sound, and every other record where it was.
func TestGaps(t *testing.T) {
	good, starts := file(t, 4)
	all, gaps := gapsOf(t, good)
	if len(gaps) > 0 || len(all) != 4 {
		t.Fatalf("%v in a sound file of %d records", gaps, len(all))
	}
	ends := append(starts[1:], int64(len(good)))
	for which := range starts {
		lost := 0
		for at := starts[which]; at < ends[which]; at += 7 {
			data := bytes.Clone(good)
			data[at] ^= 0x55
			targets, gaps := gapsOf(t, data)
			if len(gaps) == 0 && len(targets) == 4 {
				continue // a byte that says nothing, such as the time in gzip's head
			}
			lost++
			if len(targets) != 3 || len(gaps) != 1 || gaps[0].From != starts[which] || gaps[0].To != ends[which] || gaps[0].Why == nil {
				t.Fatalf("byte %d of record %d: %d records, %+v, want one from %d to %d", at, which, len(targets), gaps, starts[which], ends[which])
			}
			copy(data[gaps[0].From:], Filler(gaps[0].To-gaps[0].From))
			if targets, gaps := gapsOf(t, data); len(targets) != 3 || len(gaps) > 0 {
				t.Fatalf("byte %d of record %d, filled: %d records, %+v", at, which, len(targets), gaps)
			}
			for other, start := range starts {
				if rec, err := At(bytes.NewReader(data), start); other != which && (err != nil || rec.Target != all[other]) {
					t.Fatalf("record %d behind a filler: %v", other, err)
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
	if targets, gaps := gapsOf(t, two); len(targets) != 2 || len(gaps) != 1 || gaps[0].From != starts[1] || gaps[0].To != starts[3] {
		t.Errorf("two in a row: %d records, %+v", len(targets), gaps)
	}
	if _, gaps := gapsOf(t, good[:len(good)-9]); len(gaps) != 1 || gaps[0].From != starts[3] || gaps[0].To != int64(len(good)-9) {
		t.Errorf("cut: %+v", gaps)
	}
}

func TestFillersOfAnyLength(t *testing.T) {
	good, _ := file(t, 1)
	for _, n := range []int64{20, 21, 22, 23, 25, 26, 27, 100, 59_999, 60_000, 60_001, 60_019, 60_020, 200_000} {
		filler := Filler(n)
		if int64(len(filler)) != n {
			t.Errorf("%d bytes, want %d", len(filler), n)
		}
		if targets, gaps := gapsOf(t, append(bytes.Clone(filler), good...)); len(targets) != 1 || len(gaps) > 0 {
			t.Errorf("behind %d bytes: %d records, %+v", n, len(targets), gaps)
		}
		if plain := unpacked(t, filler); len(plain) > 0 {
			t.Errorf("%d bytes hold %d", n, len(plain))
		}
	}
	if Filler(19) != nil {
		t.Error("there is no member of 19 bytes")
	}
}
