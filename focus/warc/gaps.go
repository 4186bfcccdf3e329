package warc

// Gap is a part of a file that cannot be read, up to the next record that can.
type Gap struct {
	From, To int64 // bytes of the file
	Why      error
}

// Gaps are the parts of the file that were passed over so far. When Next has answered io.EOF, or a *CutError, they are all
// there are. What cannot be read in the middle of a gzip member that holds several records is not among them.
func (r *Reader) Gaps() []Gap { return r.gaps }

// openGap begins a gap, unless one is open: nothing was read since.
func (r *Reader) openGap(why error, offset, inside int64) {
	if r.gapped || inside > 0 {
		return
	}
	r.gapped = true
	r.gaps = append(r.gaps, Gap{From: offset, To: offset, Why: why})
}

// closeGap ends the gap before what is read next, if one is open.
func (r *Reader) closeGap(at int64) {
	if r.gapped {
		r.gaps[len(r.gaps)-1].To = at
		r.gapped = false
	}
}
