package frontier

import (
	"context"
	"testing"
	"testing/synctest"
)

// TestAGateHoldsWhoComes: who comes while it is closed waits until it opens, or until they give up, and a gate that is closed twice
// opens at once.
func TestAGateHoldsWhoComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		if !g.Pass(t.Context()) || g.Closed() || g.Set(false) {
			t.Error("it is not open at first")
		}
		if !g.Set(true) || g.Set(true) || !g.Closed() {
			t.Error("it was closed once, and that is the only change")
		}
		ctx, giveUp := context.WithCancel(t.Context())
		patient, hasty := make(chan bool, 1), make(chan bool, 1)
		go func() { patient <- g.Pass(t.Context()) }()
		go func() { hasty <- g.Pass(ctx) }()
		synctest.Wait()
		if len(patient)+len(hasty) > 0 {
			t.Fatal("somebody passed a closed gate")
		}
		giveUp()
		if <-hasty {
			t.Error("who gave up may go on")
		}
		if !g.Set(false) || !<-patient {
			t.Error("who waited may not go on")
		}
	})
}
