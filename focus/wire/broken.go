package wire

import (
	"errors"
	"net/http"
	"sync"

	"github.com/thresher-crawler/thresher/focus/recent"
)

// ErrBrokeOff says that of an answer only the beginning came.
var ErrBrokeOff = errors.New("the connection broke before its end")

// BrokeOff tells by the header of an answer that it is not whole, and that its host is to blame, or the way there.
func BrokeOff(h http.Header) bool {
	switch h.Get(CutHeader) {
	case CutShort, CutTime, CutDamaged:
		return true
	}
	return false
}

// Broken says which pages are worth another request because the connection broke in their midst. The zero value knows no host. It may be
// used by many goroutines at once.
type Broken struct {
	mu    sync.Mutex
	hosts *recent.Map[string, bool] // of which a page broke off each time that it was asked for: they say of each page that it is longer than it is
}

// mostBroken bounds how many such hosts are remembered.
const mostBroken = 10_000

// Again answers ErrBrokeOff for a page of a host that is worth another request, where one is left.
func (b *Broken) Again(host string, h http.Header, left bool) error {
	if h.Get(CutHeader) != CutShort {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hosts == nil {
		b.hosts = recent.New[string, bool](mostBroken)
	}
	if _, always := b.hosts.Get(host); always {
		return nil
	}
	if !left {
		b.hosts.Put(host, true)
		return nil
	}
	return ErrBrokeOff
}
