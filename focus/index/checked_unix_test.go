//go:build unix

package index

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestOnlyWhatChangedIsSummed holds that files which were found right are not read through at each update.
func TestOnlyWhatChangedIsSummed(t *testing.T) {
	d, h := newDrawer(), newHarvest(t, "jsonl")
	for range 300 {
		d.keep(h)
	}
	noError(t, h.sinks[0].Sync())
	c, _ := opened(t, h.dir)
	whole := c.checked.read
	if size := sizeOf(t, c.folder()); whole < size/2 || whole > size {
		t.Errorf("%d bytes summed of an index of %d", whole, size)
	}
	if updated(t, c); c.checked.read != whole {
		t.Errorf("%d bytes summed where nothing has changed", c.checked.read-whole)
	}
	h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched."))
	before := infosOf(t, c.folder())
	updated(t, c)
	changed := int64(0) // how much that is depends on which parts of the index were joined
	for _, info := range infosOf(t, c.folder()) {
		if !slices.ContainsFunc(before, func(b os.FileInfo) bool {
			return os.SameFile(b, info) && b.Size() == info.Size() && b.ModTime().Equal(info.ModTime())
		}) {
			changed += info.Size()
		}
	}
	if again := c.checked.read - whole; again == 0 || again > changed {
		t.Errorf("%d bytes summed for one more page where %d have changed, and %d for all", again, changed, whole)
	}
}

// infosOf are the files below a folder.
func infosOf(t *testing.T, dir string) (all []os.FileInfo) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		all = append(all, info)
		return err
	})
	noError(t, err)
	return all
}
