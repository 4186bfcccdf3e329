package run

import (
	"slices"
	"testing"
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
