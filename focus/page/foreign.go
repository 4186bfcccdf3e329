package page

// foreignStart acts on a start tag inside svg or math: drawings and formulas are no text, but a link is a link. It
// answers false if the element is HTML and ends the foreign part.
func (r *reading) foreignStart(t tag) (done bool) {
	r.opened = none
	switch {
	case t == tagSvg || t == tagMath:
		if !r.selfClosed() && r.push(t, false) {
			r.enterForeign(1)
		}
		return true
	case t == tagA:
		r.addLink(A)
		return true
	case t == none || !breaksOut(t):
		return true
	}
	for i := range r.stack {
		if n := r.stack[i].tag; n == tagSvg || n == tagMath {
			r.popTo(i)
			break
		}
	}
	return false
}

// enterForeign counts the svg and math elements that are open.
func (r *reading) enterForeign(n int) {
	r.foreign += n
	r.cdata = r.foreign > 0
}

// breaksOut says whether an HTML element ends a foreign part instead of becoming part of it.
func breaksOut(t tag) bool {
	switch t {
	case tagTitle, tagStyle, tagScript, tagA, tagBase, tagFont, tagLink, tagTextarea, tagIframe, tagForm, tagInput, tagButton:
		return false
	}
	return facts[t]&(isSpecial|isFormatting) != 0 || t == tagSpan
}

// foreignEnd acts on an end tag inside svg or math.
func (r *reading) foreignEnd(t tag) (done bool) {
	if t == tagSvg || t == tagMath {
		for i := len(r.stack) - 1; i > 0; i-- {
			if r.stack[i].tag == t {
				r.popTo(i)
				return true
			}
		}
	}
	return !breaksOut(t)
}
