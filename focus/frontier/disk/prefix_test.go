package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// The folder of a process that was killed opens, wherever its log ends, and says what the log says: nothing is in the way of
// what comes then, and nothing of what was cut off comes back.
func TestEveryPrefixOpensAsAFolder(t *testing.T) {
	dir, ends := smallLog(t, 2)
	data, err := os.ReadFile(filepath.Join(dir, "log-000001"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "log-000001")
	for n := range len(data) + 1 {
		if err := os.WriteFile(path, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(filepath.Dir(path), frontier.Manners{}, small)
		if err != nil {
			t.Fatalf("%d bytes of %d: %v", n, len(data), err)
		}
		want := int64(0)
		for _, end := range ends {
			if end.offset() <= int64(n) {
				want++
			}
		}
		if r := f.Restored(); r.Counters["pages"] != want || int64(len(r.Lessons)) != want || r.Files["harvest"] != 10*want {
			t.Fatalf("%d bytes of %d: restored %+v, want %d pages", n, len(data), r, want)
		}
		if _, fresh, err := f.Push(frontier.Item{URL: "http://new/", Host: "new"}); err != nil || !fresh {
			t.Fatalf("%d bytes of %d: pushed, %v, %v", n, len(data), fresh, err)
		}
		if err := f.Close(); err != nil {
			t.Fatalf("%d bytes of %d: %v", n, len(data), err)
		}
	}
}
