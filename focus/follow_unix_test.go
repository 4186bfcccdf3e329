//go:build unix

package focus

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// A crawl goes on, and ends, while a file that its crawl file names by now is never read to the end.
func TestACrawlDoesNotWaitForAFileThatHangs(t *testing.T) {
	setting, file := followable(t)
	pipe := filepath.Join(t.TempDir(), "ca.pem")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	report, _ := followed(t, setting, file, func(c *crawlfile.Config) { c.Fetch.CA = pipe })
	if report.Counts.Pages != 30 || !report.Finished {
		t.Errorf("%d pages: %s", report.Counts.Pages, report.Reason)
	}
	w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatalf("nobody waits for the file: %v", err)
	}
	w.Close()
}
