package run

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink/clustertest"
)

// TestSendHoldsTheFolder: no crawl begins in a folder while it is sent, and one may afterwards.
func TestSendHoldsTheFolder(t *testing.T) {
	dir := t.TempDir()
	noError(t, os.Mkdir(filepath.Join(dir, FileState), 0o700))
	noError(t, os.WriteFile(filepath.Join(dir, "harvest.jsonl"), []byte(`{"url":"http://a.example/"}`+"\n"), 0o600))
	memory := &clustertest.Cluster{}
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "_bulk") {
			sent++
			if held, err := isRunning(dir); err != nil || !held {
				t.Errorf("while it is sent, the folder is held: %t, %v", held, err)
			}
		}
		memory.ServeHTTP(w, r)
	}))
	defer server.Close()
	config := crawlfile.Default()
	config.Name, config.Sinks = "news", []crawlfile.SinkConfig{{To: "opensearch", URL: server.URL}}
	if err := Send([]string{dir}, &config, false, func(string) {}); err != nil || sent != 1 {
		t.Fatalf("%d requests: %v", sent, err)
	}
	if held, err := isRunning(dir); err != nil || held {
		t.Errorf("afterwards the folder is held: %t, %v", held, err)
	}
}
