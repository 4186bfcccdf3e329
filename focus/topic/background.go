package topic

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/text"
)

//go:generate go run background_make.go

// backgroundFile says how many of a thousand pages have a word, one word a line. It comes with the program, so that what a
// word of an example weighs does not depend on the pages that were seen. It is compressed: zstdcat shows it.
//
//go:embed background.txt.zst
var backgroundFile []byte

// unheard is how many of a thousand pages have a word that the table does not have: fewer than of any that it has.
const unheard = .5

// background is the table, read when a topic with examples first asks.
var background = sync.OnceValue(func() map[string]float64 {
	raw, err := text.Unpack(backgroundFile)
	if err != nil {
		panic(err) // it is part of the program
	}
	lines := string(raw)
	table := make(map[string]float64, strings.Count(lines, "\n"))
	for line := range strings.Lines(lines) {
		word, of, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if thousand, err := strconv.ParseFloat(of, 64); ok && err == nil {
			table[word] = rarityOf(thousand)
		}
	}
	return table
})

// rarity is how much a word says by how rare it is in its language, the more the rarer: from .1 to 7.6.
func rarity(word string) float64 {
	if known, ok := background()[word]; ok {
		return known
	}
	return rarityOf(unheard)
}

// rarityOf is the logarithm of how many pages there are to one that has the word.
func rarityOf(thousand float64) float64 { return max(.1, math.Log(1000/max(thousand, unheard))) }
