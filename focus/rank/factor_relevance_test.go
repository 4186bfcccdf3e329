package rank

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/topic"
)

// From full on a page is wholly relevant for the order of links; whether it is kept stays what it was.
func TestAPageIsWhollyRelevantFromFullOn(t *testing.T) {
	plain := load(t, "name: t\nrank: {use: relevance}\n")
	sharp := load(t, "name: t\nfull: 0.4\nrank: {use: relevance}\n")
	for _, c := range []struct{ judged, plain, sharp float64 }{{0, 0, 0}, {.1, .1, .25}, {.4, .4, 1}, {.9, .9, 1}} {
		j := topic.Judgement{Relevance: c.judged, Raw: .7, Relevant: c.judged >= .3}
		near(t, "as it was judged", plain.Regard(j).Relevance, c.plain)
		have := sharp.Regard(j)
		near(t, "from 0.4 on", have.Relevance, c.sharp)
		if have.Relevant != j.Relevant || have.Raw != j.Raw {
			t.Errorf("%+v became %+v", j, have)
		}
	}
	if again := load(t, string(sharp.YAML())); again.Full != 0.4 || again.Fingerprint() == plain.Fingerprint() {
		t.Errorf("written and read again, it is full at %v", again.Full)
	}
	for _, bad := range []string{"0", "-1", "1.5", ".nan", "all"} {
		_, err := Load("s.yaml", []byte("full: "+bad+"\nrank: {use: relevance}\n"), nil)
		if err == nil || !strings.Contains(err.Error(), "s.yaml:1:7: strategy.full") {
			t.Errorf("full: %s: %v", bad, err)
		}
	}
}
