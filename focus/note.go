package focus

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/frontier"
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
	trail  rank.Trail
	hops   string // one letter a hop from the seed, the last maxHops of them
	anchor string // the words of the link, cut to maxAnchor bytes
}

// step is the hop path one hop on.
func (n note) step(hop byte) string {
	hops := n.hops + string(hop)
	return hops[max(0, len(hops)-maxHops):]
}

func (n note) bytes() []byte {
	b := n.trail.Append(make([]byte, 0, 16+len(n.hops)+len(n.anchor)))
	b = append(b, byte(len(n.hops)))
	b = append(b, n.hops...)
	return append(b, cutRunes(n.anchor, maxAnchor)...)
}

func readNote(item frontier.Item) (note, error) {
	if len(item.Note) == 0 {
		return note{}, nil
	}
	trail, rest, err := rank.ParseTrail(item.Note)
	if err != nil {
		return note{}, fmt.Errorf("focus: note of %s: %w", item.URL, err)
	}
	if len(rest) == 0 || len(rest) < 1+int(rest[0]) {
		return note{}, fmt.Errorf("focus: note of %s is cut short", item.URL)
	}
	hops := 1 + int(rest[0])
	return note{trail: trail, hops: string(rest[1:hops]), anchor: string(rest[hops:])}, nil
}

// cutRunes is the longest prefix of whole characters within n bytes.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
