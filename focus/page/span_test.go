package page

import "testing"

// Whatever a table says of its cells, no more is kept of them than what the first columns come to, and what stands in them.
func TestReachesAreBounded(t *testing.T) {
	p := places{}
	wide := int32(2 | 3<<columnBits)
	for range 1000 {
		p.cell(wide)
	}
	if last, _ := p.cell(0); last > maxSpanned+1000 || len(p.down) > maxSpanned {
		t.Errorf("the last cell is in column %d, and %d columns are kept", last, len(p.down))
	}
	p.endRow()
	if column, passed := p.cell(0); column != maxSpanned || passed.count() != maxSpanned {
		t.Errorf("below cells that reach down the first is in column %d, behind %d", column, passed.count())
	}
}
