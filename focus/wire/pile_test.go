package wire

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// TestPile: whatever the pieces are in which a body comes, the pile has its bytes; a fault ends it with what came before.
func TestPile(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	body := make([]byte, 3<<20)
	for n := range body {
		body[n] = byte(random.Uint32())
	}
	for _, size := range []int{0, 1, leastPart, leastPart + 1, mostPart, 5*mostPart + 3, len(body)} {
		var written, read pile
		written.expect(int64(random.IntN(2*size + 1)))
		for rest := body[:size]; len(rest) > 0; {
			n := min(1+random.IntN(100_000), len(rest))
			if m, err := written.Write(rest[:n]); m != n || err != nil {
				t.Fatalf("%d of %d bytes (%v)", m, n, err)
			}
			rest = rest[n:]
		}
		broken := errors.New("broken")
		n, err := read.ReadFrom(io.MultiReader(iotest.OneByteReader(bytes.NewReader(body[:size/100])), bytes.NewReader(body[size/100:size]), iotest.ErrReader(broken)))
		if n != int64(size) || err != broken {
			t.Errorf("%d of %d bytes, %v", n, size, err)
		}
		for kind, p := range map[string]*pile{"written": &written, "read": &read} {
			for range 2 { // the second time they are in one piece already
				if !bytes.Equal(p.Bytes(), body[:size]) {
					t.Errorf("%s: %d bytes are not the same", kind, size)
				}
			}
		}
	}
}

// TestPileHoldsWhatCame: of a long body no more is made than its parts and the whole.
func TestPileHoldsWhatCame(t *testing.T) {
	const size = 10 << 20
	made := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			var p pile
			p.expect(1 << 40) // as a server may say
			if _, err := p.ReadFrom(io.LimitReader(zeros{}, size)); err != nil || len(p.Bytes()) != size {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if made > size*21/10 {
		t.Errorf("a body of %d bytes took %d", size, made)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestPartsAreUsedAgain: what one pile has answered is its own, whatever is written into the parts that it gave away, and a part that
// was lent to it is not given away.
func TestPartsAreUsedAgain(t *testing.T) {
	lent := bytes.Repeat([]byte("l"), leastPart)
	for round := range byte(20) {
		p := pile{parts: [][]byte{lent}, lent: true}
		p.Write(bytes.Repeat([]byte{round}, 5*leastPart))
		first := p.Bytes()
		var next pile
		next.Write(bytes.Repeat([]byte{'x'}, 9*leastPart))
		if want := append(bytes.Clone(lent), bytes.Repeat([]byte{round}, 5*leastPart)...); !bytes.Equal(first, want) {
			t.Fatal("what a pile has answered was written over")
		}
		if next.Bytes(); lent[0] != 'l' || lent[leastPart-1] != 'l' {
			t.Fatal("a lent part was given away")
		}
	}
}
