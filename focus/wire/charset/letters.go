package charset

import "golang.org/x/text/encoding/charmap"

// What bytes beyond ASCII tell by how they stand, without a list of the characters that are common.

// inLetters says whether a sample may be text in a charset of one byte for Latin letters: two in three of those beyond ASCII stand
// alone among others. Of two bytes of East Asia both are beyond ASCII, more often than not.
func (c charset) inLetters(sample []byte) bool {
	if _, single := c.Encoding.(*charmap.Charmap); !single {
		return false
	}
	all, alone := 0, 0
	for i, b := range sample {
		if b < 0x80 {
			continue
		}
		all++
		if (i == 0 || sample[i-1] < 0x80) && (i+1 == len(sample) || sample[i+1] < 0x80) {
			alone++
		}
	}
	return 3*alone >= 2*all
}

var thai = charset{"windows-874", charmap.Windows874}

// leastThai is how many bytes there must be of Thai.
const leastThai = 20

// isThai says whether a sample is Thai: nearly every vowel and tone that stands above or below a consonant follows one, nearly every
// vowel that is written before one has one behind it, and there are many of both.
func isThai(sample []byte) bool {
	all, marks, wrong := 0, 0, 0
	for i, b := range sample {
		if b < 0xA1 {
			continue
		}
		all++
		switch {
		case b >= 0xDB && b <= 0xDE || b >= 0xFC:
			wrong++ // no character
		case isThaiMark(b):
			if marks++; i == 0 || !isThaiConsonant(sample[i-1]) && !isThaiMark(sample[i-1]) {
				wrong++
			}
		case b >= 0xE0 && b <= 0xE4:
			if marks++; i+1 < len(sample) && !isThaiConsonant(sample[i+1]) {
				wrong++
			}
		}
	}
	return all >= leastThai && 5*marks >= all && 10*wrong <= marks
}

func isThaiConsonant(b byte) bool { return 0xA1 <= b && b <= 0xCE }
func isThaiMark(b byte) bool      { return b == 0xD1 || 0xD4 <= b && b <= 0xDA || 0xE7 <= b && b <= 0xEE }
