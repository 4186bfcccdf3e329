package topic

import (
	"strings"
	"testing"
)

// A weight is written behind a word where init is given words; in a crawl file that is another word.
func TestAWeightInATermIsDoubted(t *testing.T) {
	for term, weight := range map[string]string{"inverter:0.8": "0.8", "东西:2": "2", "home page: -1": "-1", "John 3:16": "", "12:30": "", "C++": "", "ISO:9001": "", "http://a.example:80": ""} {
		doubts := Doubts([]Term{{Term: term, Weight: 1}})
		if weight == "" && len(doubts) > 0 || weight != "" && (len(doubts) != 1 || !strings.Contains(doubts[0].Why, "weight: "+weight+"}")) {
			t.Errorf("%s: %v", term, doubts)
		}
	}
}
