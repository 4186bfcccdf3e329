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

// dropBody forgets the links of a body that a frameset replaces, and what pointed to them: it has said nothing else.
func (r *reading) dropBody() {
	kept := r.links[:0]
	for i, l := range r.links {
		if !l.head {
			continue
		}
		if kept = append(kept, l); r.said.onward == int32(i)+1 {
			r.said.onward = int32(len(kept))
		}
	}
	clear(r.links[len(kept):])
	r.links = kept
	r.formats, r.prose.marks = r.formats[:0], r.prose.marks[:0]
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
