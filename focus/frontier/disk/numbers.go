package disk

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// The numbers of a link are written again whenever what was learned changes what it promises, and are most of what a crawl
// that learns writes. Many of them are 0, because a part of the ranking has nothing to say, and many stand in front of
// themselves already, because a branch has the number of its only part. So each has two bits in front of all of them:
const (
	numberZero  = iota
	numberNew   // its four bytes follow
	numberAgain // a byte follows that says the place of the one it is like
)

// appendNumbers writes how many there are, their two bits, and what follows them.
func appendNumbers(b []byte, numbers []float32) []byte {
	b = appendUint(b, uint64(len(numbers)))
	kinds := len(b)
	for range (len(numbers) + 3) / 4 {
		b = append(b, 0)
	}
	var marks uint64 // of those before: most are like none of them, and need not be looked for
	for i, x := range numbers {
		kind, like := byte(numberZero), -1
		if bits := math.Float32bits(x); bits != 0 {
			kind = numberNew
			mark := uint64(1) << (bits * 0x9e3779b1 >> 26)
			if marks&mark != 0 {
				like = place(numbers[:i], x)
			}
			marks |= mark
			if like >= 0 {
				kind, b = numberAgain, append(b, byte(like))
			} else {
				b = appendFloat(b, x)
			}
		}
		b[kinds+i/4] |= kind << (i % 4 * 2)
	}
	return b
}

// place is where a number stands among the first 256 of others, bit for bit; -1 if it does not.
func place(numbers []float32, x float32) int {
	bits := math.Float32bits(x)
	for i, y := range numbers[:min(len(numbers), 256)] {
		if math.Float32bits(y) == bits {
			return i
		}
	}
	return -1
}

func (c *cutter) numbers() []float32 {
	n := c.UpTo(4 * len(c.Left))
	if n == 0 {
		return nil
	}
	kinds := c.Take((n + 3) / 4)
	if c.Bad {
		return nil
	}
	numbers := make([]float32, n)
	for i := range numbers {
		switch kinds[i/4] >> (i % 4 * 2) & 3 {
		case numberZero:
		case numberNew:
			numbers[i] = c.Float32()
		case numberAgain:
			numbers[i] = c.among(numbers[:i])
		default:
			c.Fail()
		}
	}
	return numbers
}

// among is the number at a place that a byte says.
func (c *cutter) among(numbers []float32) float32 {
	i := int(c.Byte())
	if i >= len(numbers) {
		c.Fail()
		return 0
	}
	return numbers[i]
}

// Scores stand among the numbers, too: the first of them is the promise, and the second lane goes by another.
const (
	scoreFirst = 1 << iota // the score is the first number
	altSame                // the second score is the first
	altAmong               // or stands among the numbers, at a place that a byte says
)

// appendScore is the body of kindScore.
func appendScore(b []byte, id uint64, score, alt float32, numbers []float32) []byte {
	var flags byte
	like := place(numbers, alt)
	if place(numbers[:min(len(numbers), 1)], score) == 0 {
		flags |= scoreFirst
	}
	if math.Float32bits(alt) == math.Float32bits(score) {
		flags |= altSame
	} else if like >= 0 {
		flags |= altAmong
	}
	b = appendNumbers(append(appendUint(b, id), flags), numbers)
	if flags&scoreFirst == 0 {
		b = appendFloat(b, score)
	}
	switch {
	case flags&altSame != 0:
	case flags&altAmong != 0:
		b = append(b, byte(like))
	default:
		b = appendFloat(b, alt)
	}
	return b
}

func cutScore(body []byte) (it frontier.Item, err error) {
	c := cut(body)
	it.ID = c.Number()
	flags := c.Byte()
	it.Numbers = c.numbers()
	if flags&scoreFirst == 0 {
		it.Score = c.Float32()
	} else if len(it.Numbers) > 0 {
		it.Score = it.Numbers[0]
	} else {
		c.Fail()
	}
	switch {
	case flags&altSame != 0:
		it.Alt = it.Score
	case flags&altAmong != 0:
		it.Alt = c.among(it.Numbers)
	default:
		it.Alt = c.Float32()
	}
	return it, checked(c, it.ID, it.Score, it.Alt)
}
