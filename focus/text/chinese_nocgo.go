//go:build !cgo

package text

import "sync"

// Backend names what cuts Chinese in this build: "gojieba" or the pure-Go stand-in.
func Backend() string { return "pure Go" }

type lazy struct{ load func() segmenter }

var sharedPure = sync.OnceValue(func() segmenter { p, _ := newPureSegmenter(userDict{}); return p })

func chinese(user userDict) segmenter {
	if len(user.words) == 0 {
		return lazy{sharedPure}
	}
	return lazy{sync.OnceValue(func() segmenter { p, _ := newPureSegmenter(user); return p })}
}

func (l lazy) cut(dst []piece, s string, tags bool) []piece { return l.load().cut(dst, s, tags) }
