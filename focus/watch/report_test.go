package watch_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// TestTheReportIsThePageInOneFile holds the report that a crawl leaves against its story.
func TestTheReportIsThePageInOneFile(t *testing.T) {
	dir, ended := crawled(t, 200)
	page := read(t, filepath.Join(dir, run.FileReport))
	s := opened(t, dir).Story()
	want := []string{"<h1>quickstart</h1>", s.Run.Started.UTC().Format("2006-01-02 15:04"), s.Run.Ended.UTC().Format("2006-01-02 15:04"), ended.Reason,
		s.Best[0].Title, `href="` + html.EscapeString(s.Best[0].URL) + `"`, s.Near[0].Title, `href="` + html.EscapeString(s.Near[0].URL) + `"`, "<svg viewBox", "thresher label " + dir, "--store " + dir + " --budget 400"}
	for _, h := range s.Hosts {
		want = append(want, fmt.Sprintf(`<tr><th scope="row">%s</th><td class="n" data-label="Pages">%d</td><td class="n" data-label="Relevant">%d</td>`, h.Host, h.Pages, h.Relevant))
	}
	for _, r := range s.Refused {
		want = append(want, fmt.Sprintf("%d · %s <code>%s", r.Count, r.Reason.Sentence(), r.Reason))
	}
	for _, word := range s.Words {
		want = append(want, `<th scope="row" dir="auto">`+word.Word+`</th>`)
	}
	for _, part := range want {
		if !strings.Contains(page, part) {
			t.Errorf("report.html does not say %s", part)
		}
	}
	sorts, err := watch.Assets.ReadFile("assets/sort.js")
	if err != nil || strings.Count(page, "<script>"+string(sorts)+"</script>") != 1 {
		t.Errorf("report.html does not sort its tables (%v)", err)
	}
	page = strings.Replace(page, "<script>"+string(sorts)+"</script>", "", 1) // which is ours, and all that there is
	if loads := regexp.MustCompile(`(?i)<(script|link|img|iframe|form|button|base)\b|@import|url\(|http-equiv`).FindAllString(page, -1); loads != nil {
		t.Errorf("report.html loads or does something: %q", loads)
	}
}

// TestTheReportTellsOfTheSecondLook writes what a second look and an audit have found into a run folder.
func TestTheReportTellsOfTheSecondLook(t *testing.T) {
	dir, _ := crawled(t, 60)
	f := &run.Figures{Look: &run.Look{From: .3, Best: []run.Told{{Title: "A <b>best</b>", URL: "javascript:alert(1)", Second: .91, First: .4, Importance: 2}},
		Near: []run.Told{{URL: "http://near.test/", Second: .29}}, Out: []run.Told{{Title: "gone", URL: "http://out.test/", First: .5}}}}
	noError(t, f.Write(dir))
	noError(t, watch.WriteReport(dir))
	page := read(t, filepath.Join(dir, run.FileReport))
	for _, part := range []string{"Pages from 0.30 on are kept", "A &lt;b&gt;best&lt;/b&gt;", "second look 0.91, first look 0.40, importance 2.00", `href="http://near.test/"`, "What the second look took out"} {
		if !strings.Contains(page, part) {
			t.Errorf("report.html does not say %s", part)
		}
	}
	if strings.Contains(page, `"javascript:`) || strings.Contains(page, "What the second look took in") {
		t.Error("an address that is none leads somewhere, or an empty list is shown")
	}
	noError(t, os.WriteFile(filepath.Join(dir, run.FileFigures), []byte("{"), 0o600))
	if s := opened(t, dir).Story(); s.Figures != nil {
		t.Errorf("figures that cannot be read: %+v", s.Figures)
	}
}

// TestAReasonIsSaidInChinese says the reasons for which crawls end.
func TestAReasonIsSaidInChinese(t *testing.T) {
	for english, chinese := range map[string]string{
		run.NothingMore: "没有更多网页可访问", run.StoppedByUser: "用户停止", "it was told to stop": "收到停止命令", "the budget of 300 pages is used up": "300 页的预算已用完", "the budget of 1 page is used up": "1 页的预算已用完",
		"the budget of 2MB (bytes received) is used up": "2MB 的流量预算已用完", "the time of 1h30m is over": "1h30m 的时间已到", "the budget of 3 rounds is used up": "3 轮的预算已用完", "the budget of 1 generation is used up": "1 代的预算已用完", "20 relevant pages were found": "已找到 20 个相关网页", "1 relevant page was found": "已找到 1 个相关网页",
		"saturated: 1.2 % of the last 500 pages were relevant, less than 5.0 %": "已饱和：最近 500 页中只有 1.2% 相关，低于 5.0%", "failed: disk\nfull": "出错：disk\nfull", "another": "another",
	} {
		if got := (watch.Words{Language: "zh"}).Ending(english); got != chinese {
			t.Errorf("%q: %q, want %q", english, got, chinese)
		}
		if got := (watch.Words{Language: "en"}).Ending(english); got != english {
			t.Errorf("%q became %q", english, got)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	noError(t, err)
	return string(raw)
}
