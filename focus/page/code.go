package page

import (
	"bytes"
	"strings"
)

// Around code, and on it, stand buttons that copy it, and bars that hold these. Nobody reads them, and whoever takes the text for code
// would have them in his program.

// copies is what a button says that copies the text beside it.
var copies = map[string]bool{
	"copy": true, "copied": true, "copy code": true, "copy snippet": true, "copy to clipboard": true, "copy code to clipboard": true, "copy copied": true,
	"复制": true, "复制代码": true, "一键复制": true, "点击复制": true, "已复制": true,
}

// aboutCode tells of the button whose tag was read that it is there for the text beside it: it stands on code, or copies what it stands by.
func (r *reading) aboutCode() bool {
	r.buttons++
	return r.top().pre || r.buttons <= maxButtons && copies[strings.ToLower(strings.TrimRight(r.within(), "!"))]
}

// maxButtons bounds how many buttons of a page are looked at for what they say.
const maxButtons = 1000

// standsAlone says of a button that it is no part of a line or of a heading, does not say a sentence, and unfolds none that stands below it:
// it asks the reader to like the text, or to pass it on.
func (r *reading) standsAlone(c []candidate, i int32) bool {
	at := &c[i]
	if at.all > shortSentence || r.ends(at) {
		return false
	}
	up := r.parts[i].parent
	for up > 0 && c[up].all == at.all {
		i, up = up, r.parts[up].parent
	}
	switch r.parts[i].tag {
	case tagTd, tagTh:
		return false
	}
	_, below := r.beside(c, i)
	return c[up].bytes == 0 && facts[r.parts[up].tag]&isHeading == 0 && (below == nothing || !says(c, below))
}

// beginsCode tells of the element whose tag was read that code is the first thing in it: it is no bar, whatever it is called.
func (r *reading) beginsCode() bool {
	rest := bytes.TrimSpace(r.src[r.pos:min(len(r.src), r.pos+64)])
	return len(rest) > len("<pre ") && foldEqual(rest[:len("<pre")], "<pre") && (isSpace(rest[len("<pre")]) || rest[len("<pre")] == '>')
}

// newLine is a line break in a text. One in code is a sign of it like others: two in a row leave a line empty.
func (r *reading) newLine() {
	e := r.top()
	if e.pre {
		r.prose.lay([]byte{'\n'})
		return
	}
	r.prose.line()
	r.prose.apart = r.prose.apart || e.level == 1
	r.prose.mark(markLine, 0)
}
