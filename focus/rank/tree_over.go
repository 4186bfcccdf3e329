package rank

// over says over which links a node's number is taken.
type over uint8

const (
	overThis over = iota // the link itself
	overMax              // all links to the address that were seen
	overMean
)

var overs = [...]string{overThis: "this", overMax: "max", overMean: "mean"}

// maxOvers bounds the nodes of a tree that are taken over all links: each is kept for each waiting address.
const maxOvers = 8

// running is what a node said of the links to one address so far.
type running struct {
	sum   float64
	most  float32
	links uint32 // those it had evidence of
}

// add takes in what the node said of one more link; NaN is no evidence and does not count.
func (r *running) add(v float32) {
	if v != v {
		return
	}
	if r.links == 0 || v > r.most {
		r.most = v
	}
	r.sum += float64(v)
	r.links++
}

// value is what all of them come to.
func (r running) value(o over) float64 {
	switch {
	case r.links == 0:
		return none
	case o == overMax:
		return float64(r.most)
	}
	return r.sum / float64(r.links)
}

// over takes a node's number over all links to the address, the one that is scored included.
func (w *walk) over(n *node, v float64) float64 {
	if w.evidence == nil {
		if n.slot < len(w.trace.entry.over) {
			return w.trace.entry.over[n.slot].value(n.over)
		}
		return v
	}
	e := w.evidence
	e.known.raw[n.slot] = float32(v)
	var r running
	if en := w.trace.entry; en != nil && n.slot < len(en.over) {
		r = en.over[n.slot]
	}
	r.add(float32(v))
	return r.value(n.over)
}

// count takes what the nodes said of one more link to a waiting address.
func (en *entry) count(said []float32, now uint64) {
	slots := len(said)
	if slots == 0 || en.fetched {
		return
	}
	if len(en.over) == 0 {
		en.over = make([]running, slots)
	} else {
		en.touched = now
	}
	for i := range min(slots, len(en.over)) {
		en.over[i].add(said[i])
	}
}
