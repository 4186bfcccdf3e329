package crawlfile

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/topic"
)

func TestTheTopicIsToldWhatTheFileSays(t *testing.T) {
	config := mustLoad(t, crawlFile(t, plainCrawl+`topic:
  language: zh
  about: the sun
  terms: [solar, {term: wind, weight: 2}]
  judge: vsm-restricted
  content: main_text
  calibrate: off
  threshold: 0.5
  positions: {title: 1, heading: 2}
  speech: {adverb: 0.2}
  tf: l2
  centre: {words: 100, near: 0.4, share: 1, clusters: 2}
  relative: true
text: {limit: 0, user_dict: words.txt}
`, "words.txt", "x\n"))
	want := topic.Spec{Language: "zh", About: "the sun", Terms: []topic.Term{{Term: "solar", Weight: 1}, {Term: "wind", Weight: 2}},
		Judge: "vsm-restricted", Content: "main_text", Calibrate: "off", Threshold: 0.5, TF: "l2", Relative: true, Limit: -1,
		Centre:    topic.Centre{Words: 100, Near: 0.4, Share: 1, Clusters: 2},
		Positions: map[string]float64{"title": 1, "heading": 2}, Speech: map[string]float64{"adverb": 0.2}, UserDict: config.Text.UserDict}
	if have := config.Spec(); !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v\nwant %+v", have, want)
	}
	usual := Default()
	d, have := topic.Defaults(), usual.Spec()
	if have.Language != d.Language || have.Judge != d.Judge || have.Content != d.Content || have.Threshold != d.Threshold ||
		have.TF != d.TF || have.Centre != d.Centre || len(have.Positions) > 0 || have.Limit != 20<<10 {
		t.Errorf("by default %+v, want %+v", have, d)
	}
}

// A crawl file has words for two languages, and auto for all others.
func TestTheLanguagesOfATopic(t *testing.T) {
	for language, want := range map[string]string{
		"de": `2:13: topic.language: unknown word "de"; known are auto, zh, en; auto is for words in any other language, too`,
		"EN": `2:13: topic.language: unknown word "EN"; did you mean "en"?`,
		"zh": "", "auto": "",
	} {
		_, err := Load(crawlFile(t, "topic:\n  language: "+language+"\n  terms: [Wechselrichter]\nseeds: [https://a.example/]\n"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%s: %v", language, err)
		}
	}
}

// The topic of a web stands in its web.yaml: to take it from there no page is read.
func TestATopicIsTakenWithoutReadingThePages(t *testing.T) {
	web := t.TempDir()
	for name, text := range map[string]string{
		"web.yaml":      "name: w\nlanguage: en\ntopics:\n  - {name: wind, seeds: [\"http://a.example/\"], relevant: wind, terms: [wind power]}\n",
		"pages.warc.gz": "no archive",
	} {
		if err := os.WriteFile(filepath.Join(web, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config, err := Read("w.yaml", []byte(fmt.Sprintf("name: w\nweb: %q\nweb_topic: wind\n", web)))
	if err != nil || len(config.Topic.Terms) != 1 || config.Topic.Terms[0].Term != "wind power" || strings.Contains(fmt.Sprint(config.Warnings(nil)), "web_topic") {
		t.Errorf("terms %v, %v", config.Topic.Terms, err)
	}
}

func TestATopicOfARecordedWeb(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "testdata", "config"))
	config := mustLoad(t, "recorded-web.good.yaml")
	want := []TermConfig{{"solar energy", 1}, {"photovoltaic", 1}}
	if config.Topic.Language != "en" || !slices.Equal(config.Topic.Terms, want) || !slices.Equal(config.Seeds, []string{"http://www.example.org/"}) {
		t.Errorf("language %s, terms %v, seeds %v", config.Topic.Language, config.Topic.Terms, config.Seeds)
	}
	for key, want := range map[string]bool{"topic.language": true, "topic.terms": true, "seeds": false} {
		if w := fmt.Sprint(config.Warnings(nil)); strings.Contains(w, key+": counts nothing beside web_topic") != want {
			t.Errorf("%s is said, and another one is taken: %v: %s", key, want, w)
		}
	}
	if again, err := Read("again.yaml", config.YAML()); err != nil || strings.Contains(fmt.Sprint(again.Warnings(nil)), "web_topic") {
		t.Errorf("as it was crawled by: %v %v", again.Warnings(nil), err)
	}
	if config.Topic.Judge != "centroid" || config.Live() {
		t.Errorf("judge %s, live %v", config.Topic.Judge, config.Live())
	}
	config = mustLoad(t, "recorded-web.good.yaml", Override{Key: "web_topic", Value: "wind", From: "--topic"})
	if len(config.Topic.Terms) != 1 || config.Topic.Terms[0].Term != "wind power" || strings.Contains(fmt.Sprint(config.Warnings(nil)), "web_topic") {
		t.Errorf("--topic wind: terms %v", config.Topic.Terms)
	}
	_, err := Load("minimal.good.yaml", Override{Key: "web", Value: "tiny-web", From: "--web tiny-web"}, Override{Key: "web_topic", Value: "wnid", From: "--topic wnid"})
	if want := `--topic wnid: web_topic: unknown topic "wnid"; did you mean "wind"? The web has solar, wind`; err == nil || err.Error() != want {
		t.Errorf("have %v\nwant %s", err, want)
	}
}

// The terms of a recorded web are not the reader's to mend: what is told of them is what is never looked for.
func TestTheTermsOfARecordedWebAreNoReadersMistake(t *testing.T) {
	web := t.TempDir()
	for name, text := range map[string]string{
		"pages.warc.gz": "",
		"web.yaml":      "name: w\nlanguage: auto\ntopics:\n  - {name: weiqi, seeds: [\"http://a.example/\"], relevant: weiqi, terms: [围棋, 圍棋, 棋谱, US]}\n",
	} {
		if err := os.WriteFile(filepath.Join(web, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config, err := Read("w.yaml", []byte(fmt.Sprintf("name: w\nweb: %q\nweb_topic: weiqi\n", web)))
	if err != nil {
		t.Fatal(err)
	}
	if have := config.DoubtfulTerms(); len(have) != 1 || !strings.Contains(have[0].Want, "US is a stop word") {
		t.Errorf("it says %v", have)
	}
}

// A word for a threshold counts as the number would, from wherever it is said, and what counts more than the word says so.
func TestAWordForAThreshold(t *testing.T) {
	word := "seeds: [https://www.example.org/]\ntopic: {terms: [tea], find: more}\n"
	number := "seeds: [https://www.example.org/]\ntopic: {terms: [tea], threshold: 0.5}\n"
	say := func(key, value string) Override { return Override{Key: "topic." + key, Value: value, From: "--set"} }
	for _, c := range []struct {
		file string
		over []Override
		want float64
	}{
		{word, nil, .24},
		{word, []Override{say("threshold", "0.6")}, .6},
		{word, []Override{say("find", "surer")}, .38},
		{number, []Override{say("find", "surer")}, .38},
		{number, nil, .5},
	} {
		config := mustLoad(t, crawlFile(t, c.file), c.over...)
		again, err := Read("again.yaml", config.YAML())
		if config.Topic.Threshold != c.want || err != nil || again.Topic.Threshold != c.want || again.Topic.Find != "" {
			t.Errorf("%s %v: %v, then %v %v", c.file, c.over, config.Topic.Threshold, again.Topic.Threshold, err)
		}
	}
	if _, err := Load(crawlFile(t, plainCrawl), say("find", "more"), say("threshold", "0.5")); err == nil || !strings.Contains(err.Error(), "take one of the two out") {
		t.Errorf("both at once: %v", err)
	}
	config := Default()
	config.Topic.Find = "surer" // made in Go
	strategy, err := config.LoadStrategy(nil)
	if err != nil || config.Judged(strategy).Topic.Threshold != .38 {
		t.Errorf("made in Go: %v %v", config.Judged(strategy).Topic.Threshold, err)
	}
}
