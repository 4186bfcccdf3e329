package page

import "strings"

// beginPre waits with the fence until there is text for it.
func (w *markdown) beginPre(at, language int32) {
	if w.pre {
		return
	}
	w.fence = w.fenceAt(at)
	w.opens = w.fence + "\n"
	if language > 0 {
		w.opens = w.fence + w.page.languages[language-1] + "\n"
	}
	w.newLine(2, w.opens)
	w.pre = true
}

func (w *markdown) endPre() {
	if !w.pre {
		return
	}
	if w.prefix != w.opens {
		w.put("\n" + w.fence)
	}
	w.pre, w.indent = false, ""
	w.newLine(2, "")
}

// fenceAt is what stands around the block that begins at a place and is laid out: one mark more than stand in a row within, and three
// at least.
func (w *markdown) fenceAt(from int32) string {
	to := int32(len(w.page.prose))
	for _, m := range w.page.marks[w.mark+1:] {
		if m.kind == markPre || m.kind == markPreEnd {
			to = m.at
			break
		}
	}
	return strings.Repeat("`", max(longestRow(w.page.prose[from:to]), 2)+1)
}
