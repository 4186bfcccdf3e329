package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// TestDifferencesAreTold: of values that are too long for a message it is what has changed that is told, wherever it stands.
func TestDifferencesAreTold(t *testing.T) {
	const ran = "topic: {about: the rigging of old boats that sailed on the lakes of the north and their harbours, terms: [sailing, yacht, regatta, 帆船]}\n"
	for is, want := range map[string]string{
		"topic: {about: the rigging of old boats that sailed on the lakes of the north and their harbours, terms: [sailing, yacht, regatta, 帆船, keel]}\n":                "topic.terms has {term: keel, weight: 1} besides what it had",
		"topic: {about: the rigging of old boats that sailed on the lakes of the north and their harbours, terms: [sailing, yacht, regatta]}\n":                          "topic.terms has {term: 帆船, weight: 1} no more",
		"topic: {about: the rigging of old boats that sailed on the lakes of the north and their harbours, terms: [sailing, yacht, regatta, {term: 帆船, weight: 0.5}]}\n": "topic.terms has {term: 帆船, weight: 0.5}, and {term: 帆船, weight: 1} no more",
		"topic: {about: the rigging of old boats that sailed on the lakes of the north and their harbours, terms: [sailing, yacht, 帆船, regatta]}\n":                      "topic.terms was … weight: 1}, {term: regatta, weight: 1}, {term: 帆船, w… and is … weight: 1}, {term: 帆船, weight: 1}, {term: regatta, w…",
		"topic: {about: the rigging of old boats that sailed on the lakes of the north and their engines, terms: [sailing, yacht, regatta, 帆船]}\n":                       "topic.about was …the north and their harbours and is …the north and their engines",
	} {
		if said := Differences("crawl.yaml", []byte(ran), []byte(is), nil); !slices.Equal(said, []string{want}) {
			t.Errorf("%s\n%q\nwant %q", is, said, want)
		}
	}
}

// TestAStrategyThatStandsThereAsItIs: what an older version made of the same strategy is no other one, of which a person is told to put
// back what has not changed. One that lacks a default is the same.
func TestAStrategyThatStandsThereAsItIs(t *testing.T) {
	strategy, err := crawlfile.Strategy("shark")
	noError(t, err)
	f := &Folder{Dir: t.TempDir()}
	before := Standing{Strategy: "shark", Fingerprint: "of an older version"}
	for was, want := range map[string]bool{string(strategy.YAML()): false, strings.Replace(string(strategy.YAML()), "select: best\n", "", 1): false, "name: shark\n": true, "": true} {
		for name, text := range map[string]string{FileCrawl: "name: boats\n", FileStrategy: was} {
			noError(t, os.WriteFile(filepath.Join(f.Dir, name), []byte(text), 0o600))
		}
		said, err := f.changed(before, []byte("name: boats\n"), strategy)
		if told := strings.Contains(strings.Join(said, ""), "is not what it was"); told != want || err != nil {
			t.Errorf("with the strategy.yaml\n%s%q (%v)", was, said, err)
		}
	}
}
