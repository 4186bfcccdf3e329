package pack_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// written is one of everything, with values at the ends of what they may be.
func written() pack.Writer {
	var w pack.Writer
	w.Number(math.MaxUint64)
	w.Signed(math.MinInt64)
	w.Signed(-1)
	w.Count(3)
	w.Byte('x')
	w.Yes(true)
	w.Yes(false)
	w.Fixed64(1 << 63)
	w.Float32(-1.5)
	w.Float64(math.Inf(-1))
	w.Bytes([]byte{0, 255})
	w.Text("松木")
	return w
}

// readAll reads what written wrote, and says it.
func readAll(r *pack.Reader) string {
	return fmt.Sprint(r.Number(), r.Signed(), r.Signed(), r.UpTo(3), r.Byte(), r.Yes(), r.Yes(), r.Fixed64(), r.Float32(), r.Float64(), r.Bytes(), r.Text())
}

// TestWhatIsReadIsWhatWasWritten also holds the bytes: what crawls have on their disks is read by later programs.
func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	w := written()
	want := []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" + "\x01" + "\x03" + "x" + "\x01\x00" +
		"\x00\x00\x00\x00\x00\x00\x00\x80" + "\x00\x00\xc0\xbf" + "\x00\x00\x00\x00\x00\x00\xf0\xff" + "\x02\x00\xff" + "\x06松木")
	if !bytes.Equal(w, want) {
		t.Errorf("wrote %q,\nwant  %q", w, want)
	}
	r := pack.Reader{Left: w}
	if got, want := readAll(&r), fmt.Sprint(uint64(math.MaxUint64), int64(math.MinInt64), -1, 3, 'x', true, false, uint64(1<<63), -1.5, math.Inf(-1), []byte{0, 255}, "松木"); got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	if r.Bad || len(r.Left) > 0 {
		t.Errorf("%d bytes are left, bad is %v", len(r.Left), r.Bad)
	}
}

// TestWhatIsCutShortIsBad cuts at every byte.
func TestWhatIsCutShortIsBad(t *testing.T) {
	w := written()
	for n := range w {
		r := pack.Reader{Left: w[:n]}
		if readAll(&r); !r.Bad {
			t.Errorf("of %d bytes, %d were enough", len(w), n)
		}
	}
	r := pack.Reader{Left: append(w, 0)}
	if readAll(&r); r.Bad || len(r.Left) == 0 {
		t.Error("a byte too many was not seen")
	}
}

func TestNobodyIsBelievedWhatIsNotThere(t *testing.T) {
	for name, read := range map[string]func(*pack.Reader){
		"more things than bytes":  func(r *pack.Reader) { r.Count(1) },
		"things that do not fit":  func(r *pack.Reader) { r.Take(1); r.Count(2) },
		"a number above the most": func(r *pack.Reader) { r.UpTo(99) },
		"a number where none is":  func(r *pack.Reader) { r.UpTo(-1) },
		"neither yes nor no":      func(r *pack.Reader) { r.Yes() },
		"fewer bytes than none":   func(r *pack.Reader) { r.Take(-1) },
		"somebody says so":        (*pack.Reader).Fail,
	} {
		r := pack.Reader{Left: []byte{100, 2, 7, 7, 7}}
		if read(&r); !r.Bad || len(r.Left) > 0 || r.Number() != 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	r := pack.Reader{Left: []byte{2, 7, 7, 7, 7}}
	if r.Count(2) != 2 || r.Bad {
		t.Error("two things of two bytes fit into four")
	}
}

// TestWhatWasTakenCanGrow: the bytes behind what was taken stay as they are.
func TestWhatWasTakenCanGrow(t *testing.T) {
	r := pack.Reader{Left: []byte{1, 2, 3}}
	_ = append(r.Take(1), 9)
	if r.Byte() != 2 {
		t.Error("what follows was written over")
	}
}

// TestAListToTheEnd: what is read is added to what is there, and an element that takes nothing is no element.
func TestAListToTheEnd(t *testing.T) {
	w := pack.Coder{}
	three := []uint16{1, 300, math.MaxUint16}
	pack.ToEnd(&w, &three, func(n *uint16) { pack.Small(&w, n) })
	r, got := pack.Coder{Bytes: w.Bytes, Read: true}, []uint16{7}
	pack.ToEnd(&r, &got, func(n *uint16) { pack.Small(&r, n) })
	if fmt.Sprint(got) != "[7 1 300 65535]" || r.Done() != nil {
		t.Errorf("read %v, %v", got, r.Done())
	}
	r = pack.Coder{Bytes: w.Bytes, Read: true}
	if pack.ToEnd(&r, &got, func(*uint16) {}); r.Done() == nil {
		t.Error("elements of no bytes were read")
	}
	r = pack.Coder{Bytes: w.Bytes, Read: true}
	var bytes []uint8
	if pack.ToEnd(&r, &bytes, func(n *uint8) { pack.Small(&r, n) }); r.Done() == nil {
		t.Error("a number was read that does not fit")
	}
}

// TestBitsThatAreMoreThanBitsAreBad: nobody gets the lower half of a number that does not fit.
func TestBitsThatAreMoreThanBitsAreBad(t *testing.T) {
	var w pack.Writer
	w.Number(1<<32 | 7)
	k := pack.Coder{Bytes: w, Read: true}
	var x float32
	if k.Bits32(&x); !k.Bad || x != 0 {
		t.Errorf("%v was read of 33 bits", x)
	}
}

// TestWhatIsAppendedHasItsLength: what was written before its length was known is read as bytes are.
func TestWhatIsAppendedHasItsLength(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 1 << 20} {
		w := pack.Writer("before")
		w.Appended(func(b []byte) []byte { return append(b, bytes.Repeat([]byte{'x'}, n)...) })
		w.Text("behind")
		r := pack.Reader{Left: w[len("before"):]}
		if have := r.Bytes(); len(have) != n || bytes.Count(have, []byte{'x'}) != n || r.Text() != "behind" || r.Bad || len(r.Left) > 0 {
			t.Errorf("of %d bytes %d are read", n, len(have))
		}
	}
}
