package disk

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// The numbers of a link are written again whenever what was learned changes what it promises, and are most of what a crawl
// that learns writes. Many of them are 0, because a part of the ranking has nothing to say, and many stand in front of
// themselves already, because a branch has the number of its only part. So each has two bits in front of all of them:
const (
	numberZero  = iota
	numberNew   // its four bytes follow
	numberAgain // a byte follows that says the place of the one it is like
)

// codeNumbers is how many there are, their two bits, and what follows them.
func codeNumbers(k *pack.Coder, list *[]float32) {
	n, at := uint64(len(*list)), 0
	if k.Number(&n); k.Read {
		if *list = nil; n > 4*uint64(len(k.Bytes)) {
			k.Fail()
			return
		}
	}
	if n == 0 {
		return
	}
	kinds := make([]byte, (n+3)/4)
	if k.Read {
		*list = make([]float32, n)
		kinds, k.Bytes = k.Bytes[:len(kinds)], k.Bytes[len(kinds):]
	} else {
		at = len(k.Bytes)
		k.Bytes = append(k.Bytes, kinds...)
	}
	var marks uint64
	for i := range *list {
		x, kind, like := &(*list)[i], kinds[i/4]>>(i%4*2)&3, byte(0)
		if !k.Read {
			kind, like = kindOf(*x, (*list)[:i], &marks)
			k.Bytes[at+i/4] |= kind << (i % 4 * 2)
		}
		switch kind {
		case numberZero:
		case numberNew:
			k.Float32(x)
		case numberAgain:
			k.Byte(&like)
			*x = among(k, (*list)[:i], like)
		default:
			k.Fail()
		}
	}
}

// kindOf is how a number behind others is written, and which of them it is like. The marks are those of the others: most
// numbers are like none of them, and need not be looked for.
func kindOf(x float32, others []float32, marks *uint64) (kind, like byte) {
	bits := math.Float32bits(x)
	if bits == 0 {
		return numberZero, 0
	}
	mark := uint64(1) << (bits * 0x9e3779b1 >> 26)
	met := *marks&mark != 0
	*marks |= mark
	if met {
		if at := place(others, x); at >= 0 {
			return numberAgain, byte(at)
		}
	}
	return numberNew, 0
}

func same(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// place is where a number stands among the first 256 of others, bit for bit; -1 if it does not.
func place(numbers []float32, x float32) int {
	for i, y := range numbers[:min(len(numbers), 256)] {
		if same(x, y) {
			return i
		}
	}
	return -1
}

// among is the number at a place.
func among(k *pack.Coder, numbers []float32, place byte) float32 {
	if int(place) >= len(numbers) {
		k.Fail()
		return 0
	}
	return numbers[place]
}

// Scores stand among the numbers, too: the first of them is the promise, and the second lane goes by another.
const (
	scoreFirst = 1 << iota // the score is the first number
	altSame                // the second score is the first
	altAmong               // or stands among the numbers, at a place that a byte says
)

// codeScore is the body of kindScore.
func codeScore(k *pack.Coder, it *frontier.Item) {
	var flags, like byte
	if !k.Read {
		if place(it.Numbers[:min(len(it.Numbers), 1)], it.Score) == 0 {
			flags = scoreFirst
		}
		if at := place(it.Numbers, it.Alt); same(it.Alt, it.Score) {
			flags |= altSame
		} else if at >= 0 {
			flags, like = flags|altAmong, byte(at)
		}
	}
	k.Number(&it.ID)
	k.Byte(&flags)
	if codeNumbers(k, &it.Numbers); flags&scoreFirst == 0 {
		k.Float32(&it.Score)
	} else {
		it.Score = among(k, it.Numbers, 0)
	}
	switch {
	case flags&altSame != 0:
		it.Alt = it.Score
	case flags&altAmong != 0:
		k.Byte(&like)
		it.Alt = among(k, it.Numbers, like)
	default:
		k.Float32(&it.Alt)
	}
}
