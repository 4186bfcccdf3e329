package extensions

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestMain fails when a test leaves a goroutine behind.
func TestMain(m *testing.M) { hostiletest.Main(m) }
