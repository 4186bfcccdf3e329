package probe

import (
	"fmt"
	"net/http"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// later tells of an answer that the request is made again, and when.
func (w *probe) later(t *trip, v *Answer) (wait time.Duration, later bool) {
	if t.request.Waits == nil || !page.Later(v.Status) {
		return 0, false
	}
	wait, said := wire.RetryAfter(v.Header, w.clock.Now())
	return wait, said && t.request.Waits(v.Status, wait)
}

// note remembers hosts that are not to be asked again: those that said so, and those that are not there.
func (w *probe) note(host string, v *Answer) {
	var why error
	switch {
	case v.Status == http.StatusTooManyRequests:
		why = fmt.Errorf("the host asked to be left alone (%d, Retry-After %.40q)", v.Status, v.Header.Get("Retry-After"))
	case v.Status == 0 && v.Err != nil && wire.Gone(v.Err):
		why = v.Err
	default:
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down[host] = why
}
