package focus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// crawlFile writes a crawl file into a folder of its own, and files beside it.
func crawlFile(t *testing.T, text string, others ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i+1 < len(others); i += 2 {
		name := filepath.Join(dir, others[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(others[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "crawl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func mustLoad(t *testing.T, file string, o ...crawlfile.Override) Setting {
	t.Helper()
	config, err := LoadSetting(file, o...)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

const plainCrawl = "seeds: [https://www.example.org/]\n"

// TestAStrategysJudgeIsWrittenDown: what check prints, and what a run keeps, judges as the crawl did.
func TestAStrategysJudgeIsWrittenDown(t *testing.T) {
	config := mustLoad(t, crawlFile(t, plainCrawl+"strategy: adaptive\n"))
	again := mustLoad(t, crawlFile(t, string(config.YAML())))
	if again.Topic.Judge != "centroid" || again.Topic.Content != "by_kind" {
		t.Errorf("judge %s, content %s", again.Topic.Judge, again.Topic.Content)
	}
	chosen := mustLoad(t, crawlFile(t, plainCrawl+"strategy: adaptive\ntopic: {judge: bm25}\n"))
	if again := mustLoad(t, crawlFile(t, string(chosen.YAML()))); again.Topic.Judge != "bm25" {
		t.Errorf("judge %s", again.Topic.Judge)
	}
}
