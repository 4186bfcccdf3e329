package frontier

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestAGateHoldsWhoComes: who comes while it is closed waits until it opens, or until they give up. It opens when nobody is paused any
// more and whoever held it does not, and says each change once.
func TestAGateHoldsWhoComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		now := time.Now()
		looks := func(paused bool, why, says string) {
			t.Helper()
			now = now.Add(time.Minute)
			said, closed := g.Look(paused, now)
			if said != says || g.Why() != why {
				t.Errorf("it is closed because of %q, and says %q, want %q and %q", g.Why(), said, why, says)
			}
			if opens := says == "going on"; opens != (closed > 0) || opens && closed != 5*time.Minute {
				t.Errorf("it says %q, and was closed for %v", said, closed)
			}
		}
		looks(false, "", "")
		if !g.Pass(t.Context()) {
			t.Error("it is not open at first")
		}
		full := true
		for range 2 {
			if !g.Hold("full", func() bool { return full }) || g.Why() != "full" {
				t.Error("it is not held")
			}
		}
		looks(false, "full", "standing still: full")
		looks(false, "full", "")
		looks(true, "paused", "standing still: paused")
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
		looks(false, "full", "standing still: full")
		told := true
		g.Hold("told", func() bool { return told })
		told = false
		looks(false, "full", "") // one of two holds it
		if full = false; len(patient) > 0 {
			t.Error("it opened while it was held")
		}
		looks(false, "", "going on")
		if !<-patient {
			t.Error("who waited may not go on")
		}
	})
}
