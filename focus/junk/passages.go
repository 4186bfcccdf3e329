package junk

import (
	"slices"
	"strings"
)

// A passage is so many words of a line in a row; of a shorter line, so many at least, it is the whole line. Of all passages one in
// four counts, the same ones of any text.
const (
	passageWords  = 8
	shortestLine  = 3
	passageSample = 4
)

// Passages are numbers of passages of texts, in order, each once: what two texts both say has the same numbers.
func Passages(texts ...string) (numbers []uint64) {
	for _, text := range texts {
		for line := range strings.Lines(text) {
			numbers = appendPassages(numbers, line)
		}
	}
	slices.Sort(numbers)
	return slices.Clip(slices.Compact(numbers))
}

func appendPassages(numbers []uint64, line string) []uint64 {
	var last [passageWords]uint64
	words := 0
	take := func() {
		var hash uint64
		for i := range min(words, passageWords) {
			hash = spread(hash*3 + last[(max(words, passageWords)+i)%passageWords])
		}
		if hash%passageSample == 0 {
			numbers = append(numbers, hash)
		}
	}
	units(asHTML(line), func(word uint64) bool {
		last[words%passageWords] = word
		if words++; words >= passageWords {
			take()
		}
		return true
	})
	if words >= shortestLine && words < passageWords {
		take()
	}
	return numbers
}
