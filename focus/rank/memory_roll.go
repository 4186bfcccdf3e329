package rank

import "iter"

// roll is a list of entries by their serials: new ones come at its end, the oldest go. It stands in parts, so that what stays is
// copied for neither, and what has gone is given up with its part.
type roll struct {
	parts       []*[rollPart]entry
	base        uint32 // the serial of what stands first in the first part
	first, next uint32 // the serials of the oldest entry and of the one that comes next
}

const rollPart = 256

func (l *roll) len() int { return int(l.next - l.first) }

func (l *roll) at(serial uint32) *entry {
	n := serial - l.base
	return &l.parts[n/rollPart][n%rollPart]
}

// add makes one more entry.
func (l *roll) add() (serial uint32, en *entry) {
	if int(l.next-l.base) == len(l.parts)*rollPart {
		l.parts = append(l.parts, new([rollPart]entry))
	}
	l.next++
	return l.next - 1, l.at(l.next - 1)
}

// drop gives the oldest entry up.
func (l *roll) drop() {
	*l.at(l.first) = entry{}
	if l.first++; l.first-l.base == rollPart {
		l.parts[0] = nil
		l.parts, l.base = l.parts[1:], l.first
	}
}

// all are the entries from the oldest on.
func (l *roll) all() iter.Seq2[uint32, *entry] {
	return func(yield func(uint32, *entry) bool) {
		for serial := l.first; serial != l.next; serial++ {
			if !yield(serial, l.at(serial)) {
				return
			}
		}
	}
}
