//go:build unix

package focus

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
)

// A run folder, and what is in it, is nobody else's to read, but for the report; the folder above is as any other.
func TestARunFolderIsItsOwners(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	config := drawnCrawl(t, "block-shark")
	config.Store = filepath.Join(t.TempDir(), "runs", "small")
	config.Budget.Pages = 10
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit == 5 {
			if err := c.saveAll(); err != nil {
				t.Error(err)
			}
		}
	})
	if _, err := run.Inject(config.Store, config.Seeds); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(config.Store, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else if files++; d.Name() == "report.html" {
			want = 0o644
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil || files < 8 {
		t.Errorf("%d files, %v", files, err)
	}
	if info, err := os.Stat(filepath.Dir(config.Store)); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder above is %v, %v", info.Mode(), err)
	}
}
