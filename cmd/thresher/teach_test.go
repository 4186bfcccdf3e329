package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// teacher does for a page of labels what its buttons say; what it complains of is in said.
func teacher(said *bytes.Buffer) *teaching {
	cmd := &cobra.Command{}
	cmd.SetErr(said)
	return &teaching{cmd: cmd, proposed: map[string]*proposal{}}
}

// TestSuggestionsAge: words that somebody has written into the crawl file meanwhile are suggested no more, and others can be taken.
func TestSuggestionsAge(t *testing.T) {
	file, dir := fewWords(t)
	work := teacher(&bytes.Buffer{})
	first, err := work.suggest(dir)
	if err != nil || len(first) < 2 {
		t.Fatalf("%+v, %v: want some suggestions", first, err)
	}
	before := mustRead(t, file)
	if err := work.take(dir, first[0].Term, 0); first[0].Was == 0 && (err == nil || !strings.Contains(err.Error(), "nothing is changed")) || mustRead(t, file) != before {
		t.Errorf("a new word of weight 0: %v", err)
	}
	taken := first[0].Term
	if code, out, errs := thresher(t, "suggest", dir, "--yes", "--top", "1"); code != exitDone || !strings.Contains(out, taken) {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	now, err := work.suggest(dir)
	if err != nil || len(now) == 0 {
		t.Fatalf("%+v, %v", now, err)
	}
	for _, s := range now {
		if s.Term == taken {
			t.Errorf("%q is suggested, and stands in the file", taken)
		}
	}
	if err := work.take(dir, now[0].Term, now[0].Weight); err != nil || !strings.Contains(mustRead(t, file), now[0].Term) {
		t.Errorf("%q is not in the file: %v", now[0].Term, err)
	}
}

// TestARunningCrawlIsNotWinnowed: what it would keep afterwards is in no kept.jsonl, so that the commands would not show it.
func TestARunningCrawlIsNotWinnowed(t *testing.T) {
	dir := quickstartRun(t, "--budget", "60")
	s, err := run.ReadStanding(dir)
	noError(t, err)
	ended := s
	s.State = "running"
	if err := run.Stand(dir, s); err != nil { // by a process that has just said so
		t.Fatal(err)
	}
	kept := mustRead(t, filepath.Join(dir, "kept.jsonl"))
	if code, _, errs := thresher(t, "winnow", "--run", dir, "--top", "3"); code != exitFailed || !strings.Contains(errs, "the crawl goes on") || !strings.Contains(errs, "thresher stop") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if mustRead(t, filepath.Join(dir, "kept.jsonl")) != kept {
		t.Error("it was winnowed all the same")
	}
	noError(t, run.Stand(dir, ended))
	must(t, "winnow", "--run", dir, "--top", "3")
}

// TestALookThatIsNotSentWasTaken holds that a cluster which is away does not make a second look undone.
func TestALookThatIsNotSentWasTaken(t *testing.T) {
	dir := quickstartRun(t, "--budget", "60")
	crawl := filepath.Join(dir, "crawl.yaml")
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600") // so that nobody waits for it
		http.Error(w, "not now", http.StatusTooManyRequests)
	}))
	defer cluster.Close()
	with := strings.Replace(mustRead(t, crawl), "sinks:\n", "sinks:\n  - {to: opensearch, url: '"+cluster.URL+"', index: boats}\n", 1)
	noError(t, os.WriteFile(crawl, []byte(with), 0o600))
	noError(t, os.Remove(filepath.Join(dir, "kept.jsonl")))
	var said bytes.Buffer
	kept, err := teacher(&said).winnow(dir)
	if !errors.As(err, new(serve.Unsent)) || kept == 0 || !strings.Contains(said.String(), "not sent") {
		t.Errorf("%d kept, %v, %q: want a look that was taken, and not sent", kept, err, said.String())
	}
	if n := strings.Count(mustRead(t, filepath.Join(dir, "kept.jsonl")), "\n"); n != kept {
		t.Errorf("kept.jsonl has %d pages, want %d", n, kept)
	}
}

// TestTheLabelPageTrainsAndTakesWords trains a judge and takes one of the suggested words, with the mouse.
func TestTheLabelPageTrainsAndTakesWords(t *testing.T) {
	program, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		program, err = exec.LookPath("chromium")
	}
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("there is no chromium, and here it is demanded")
	}
	if err != nil {
		t.Skip("there is no chromium: apt-get install chromium-headless-shell")
	}
	file, dir := fewWords(t)
	list, err := study.OpenList(filepath.Join(dir, "labels.tsv"))
	noError(t, err)
	looked, err := winnow.Open(dir, []string{dir})
	noError(t, err)
	said := map[bool]int{}
	for _, p := range looked.Pages {
		if relevant := p.Relevance >= looked.Options.Threshold; said[relevant] < 10 {
			said[relevant]++
			err = errors.Join(err, study.WriteLabel(list, study.Label{Address: p.URL, Relevant: relevant}))
		}
	}
	noError(t, errors.Join(err, list.Close()))
	cmd := &cobra.Command{}
	cmd.SetErr(&bytes.Buffer{})
	s, err := serve.New(serve.Options{Listen: "127.0.0.1:7700", Runs: func() []string { return []string{dir} }, Collections: func() []*index.Collection { return nil }, Steer: steered(cmd, nil)})
	noError(t, err)
	server := httptest.NewServer(s)
	defer server.Close()
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"), chromedp.WSURLReadTimeout(time.Minute))...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	// Each step ends on a page that is there in whole: the browser forgets the names of elements when a page comes to its end, and
	// whoever asks for one by such a name in between is told that there is none.
	do := func(what string, actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		whole := chromedp.Evaluate[chromedp.Void](`new Promise(done => document.readyState === "complete" ? done() : addEventListener("load", done))`, chromedp.EvalAwaitPromise)
		if err := chromedp.Do(ctx, append(actions, whole)...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	do("begin", chromedp.Navigate("about:blank"))
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	read := func(of string) string {
		t.Helper()
		text, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf("document.querySelector(%q).innerText", of)))
		if err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		return text
	}
	do("train", chromedp.Navigate(server.URL+"/runs/"+filepath.Base(dir)+"/label"), chromedp.Click(`button[value=train]`), chromedp.WaitVisible(`//p[@id="said"][contains(., "trained")]`))
	if _, err := os.Stat(filepath.Join(dir, "judge.model")); err != nil || !strings.Contains(read("#said"), "F1") {
		t.Errorf("%q: %v", read("#said"), err)
	}
	do("look for words", chromedp.Click(`#suggest`), chromedp.WaitVisible(`form.word`))
	word := read(`form.word b`)
	before := mustRead(t, file)
	do("take one", chromedp.Click(`form.word button`), chromedp.WaitVisible(`//p[@id="said"][contains(., "crawl file")]`))
	if after := mustRead(t, file); after == before || !strings.Contains(after, word) {
		t.Errorf("%q is not in the file:\n%s", word, after)
	}
	do("look again", chromedp.Click(`#suggest`), chromedp.WaitVisible(`//p[contains(., "left")]`))
	if left := read("main"); strings.Contains(left, word+" add") {
		t.Errorf("%q is suggested again: %s", word, left)
	}
	if mustRead(t, file) == before {
		t.Error("what was left has taken back what was taken")
	}
}
