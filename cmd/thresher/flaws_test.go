package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// damagedWeb copies the small web into the folder web, with a record in the middle that cannot be read.
func damagedWeb(t *testing.T) {
	t.Helper()
	files(t, "crawl.yaml", "web: web\nweb_topic: tea\nbudget: {pages: 20}\n")
	noError(t, os.CopyFS("web", os.DirFS(filepath.Join(home, "testdata", "webs", "small"))))
	file := filepath.Join("web", "pages.warc.gz")
	raw, err := os.ReadFile(file)
	noError(t, err)
	for i := range 60 {
		raw[len(raw)/2+i] ^= 0xff
	}
	noError(t, os.WriteFile(file, raw, 0o644))
}

// TestADamagedRecordIsToldOf: what of a recorded web cannot be read is said before a crawl, by check, and in both JSONs.
func TestADamagedRecordIsToldOf(t *testing.T) {
	damagedWeb(t)
	want := regexp.MustCompile(`web/pages\.warc\.gz: [1-3] of its records cannot be read and are left out, the last because: `)
	code, out, errs := thresher(t, "check", "crawl.yaml")
	if code != exitDone || !strings.HasPrefix(errs, "warning: ") || !want.MatchString(errs) || out == "" {
		t.Errorf("check: exit code %d, stderr %s", code, errs)
	}
	var object struct{ Files []checked }
	if _, out, _ = thresher(t, "check", "--json", "crawl.yaml"); json.Unmarshal([]byte(out), &object) != nil || len(object.Files) != 1 ||
		!slices.ContainsFunc(object.Files[0].Warnings, func(w strict.Problem) bool {
			return strings.HasSuffix(w.File, "pages.warc.gz") && strings.Contains(w.Want, "cannot be read")
		}) {
		t.Errorf("check --json: %s", out)
	}
	code, out, errs = thresher(t, "crawl", "crawl.yaml", "--json")
	if first, _, _ := strings.Cut(errs, "\n"); code != exitDone || !strings.HasPrefix(first, "warning: ") || !want.MatchString(first) {
		t.Errorf("crawl: exit code %d, stderr %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var summary jsonSummary
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &summary); err != nil || !slices.ContainsFunc(summary.Warnings, want.MatchString) {
		t.Errorf("crawl --json: %v: %s", err, lines[len(lines)-1])
	}
}

// TestAnUnknownVariableIsToldOfByCrawl, as it is by check.
func TestAnUnknownVariableIsToldOfByCrawl(t *testing.T) {
	files(t)
	t.Setenv("THRESHER_BUGDET_PAGES", "3")
	for _, command := range []string{"crawl", "check"} {
		code, _, errs := thresher(t, command, filepath.Join(home, "configs", "quickstart.yaml"), "--budget", "3", "--store", "here", "--set", "web="+filepath.Join(home, "testdata", "webs", "quickstart"))
		if code != exitDone || !strings.Contains(errs, "warning: THRESHER_BUGDET_PAGES: no key of the crawl file has this name; did you mean THRESHER_BUDGET_PAGES?\n") {
			t.Errorf("%s: exit code %d: %s", command, code, errs)
		}
	}
}

// TestWhatIsNotThereIsToldInPlainWords: and where one comes from.
func TestWhatIsNotThereIsToldInPlainWords(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"replay nowhere":        "thresher: open web \"nowhere\": there is no such file or folder: want a WARC file or a folder of them, as 'thresher record FILE' makes one\n",
		"identity nowhere.pem":  "thresher: nowhere.pem: there is no such file: openssl genpkey -algorithm ed25519 -out 'nowhere.pem' && chmod 600 'nowhere.pem' makes a key\n",
		"compare --web nowhere": "thresher: open web \"nowhere\": there is no such file or folder: ",
	} {
		if code, _, errs := thresher(t, strings.Fields(line)...); code != exitMisuse || !strings.HasPrefix(errs, want) {
			t.Errorf("thresher %s: exit %d: %s", line, code, errs)
		}
	}
}
