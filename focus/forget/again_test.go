package forget

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put writes a file below a folder.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	noError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	noError(t, os.WriteFile(path, []byte(text), 0o600))
}

// TestATornNoteIsNoHindrance: a line that a crash tore is left in fetched.jsonl, and goes with the hosts' lines.
func TestATornNoteIsNoHindrance(t *testing.T) {
	dir := crawled(t)
	const first, last = `{"url":"http://daily.test/"}` + "\n", `{"url":"http://daily.test/2"}` + "\n"
	put(t, dir, fileFetched, first+`{"url":"http://`+host+"\n"+`{"url":"http://`+host+`/"}`+"\n"+last)
	if _, err := Hosts(dir, []string{host}); err != nil {
		t.Fatal(err)
	}
	if left := content(t, dir)[fileFetched]; left != first+last {
		t.Errorf("left is %q", left)
	}
}

// TestAHostOfALaterVisitIsForgotten: the log of the first crawl does not know it.
func TestAHostOfALaterVisitIsForgotten(t *testing.T) {
	const late = "late.test"
	dir := crawled(t)
	for name, text := range map[string]string{
		"again/visits.jsonl":    `{"id":4294967297,"url":"http://late.test/"}` + "\n",
		"again/harvest.jsonl":   `{"id":4294967297,"url":"http://late.test/","host":"late.test"}` + "\n",
		"again/harvest-2.jsonl": `{"id":4294967298,"url":"http://daily.test/x","final_url":"http://late.test/","host":"late.test"}` + "\n",
		"again/links.json":      `{"round":1,"known":[],"waiting":["http://late.test/b"]}`,
	} {
		dir := copied(t, dir)
		put(t, dir, name, text)
		if _, err := Hosts(dir, []string{late}); err != nil {
			t.Errorf("met in %s: %v", name, err)
		} else if left := content(t, dir)[name]; strings.Contains(left, late) {
			t.Errorf("%s says %q", name, left)
		}
	}
	put(t, dir, "again/visits.jsonl", `{"id":4294967297,"url":"http://other.test/"}`+"\n")
	put(t, dir, "again/links.json", `{"round":1,"known":[],"waiting":[]}`)
	if _, err := Hosts(dir, []string{late}); err == nil || !strings.Contains(err.Error(), "knows no address on late.test") {
		t.Errorf("a host that nobody met: %v", err)
	}
}

// TestFoldersOfRoundsGo: what a round has left without a plan may name the hosts, and no later round reads it.
func TestFoldersOfRoundsGo(t *testing.T) {
	dir := crawled(t)
	put(t, dir, "again/since/lists/pages-0000.warc.gz", host)
	put(t, dir, "again/next/harvest.jsonl", host)
	put(t, dir, "again/round/harvest.jsonl", host)
	put(t, dir, "again/links.json", `{"round":1,"known":["http://daily.test/a"],"waiting":[]}`)
	if _, err := Hosts(dir, []string{host}); err != nil {
		t.Fatal(err)
	}
	after := content(t, dir)
	for name, text := range after {
		if strings.HasPrefix(name, "again/") && name != "again/links.json" {
			t.Errorf("%s stays and says %q", name, text)
		}
	}
	if !strings.Contains(after["again/links.json"], "daily.test/a") {
		t.Errorf("links are %q", after["again/links.json"])
	}
}
