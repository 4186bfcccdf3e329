package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
)

// labelling runs thresher label with answers on stdin.
func labelling(t *testing.T, answers string, args ...string) (code int, out string) {
	t.Helper()
	code, out, errs := answering(t, answers, append([]string{"label"}, args...)...)
	return code, out + errs
}

// ownersAlone: a file of a run folder is nobody else's to read, but for the report.
func ownersAlone(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == run.FileReport || runtime.GOOS == "windows" {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLabelARun: pages are asked about, labels are kept, a judge is trained and its F1 is shown.
func TestLabelARun(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	must(t, "crawl", "small.yaml", "--quiet", "--set", "second_look=all")
	code, out := labelling(t, "y\nNo\nx\ny\nn\nskip\nyes\nn\nq\n", "runs/small", "--round", "4")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, out)
	}
	for _, want := range []string{"labels go to " + filepath.Join("runs", "small", "labels.tsv"), "? y: relevant, n: other, s: skip, q: quit", "-- 2 relevant, 2 other: F1 ",
		"skipped", "quit", "6 labels given, 6 in all", "next: thresher train judge --relevant runs/small/labels.tsv"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	ownersAlone(t, "runs/small")
	labels, err := study.ReadLabels("runs/small/labels.tsv")
	if err != nil || len(labels) != 6 || !labels[0].Relevant || labels[1].Relevant {
		t.Fatalf("%v, %+v", err, labels)
	}
	dropped := dropped(t, "runs/small")
	if !regexp.MustCompile(`\[judged 0\.\d\d\] relevant\?`).MatchString(out) || len(dropped) == 0 {
		t.Errorf("no judgement is shown:\n%s", out)
	}
	// Keys that another version of the program wrote do not matter.
	if raw, err := os.ReadFile("runs/small/crawl.yaml"); err != nil || os.WriteFile("runs/small/crawl.yaml", append(raw, "newer: key\n"...), 0o644) != nil {
		t.Fatal(err)
	}
	// The next session goes on, asks about no page twice, and ends when the answers end.
	code, out = labelling(t, "y\nn\ny\nn\ny", "runs/small", "--round", "4")
	if code != exitDone || !strings.Contains(out, "-- 3 relevant, 3 other: F1 ") || !regexp.MustCompile(`F1 \d\.\d\d \([+-]\d\.\d\d\)`).MatchString(out) ||
		!strings.Contains(out, "5 labels given, 11 in all") {
		t.Errorf("exit %d: %s", code, out)
	}
	seen := map[string]bool{}
	if labels, err = study.ReadLabels("runs/small/labels.tsv"); err != nil || len(labels) != 11 || lines(t, "runs/small/labels.tsv") != 11 {
		t.Errorf("%v, %d labels", err, len(labels))
	}
	for _, l := range labels {
		seen[l.Address] = true
	}
	if len(seen) != 11 {
		t.Errorf("pages were asked about twice: %v", labels)
	}
	replies(t, exitDone, "learned from 6 relevant and 5 other", "train", "judge", "--relevant", "runs/small/labels.tsv", "--kind", "bayes")
}

// TestLabelTakesBack: a slip of the finger is taken back, and so is the one before it; the page is asked about again, and the list has no
// trace of it. What somebody else has written meanwhile stays.
func TestLabelTakesBack(t *testing.T) {
	crawled(t)
	code, out := labelling(t, "u\ny\nx\nn\nu\nu\nn\ny\nq\n", "runs/small")
	if code != exitDone || strings.Count(out, "taken back") != 2 || !strings.Contains(out, "2 labels given, 2 in all") || strings.Count(out, "u: take the last answer back") != 1 {
		t.Fatalf("exit %d: %s", code, out)
	}
	labels, err := study.ReadLabels("runs/small/labels.tsv")
	if err != nil || len(labels) != 2 || labels[0].Relevant || !labels[1].Relevant {
		t.Errorf("%v: %+v\n%s", err, labels, out)
	}
	if asked := strings.Count(out, "\n"+labels[0].Address+"\n"); asked != 2 {
		t.Errorf("%s was asked about %d times\n%s", labels[0].Address, asked, out)
	}
	list, err := study.OpenList("runs/small/labels.tsv")
	noError(t, err)
	defer list.Close()
	if err := study.TakeBack(list, labels[0]); err == nil || lines(t, "runs/small/labels.tsv") != 2 {
		t.Errorf("%v: a label that is not the last was taken back", err)
	}
}

// pacing gives an answer for each question, and does something before.
type pacing struct {
	before  func(n int)
	answers []string
	given   int
}

func (a *pacing) Read(p []byte) (int, error) {
	if a.given == len(a.answers) {
		return 0, io.EOF
	}
	a.before(a.given)
	a.given++
	return copy(p, a.answers[a.given-1]), nil
}

// TestTwoLabelOneRun: two people who label one run at the same time are asked about pages that the other has not answered, and what was
// answered while a page was looked at stands.
func TestTwoLabelOneRun(t *testing.T) {
	crawled(t)
	var out bytes.Buffer
	other := func(address string) {
		list, err := study.OpenList("runs/small/labels.tsv")
		if err == nil {
			err = study.WriteLabel(list, study.Label{Address: address})
		}
		if err = errors.Join(err, list.Close()); err != nil {
			t.Fatal(err)
		}
	}
	asked := regexp.MustCompile(`(?m)^http\S+$`)
	root := newRoot()
	root.SetArgs([]string{"label", "runs/small"})
	root.SetIn(&pacing{answers: []string{"y\n", "y\n", "n\n", "q\n"}, before: func(n int) {
		if shown := asked.FindAllString(out.String(), -1); n == 1 {
			other(shown[len(shown)-1])
		}
	}})
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if said := out.String(); strings.Count(said, "labelled by another sitting meanwhile, which stays") != 1 || !strings.Contains(said, "2 labels given, 3 in all") {
		t.Errorf("%s", said)
	}
	labels, err := study.ReadLabels("runs/small/labels.tsv")
	if err != nil || len(labels) != 3 || lines(t, "runs/small/labels.tsv") != 3 || labels[1].Relevant {
		t.Errorf("%v: %+v", err, labels)
	}
}

// pacedly labels, and does something before each answer.
func pacedly(t *testing.T, answers string, before func(n int)) string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs([]string{"label", "runs/small"})
	root.SetIn(&pacing{answers: strings.SplitAfter(answers, "\n"), before: before})
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return out.String()
}

// TestLabelTakesASkipBack: a skip is an answer like others; what was answered before it stays.
func TestLabelTakesASkipBack(t *testing.T) {
	crawled(t)
	code, out := labelling(t, "y\ns\nu\nn\nq\n", "runs/small")
	asked := regexp.MustCompile(`(?m)^http\S+$`).FindAllString(out, -1)
	labels, err := study.ReadLabels("runs/small/labels.tsv")
	if code != exitDone || err != nil || len(labels) != 2 || !labels[0].Relevant || labels[1].Relevant || asked[3] != asked[1] || labels[1].Address != asked[1] || !strings.Contains(out, "2 labels given, 2 in all") {
		t.Errorf("exit %d, %v: %+v\n%s", code, err, labels, out)
	}
}

// TestLabelOnAListThatChanges: what another sitting labels stays known when an answer is taken back, and answers go to the list that stands
// there, also when an editor has written it anew and left its last line open.
func TestLabelOnAListThatChanges(t *testing.T) {
	crawled(t)
	order := regexp.MustCompile(`(?m)^http\S+$`).FindAllString(pacedly(t, "s\ns\ns\ns\nq\n", func(int) {}), -1)
	out := pacedly(t, "y\nu\ny\nn\nq\n", func(n int) {
		list := ""
		switch n {
		case 0:
			list = order[1] + "\tother\n" + order[3] + "\tother"
		case 3:
			list = "# mine\n" + strings.TrimSuffix(mustRead(t, "runs/small/labels.tsv"), "\n")
		default:
			return
		}
		noError(t, errors.Join(os.WriteFile("new.tsv", []byte(list), 0o600), os.Rename("new.tsv", "runs/small/labels.tsv")))
	})
	want := "# mine\n" + order[1] + "\tother\n" + order[3] + "\tother\n" + order[0] + "\trelevant\n" + order[2] + "\tother\n"
	if got := mustRead(t, "runs/small/labels.tsv"); got != want || strings.Contains(out, "\n"+order[3]+"\n") {
		t.Errorf("%q, want %q\n%s", got, want, out)
	}
}

// TestTrainLeavesLabelsOut: label says that labels of pages that are not there teach nothing, and its next step does not fail by them.
func TestTrainLeavesLabelsOut(t *testing.T) {
	crawled(t)
	if code, out := labelling(t, "y\nn\ny\nn\ny\nn\nq\n", "runs/small"); code != exitDone {
		t.Fatalf("exit %d: %s", code, out)
	}
	list, err := study.OpenList("runs/small/labels.tsv")
	if err == nil {
		err = study.WriteLabel(list, study.Label{Address: "http://moved.example/", Relevant: true})
	}
	if err = errors.Join(err, list.Close()); err != nil {
		t.Fatal(err)
	}
	code, out, errs := thresher(t, "train", "judge", "--relevant", "runs/small/labels.tsv", "--kind", "bayes")
	if code != exitDone || !strings.Contains(out, "learned from 3 relevant and 3 other") || !strings.Contains(errs, "1 label of pages that the run has not, which teach nothing") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// TestLabelAsksWhatCounts: of a run over a recorded web, which has all its pages, those are asked about at which winnow looks.
func TestLabelAsksWhatCounts(t *testing.T) {
	dir := quickstartRun(t)
	looked := map[string]bool{}
	for seen, err := range sink.ReadLooks(dir) {
		noError(t, err)
		looked[seen.Record.FinalURL] = true
	}
	l, err := study.NewLabelling(dir, filepath.Join(dir, "labels.tsv"), 1000)
	noError(t, err)
	defer l.Library.Close()
	if len(l.Pool) != len(looked) {
		t.Errorf("%d pages are asked about, and %d are looked at again", len(l.Pool), len(looked))
	}
	for _, c := range l.Pool {
		if !looked[c.Name] {
			t.Errorf("%s is asked about, and no second look is taken at it", c.Name)
		}
	}
}

// dropped are the pages that a run judged and did not keep.
func dropped(t *testing.T, dir string) (addresses []string) {
	t.Helper()
	ran, err := run.Open(dir)
	noError(t, err)
	noError(t, ran.Log(func(d *run.Decision) bool {
		if d.Decision == "drop" && d.Relevance == d.Relevance {
			addresses = append(addresses, d.URL)
		}
		return true
	}))
	return addresses
}

// TestLabelsAreThoseOfARecordedWeb: a recorded web takes the list as its labels.tsv.
func TestLabelsAreThoseOfARecordedWeb(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	must(t, "record", "small.yaml", "--to", "web", "--quiet")
	noError(t, os.RemoveAll("runs"))
	code, out := labelling(t, "y\nn\ny\nn\nq\n", "web")
	if code != exitDone || !strings.Contains(out, "[not judged] relevant?") {
		t.Fatalf("exit %d: %s", code, out)
	}
	web, err := replay.Open("web")
	noError(t, err)
	defer web.Close()
	if web.Labelled() != 4 || len(web.Unrecorded()) != 0 {
		t.Errorf("%d labels, of which %v are of no page", web.Labelled(), web.Unrecorded())
	}
	corpus, err := study.WebCorpus("web", "small")
	if err != nil || len(corpus.Relevant) != 2 || len(corpus.Other) != 2 {
		t.Errorf("%v: %d relevant, %d other by the web's own topic", err, len(corpus.Relevant), len(corpus.Other))
	}
}

// TestLabelFindsTheOtherKind: with labels of one kind only, the likeliest pages of the other kind come next, and
// uncertain ones once there is a judge.
func TestLabelFindsTheOtherKind(t *testing.T) {
	crawled(t)
	code, out := labelling(t, strings.Repeat("n\n", 3)+"q\n", "runs/small", "--round", "3")
	if code != exitDone || !strings.Contains(out, "-- 0 relevant, 3 other: a judge is trained from 2 of each on") {
		t.Fatalf("exit %d: %s", code, out)
	}
	shown := regexp.MustCompile(`\[judged (\d\.\d\d)\]`).FindAllStringSubmatch(out, -1)
	if last := shown[len(shown)-1][1]; last < "0.60" {
		t.Errorf("after three others a page of relevance %s is shown, want one that is likely relevant", last)
	}
}

// TestLabelAFolder: paths are written as they are seen from the list, wherever that is.
func TestLabelAFolder(t *testing.T) {
	files(t, append(labelledFolders(6), "lists/begun.tsv", "../good/00.html\trelevant\n../good/gone.html\trelevant")...)
	code, out := labelling(t, "y\nn\nq\n", ".", "--labels", "lists/begun.tsv")
	if code != exitDone || !strings.Contains(out, "11 pages to choose from") || !strings.Contains(out, "1 label in it of pages that are not here") {
		t.Fatalf("exit %d: %s", code, out)
	}
	labels, err := study.ReadLabels("lists/begun.tsv")
	if err != nil || len(labels) != 4 {
		t.Fatalf("%v, %+v", err, labels)
	}
	for _, l := range labels[2:] {
		if _, err := os.Stat(filepath.Join("lists", l.Address)); err != nil {
			t.Error(err)
		}
	}
}

// TestLabelingTeaches: whoever knows the answers has a judge after few labels.
func TestLabelingTeaches(t *testing.T) {
	files(t, labelledFolders(20)...)
	l, err := study.NewLabelling(".", "labels.tsv", 200)
	noError(t, err)
	defer l.Library.Close()
	for len(l.Relevant)+len(l.Other) < 10 {
		for _, c := range l.Next(2) {
			l.Take(c.Page.Doc, strings.HasPrefix(c.Address, "good"))
			l.Drop(c)
		}
		noError(t, l.Train())
	}
	if l.Judge == nil || l.Judge.Model().Relevant != len(l.Relevant) {
		t.Fatalf("no judge after %d and %d labels", len(l.Relevant), len(l.Other))
	}
	wrong := 0
	for _, c := range l.Pool {
		if (c.Relevance >= l.Judge.Threshold()) != strings.HasPrefix(c.Address, "good") {
			wrong++
		}
	}
	if wrong > len(l.Pool)/10 {
		t.Errorf("%d of %d pages are judged wrongly after 10 labels", wrong, len(l.Pool))
	}
}

func TestLabelMisuse(t *testing.T) {
	files(t, append(labelledFolders(2), "labels.tsv", "good/00.html\tcourse\n", "empty/x.md", "")...)
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"", exitMisuse, "label needs one run, recorded web or folder of pages"},
		{"nowhere", exitMisuse, "nowhere: there is no such file or folder"},
		{"empty", exitMisuse, "empty: there are no pages in it"},
		{"nowhere --audit 5", exitMisuse, "nowhere is not a run folder"},
		{". --round 0", exitMisuse, "--pool and --round are numbers of at least 1"},
		{".", exitMisuse, `labels.tsv:1:1: is labelled "course", want relevant or other`},
		{". --labels no/where.tsv", exitMisuse, "--labels no/where.tsv: there is no folder no"},
	} {
		if code, out := labelling(t, "y\n", strings.Fields(c.line)...); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("label %s: exit %d, want %d: %s", c.line, code, c.code, out)
		}
	}
}

func TestKeysOfLines(t *testing.T) {
	k := keysOf(strings.NewReader("Yes\n\n  n \nq"))
	var got []string
	for {
		key, err := k.ask(io.Discard, "? ")
		if err != nil {
			break
		}
		got = append(got, fmt.Sprintf("%q", key))
	}
	if want := `'y' '\n' 'n' 'q'`; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestTheSnippetReadsAsThePageDoes: what is bold or a link in a sentence stands in it, and no blank comes before a comma or in
// Chinese.
func TestTheSnippetReadsAsThePageDoes(t *testing.T) {
	for _, html := range []string{
		"<p><b>Thames barges carried hay</b>, and one is afloat. See also <a href=/b>The barge match</a>.</p>",
		"<p><b>茶叶不要放得太多</b>，三克就够。参看<a href=/b>一把壶的脾气</a>。</p>",
	} {
		want := regexp.MustCompile("<[^>]*>").ReplaceAllString(html, "")
		p := page.Parse([]byte("<html><body><h1>x</h1>"+html+"</body></html>"), "http://www.example.org/", page.Options{})
		if said := snippet(study.Document(p)); said != want {
			t.Errorf("the snippet is %q, want %q", said, want)
		}
	}
}
