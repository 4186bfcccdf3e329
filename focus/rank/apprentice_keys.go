package rank

import (
	"encoding/binary"
	"math/bits"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// reach says what the links have in common whose outcomes are counted together, from the nearest to the widest.
type reach uint8

const (
	byBlock     reach = iota // one block of one page
	byPage                   // one page
	byPath                   // one tag path on the pages of one host
	byShape                  // addresses of one shape on one host
	byThird                  // three directories of one host
	bySecond                 // two
	byDirectory              // one
	byHost                   // one host
	reaches
)

// ofLink tells the reaches that belong to a link from those that belong to the address it leads to.
func (r reach) ofLink() bool { return r <= byPath }

// lasts tells whether later pages can have links of the same kind, so that what is known of it must outlive them.
func (r reach) lasts() bool { return r >= byPath }

const golden = 0x9E3779B97F4A7C15

// blend64 mixes a number into a hash.
func blend64(h, v uint64) uint64 {
	high, low := bits.Mul64(h^v^golden, 0xD6E8FEB86659FD93)
	return high ^ low
}

// hash mixes a string into a hash, eight bytes at a time. It is the same in every process, because what it names is
// saved.
func hash(h uint64, s string) uint64 {
	h = blend64(h, uint64(len(s)))
	for ; len(s) >= 8; s = s[8:] {
		h = blend64(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
	}
	var rest [8]byte
	copy(rest[:], s)
	return blend64(h, binary.LittleEndian.Uint64(rest[:]))
}

// linkKey is what a link's outcome is counted under.
func linkKey(r reach, e *Evidence) uint64 {
	h := blend64(uint64(r), e.Parent)
	switch {
	case r == byBlock && e.Link != nil:
		h = blend64(h, uint64(uint32(e.Link.Block)))
	case r == byPath && e.Link != nil:
		host, _ := split(e.address())
		h = hash(hash(uint64(r), host), e.Link.Path)
	}
	return h
}

// addressKey is what an address's outcome is counted under.
func addressKey(r reach, address string) uint64 {
	host, path := split(address)
	return partKey(r, host, path)
}

func partKey(r reach, host, path string) uint64 {
	h := hash(uint64(r), host)
	switch r {
	case byShape:
		return shape(h, path)
	case byDirectory:
		return hash(h, directories(path, 1))
	case bySecond:
		return hash(h, directories(path, 2))
	case byThird:
		return hash(h, directories(path, 3))
	}
	return h
}

// key is what the link's outcome, or that of the address it leads to, is counted under. It is worked out once.
func (e *Evidence) key(r reach) uint64 {
	e.turn()
	k := &e.known
	if k.keyed&(1<<r) != 0 {
		return k.keys[r]
	}
	k.keyed |= 1 << r
	if r.ofLink() {
		k.keys[r] = linkKey(r, e)
	} else {
		if k.host == "" {
			k.host, k.path = split(target(e.Link))
		}
		k.keys[r] = partKey(r, k.host, k.path)
	}
	return k.keys[r]
}

// address is where the page is that the link stands on.
func (e *Evidence) address() string {
	if e.Page == nil {
		return ""
	}
	return e.Page.URL
}

// target is where the link leads.
func target(l *page.Link) string {
	if l == nil {
		return ""
	}
	return l.URL
}

// split takes an address apart into its host, port included, and its path without a query.
func split(address string) (host, path string) {
	if i := strings.Index(address, "://"); i >= 0 {
		address = address[i+3:]
	}
	for _, end := range [...]byte{'#', '?'} {
		if i := strings.IndexByte(address, end); i >= 0 {
			address = address[:i]
		}
	}
	if i := strings.IndexByte(address, '/'); i >= 0 {
		return address[:i], address[i:]
	}
	return address, "/"
}

// directories are the first n directories of a path, or all there are: /a/b/ of /a/b/c.html.
func directories(path string, n int) string {
	end := 1
	for i := 1; i < len(path) && n > 0; i++ {
		if path[i] == '/' {
			end = i + 1
			n--
		}
	}
	return path[:min(end, len(path))]
}

// shape mixes what addresses of one kind have in common into a hash: digits are all alike, and so are the letters of
// the last part before its extension. /sports/2019-10-07/doc-ab12.html is /sports/0-0-0/a-a0.html.
func shape(h uint64, path string) uint64 {
	last := strings.LastIndexByte(path, '/')
	dot := strings.LastIndexByte(path, '.')
	before := byte(0)
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case '0' <= c && c <= '9':
			c = '0'
		case i > last && (dot < last || i < dot) && (c|0x20 >= 'a' && c|0x20 <= 'z' || c == '%' || c >= 0x80):
			c = 'a'
		}
		if c != before || c != '0' && c != 'a' {
			h = blend64(h, uint64(c))
		}
		before = c
	}
	return h
}
