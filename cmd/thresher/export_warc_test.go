package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// exchanges are the answers in a file, by address, how many records of other kinds there are, and the clusters that are told, by address.
func exchanges(t *testing.T, path string) (answers map[string][]byte, others map[string]int, clusters map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	noError(t, err)
	defer f.Close()
	in, err := warc.NewReader(f)
	noError(t, err)
	answers, others, clusters = map[string][]byte{}, map[string]int{}, map[string]string{}
	for {
		r, err := in.Next()
		if errors.Is(err, io.EOF) {
			return answers, others, clusters
		}
		noError(t, err)
		if r.Type != "response" {
			others[r.Type]++
			if digest := r.Header.Get("WARC-Block-Digest"); digest != warc.Digest(r.Body) {
				t.Errorf("%s of %s: its digest is %s, that of its block %s", r.Type, r.Target, digest, warc.Digest(r.Body))
			}
			if _, number, told := strings.Cut(string(r.Body), "\ncluster: "); told && r.Type == "metadata" {
				clusters[r.Target] = strings.TrimSpace(number)
			}
			continue
		}
		if answers[r.Target] != nil {
			t.Errorf("%s stands there twice", r.Target)
		}
		answers[r.Target] = r.Body
	}
}

// An exported archive has what was archived of the exported pages, byte for byte, each with its request and what was judged, and of no
// other page; what it lacks is told.
func TestExportOfAnArchive(t *testing.T) {
	run := quickstartRun(t)
	t.Chdir(t.TempDir())
	all, _, _ := exchanges(t, filepath.Join(run, "pages-0000.warc.gz"))
	const least = 0.3
	want, late := map[string][]byte{}, 0
	for r, err := range sink.Kept(run) {
		noError(t, err)
		if r.Relevant() < least {
			continue
		}
		if all[r.FinalURL] == nil {
			late++
		} else {
			want[r.FinalURL] = all[r.FinalURL]
		}
	}
	code, _, errs := thresher(t, "export", "--run", run, "--to", "warc", "--min-relevance", fmt.Sprint(least), "--out", "best.warc.gz")
	got, others, clusters := exchanges(t, "best.warc.gz")
	if code != exitDone || len(want) == 0 || len(want) == len(all) || len(got) != len(want) {
		t.Errorf("exit %d: %d answers, want %d of %d: %s", code, len(got), len(want), len(all), errs)
	}
	told := map[string]string{}
	for line := range strings.Lines(must(t, "export", "--run", run, "--min-relevance", fmt.Sprint(least), "--fields", "final_url,cluster")) {
		var page struct {
			URL     string `json:"final_url"`
			Cluster uint64
		}
		noError(t, json.Unmarshal([]byte(line), &page))
		told[page.URL] = fmt.Sprint(page.Cluster)
	}
	for address, body := range want {
		if clusters[address] == "" || clusters[address] != told[address] {
			t.Errorf("%s is in cluster %q, and elsewhere in %q", address, clusters[address], told[address])
		}
		if !bytes.Equal(got[address], body) {
			t.Errorf("%s is not what was archived", address)
		}
	}
	if others["request"] != len(got) || others["metadata"] != len(got) || others["warcinfo"] != 1 {
		t.Errorf("beside %d answers there are %v", len(got), others)
	}
	if missing := fmt.Sprintf("%d of them have no bytes", late); (late > 0) != strings.Contains(errs, missing) {
		t.Errorf("%d pages came late, and it says %s", late, errs)
	}
	bare := quickstartRun(t, "--set", "sinks=[{to: jsonl}]")
	t.Chdir(t.TempDir())
	replies(t, exitFailed, "{to: warc}", "export", "--run", bare, "--to", "warc", "--out", "none.warc.gz")
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
