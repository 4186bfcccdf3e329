package run

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// Hops are the ways from one page to the next, as they stand in a hop path.
const (
	HopLink     = 'L' // an ordinary link
	HopFrame    = 'F' // a frame or iframe
	HopRedirect = 'R' // an answer that sent us on
	HopUser     = 'U' // a Visit in a user's callback
	HopMutation = 'M' // an address that a genetic selection made of another
)

// bounds of what a note carries: a note is stored with every waiting link.
const (
	maxHops   = 60
	MaxAnchor = 80
)

// MaxTitle is how many bytes log and counts have of a page's title.
const MaxTitle = 200

// Note is what an item carries besides its score: the ranking's trail, how it was reached, and the words that led to it.
type Note struct {
	Trail   rank.Trail
	Ranked  bool     // a ranking wrote it: there is a trail in it
	Hops    string   // one letter a hop from the seed, the last maxHops of them
	Anchor  string   // the words of the link, cut to MaxAnchor bytes
	Request []byte   // what a Colly program's request is beside its address, as its queue wrote it down
	Floor   *float32 // the score that a Colly program gave the address, before a page raised it; nil if none did
}

// hasFloor is set in the length of the hops where a floor stands before them: maxHops leaves that bit free.
const hasFloor = 1 << 7

// Step is the hop path one hop on.
func (n Note) Step(hop byte) string {
	hops := n.Hops + string(hop)
	return hops[max(0, len(hops)-maxHops):]
}

// Redirects is how many redirects led to it, one after the other.
func (n Note) Redirects() int {
	return len(n.Hops) - len(strings.TrimRight(n.Hops, string(HopRedirect)))
}

// FoundOn is how many hops up the page stands that it was found on, if it was on one, and how many redirects led to that, one after the other.
func (n Note) FoundOn() (up, redirects int) {
	up = n.Redirects() + 1
	if up > len(n.Hops) {
		return 0, 0
	}
	return up, Note{Hops: n.Hops[:len(n.Hops)-up]}.Redirects()
}

// Bytes is the note as an item carries it: the request, which says how long it is, then the trail, the length of the hops, the floor
// if there is one, the hops, and the anchor to the end. ReadNote reads it.
func (n Note) Bytes() []byte {
	return n.Append(make([]byte, 0, 16+len(n.Hops)+len(n.Anchor)+len(n.Request)))
}

// Append is Bytes behind what stands there.
func (n Note) Append(b []byte) []byte {
	b = n.Trail.Append(append(b, n.Request...))
	if n.Floor != nil {
		b = append(b, byte(len(n.Hops))|hasFloor)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(*n.Floor))
	} else {
		b = append(b, byte(len(n.Hops)))
	}
	b = append(b, n.Hops...)
	return append(b, page.Cut(n.Anchor, MaxAnchor)...)
}

// ReadNote reads what an item carries. An item that no ranking has written a note for, such as an address that a Colly program put
// into its queue, has at most a request.
func ReadNote(item frontier.Item) (Note, error) {
	request, own := frontier.SplitNote(item.Note)
	if len(own) == 0 {
		return Note{Request: request}, nil
	}
	trail, rest, err := rank.ParseTrail(own)
	if err != nil {
		return Note{}, fmt.Errorf("note of %s: %w", item.URL, err)
	}
	n := Note{Trail: trail, Ranked: true, Request: request}
	hops, rest, ok := cutHops(rest, &n)
	if !ok || len(rest) < hops {
		return Note{}, fmt.Errorf("note of %s is cut short", item.URL)
	}
	n.Hops, n.Anchor = string(rest[:hops]), string(rest[hops:])
	return n, nil
}

// cutHops takes the length of the hops, and the floor if there is one.
func cutHops(b []byte, n *Note) (hops int, rest []byte, ok bool) {
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
	n.Floor = &floor
	return hops, rest[4:], true
}
