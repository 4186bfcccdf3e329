package disk

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// Numbers and scores come back bit for bit, whatever they are: 0 and -0, those that say nothing, many that are alike.
func TestNumbersComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	some := []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), math.Float32frombits(0x7fc00123), 1, 0.5, -3}
	for n := range 400 {
		numbers := make([]float32, n%300)
		for i := range numbers {
			if numbers[i] = r.Float32(); r.IntN(3) > 0 {
				numbers[i] = some[r.IntN(len(some))]
			}
		}
		var got []float32
		err := read(written(nil, func(k *pack.Coder) { codeNumbers(k, &numbers) }), func(k *pack.Coder) { codeNumbers(k, &got) })
		if err != nil || !slices.EqualFunc(got, numbers, same) {
			t.Fatalf("%v came back as %v, %v", numbers, got, err)
		}
		finite := func() float32 {
			if i := r.IntN(2 * max(len(numbers), 1)); i < len(numbers) && !math.IsNaN(float64(numbers[i])) {
				return numbers[i]
			}
			return r.Float32()
		}
		score, alt := finite(), finite()
		if len(numbers) > 0 && n%2 == 0 {
			numbers[0] = score
		}
		if n%5 == 0 {
			alt = score
		}
		it, err := readScore(writtenScore(7, score, alt, numbers))
		if err != nil || it.ID != 7 || !same(it.Score, score) || !same(it.Alt, alt) || !slices.EqualFunc(it.Numbers, numbers, same) {
			t.Fatalf("%v, %v and %v came back as %+v, %v", score, alt, numbers, it, err)
		}
	}
}

func writtenScore(id uint64, score, alt float32, numbers []float32) []byte {
	it := frontier.Item{ID: id, Score: score, Alt: alt, Numbers: numbers}
	return written(nil, func(k *pack.Coder) { codeLink(k, kindScore, &it) })
}

func readScore(body []byte) (it frontier.Item, err error) {
	err = read(body, func(k *pack.Coder) { codeLink(k, kindScore, &it) })
	return it, err
}

// What a crawl that learns writes again and again takes half of what its numbers take: a third of them are 0, a sixth are
// like another, and the scores are among them.
func TestNumbersTakeLittleRoom(t *testing.T) {
	numbers := typicalNumbers(rand.New(rand.NewPCG(1, 1)))
	if n, plain := len(writtenScore(1000, numbers[0], numbers[23], numbers)), 2+4+4+1+4*len(numbers); n > plain*6/10 {
		t.Errorf("%d bytes for %d", n, plain)
	}
}

// typicalNumbers are the numbers of a link as a crawl with apprentice scores it: of thirty, twelve are 0 and five are like
// another.
func typicalNumbers(r *rand.Rand) []float32 {
	numbers := make([]float32, 30)
	for i := range numbers {
		if i%5 < 3 {
			numbers[i] = r.Float32()
		}
	}
	numbers[1], numbers[6], numbers[16], numbers[26], numbers[23] = numbers[0], numbers[5], numbers[15], numbers[25], r.Float32()
	return numbers
}

// FuzzNumbers takes any bytes for the body of scores: an error, or scores that come back.
func FuzzNumbers(f *testing.F) {
	f.Add(writtenScore(1, 0.5, 0.5, nil))
	f.Add(writtenScore(300, 0.5, 0, []float32{0.5, 0, 0.5, 0.25}))
	f.Fuzz(func(t *testing.T, data []byte) {
		it, err := readScore(data)
		if err != nil {
			return
		}
		again, err := readScore(writtenScore(it.ID, it.Score, it.Alt, it.Numbers))
		if err != nil || !same(again.Score, it.Score) || !same(again.Alt, it.Alt) || !slices.EqualFunc(again.Numbers, it.Numbers, same) {
			t.Fatalf("%+v came back as %+v, %v", it, again, err)
		}
	})
}

// A log is compacted when half of it is of no use any more, long before it fills a segment.
func TestALogIsCompactedByItsWaste(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{Segment: 1 << 20, Every: time.Hour})
	r := rand.New(rand.NewPCG(3, 3))
	const links, rounds = 200, 40
	var last []float32
	for id := range uint64(links) {
		f.Push(frontier.Item{URL: address(id), Host: "a", Score: 1})
	}
	for range rounds {
		for id := range uint64(links) {
			last = typicalNumbers(r)
			if err := f.Rescore(id+1, last[0], last[23], last, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	before, _ := f.log.position()
	if before.segment() != 1 {
		t.Fatalf("the log fills a segment: it ends at %d in %s", before.offset(), before.segment().file())
	}
	for range 2 { // the second lets go of what the first has copied
		if err := errors.Join(f.Snapshot([]byte("learned")), f.Settle()); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	left := 0
	for _, n := range sizes(t, dir) {
		left += n
	}
	if int64(left) > before.offset()/4 {
		t.Errorf("%d bytes are left of %d", left, before.offset())
	}
	f = mustOpen(t, dir, frontier.Manners{}, Options{})
	if it, _ := f.Get(links); !slices.EqualFunc(it.Numbers, last, same) || f.Len() != links {
		t.Errorf("%d wait, the last with %v, want %v", f.Len(), it.Numbers, last)
	}
}
