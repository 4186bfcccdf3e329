package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withTopic is the small crawl with another topic.
func withTopic(topic string) string {
	return strings.Replace(smallCrawl(), "topic: {language: en, terms: [sailing, yacht, boat]}", topic, 1)
}

// TestWhatIsNoPageIsNotJudged: a picture, an archive or a program is no page, whatever its bytes spell; text is one in any charset.
func TestWhatIsNoPageIsNotJudged(t *testing.T) {
	files(t, "tea.yaml", "name: tea\ntopic: {terms: [tea]}\nseeds: [http://tea.example/]\n",
		"tea.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR tea", "tea.bin", "\x7fELF\x02\x01\x00\x00 tea", "tea.txt", "PK\x03\x04 tea", "paper", "%PDF-1.7 tea",
		"tea.html", "<p>tea", "bare.html", "tea, and more tea", "wide.html", "\xff\xfet\x00e\x00a\x00", "zeros.html", strings.Join(strings.Split("<p>green tea of the hills", ""), "\x00")+"\x00", "empty.html", "",
		"bm.txt", "BMW builds cars, and tea pots", "id3.html", "ID3 tags of songs about tea")
	for file, want := range map[string]int{"bm.txt": exitDone, "id3.html": exitDone, "tea.png": exitMisuse, "tea.bin": exitMisuse, "tea.txt": exitMisuse, "paper": exitMisuse, "tea.html": exitDone, "bare.html": exitDone, "wide.html": exitDone,
		"zeros.html": exitDone, "empty.html": exitDone} {
		if code, _, errs := thresher(t, "judge", "tea.yaml", file); code != want || want != exitDone && !strings.Contains(errs, "this is no page but ") {
			t.Errorf("%s: exit %d: %s", file, code, errs)
		}
	}
}

// TestOddPagesAreJudged: whatever the bytes of a page are, there is a judgement.
func TestOddPagesAreJudged(t *testing.T) {
	files(t, "small.yaml", smallCrawl(), "empty.html", "", "long.html", strings.Repeat("a", 10<<20), "wide.html", strings.Repeat("帆", 10<<20/3),
		"invalid.html", strings.Repeat("\xff\xfe\x00\x80\xc3(", 5000), "nul.html", "<p>sail\x00ing</p>\x00", "open.html", strings.Repeat("<div><table><a href=x>", 20000),
		"russian.html", "<title>Парусный спорт</title><p>Яхты вышли из гавани рано утром, и ветер был попутным.",
		"both.html", "<p>Яхты вышли из гавани: sailing on a yacht is sailing on a boat.", "latin.html", "<p>caf\xe9 sailing \xfcber alles")
	for page, want := range map[string]string{
		"empty.html": "not relevant: ", "long.html": "not relevant: ", "wide.html": "not relevant: ", "invalid.html": "not relevant: ", "nul.html": "not relevant: ",
		"open.html": "not relevant: ", "russian.html": "not relevant: ", "both.html": "relevant: ", "latin.html": "relevant: ",
	} {
		if code, out, errs := thresher(t, "judge", "small.yaml", page); code != exitDone || !strings.HasPrefix(out, want) {
			t.Errorf("%s: exit %d, want %s: %.300s%s", page, code, want, out, errs)
		}
	}
}

// TestTopicsOfLittle: a topic may be told by very little.
func TestTopicsOfLittle(t *testing.T) {
	for what, topic := range map[string]string{
		"no word: the start pages are the examples": "topic: {language: en, judge: centroid}",
		"one example page":                          "topic: {examples: [one.html]}",
		"one example address":                       "topic: {judge: centroid, examples: [http://daily.example/]}",
		"a plain text and terms":                    "topic: {terms: [boat], examples: [one.txt]}",
		"one labelled page as an example":           "topic: {judge: centroid, corpus: {relevant: good}}",
		"two labelled pages of each":                "topic: {judge: classifier, corpus: {relevant: labels.tsv}}",
		"features of labelled folders":              "topic: {judge: trained, corpus: {relevant: labels.tsv, other: labels.tsv}}",
	} {
		files(t, "small.yaml", withTopic(topic), "one.html", pageAbout(1, sailing...), "one.txt", "sailing on a yacht", "good/a.html", pageAbout(2, sailing...),
			"labels.tsv", "good/a.html\trelevant\none.html\trelevant\nbad/a.html\tother\nbad/b.html\tother\n", "bad/a.html", pageAbout(1, baking...), "bad/b.html", pageAbout(2, baking...))
		if code, _, errs := thresher(t, "crawl", "small.yaml", "--quiet"); code != exitDone {
			t.Errorf("%s: exit %d: %s", what, code, errs)
		}
		replies(t, exitDone, "relevant: relevance", "judge", "small.yaml", "one.html")
	}
}

// TestTopicsThatCannotBe: each mistake is told with its place and its cure.
func TestTopicsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		topic string
		code  int
		want  string
	}{
		{"topic: {language: en}", exitMisuse, "small.yaml:2:8: topic: nothing says what is looked for: give terms, a sentence (about), or pages that are of the topic (examples)"},
		{"topic: {terms: [the, of, and]}", exitMisuse, "small.yaml:2:8: topic: every term is a stop word (the, of, and): add a word that says what the topic is"},
		{"topic: {about: of the and}", exitMisuse, `small.yaml:2:8: topic: about "of the and" has no word that says what is looked for`},
		{"topic: {examples: [one.html, gone.html]}", exitMisuse, "small.yaml:2:30: topic.examples[1]: gone.html: there is no such file or folder"},
		{"topic: {examples: [one.html, http://nobody.example/]}", exitFailed, "small.yaml:2:30: topic.examples[1]: the example page http://nobody.example/ cannot be had: the answer was 404 Not Found"},
		{"topic: {examples: [empty.html]}", exitMisuse, "small.yaml:2:8: topic: none of the 1 examples has a word in it"},
		{"topic: {terms: [sailing]}\ntext: {user_dict: words.txt}", exitMisuse, "small.yaml:3:19: text.user_dict: words.txt:2: no letter in the word \"!!!\""},
		{"topic: {judge: classifier, corpus: {relevant: good}}", exitMisuse, "small.yaml:2:36: topic.corpus: has pages of one kind only, and judge: classifier is learned from both; give other too"},
		{"topic: {judge: classifier, corpus: {relevant: one.tsv}}", exitMisuse, "small.yaml:2:8: topic: 2 pages are labelled relevant and 0 other"},
		{"topic: {judge: trained, corpus: {relevant: good, other: empty}}", exitMisuse, "small.yaml:2:33: topic.corpus: pages: empty: there are no pages in it"},
		{"topic: {judge: classifier, corpus: {relevant: lost.tsv}}", exitMisuse, "lost.tsv:2:1: there is no page http://nobody.example/ in . or " + filepath.Join(home, "testdata", "webs", "small")},
		{"topic: {judge: classifier, model: one.html}", exitMisuse, `small.yaml:2:35: topic.model: "one.html" is no model`},
		{"topic: {judge: trained}", exitMisuse, "small.yaml:2:16: topic.judge: trained has nothing to learn from; give topic.model"},
	} {
		files(t, "small.yaml", withTopic(c.topic), "one.html", pageAbout(1, sailing...), "empty.html", "", "good/a.html", pageAbout(2, sailing...), "good/b.html", pageAbout(3, sailing...),
			"one.tsv", "one.html\trelevant\ngood/a.html\trelevant\n", "lost.tsv", "http://daily.example/\trelevant\nhttp://nobody.example/\tother\n",
			"words.txt", "帆船 5\n!!!\n", "empty/x.md", "")
		for _, command := range [][]string{{"crawl", "small.yaml"}, {"judge", "small.yaml", "one.html"}} {
			if code, _, errs := thresher(t, command...); code != c.code || !strings.HasPrefix(errs, strings.Repeat("thresher: ", exitMisuse-c.code)+c.want) {
				t.Errorf("%s %s: exit %d\nstderr %s\nwant   %s", command[0], c.topic, code, errs, c.want)
			}
		}
		if _, err := os.Stat("runs"); err == nil {
			t.Errorf("%s: a run folder was made", c.topic)
		}
	}
}
