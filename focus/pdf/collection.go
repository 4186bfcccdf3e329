package pdf

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// A font of Chinese, Japanese or Korean may have the numbers of one of Adobe's collections, and say nothing more of them. The numbers run
// along the rows of the charset that each country has as a standard; so the charset says what they mean. What was added to a collection
// later has no such order, and is rare.

// collection is what the numbers of a collection stand for.
type collection struct {
	runs []span // of numbers; what the first one means is its code
	low  []byte // the second bytes of a row of codes, in order
	of   encoding.Encoding
	half span // numbers of the letters of ASCII of half the width
}

// runsOf reads runs: the first number, how many there are, and the code of the first one.
func runsOf(table string) (runs []span) {
	words := strings.Fields(table)
	for ; len(words) >= 3; words = words[3:] {
		from, _ := strconv.ParseInt(words[0], 10, 64)
		n, _ := strconv.ParseInt(words[1], 10, 64)
		means, _ := strconv.ParseInt(words[2], 16, 64)
		runs = append(runs, span{from: from, to: from + n - 1, means: means})
	}
	return runs
}

// lows are the bytes from one to another.
func lows(from, to byte) (all []byte) {
	for c := int(from); c <= int(to); c++ {
		all = append(all, byte(c))
	}
	return all
}

// collectionOf is the collection that has a name; nil where it is not known here.
func collectionOf(ordering str) *collection { return collections()[ordering] }

var collections = sync.OnceValue(func() map[str]*collection {
	row, big := lows(0xa1, 0xfe), append(lows(0x40, 0x7e), lows(0xa1, 0xfe)...)
	return map[str]*collection{
		"GB1":    {runsOf(rowsGB1), row, simplifiedchinese.GBK, span{from: 814, to: 907, means: '!'}},
		"CNS1":   {runsOf(rowsCNS1), big, traditionalchinese.Big5, span{from: 13648, to: 13742, means: ' '}},
		"Japan1": {runsOf(rowsJapan1), row, japanese.EUCJP, span{from: 231, to: 325, means: ' '}},
		"Korea1": {runsOf(rowsKorea1), row, korean.EUCKR, span{from: 8094, to: 8188, means: ' '}},
	}
})

// text is what a number stands for; empty where its place is not known.
func (c *collection) text(n int64) string {
	if n >= 1 && n <= 95 {
		return string(rune(n) + ' ' - 1)
	}
	if h := c.half; n >= h.from && n <= h.to {
		return string(rune(h.means + n - h.from))
	}
	i, found := slices.BinarySearchFunc(c.runs, n, func(r span, n int64) int {
		switch {
		case r.to < n:
			return -1
		case r.from > n:
			return 1
		}
		return 0
	})
	if !found {
		return ""
	}
	r := c.runs[i]
	at := slices.Index(c.low, byte(r.means)) + int(n-r.from)
	return decoded(c.of, str([]byte{byte(int(r.means>>8) + at/len(c.low)), c.low[at%len(c.low)]}))
}

const (
	rowsGB1 = `96 94 a1a1 190 50 a2b1 240 10 a2e5 250 12 a2f1 262 177 a3a1 439 86 a5a1 525 24 a6a1 549 53 a6c1 602 33 a7a1 635 33 a7d1 668 32 a8a1 700 38
a8c5 738 76 a9a4 814 126 aaa1 940 3755 b0a1 4695 3008 d8a1`
	rowsCNS1 = `99 25 a140 128 119 a15d 247 1 a1f7 248 1 a1f6 249 254 a1f8 503 3 a3bd 506 30 c6a1 537 25 c6bf 595 63 a440 628 1 c94a 658 1349 a4a1 2007
424 ad40 2431 1 acfe 2432 1876 afd0 4308 1 be52 4309 387 bbc8 4696 525 be53 5221 1 c2cb 5222 189 c1ab 5411 84 c2cc 5495 1 c456 5496 54
c361 5550 1 c3ba 5551 1 c3b9 5552 90 c3bb 5642 354 c457 5996 10 c940 6006 33 c94b 6036 1 c6df 6039 1 c9be 6040 48 c96c 6088 46 c9bf 6134 1
caf7 6135 167 c9ed 6302 1840 caf8 8142 1 dadf 8143 108 d6cd 8251 537 d77b 8788 1 d6cc 8789 100 dae0 8889 1 d77a 8890 245 dba7 9089 1 ddfc
9135 154 dd40 9289 1637 ddfd 10926 1 ebf1 10927 146 e8a3 11073 1 ecde 11074 287 e976 11361 1 f0cb 11362 116 eb5b 11478 137 ebf2 11615 104
ecdf 11719 1 f056 11720 222 edaa 11942 198 eeec 12140 82 f057 12222 86 f0cc 12308 1 eeeb 12309 8 f163 12317 153 f16c 12470 56 f269 12526 1
f4b5 12527 113 f2c3 12640 1 f16b 12641 142 f375 12783 1 f268 12784 45 f466 12829 71 f4b6 12900 1 f663 12901 194 f4fd 13095 490 f664 13585
1 f9c4 13586 43 f977 13629 1 f9c5 13630 11 f9c7 13641 1 f9c6 13642 4 f9d2 13743 4 a159`
	rowsJapan1 = `633 108 a1a1 741 8 a2ba 749 7 a2ca 756 15 a2dc 771 8 a2f2 779 1 a2fe 780 10 a3b0 790 26 a3c1 816 26 a3e1 842 83 a4a1 925 86 a5a1 1011 24
a6a1 1035 24 a6c1 1059 33 a7a1 1092 33 a7d1 1125 2965 b0a1 4090 3388 d0a1 8284 2 f4a5`
	rowsKorea1 = `101 163 a1a1 264 145 a3a1 409 52 a4d5 461 10 a5b0 471 24 a5c1 495 24 a5e1 519 68 a6a1 587 79 a7a1 666 4 a8a1 670 1 a8a6 671 8 a8a8 679 255
a8b1 934 86 aba1 1020 33 aca1 1053 33 acd1 1086 2350 b0a1` // not those of its Chinese signs, which have an order of their own
)
