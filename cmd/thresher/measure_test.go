package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/replay/drawn"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
)

// measured is what measure --json says of a run.
func measured(t *testing.T, args ...string) remeasured {
	t.Helper()
	code, out, errs := thresher(t, append([]string{"measure", "--json"}, args...)...)
	if code != exitDone || strings.Count(out, "\n") != 1 {
		t.Fatalf("measure %v: exit code %d: %s%s", args, code, out, errs)
	}
	var m remeasured
	noError(t, json.Unmarshal([]byte(out), &m))
	return m
}

// judgeFor trains a judge on a topic of a web, and writes it into a file.
func judgeFor(t *testing.T, dir, labels, file, not string) {
	t.Helper()
	avoided := map[string]bool{}
	if not != "" {
		web, err := replay.Open(not)
		noError(t, err)
		defer web.Close()
		for address := range web.Addresses() {
			avoided[page.Host(address)] = true
		}
	}
	web, err := replay.Open(dir)
	noError(t, err)
	defer web.Close()
	pages := study.NewPages(web, nil)
	var relevant, other []*page.Page
	for address := range web.Addresses() {
		p, err := pages.Page(address)
		if err != nil || avoided[page.Host(address)] {
			continue
		}
		if line, _ := web.Labels(address); regexp.MustCompile(labels).MatchString(line) {
			relevant = append(relevant, p)
		} else {
			other = append(other, p)
		}
	}
	config := focus.Default()
	config.Topic.Judge = "classifier"
	noError(t, study.TrainJudge(&config, relevant, other, file))
}

// By labels, every page that was fetched has an opinion; what it comes to is counted here once more, from the crawl's
// own log.
func TestMeasureByLabels(t *testing.T) {
	crawled(t)
	web, err := replay.Open(filepath.Join(home, "testdata", "webs", "small"))
	noError(t, err)
	defer web.Close()
	ran, err := run.Open("runs/small")
	noError(t, err)
	fetched, relevant, kept := 0, 0, 0
	noError(t, ran.Log(func(d *run.Decision) bool {
		if d.Via == 0 || d.Decision != "keep" && d.Decision != "drop" || d.Reason.Kind() == admit.RefusedRobots {
			return true
		}
		fetched++
		line, _ := web.Labels(d.URL)
		if strings.HasPrefix(line, "sailing\t") && d.Status == 200 {
			relevant++
		}
		if d.Decision == "keep" {
			kept++
		}
		return true
	}))
	m := measured(t, "--labels", filepath.Join(home, "testdata", "webs", "small", "labels.tsv"), "--relevant", "^sailing\t", "--window", "10")
	if m.Fetched != fetched || m.Independent.Relevant != relevant || m.Own.Relevant != kept || m.Unknown != 0 || m.Assumed != 0 || relevant == 0 {
		t.Errorf("measured %+v; fetched are %d pages, kept %d, labelled relevant %d", m, fetched, kept, relevant)
	}
	if all := float64(2*m.Agreement.Both) / float64(m.Kept.Pages+relevant); len(m.Kept.Reach) != 4 || m.Kept.Reach["5"] >= m.Kept.Reach["50"] || m.Kept.Reach["50"] > all {
		t.Errorf("F1 of all that can be reached is %v, in the end it is %v at most", m.Kept.Reach, all)
	}
	if a := m.Agreement; a.Both+a.OwnOnly != m.Own.Relevant || a.Both+a.OtherOnly != m.Independent.Relevant || a.Both+a.OwnOnly+a.OtherOnly+a.Neither != fetched {
		t.Errorf("the agreement is %+v", a)
	}
	if len(m.Windows) != shownWindows || m.Windows[len(m.Windows)-1].Page != fetched || *m.Windows[len(m.Windows)-1].Independent != m.Independent.Recent {
		t.Errorf("the windows are %+v", m.Windows)
	}
	code, out, errs := thresher(t, "measure", "--labels", filepath.Join(home, "testdata", "webs", "small", "labels.tsv"), "--relevant", "^sailing\t", "--html", "again.html")
	for _, want := range []string{"the crawl's own", "independent", "harvest of the last 100 pages", "drift of the last 100 pages", "Cohen's kappa", "; of all labelled pages F1 0."} {
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("exit code %d, and not said is %q: %s%s", code, want, out, errs)
		}
	}
	if html, err := os.ReadFile("again.html"); err != nil || !strings.Contains(string(html), "runs/small, judged again") || !strings.Contains(string(html), "<svg") {
		t.Errorf("the report: %v", err)
	}
}

// Some labels only: the rest is in no figure, and that is said.
func TestMeasureBySomeLabels(t *testing.T) {
	crawled(t)
	rows := strings.Split(strings.TrimSpace(mustRead(t, filepath.Join(home, "testdata", "webs", "small", "labels.tsv"))), "\n")
	noError(t, os.WriteFile("some.tsv", []byte(strings.Join(rows[:len(rows)/2], "\n")), 0o644))
	m := measured(t, "--labels", "some.tsv", "--relevant", "^sailing\t")
	if m.Unknown == 0 || m.Independent.Judged+m.Unknown != m.Fetched || m.Own.Judged != m.Fetched || !strings.Contains(strings.Join(m.Notes, "\n"), "they are in none of its figures") {
		t.Errorf("measured %+v", m)
	}
}

// By a judge every page of a recorded web can be seen, but only kept pages of a run folder alone: then the harvest is
// the lowest it can be, and never above what all pages give.
func TestMeasureByAJudge(t *testing.T) {
	crawled(t)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	knobs := drawn.Small()
	knobs.Seed, knobs.Pages, knobs.Hosts = 9, 200, 10
	noError(t, drawn.Draw(elsewhere, knobs))
	judgeFor(t, elsewhere, "^sailing\t(home|hub|article)\t", "sailing.judge", filepath.Join(home, "testdata", "webs", "small"))
	all := measured(t, "--judge", "sailing.judge")
	if all.Assumed != 0 || all.Unknown != 0 || all.Independent.Relevant == 0 || all.Agreement.Precision < .5 {
		t.Errorf("over the recorded web: %+v", all)
	}
	notes := strings.Join(all.Notes, "\n")
	if !strings.Contains(notes, "macro F1") || !strings.Contains(notes, "different pages of ") {
		t.Errorf("the notes are %s", notes)
	}
	// the run alone, as of a live crawl
	crawl := mustRead(t, "runs/small/crawl.yaml")
	noError(t, os.WriteFile("runs/small/crawl.yaml", []byte(strings.Replace(crawl, "\nweb: ", "\nweb: /nowhere", 1)), 0o644))
	kept := measured(t, "--judge", "sailing.judge")
	if kept.Assumed == 0 || kept.Independent.Relevant > all.Independent.Relevant || kept.Independent.Relevant != kept.Agreement.Both ||
		kept.Agreement.Precision != all.Agreement.Precision || !strings.Contains(strings.Join(kept.Notes, "\n"), "the lowest it can be") {
		t.Errorf("over kept pages: %+v\nover all: %+v", kept, all)
	}
	if named := measured(t, "--judge", "sailing.judge", "--pages", filepath.Join(home, "testdata", "webs", "small")); named.Independent != all.Independent {
		t.Errorf("with the web named: %+v, want %+v", named.Independent, all.Independent)
	}
	// a judge that was the crawl's own
	changed := strings.Replace(crawl, "\n  judge: bm25\n", "\n  model: sailing.judge\n  judge: bm25\n", 1)
	if changed == crawl {
		t.Fatalf("no judge in\n%s", crawl)
	}
	noError(t, os.WriteFile("runs/small/crawl.yaml", []byte(changed), 0o644))
	replies(t, exitFailed, "is not independent: the crawl was judged by the same model", "measure", "--judge", "sailing.judge")
	if own := measured(t, "--judge", "sailing.judge", "--shared-judge"); !strings.Contains(strings.Join(own.Notes, "\n"), "not independent: ") {
		t.Errorf("the notes are %v", own.Notes)
	}
}

// A judge that has learned from the pages or the hosts of the crawl is refused, and told of where it is allowed.
func TestMeasureByAJudgeThatKnowsThePages(t *testing.T) {
	crawled(t)
	judgeFor(t, filepath.Join(home, "testdata", "webs", "small"), "^sailing\t(home|hub|article)\t", "same.judge", "")
	want := regexp.MustCompile(`not independent: it was trained on [1-9]\d* of the pages of the crawl, and on pages of [1-9] of its hosts, such as `)
	if code, out, errs := thresher(t, "measure", "--judge", "same.judge"); code != exitFailed || !want.MatchString(strings.Replace(errs, "is not", "not", 1)) || out != "" {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	if m := measured(t, "--judge", "same.judge", "--shared-judge"); !want.MatchString(strings.Join(m.Notes, "\n")) {
		t.Errorf("the notes are %v", m.Notes)
	}
}

func mustRead(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	noError(t, err)
	return string(raw)
}

func TestMeasureMisuse(t *testing.T) {
	crawled(t)
	noError(t, os.WriteFile("bad.tsv", []byte("http://a.example/ no tab\n"), 0o644))
	noError(t, os.WriteFile("none.tsv", []byte("\n"), 0o644))
	noError(t, os.WriteFile("wide.tsv", []byte("\xff\xfeh\x00t\x00t\x00p\x00"), 0o644))
	noError(t, os.WriteFile("far.tsv", []byte("\ufeff# mine\nhttp://elsewhere.example/\trelevant\n"), 0o644))
	for _, c := range []struct {
		want string
		code int
		args string
	}{
		{"measure needs --judge MODEL, --labels TSV or --queries TSV, one of them", exitMisuse, ""},
		{"measure needs --judge MODEL, --labels TSV or --queries TSV, one of them", exitMisuse, "--judge a --labels b"},
		{"--window is 0, want at least 1", exitMisuse, "--labels far.tsv --window 0"},
		{"there is no run in this folder", exitMisuse, "--labels far.tsv --run nowhere"},
		{"is no regular expression", exitMisuse, "--labels far.tsv --relevant ("},
		{"bad.tsv:1: ", exitMisuse, "--labels bad.tsv"},
		{"none of the 1 labels of far.tsv matches \"^yes\"", exitMisuse, "--labels far.tsv --relevant ^yes"},
		{"none.tsv has no label, want lines of an address, a tab and its labels", exitMisuse, "--labels none.tsv"},
		{"wide.tsv:1:1: not UTF-8; save the file as UTF-8\n", exitMisuse, "--labels wide.tsv"},
		{"wide.tsv:1:1: not UTF-8; save the file as UTF-8\n", exitMisuse, "--queries wide.tsv"},
		{"far.tsv knows none of the", exitFailed, "--labels far.tsv"},
		{"nowhere.tsv", exitMisuse, "--labels nowhere.tsv"},
		{"is no model: name a file that thresher train judge wrote", exitMisuse, "--judge far.tsv"},
		{"judge nowhere.model: ", exitMisuse, "--judge nowhere.model"},
	} {
		code, out, errs := thresher(t, append([]string{"measure"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("measure %s: exit code %d, want %d and %q: %s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
}

// A Chinese crawl is reported in Chinese, its own report and the one of measure.
func TestReportsOfAChineseCrawl(t *testing.T) {
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	files(t, "tea.yaml", "name: 茶\nweb: "+web+"\nweb_topic: tea\nbudget: {pages: 120}\nstore: runs/tea\n")
	must(t, "crawl", "tea.yaml", "--quiet")
	must(t, "measure", "--labels", filepath.Join(web, "labels.tsv"), "--relevant", "^tea\t", "--html", "again.html")
	for file, want := range map[string][]string{
		"again.html":           {"runs/tea：重新判定", "最近 100 页的收获率", "爬虫自己的判定", "一致程度"},
		"runs/tea/report.html": {"<h1>茶</h1>", "收获率", "被拒绝", "每页都相关", "120 页的预算已用完", "· 不相关 <code>"},
	} {
		html := mustRead(t, file)
		for _, w := range append(want, `<html lang="zh">`) {
			if !strings.Contains(html, w) {
				t.Errorf("%s: not in it is %s", file, w)
			}
		}
		for _, english := range regexp.MustCompile(`<(h2|dt|button|text|li)[^>]*>([^<]*[a-z]{3}[^<]*)<`).FindAllStringSubmatch(html, -1) {
			t.Errorf("%s: in English is %q", file, english[2])
		}
	}
}
