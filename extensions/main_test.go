package extensions

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// TestMain fails when a test leaves a goroutine behind.
func TestMain(m *testing.M) { hostiletest.Main(m) }
