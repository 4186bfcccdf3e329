package disk

import (
	"encoding/binary"
	"math"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// What is unusual about an item costs a byte only where it is so.
const (
	withIdentity = 1 << iota // the identity is written, and not the address
	withHost                 // the host is not the address's
	withTier                 // the tier is not 0
	withAlt                  // the second score is not the first
	withNumbers
	withNote
	sameIdentity // the identity is written, and is the address
)

// hostOf is the host and port that are written in an address.
func hostOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// appendStanding appends what a push says of an item beside its address.
func appendStanding(b []byte, it *frontier.Item, flags byte) []byte {
	if it.Tier != 0 {
		flags |= withTier
	}
	if math.Float32bits(it.Alt) != math.Float32bits(it.Score) {
		flags |= withAlt
	}
	if len(it.Numbers) > 0 {
		flags |= withNumbers
	}
	if len(it.Note) > 0 {
		flags |= withNote
	}
	b = append(appendUint(b, it.ID), flags)
	b = appendUint(b, it.Via)
	b = appendUint(b, uint64(it.Depth))
	if flags&withTier != 0 {
		b = appendUint(b, uint64(it.Tier))
	}
	b = appendFloat(b, it.Score)
	if flags&withAlt != 0 {
		b = appendFloat(b, it.Alt)
	}
	if flags&withNumbers != 0 {
		b = appendNumbers(b, it.Numbers)
	}
	if flags&withNote != 0 {
		b = appendString(b, it.Note)
	}
	return b
}

func cutStanding(c *cutter) (it frontier.Item, flags byte) {
	it.ID = c.Number()
	flags = c.Byte()
	it.Via = c.Number()
	it.Depth = uint16(c.Number())
	if flags&withTier != 0 {
		it.Tier = uint32(c.Number())
	}
	it.Score = c.Float32()
	it.Alt = it.Score
	if flags&withAlt != 0 {
		it.Alt = c.Float32()
	}
	if flags&withNumbers != 0 {
		it.Numbers = c.numbers()
	}
	if flags&withNote != 0 {
		it.Note = c.bytes()
	}
	return it, flags
}

// appendItem is the body of kindItem.
func appendItem(b []byte, it *frontier.Item) []byte {
	var flags byte
	switch it.Identity {
	case "":
	case it.URL:
		flags |= sameIdentity
	default:
		flags |= withIdentity
	}
	if it.Host != hostOf(it.URL) {
		flags |= withHost
	}
	b = appendStanding(b, it, flags)
	if flags&withHost != 0 {
		b = appendString(b, it.Host)
	}
	if flags&withIdentity != 0 {
		b = appendString(b, it.Identity)
	}
	return append(b, it.URL...)
}

func cutItem(body []byte) (frontier.Item, error) {
	c := cut(body)
	it, flags := cutStanding(c)
	if flags&withHost != 0 {
		it.Host = c.Text()
	}
	if flags&withIdentity != 0 {
		it.Identity = c.Text()
	}
	it.URL = string(c.Take(len(c.Left)))
	if flags&withHost == 0 {
		it.Host = hostOf(it.URL)
	}
	if flags&sameIdentity != 0 {
		it.Identity = it.URL
	}
	return it, checked(c, it.ID, it.Score, it.Alt)
}

func cutRaise(body []byte) (frontier.Item, error) {
	c := cut(body)
	it, _ := cutStanding(c)
	return it, checked(c, it.ID, it.Score, it.Alt)
}

// checked refuses a body with more or less in it than there should be, and scores that no push would have taken.
func checked(c *cutter, id uint64, score, alt float32) error {
	if id == 0 || frontier.Check(score, alt) != nil {
		return errFrame
	}
	return c.done()
}

// appendStand is the body of kindStand.
func appendStand(b []byte, id uint64, tier uint32, score, alt float32) []byte {
	return appendFloat(appendFloat(appendUint(appendUint(b, id), uint64(tier)), score), alt)
}

func cutStand(body []byte) (it frontier.Item, err error) {
	c := cut(body)
	it = frontier.Item{ID: c.Number(), Tier: uint32(c.Number()), Score: c.Float32(), Alt: c.Float32()}
	return it, checked(c, it.ID, it.Score, it.Alt)
}

func cutID(body []byte) (uint64, error) {
	c := cut(body)
	id := c.Number()
	return id, checked(c, id, 0, 0)
}

// appendHostTime is the body of kindRest; kindPace has a duration in the place of the time.
func appendHostTime(b []byte, host string, t time.Time) []byte {
	return appendTime(appendString(b, host), t)
}

func appendHostPace(b []byte, host string, d time.Duration) []byte {
	return appendInt(appendString(b, host), int64(d))
}

func cutHost(body []byte) (host string, rest *cutter) {
	c := cut(body)
	return c.Text(), c
}

// markMagic makes the head of a batch findable behind damage.
const markMagic = "\xf1\x0dthresher-batch\x0d\xf1"

// mark is the body of kindMark.
type mark struct {
	safe    position // what is before was on the disk when the batch was begun
	follows position // the end of the batch before this one
}

func (m mark) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(append(b, markMagic...), uint64(m.safe))
	return binary.LittleEndian.AppendUint64(b, uint64(m.follows))
}

func cutMark(body []byte) (m mark, err error) {
	c := cut(body)
	if string(c.Take(len(markMagic))) != markMagic {
		return m, errFrame
	}
	m = mark{position(c.Fixed64()), position(c.Fixed64())}
	return m, c.done()
}
