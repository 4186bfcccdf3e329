package focus

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// Hops are the ways from one page to the next, as they stand in a hop path.
const (
	hopLink     = 'L' // an ordinary link
	hopFrame    = 'F' // a frame or iframe
	hopRedirect = 'R' // an answer that sent us on
	hopUser     = 'U' // a Visit in a user's callback
	hopMutation = 'M' // an address that a genetic selection made of another
)

// bounds of what a note carries: a note is stored with every waiting link.
const (
	maxHops   = 60
	maxAnchor = 80
)

// note is what an item carries besides its score: the ranking's trail, how it was reached, and the words that led to it.
type note struct {
	trail   rank.Trail
	ranked  bool     // a ranking wrote it: there is a trail in it
	hops    string   // one letter a hop from the seed, the last maxHops of them
	anchor  string   // the words of the link, cut to maxAnchor bytes
	request []byte   // what a Colly program's request is beside its address, as its queue wrote it down
	floor   *float32 // the score that a Colly program gave the address, before a page raised it; nil if none did
}

// hasFloor is set in the length of the hops where a floor stands before them.
const hasFloor = 1 << 7

// step is the hop path one hop on.
func (n note) step(hop byte) string {
	hops := n.hops + string(hop)
	return hops[max(0, len(hops)-maxHops):]
}

func (n note) bytes() []byte {
	b := append(make([]byte, 0, 16+len(n.hops)+len(n.anchor)+len(n.request)), n.request...)
	b = n.trail.Append(b)
	if n.floor != nil {
		b = append(b, byte(len(n.hops))|hasFloor)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(*n.floor))
	} else {
		b = append(b, byte(len(n.hops)))
	}
	b = append(b, n.hops...)
	return append(b, page.Cut(n.anchor, maxAnchor)...)
}

func readNote(item frontier.Item) (note, error) {
	request, own := frontier.SplitNote(item.Note)
	if len(own) == 0 {
		return note{request: request}, nil
	}
	trail, rest, err := rank.ParseTrail(own)
	if err != nil {
		return note{}, fmt.Errorf("focus: note of %s: %w", item.URL, err)
	}
	n := note{trail: trail, ranked: true, request: request}
	hops, rest, ok := cutHops(rest, &n)
	if !ok || len(rest) < hops {
		return note{}, fmt.Errorf("focus: note of %s is cut short", item.URL)
	}
	n.hops, n.anchor = string(rest[:hops]), string(rest[hops:])
	return n, nil
}

// cutHops takes the length of the hops, and the floor if there is one.
func cutHops(b []byte, n *note) (hops int, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	hops, rest = int(b[0]&^hasFloor), b[1:]
	if b[0]&hasFloor == 0 {
		return hops, rest, true
	}
	if len(rest) < 4 {
		return 0, nil, false
	}
	floor := math.Float32frombits(binary.LittleEndian.Uint32(rest))
	n.floor = &floor
	return hops, rest[4:], true
}
