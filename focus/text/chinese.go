//go:build cgo

package text

import (
	"strings"
	"sync"

	"github.com/yanyiwu/gojieba"
)

// Backend names what cuts Chinese in this build: "gojieba" or the pure-Go stand-in.
func Backend() string { return "gojieba" }

// jieba cuts by gojieba. The instance is made when the first Chinese comes, and shared by all cutters that have no
// user dictionary.
type jieba struct {
	load func() segmenter
}

var sharedJieba = sync.OnceValue(func() segmenter { return loadJieba(userDict{}) })

func chinese(user userDict) segmenter {
	if len(user.words) == 0 {
		return &jieba{sharedJieba}
	}
	return &jieba{sync.OnceValue(func() segmenter { return loadJieba(user) })}
}

func (j *jieba) cut(dst []piece, s string, tags bool) []piece { return j.load().cut(dst, s, tags) }

// loaded is a gojieba instance. Cutting changes nothing in it, so many may cut at once.
type loaded struct{ *gojieba.Jieba }

func loadJieba(user userDict) segmenter {
	paths, err := unpackForJieba(user)
	if err != nil {
		p, _ := newPureSegmenter(user)
		return p
	}
	return loaded{gojieba.NewJieba(paths...)}
}

func (l loaded) cut(dst []piece, s string, tags bool) []piece {
	end := 0
	if tags {
		for _, w := range l.Tag(s) {
			slash := strings.LastIndexByte(w, '/')
			end += slash
			dst = append(dst, piece{end, speechOfTag(w[slash+1:])})
		}
		return dst
	}
	for _, w := range l.Cut(s, true) {
		end += len(w)
		dst = append(dst, piece{end, Noun})
	}
	return dst
}
