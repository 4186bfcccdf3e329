package page

// inFrameset says whether the page is a frameset, which holds frames and nothing else but, if hidden markup is read,
// a noframes element.
func (r *reading) inFrameset() bool { return r.wasFrames && !r.contains(tagNoframes) }

// openFrameset lets a frameset take the place of the body, as long as the body has said nothing.
func (r *reading) openFrameset() {
	if r.hasBody {
		if !r.framesetOK || len(r.stack) < 2 || r.stack[1].tag != tagBody {
			return
		}
		r.popTo(1)
		r.dropBody()
	}
	r.wasFrames = true
	r.hasBody = true
	r.framesets = 1
}

// dropBody forgets the links of a body that a frameset replaces.
func (r *reading) dropBody() {
	kept := r.links[:0]
	for _, l := range r.links {
		if l.head {
			kept = append(kept, l)
		}
	}
	r.links = kept
	r.formats = r.formats[:0]
	for i := range r.regions {
		r.regions[i].links = 0
	}
}

func (r *reading) framesetStart(t tag) {
	switch {
	case t == tagFrameset && r.framesets > 0:
		r.framesets++
	case t == tagFrame && r.framesets > 0:
		r.frame(Frame)
	}
}

func (r *reading) framesetEnd(t tag) {
	if t == tagFrameset && r.framesets > 0 {
		r.framesets--
	}
}

// foreignStart acts on a start tag inside svg or math: drawings and formulas are no text, but a link is a link. It
// answers false if the element is HTML and ends the foreign part.
func (r *reading) foreignStart(t tag) (done bool) {
	r.opened = none
	switch {
	case t == tagSvg || t == tagMath:
		if !r.selfClosed() && r.push(t, false) {
			r.foreign++
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

// breaksOut says whether an HTML element ends a foreign part instead of becoming part of it.
func breaksOut(t tag) bool {
	switch t {
	case tagTitle, tagStyle, tagScript, tagA, tagFont, tagLink, tagTextarea, tagIframe, tagForm, tagInput, tagButton:
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
