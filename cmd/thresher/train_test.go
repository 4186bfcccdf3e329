package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
)

// pageAbout is a page that speaks of some of a topic's words, differently for each number.
func pageAbout(n int, words ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html lang=en><title>%s number %d</title><p>", words[n%len(words)], n)
	for i := range 12 {
		fmt.Fprintf(&b, "The %s and the %s. ", words[(n+i)%len(words)], words[(n*3+i*5)%len(words)])
	}
	return b.String()
}

var (
	sailing = []string{"sailing", "yacht", "harbour", "mast", "keel", "regatta", "skipper"}
	baking  = []string{"bread", "dough", "flour", "oven", "crust", "yeast", "loaf"}
)

// labelledFolders writes two folders of pages and answers the arguments of files.
func labelledFolders(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("good/%02d.html", i), pageAbout(i, sailing...), fmt.Sprintf("bad/%02d.html", i), pageAbout(i, baking...))
	}
	return list
}

// TestTrainJudge: from folders to a model, and from the model to a judgement and a crawl.
func TestTrainJudge(t *testing.T) {
	files(t, append(labelledFolders(12), "small.yaml", smallCrawl(), "yacht.html", pageAbout(40, sailing...), "loaf.html", pageAbout(40, baking...))...)
	out := must(t, "train", "judge", "--relevant", "good", "--other", "bad", "--out", "sailing.model")
	for _, want := range []string{"learned from 12 relevant and 12 other pages, tested in 10 folds", "precision 1.000  recall 1.000", "macro F1", "micro F1", "AP 1.000",
		"at threshold", "learned from one part, tested on 9: macro F1", "probability   pages   said   found", "tried bayes", "tried svm", "tried logistic",
		"written to sailing.model (", "topic: {judge: classifier, model: sailing.model}"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	for page, want := range map[string]string{"yacht.html": "relevant: relevance 0.", "loaf.html": "not relevant: relevance 0."} {
		for _, line := range [][]string{{"judge", "--model", "sailing.model", page}, {"judge", "small.yaml", page, "--model", "sailing.model"}} {
			if code, out, errs := thresher(t, line...); code != exitDone || !strings.HasPrefix(out, want) {
				t.Errorf("%v: exit %d: %s%s", line, code, out, errs)
			}
		}
	}
}

// TestCrawlByATrainedJudge: its own threshold counts unless the file says another.
func TestCrawlByATrainedJudge(t *testing.T) {
	learned := strings.Replace(smallCrawl(), "topic: {language: en, terms: [sailing, yacht, boat]}", "topic: {judge: classifier, model: own.model}", 1)
	files(t, "learned.yaml", learned)
	small := filepath.Join(home, "testdata", "webs", "small")
	if code, out, errs := thresher(t, "train", "judge", "--web", small, "--topic", "sailing", "--out", "own.model", "--kind", "bayes"); code != exitDone {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	code, out, errs := thresher(t, "crawl", "learned.yaml")
	if code != exitDone || !strings.Contains(out, "best finds") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if _, out, _ := thresher(t, "check", "learned.yaml"); !strings.Contains(out, "  judge: classifier\n") || !strings.Contains(out, "  threshold: 0\n") {
		t.Errorf("check does not say that the judge's own threshold counts:\n%s", out)
	}
	own := lines(t, "runs/small/harvest.jsonl")
	must(t, "crawl", "learned.yaml", "--fresh", "--set", "topic.threshold=0.999999")
	if strict := lines(t, "runs/small/harvest.jsonl"); own == 0 || strict >= own {
		t.Errorf("%d pages by the judge's own threshold, %d by a much higher one", own, strict)
	}
}

func TestTrainJudgeAsJSON(t *testing.T) {
	files(t, labelledFolders(8)...)
	code, out, errs := thresher(t, "train", "judge", "--relevant", "good", "--other", "bad", "--kind", "svm", "--folds", "4", "--precision", "0.9", "--json")
	var r trained
	decoder := json.NewDecoder(strings.NewReader(out))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil || code != exitDone || decoder.More() {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, errs)
	}
	if r.Kind != "svm" || r.Folds != 4 || r.Relevant != 8 || r.Precision < .9 || len(r.Calibration) == 0 || r.Weak || r.Model != "" || len(r.Best) == 0 {
		t.Errorf("%+v", r)
	}
}

// TestAWeakJudgeIsMarked: wherever it is used.
func TestAWeakJudgeIsMarked(t *testing.T) {
	list := []string{"small.yaml", smallCrawl()}
	for i := range 10 { // the same words on both sides: nothing can be learned
		list = append(list, fmt.Sprintf("good/%02d.html", i), pageAbout(2*i, baking...), fmt.Sprintf("bad/%02d.html", i), pageAbout(2*i+1, baking...))
	}
	files(t, append(list, "loaf.html", pageAbout(40, baking...))...)
	code, out, errs := thresher(t, "train", "judge", "--relevant", "good", "--other", "bad", "--kind", "bayes", "--out", "weak.model")
	if code != exitDone || !strings.Contains(out, "WEAK: below 0.85") {
		t.Fatalf("train: exit %d: %s%s", code, out, errs)
	}
	if _, out, _ := thresher(t, "judge", "--model", "weak.model", "loaf.html"); !strings.Contains(out, "WARNING: the trained judge is weak") {
		t.Errorf("judge: %s", out)
	}
	if _, out, _ := thresher(t, "judge", "--model", "weak.model", "loaf.html", "--json"); !strings.Contains(out, `"warnings":["the trained judge is weak`) {
		t.Errorf("judge --json: %s", out)
	}
	model := []string{"--set", "topic.judge=classifier", "--set", "topic.model=weak.model"}
	if code, _, errs := thresher(t, append([]string{"check", "small.yaml"}, model...)...); code != exitDone || !strings.Contains(errs, "weak.model: the trained judge is weak") {
		t.Errorf("check: exit %d: %s", code, errs)
	}
	replies(t, exitDone, "WARNING: the trained judge is weak", append([]string{"crawl", "small.yaml", "--quiet"}, model...)...)
	if _, out, _ := thresher(t, append([]string{"crawl", "small.yaml", "--quiet", "--fresh", "--json"}, model...)...); !strings.Contains(out, `"warnings":["the trained judge is weak`) {
		t.Errorf("crawl --json: %s", out)
	}
}

// TestTrainFromEverything: the forms in which labelled pages come.
func TestTrainFromEverything(t *testing.T) {
	crawled(t)
	var lists [2]strings.Builder
	for i := range 6 {
		for j, words := range [][]string{sailing, baking} {
			line, err := json.Marshal(map[string]any{"url": fmt.Sprintf("http://a.example/%d", i), "title": words[i], "text": pageAbout(i, words...)})
			noError(t, err)
			fmt.Fprintf(&lists[j], "%s\n", line)
		}
	}
	small := filepath.Join(home, "testdata", "webs", "small")
	web, err := replay.Open(small)
	noError(t, err)
	defer web.Close()
	labels := ""
	for address := range web.Addresses() {
		line, ok := web.Labels(address)
		if !ok {
			continue // a robots.txt
		}
		word := map[bool]string{true: "relevant", false: "other"}[strings.HasPrefix(line, "sailing")]
		labels += address + "\t" + word + "\tand more\n"
	}
	for name, text := range map[string]string{"good.jsonl": lists[0].String(), "bad.jsonl": lists[1].String(), "labels.tsv": labels, "runs/small/labels.tsv": labels} {
		noError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	topic := web.Topics()[0].Name
	live := labelledLive(t)
	for _, c := range []struct{ line, want string }{
		{"--relevant good.jsonl --other bad.jsonl", "learned from 6 relevant and 6 other pages"},
		{"--relevant labels.tsv --web " + small, "learned from "},
		{"--relevant runs/small/labels.tsv", "learned from "}, // the run knows the web it crawled
		{"--relevant runs/live/labels.tsv", "learned from " + live},
		{"--relevant runs/small --other bad.jsonl", "learned from "},
		{"--relevant good.jsonl --other bad.jsonl --kind vector --choose ig --words 3", "vector, learned from 6 relevant and 6 other pages"},
		{"--web " + small + " --topic " + topic, "learned from "},
	} {
		code, out, errs := thresher(t, strings.Fields("train judge --kind bayes "+c.line)...)
		if code != exitDone || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d: %s%s", c.line, code, out, errs)
		}
	}
	code, out, _ := thresher(t, strings.Fields("train judge --kind bayes --json --relevant good.jsonl --other bad.jsonl")...)
	if code != exitDone || !strings.Contains(out, `"content":"main_text"`) {
		t.Errorf("a judge of main texts says %s", out)
	}
}

// labelledLive makes runs/live of runs/small: a run that has no recorded web, with labels of pages that it kept and of pages that it did
// not keep, as the label page of serve writes them. It says how many there are.
func labelledLive(t *testing.T) string {
	t.Helper()
	noError(t, os.CopyFS("runs/live", os.DirFS("runs/small")))
	file := filepath.Join("runs", "live", "crawl.yaml")
	without := regexp.MustCompile(`(?m)^web:.*\n`).ReplaceAllString(mustRead(t, file), "")
	labels, said, dropped := "", map[bool]int{}, false
	for seen, err := range sink.ReadLooks("runs/live") {
		noError(t, err)
		relevant := seen.Kept && said[true] < 3
		labels += seen.Record.URL + "\t" + map[bool]string{true: "relevant", false: "other"}[relevant] + "\n"
		said[relevant]++
		dropped = dropped || !seen.Kept
	}
	if said[true] < study.Fewest || said[false] < study.Fewest || !dropped {
		t.Fatalf("of the pages that are looked at again %v: the test sees nothing", said)
	}
	noError(t, errors.Join(os.WriteFile(file, []byte(without), 0o600), os.WriteFile("runs/live/labels.tsv", []byte(labels), 0o600)))
	return fmt.Sprintf("%d relevant and %d other pages", said[true], said[false])
}

// pageOfLinks is a page with so many of its hundred letters in a link.
func pageOfLinks(n int) string {
	return "<p>" + strings.Repeat("a", 100-n) + "<p><a href=/x>" + strings.Repeat("b", n) + "</a>"
}

// TestTrainHubLine: the line between hubs and topic pages is learned from hubs and topic pages, and not from what is
// relevant.
func TestTrainHubLine(t *testing.T) {
	list := labelledFolders(4)
	labels := ""
	for n, kind := range map[int]string{70: "hub", 90: "hub", 40: "hub", 10: "topic", 20: "topic", 50: "topic", 31: "topic", 5: "topic", 60: "hub"} {
		name := fmt.Sprintf("%ss/%d.html", kind, n)
		list = append(list, name, pageOfLinks(n))
		labels += name + "\t" + kind + "\n"
	}
	files(t, append(list, "kinds.tsv", labels, "small.yaml", smallCrawl(), "page.html", pageOfLinks(36))...)
	const want = "hubs have more than 0.3550 of their text in links (0.5504 of what is no link): it parts 4 of 4 hubs and 4 of 5 topic pages rightly, and tells 0.590 bits\n" +
		"in a crawl file: reading: {hub_ratio: 0.3550}\n"
	for _, line := range []string{"--hub-pages hubs --topic-pages topics", "--hub-pages kinds.tsv", "--hub-pages hubs --topic-pages kinds.tsv"} {
		if code, out, errs := thresher(t, append([]string{"train", "judge"}, strings.Fields(line)...)...); code != exitDone || out != want {
			t.Errorf("%s: exit %d: %s%s", line, code, out, errs)
		}
	}
	code, out, errs := thresher(t, strings.Fields("train judge --relevant good --other bad --kind bayes --hub-pages hubs --topic-pages topics")...)
	if code != exitDone || !strings.HasSuffix(out, want) || !strings.Contains(out, "learned from 4 relevant and 4 other pages") {
		t.Errorf("beside a judge: exit %d: %s%s", code, out, errs)
	}
	var said struct{ Hub study.HubLine }
	_, out, _ = thresher(t, strings.Fields("train judge --hub-pages kinds.tsv --json")...)
	if err := json.Unmarshal([]byte(out), &said); err != nil || said.Hub.Ratio != .355 || said.Hub.Topic != (study.Side{Pages: 5, Right: 4}) {
		t.Errorf("%v: %s", err, out)
	}
	for _, c := range []struct{ ratio, kind string }{{"0.3550", "hub page"}, {"0.6", "text page"}} {
		replies(t, exitDone, c.kind, "judge", "small.yaml", "page.html", "--set", "reading.hub_ratio="+c.ratio)
	}
}

// TestTrainJudgeMisuse: every mistake says what is wrong, where, and what to do.
func TestTrainJudgeMisuse(t *testing.T) {
	files(t, append(labelledFolders(3), "list.tsv", "good/00.html\trelevant\ngood/77.html\tother\n", "words.tsv", "good/00.html relevant\ngood/01.html\tperhaps\n",
		"one.tsv", "good/00.html\trelevant\ngood/01.html\trelevant\n", "words.txt", "光伏 5 n much\n", "empty/x.md", "", "broken.jsonl", "{\"url\":\"http://a.example/\"}\n{\n",
		"hubs/1.html", pageOfLinks(90), "hubs/2.html", pageOfLinks(80), "texts/1.html", pageOfLinks(10), "texts/2.html", pageOfLinks(20), "one/1.html", pageOfLinks(80), "plain/1.txt", "words\n", "alike/1.html", pageOfLinks(80), "alike/2.html", pageOfLinks(90),
		"kinds.tsv", "hubs/1.html\trelevant\n", "none.tsv", "# nobody has said anything\n\n")...)
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"train", exitDone, ""},
		{"train jugde", exitMisuse, `train knows no "jugde"; it trains a judge, layers or context`},
		{"train judge", exitMisuse, "train judge needs pages that are relevant\n  try: thresher train judge --relevant good/ --other bad/ --out"},
		{"train judge good bad", exitMisuse, `judge takes no argument, and there is "good"`},
		{"train judge --relevant good", exitMisuse, "needs pages of other topics too: a judge is learned from both"},
		{"train judge --relevant good --other bad --kind bayse", exitMisuse, `--kind is "bayse", want best, bayes, svm, logistic, vector; did you mean "bayes"?`},
		{"train judge --relevant good --other bad --folds 1", exitMisuse, "--folds is 1, want at least 2"},
		{"train judge --relevant good --other bad --choose luck", exitMisuse, `--choose is "luck", want chi2 or ig`},
		{"train judge --relevant good --other bad --words 0", exitMisuse, "--words is 0, want at least 1"},
		{"train judge --relevant good --other bad --precision 2", exitMisuse, "--precision is 2, want a number from 0 to 1"},
		{"train judge --relevant good --other bad --precision NaN", exitMisuse, "--precision is NaN"},
		{"train judge --relevant good --other bad --content all", exitMisuse, `--content is "all"`},
		{"train judge --hub-pages hubs", exitMisuse, "--hub-pages needs topic pages beside it: the line is learned from both\n  try: thresher train judge --hub-pages hubs/ --topic-pages texts/"},
		{"train judge --topic-pages texts", exitMisuse, "--topic-pages are pages of text, whatever their topic, and need hubs beside them"},
		{"train judge --hub-pages hubs --topic-pages texts --out x.model", exitMisuse, "--out takes a model, and there are no pages of a topic to learn one from"},
		{"train judge --hub-pages hubs --topic-pages nowhere", exitMisuse, "nowhere: there is no such file or folder"},
		{"train judge --hub-pages texts --topic-pages hubs", exitMisuse, "are the two the wrong way round?"},
		{"train judge --hub-pages hubs --topic-pages alike", exitMisuse, "the same share of links in their texts"},
		{"train judge --hub-pages hubs --topic-pages one", exitMisuse, "there are 2 hubs and 1 topic pages: the line is learned from both, at least 2 of each"},
		{"train judge --hub-pages hubs --topic-pages plain", exitMisuse, "plain nothing but the text is known, and links tell a hub"},
		{"train judge --hub-pages kinds.tsv", exitMisuse, `kinds.tsv:1:1: is labelled "relevant", want hub or topic`},
		{"train judge --topic tea", exitMisuse, "name the web with --web"},
		{"train judge --web x --topic tea --relevant good", exitMisuse, "leave --relevant and --other out"},
		{"train judge --web good --topic tea", exitMisuse, "good is no recorded web"},
		{"train judge --relevant nowhere --other bad", exitMisuse, "nowhere: there is no such file or folder"},
		{"train judge --relevant good --other empty", exitMisuse, "empty: there are no pages in it: want a folder of .html or .txt files"},
		{"train judge --relevant good --other broken.jsonl", exitMisuse, "broken.jsonl: line 2: "},
		{"train judge --relevant list.tsv", exitMisuse, "list.tsv:2:1: there is no page good/77.html in ."},
		{"train judge --relevant words.tsv", exitMisuse, "words.tsv:1:1: \"good/00.html relevant\" has no tab: want an address, a tab, and relevant or other\nwords.tsv:2:1: is labelled \"perhaps\", want relevant or other"},
		{"train judge --relevant none.tsv", exitMisuse, "none.tsv: there is no label in it, want an address, a tab, and relevant or other"},
		{"train judge --hub-pages none.tsv", exitMisuse, "none.tsv: there is no label in it, want an address, a tab, and hub or topic"},
		{"train judge --relevant nowhere.tsv", exitMisuse, "nowhere.tsv"},
		{"train judge --web nowhere --relevant one.tsv", exitMisuse, "nowhere: there is no such file or folder"},
		{"train layers --web nowhere:tea", exitMisuse, "nowhere"},
		{"train context --web good", exitMisuse, "there is no pages.warc.gz in it"},
		{"train judge --relevant one.tsv", exitMisuse, "2 pages are labelled relevant and 0 other: a judge is learned from both"},
		{"train judge --relevant good --other bad --user-dict words.txt", exitMisuse, "words.txt:1: \"much\" is too much"},
		{"train judge --relevant good --other bad --out nowhere/x.model", exitMisuse, "--out nowhere/x.model: there is no folder nowhere"},
		{"judge --model good/00.html good/01.html", exitMisuse, "--model good/00.html: \"good/00.html\" is no model"},
		{"judge --model nowhere.model good/01.html", exitMisuse, "--model nowhere.model: "},
	} {
		code, _, errs := thresher(t, strings.Fields(c.line)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("thresher %s: exit %d, want %d\nstderr %s\nwant   %s", c.line, code, c.code, errs, c.want)
		}
	}
}

// TestJudgeDrawsBlocks: with a crawl file, with a model, and with neither.
func TestJudgeDrawsBlocks(t *testing.T) {
	files(t, "small.yaml", smallCrawl(), "page.html", "<title>Sailing</title><div id=nav><a href=/a>Home</a> <a href=/b>News</a></div><p>A yacht is a boat for sailing, and sailing needs wind.")
	for _, line := range []string{"judge small.yaml page.html --blocks blocks.html", "judge --blocks blocks.html page.html"} {
		os.Remove("blocks.html")
		code, out, errs := thresher(t, strings.Fields(line)...)
		raw, err := os.ReadFile("blocks.html")
		if code != exitDone || err != nil || !strings.Contains(out, "blocks drawn in blocks.html") || !strings.Contains(string(raw), "A yacht is a boat") {
			t.Errorf("%s: exit %d: %s%s %v", line, code, out, errs, err)
		}
	}
	code, out, _ := thresher(t, "judge", "--blocks", "blocks.html", "page.html", "--json")
	if code != exitDone || strings.Contains(out, "relevance") || !strings.Contains(out, `"kind":"text"`) {
		t.Errorf("exit %d: %s", code, out)
	}
	replies(t, exitMisuse, "with --model or --blocks the page alone is enough", "judge", "page.html")
	replies(t, exitMisuse, "--blocks no/where.html: there is no folder no", "judge", "--blocks", "no/where.html", "page.html")
}
