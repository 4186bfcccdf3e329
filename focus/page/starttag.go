package page

// startTag opens, or acts on, the element whose start tag was read: the standard's rules for building a tree, without
// a tree. Inside tables it may close what is open and look again.
func (r *reading) startTag(t tag) {
	if t == tagImage {
		t = tagImg
	}
	if r.inFrameset() && (t != tagNoframes || !r.hidden) {
		r.framesetStart(t)
		return
	}
	if r.foreign > 0 && r.foreignStart(t) {
		return
	}
	if r.hidden {
		r.clickStart(t)
	}
	for again := true; again; {
		switch m := r.top().mode; {
		case m == inBody:
			r.bodyStart(t)
			return
		case m == inColumns:
			again = r.columnsStart(t)
		default:
			again = r.tableStart(t, m)
		}
	}
}

// bodyStart is startTag outside of tables and inside cells.
func (r *reading) bodyStart(t tag) {
	if r.headStart(t) {
		return
	}
	r.needBody()
	switch f := facts[t]; {
	case f&closesP != 0:
		r.closeP()
		r.push(t, false)
	case f&isHeading != 0:
		r.closeP()
		if facts[r.top().tag]&isHeading != 0 {
			r.pop()
		}
		r.push(t, false)
	case t == tagA:
		r.anchorStart()
	case f&isFormatting != 0:
		r.formattingStart(t)
	case f&isVoid != 0:
		r.voidStart(t)
	default:
		r.otherStart(t)
	}
}

func (r *reading) formattingStart(t tag) {
	r.reopen()
	if t == tagNobr && r.inScope(defaultScope, tagNobr) != nothing {
		r.adopt(tagNobr)
		r.reopen()
	}
	if r.push(t, false) {
		r.remember()
	}
}

// otherStart is bodyStart for the elements with a rule of their own.
func (r *reading) otherStart(t tag) {
	switch t {
	case tagPre, tagListing, tagPlaintext:
		r.framesetOK = r.framesetOK && t == tagPlaintext
		r.closeP()
		r.push(t, false)
	case tagForm:
		if r.form != 0 && !r.contains(tagTemplate) {
			return
		}
		r.closeP()
		if r.push(t, false) {
			r.form = r.top().serial
		}
	case tagLi:
		r.itemStart(t, tagLi, tagLi)
	case tagDd, tagDt:
		r.itemStart(t, tagDd, tagDt)
	case tagButton:
		if r.inScope(defaultScope, tagButton) != nothing {
			r.impliedEnds(none)
			r.popUntil(defaultScope, tagButton)
		}
		r.plainStart(t)
	case tagTable:
		r.closeP()
		r.framesetOK = false
		r.push(t, false)
	case tagTextarea, tagNoembed:
		r.framesetOK = r.framesetOK && t == tagNoembed
		if r.hidden && t == tagTextarea {
			r.push(t, false)
		}
	case tagIframe:
		r.framesetOK = false
		r.frame(Iframe)
	case tagXmp:
		r.closeP()
		r.reopen()
		r.framesetOK = false
	case tagCaption, tagColgroup, tagHead, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
		// Parts of a table have no meaning outside of one.
	default:
		r.looseStart(t)
	}
}

// looseStart is bodyStart for the elements that may stand inside a line.
func (r *reading) looseStart(t tag) {
	switch t {
	case tagSelect:
		if r.popUntil(defaultScope, tagSelect) {
			return
		}
		if r.jump = staysHere; r.hidden {
			r.jump = r.jumpOf()
		}
	case tagOption, tagOptgroup:
		if r.inScope(defaultScope, tagSelect) != nothing {
			except := tagOptgroup
			if t == tagOptgroup {
				except = none
			}
			r.impliedEnds(except)
		} else if r.top().tag == tagOption {
			r.pop()
		}
		if t == tagOption {
			r.optionStart()
		}
	case tagRb, tagRtc, tagRp, tagRt:
		ruby := r.inScope(defaultScope, tagRuby) != nothing
		if ruby {
			except := none
			if t == tagRp || t == tagRt {
				except = tagRtc
			}
			r.impliedEnds(except)
		}
		if r.push(t, false) && ruby && t != tagRb {
			r.top().silent = true // how a word sounds stands over it, and would part it
		}
		return
	case tagSvg, tagMath:
		if t == tagMath {
			source, annotated := r.tex()
			r.formula(source)
			r.annotated = annotated
		}
		r.reopen()
		if !r.selfClosed() && r.push(t, false) {
			r.enterForeign(1)
		}
		return
	case tagApplet, tagMarquee, tagObject:
		r.reopen()
		r.framesetOK = false
		if r.push(t, false) {
			r.mark()
		}
		return
	}
	r.plainStart(t)
}

func (r *reading) plainStart(t tag) {
	r.reopen()
	switch t {
	case tagButton, tagSelect:
		r.framesetOK = false
	}
	unsaid, raised := t == tagButton && r.aboutCode(), r.raised(t)
	if !r.push(t, false) {
		return
	}
	if raised != nil {
		r.top().raised = raised
	}
	if t == tagSpan && r.setForTheEye() {
		unsaid = true
	}
	r.top().silent = r.top().silent || unsaid
}

// itemStart closes the item before, which has lost its end tag, and opens the next.
func (r *reading) itemStart(t, like, or tag) {
	r.framesetOK = false
	for i := len(r.stack) - 1; i >= 0; i-- {
		e := r.stack[i].tag
		if e == like || e == or {
			r.popTo(i)
			break
		}
		if special(e) && e != tagAddress && e != tagDiv && e != tagP {
			break
		}
	}
	r.closeP()
	r.push(t, false)
}

// voidStart is bodyStart for elements without content.
func (r *reading) voidStart(t tag) {
	switch t {
	case tagFrame, tagCol:
		return
	case tagHr:
		if r.inScope(buttonScope, tagP) != nothing {
			r.impliedEnds(tagP)
			r.popUntil(defaultScope, tagP)
		}
		if r.inScope(defaultScope, tagSelect) != nothing {
			r.impliedEnds(none)
		}
		r.framesetOK = false
		r.rule()
		return
	case tagParam, tagSource, tagTrack:
		return
	case tagInput:
		r.popUntil(defaultScope, tagSelect)
		r.reopen()
		if kind, _ := r.attribute("type"); !foldEqual(kind, "hidden") {
			r.framesetOK = false
		}
		return
	}
	r.reopen()
	r.framesetOK = false
	r.content(t)
}
