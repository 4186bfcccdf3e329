package again

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
)

// TestPagesWithoutANumber: whose visits they were nobody knows, and none is made again.
func TestPagesWithoutANumber(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{run.FileLog: "", "harvest.jsonl": `{"title":"Sailing","url":"http://a.example/"}` + "\n"} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if _, err := remember(dir); err == nil || !strings.Contains(err.Error(), "pages of "+dir+" are kept without their id") {
		t.Errorf("have %v", err)
	}
}
