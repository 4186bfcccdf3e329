package topic

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/text"
)

// Doubt is what of one term is not as whoever wrote it may think.
type Doubt struct {
	At  int    // its number in the list
	Why string // begins with the term
}

// Doubts are what a person should know of terms before relying on them, in their order: a term that is never looked for.
func Doubts(terms []Term) (doubts []Doubt) {
	keys := keysOf(terms)
	for i, t := range terms {
		switch {
		case keys[i] == "" && text.IsStop(t.Term):
			doubts = append(doubts, Doubt{i, fmt.Sprintf("%s is a stop word, and is not looked for by itself; write a phrase that pages of the topic have it in, or take it out", t.Term)})
		case keys[i] == "":
			doubts = append(doubts, Doubt{i, fmt.Sprintf("%s has neither letters nor digits, and is not looked for; take it out", t.Term)})
		}
	}
	return doubts
}

// keysOf are the terms as pages are cut. A user dictionary changes nothing of them.
func keysOf(terms []Term) []string {
	var words []string
	for _, t := range terms {
		words = append(words, t.Term)
	}
	cutter, _ := text.NewCutter(text.Options{Terms: words}) // which only a user dictionary can fail
	return cutter.Keys()
}
