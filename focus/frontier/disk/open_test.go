package disk_test

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// What waits in held tiers is not open, in memory, on disk, and when a crash has given leases back.
func TestOpenCountsWhatIsNotHeld(t *testing.T) {
	dir := t.TempDir()
	open := func() *disk.Frontier {
		f, err := disk.Open(dir, frontier.Manners{}, disk.Options{AtOnce: true})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	kept := open()
	for name, f := range map[string]frontier.Frontier{"memory": frontier.NewMemory(frontier.Manners{}), "disk": kept} {
		counts := func(when string, waiting, leased int) {
			t.Helper()
			if w, l := f.(frontier.Counter).Open(); w != waiting || l != leased {
				t.Errorf("%s, %s: %d open and %d leased, want %d and %d", name, when, w, l, waiting, leased)
			}
		}
		for i, tier := range []uint32{0, 3, frontier.Held, frontier.Held + 2, frontier.Held + 2} {
			host := string(rune('a' + i))
			if _, _, err := f.Push(frontier.Item{URL: "http://" + host + "/", Host: host, Tier: tier}); err != nil {
				t.Fatal(err)
			}
		}
		counts("pushed", 2, 0)
		if _, _, err := f.(frontier.Trier).TryPop(0); err != nil {
			t.Fatal(err)
		}
		counts("one visited", 1, 1)
		h := f.(frontier.Holder)
		if err := h.Promote(4, 1, 0); err != nil {
			t.Fatal(err)
		}
		if err := h.Drop(5); err != nil {
			t.Fatal(err)
		}
		counts("one let go, one dropped", 2, 1)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	kept = open()
	defer kept.Close()
	if w, l := kept.Open(); w != 3 || l != 0 {
		t.Errorf("opened again: %d open and %d leased, want 3 and 0", w, l)
	}
}
