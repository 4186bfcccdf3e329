//go:build cgo

package text

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/yanyiwu/gojieba"
)

// trouble is why gojieba could not be started, if it could not.
var trouble atomic.Pointer[error]

// spared is why gojieba is not to be started, where it is not.
var spared atomic.Pointer[error]

// Spare has all Chinese cut in Go from now on, for a reason that Backend tells: the dictionaries of gojieba take more memory than some
// machines have to give. nil takes that back for what has not been started yet.
func Spare(why error) {
	if why == nil {
		spared.Store(nil)
		return
	}
	spared.Store(&why)
}

// Backend names what cuts Chinese in this build: "gojieba" or the pure-Go stand-in. Where gojieba could not be
// started, because its dictionaries cannot be unpacked anywhere, the stand-in serves and Backend says why.
func Backend() string {
	if err := cmp.Or(spared.Load(), trouble.Load()); err != nil {
		return fmt.Sprintf("%s, for want of gojieba (%v)", pureBackend, *err)
	}
	return "gojieba"
}

// jieba is a gojieba instance. Cutting changes nothing in it, so that many may cut at once. It is never freed: it
// lives as long as the process.
type jieba struct{ *gojieba.Jieba }

func loadSegmenter(user userDict, pure func() *pureSegmenter) segmenter {
	if spared.Load() != nil {
		return pure()
	}
	return startJieba(user, places(), pure)
}

// startJieba starts gojieba over its dictionaries. It reads them from files, and keeps what it makes of them in memory that Go knows nothing
// of, so it is started only when there is Chinese to cut (lazySegmenter). Where they cannot be unpacked, words are cut in Go.
func startJieba(user userDict, places []string, pure func() *pureSegmenter) segmenter {
	paths, err := unpackFor(user, places)
	if err != nil {
		trouble.Store(&err)
		return pure()
	}
	debug.FreeOSMemory() // the dictionaries were unpacked in memory that Go would keep beside what C++ takes now
	return jieba{gojieba.NewJieba(paths...)}
}

// cut appends the ends of the words of s. gojieba answers the words and not where they stand, so that their lengths must add up to s.
func (j jieba) cut(dst []piece, s string, d depth) []piece {
	end := 0
	if d == tagged {
		for _, w := range j.Tag(s) {
			slash := strings.LastIndexByte(w, '/')
			end += slash
			dst = append(dst, piece{end, speechOf(w[:slash], w[slash+1:])})
		}
	} else {
		for _, w := range j.Cut(s, d == joined) {
			end += len(w)
			dst = append(dst, piece{end, Noun})
		}
	}
	if end < len(s) { // C++ ran into something it cannot read: the rest is one word
		dst = append(dst, piece{len(s), Noun})
	}
	return dst
}

// speechOf is the part of speech of a tagged word: of a phrase the one that the dictionary's words give it.
func speechOf(word, tag string) Speech {
	if isPhrase(tag) {
		if s, ok := phraseSpeech()[word]; ok {
			return s
		}
	}
	return speechOfTag(tag)
}

// phraseSpeech are the parts of speech of the dictionary's phrases, read when the first of them is met.
var phraseSpeech = sync.OnceValue(func() map[string]Speech {
	l, err := embeddedWords()
	if err != nil {
		panic(err) // it is part of the program
	}
	told := make(map[string]Speech, len(l.phrases))
	for _, p := range l.phrases {
		told[strings.Clone(l.words[p.word].word)] = l.words[p.word].speech
	}
	return told
})
