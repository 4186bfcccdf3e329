package page

// aside says of what stands beside a part of the text that it tells of other pages, and the part does not. On a front page that is what
// the page says.
func (r *reading) aside(c []candidate, in, beside int32) bool {
	if c[beside].linked == 0 || r.akin(in, beside) || !r.teases(c, beside) || r.teases(c, in) {
		return false
	}
	own, _ := parseAddress(r.address)
	return folderOf(own.path) != "/" || own.query != ""
}

// teases says of a part beside the text that most of it is said of other pages: that it has a list of their titles, each with some of what
// stands there below it.
func (r *reading) teases(c []candidate, i int32) bool {
	many, told := 0, int32(0)
	for k := i + 1; int(k) < len(c) && r.parts[k].parent >= i; k++ {
		at := &c[k]
		if r.parts[k].tag != tagLi || at.opens == nothing || r.prose.runs[at.opens].link == nothing || 2*at.linked >= at.all {
			continue
		}
		many, told = many+1, told+at.all
	}
	return many >= fewListed && 2*told > c[i].all
}
