package junk

import (
	"cmp"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// Relearn is told a lesson again.
func (w *TrapWatch) Relearn(told []byte) error {
	k := pack.Coder{Bytes: told, Read: true}
	for len(k.Bytes) > 0 {
		var counted uint64
		switch k.Fixed64(&counted); {
		case k.Bad:
		case counted == usedNext:
			if k.Fixed64(&counted); !k.Bad {
				w.seen.Get(kind(counted))
			}
		case counted <= forgotten:
			var of, item uint64
			k.Fixed64(&of)
			if k.Fixed64(&item); !k.Bad {
				w.shelved(counted, kind(of), item)
			}
		default:
			w.seen.Update(kind(counted), oneMore)
		}
	}
	return loaded(&k)
}

// State is all that the watch has counted; the same counts give the same bytes.
func (w *TrapWatch) State() []byte {
	var k pack.Coder
	w.code(&k)
	return k.Bytes
}

// Restore takes back what State gave.
func (w *TrapWatch) Restore(state []byte) error {
	k := pack.Coder{Bytes: state, Read: true}
	w.code(&k)
	return loaded(&k)
}

func (w *TrapWatch) code(k *pack.Coder) {
	recent.Code(k, w.seen, cmp.Compare[kind], func(of *kind, n *int) { k.Fixed64((*uint64)(of)); pack.Small(k, n) })
	w.codeShelves(k)
}
