package run

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
)

// TestALinkThatCameBackIsInTheSiteTable: what was refused as a trap, and waited again when that turned out to be untrue, is a page of
// its site once it was visited, and waits until then.
func TestALinkThatCameBackIsInTheSiteTable(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"crawl.yaml": "name: x\n", "strategy.yaml": "name: x\nrank: {use: anchor}\n", "state/run.json": `{"state":"finished","name":"x"}`} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log, err := OpenLog(filepath.Join(dir, FileLog))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	tell := func(decision string, id uint64, reason admit.Refused, relevance float64) {
		at = at.Add(time.Second)
		d := Decision{Time: at, Decision: decision, ID: id, Reason: reason, Relevance: relevance, Score: math.NaN(), URL: "http://a.test/" + string(rune('a'+id))}
		if !math.IsNaN(relevance) {
			d.Status = 200
		}
		if err := log.Write(&d); err != nil {
			t.Fatal(err)
		}
	}
	trap := admit.Refuse(admit.RefusedTrap, "a calendar")
	tell("push", 1, "", math.NaN())
	tell("push", 2, "", math.NaN())
	tell("push", 3, "", math.NaN())
	tell("keep", 1, "", .5)
	tell("drop", 2, trap, math.NaN())
	tell("drop", 3, trap, math.NaN())
	tell("push", 2, "", math.NaN())
	tell("push", 3, "", math.NaN())
	tell("keep", 2, "", .7)
	tell("keep", 1, "", .5) // by a machine that had been given up
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.Sites()
	if err != nil || len(table) != 1 || table[0].Pages != 2 || table[0].Relevant != 2 || table[0].Waiting != 1 || table[0].Best != "http://a.test/c" {
		t.Errorf("the site table: %+v, %v", table, err)
	}
}
