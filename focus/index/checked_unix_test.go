//go:build unix

package index

import "testing"

// TestOnlyWhatChangedIsSummed holds that files which were found right are not read through at each update.
func TestOnlyWhatChangedIsSummed(t *testing.T) {
	d, h := newDrawer(), newHarvest(t, "jsonl")
	for range 300 {
		d.keep(h)
	}
	if err := h.sinks[0].Sync(); err != nil {
		t.Fatal(err)
	}
	c, _ := opened(t, h.dir)
	whole := c.checked.read
	if size := sizeOf(t, c.folder()); whole < size/2 || whole > size {
		t.Errorf("%d bytes summed of an index of %d", whole, size)
	}
	if updated(t, c); c.checked.read != whole {
		t.Errorf("%d bytes summed where nothing has changed", c.checked.read-whole)
	}
	h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched."))
	updated(t, c)
	if again := c.checked.read - whole; again == 0 || again > whole/3 {
		t.Errorf("%d bytes summed for one more page, and %d for all", again, whole)
	}
}
