package disk

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
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

// codeLink is the body of each kind of frame that says how an item stands.
func codeLink(k *pack.Coder, kind kind, it *frontier.Item) {
	switch kind {
	case kindItem:
		codeItem(k, it)
	case kindRaise:
		codeStanding(k, it, 0)
	case kindScore:
		codeScore(k, it)
	case kindStand:
		k.Number(&it.ID)
		pack.Small(k, &it.Tier)
		k.Float32(&it.Score)
		k.Float32(&it.Alt)
	case kindDrop:
		k.Number(&it.ID)
	}
	if k.Read && (it.ID == 0 || frontier.Check(it.Score, it.Alt) != nil) { // no push would have taken it
		k.Fail()
	}
}

// The same description reads and writes, so that it must say of each byte whether it is there before it comes to it: the flags are worked
// out where it writes, and stand in front of all that depends on them.

// codeStanding is what a push says of an item beside its address: the body of kindRaise, and most of kindItem.
func codeStanding(k *pack.Coder, it *frontier.Item, flags byte) byte {
	if !k.Read {
		flags |= unusual(it)
	}
	k.Number(&it.ID)
	k.Byte(&flags)
	k.Number(&it.Via)
	pack.Small(k, &it.Depth)
	if flags&withTier != 0 {
		pack.Small(k, &it.Tier)
	}
	if k.Float32(&it.Score); flags&withAlt != 0 {
		k.Float32(&it.Alt)
	} else {
		it.Alt = it.Score
	}
	if k.Read {
		it.Numbers, it.Note = nil, nil
	}
	if flags&withNumbers != 0 {
		codeNumbers(k, &it.Numbers)
	}
	if flags&withNote != 0 {
		codeKept(k, &it.Note)
	}
	return flags
}

// unusual are the flags of an item's standing.
func unusual(it *frontier.Item) (flags byte) {
	if it.Tier != 0 {
		flags |= withTier
	}
	if !same(it.Alt, it.Score) {
		flags |= withAlt
	}
	if len(it.Numbers) > 0 {
		flags |= withNumbers
	}
	if len(it.Note) > 0 {
		flags |= withNote
	}
	return flags
}

// codeItem is the body of kindItem.
func codeItem(k *pack.Coder, it *frontier.Item) {
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
	flags = codeStanding(k, it, flags)
	if flags&withHost != 0 {
		k.Text(&it.Host)
	}
	if flags&withIdentity != 0 {
		k.Text(&it.Identity)
	}
	if !k.Read {
		k.Bytes = append(k.Bytes, it.URL...)
		return
	}
	it.URL, k.Bytes = string(k.Bytes), nil
	if flags&withHost == 0 {
		it.Host = hostOf(it.URL)
	}
	if flags&sameIdentity != 0 {
		it.Identity = it.URL
	}
}
