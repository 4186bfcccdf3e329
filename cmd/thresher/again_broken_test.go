package main

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestADamagedRoundIsRepairedWithItsRun: also where the run was put back elsewhere from a copy, which may have been made while the round went
// on; both commands help that somebody may give.
func TestADamagedRoundIsRepairedWithItsRun(t *testing.T) {
	for _, c := range []struct{ store, repair string }{
		{"runs/boats", "runs/boats"}, {"runs/boats", "runs/boats/again/round"}, {"restored", "restored"}, {"restored", "restored/again/round"},
	} {
		t.Run(c.repair, func(t *testing.T) {
			w := newChangingWeb(t)
			w.write(t, "")
			must(t, "crawl", "boats.yaml", "--quiet")
			w.text["/boats/3"], w.status["/boats/5"] = "Regatta.", http.StatusGone
			cmd := itself("crawl boats.yaml --again --quiet --set polite.parallel=1")
			w.mu.Lock()
			w.kills = map[string]bool{"/boats/21": true}
			err := cmd.Start()
			w.process = cmd.Process
			w.mu.Unlock()
			noError(t, err)
			if err := cmd.Wait(); err == nil {
				t.Fatal("the round was not killed")
			}
			if c.store != "runs/boats" {
				noError(t, os.Rename("runs/boats", c.store))
			}
			damage(t, c.store+"/again/round/crawl.log", func(raw []byte) []byte { return raw[:len(raw)/2] })
			code, _, errs := thresher(t, "crawl", "boats.yaml", "--again", "--quiet", "--store", c.store)
			if code != exitFailed || !strings.Contains(errs, "'thresher repair --run "+c.store+"/again/round'") {
				t.Errorf("exit %d: %s", code, errs)
			}
			if said := must(t, "repair", "--run", c.repair); !strings.Contains(said, "damaged: "+c.store+"/again/round") || strings.Contains(said, "thresher repair") {
				t.Errorf("repair says %s", said)
			}
			replies(t, exitDone, "nothing is damaged in "+c.store, "repair", "--run", c.store)
			if out := must(t, "crawl", "boats.yaml", "--again", "--quiet", "--store", c.store); !strings.Contains(out, "round 1: ") || !strings.Contains(out, "1 changed") || !strings.Contains(out, "1 gone") {
				t.Errorf("the round says %s", out)
			}
			replies(t, exitDone, `"gone":""`, "export", "--run", c.store)
		})
	}
}
