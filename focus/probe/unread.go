package probe

import (
	"errors"

	"github.com/thresher-crawler/thresher/focus/pdf"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// NotNow tells of an answer that could not be read now, and may be at another attempt.
func NotNow(err error) bool {
	return errors.Is(err, pdf.ErrNotNow) || errors.Is(err, errBusy) || errors.Is(err, wire.ErrBrokeOff)
}

var (
	errEmpty = errors.New("empty answer")
	errBusy  = errors.New("the host is busy")
)
