package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A salvage that was killed between its two renames is known by what it left, and is finished, also when somebody has held
// the empty place meanwhile; what is not such a salvage is not taken for one.
func TestASalvageIsFinished(t *testing.T) {
	for _, held := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "state")
		d := beginDrive(t, dir, Options{})
		d.run(60)
		if err := d.f.Close(); err != nil {
			t.Fatal(err)
		}
		damage(t, filepath.Join(dir, "log-000001"), 3000, 10)
		if err := os.CopyFS(dir+".new", os.DirFS(dir)); err != nil { // killed while it wrote
			t.Fatal(err)
		}
		if _, ok := HalfSalvaged(dir); ok {
			t.Error("the damaged folder is in its place, and the salvage is taken for half done")
		}
		got, err := Salvage(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := HalfSalvaged(dir); ok {
			t.Error("a salvage that was done is taken for half done")
		}
		if err := os.Rename(dir, dir+".new"); err != nil {
			t.Fatal(err)
		}
		if held {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			lock, err := LockFolder(dir)
			if err != nil {
				t.Fatal(err)
			}
			lock.Release()
		}
		half, ok := HalfSalvaged(dir)
		if !ok || half.Kept != got.Kept || half.Made != dir+".new" {
			t.Fatalf("%+v, %v", half, ok)
		}
		if err := half.Finish(); err != nil {
			t.Fatal(err)
		}
		f := mustOpen(t, dir, frontier.Manners{}, Options{})
		if have := f.Restored().Items; have != got.Items {
			t.Errorf("%d items, want %d", have, got.Items)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(dir + ".new"); !os.IsNotExist(err) {
			t.Errorf("what was moved is still there: %v", err)
		}
	}
}
