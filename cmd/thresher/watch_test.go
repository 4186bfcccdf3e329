package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// TestASharedCrawlIsWatched follows a crawl of two machines on Redis by its address, while it goes on: both are counted, a pause at
// the button reaches both and is seen, and so is a machine whose folder is elsewhere.
func TestASharedCrawlIsWatched(t *testing.T) {
	store := redisAddress(t)
	r := startRunning(t, "--store", store)
	r.start(t, "--store", store)
	for late := time.Now().Add(tooLate); len(run.Parts("runs/live")) < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("the second machine has no folder: %s", &r.errs)
		}
	}
	at := serving(t, store+"?crawl=live")
	var s watch.Story
	until := func(what string, so func() bool) {
		t.Helper()
		for late := time.Now().Add(tooLate); ; time.Sleep(50 * time.Millisecond) { // the server looks once a second
			response, err := http.Get(at + "/api/v1/runs/live/story")
			noError(t, err)
			s = watch.Story{}
			err = json.NewDecoder(response.Body).Decode(&s)
			response.Body.Close()
			if err == nil && so() {
				return
			}
			if time.Now().After(late) {
				t.Fatalf("waited in vain for %s (%v): %+v, %+v, %d wait", what, err, s.Run, s.Counts, s.Waiting.Links)
			}
		}
	}
	do := func(pairs ...string) {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		response, err := http.PostForm(at+"/api/v1/runs/live", form)
		noError(t, err)
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%v: %s", pairs, response.Status)
		}
	}
	until("pages of two machines", func() bool {
		return len(s.Run.Machines) == 2 && s.Run.State == watch.Running && s.Counts.Kept > 20 && len(s.Finds) > 0 && s.Waiting.Links > 0 && s.Pace.Parallel == 4
	})
	do("do", "pause")
	until("a pause", func() bool { return s.Run.State == watch.Paused && s.Pace.Limit == watch.LimitPaused })
	r.errs.await(t, "standing still: paused")
	before := s.Counts.Pages
	do("do", "inject", "addresses", listTop(t, "--run", store)+"given")
	do("do", "resume")
	until("pages after it", func() bool { return s.Run.State == watch.Running && s.Counts.Pages > before+20 })
	r.isAsked(t, "/given")
	// A host asks to be left alone.
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer busy.Close()
	do("do", "inject", "addresses", busy.URL+"/")
	until("word that it is", func() bool {
		for _, h := range s.Hosts {
			if "http://"+h.Host == busy.URL {
				return h.Pause == time.Hour && time.Until(h.Rests) > 50*time.Minute && time.Until(h.Rests) <= time.Hour
			}
		}
		return false
	})
	// A third machine writes into a folder that is not here.
	there, file := t.TempDir(), mustRead(t, "live.yaml")
	noError(t, os.WriteFile(filepath.Join(there, "live.yaml"), []byte(file), 0o600))
	third := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	third.Dir, third.Env = there, append(os.Environ(), "THRESHER_BE=crawl live.yaml --quiet --store "+store)
	noError(t, third.Start())
	t.Cleanup(func() { third.Process.Kill(); third.Wait() })
	visits := func() (n int) {
		for _, part := range run.Parts(filepath.Join(there, "runs", "live")) {
			run.ReadLog(filepath.Join(part, run.FileLog), func(d *run.Decision) bool {
				if d.Fetched() {
					n++
				}
				return true
			})
		}
		return n
	}
	for late := time.Now().Add(tooLate); visits() < 20; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("the third machine visits nothing")
		}
	}
	do("do", "pause")
	until("word of the third machine", func() bool { return s.Run.Elsewhere >= 20 && s.Run.State == watch.Paused })
	if response, err := http.Get(at + "/runs/live"); err != nil {
		t.Error(err)
	} else {
		defer response.Body.Close()
		page, err := io.ReadAll(response.Body)
		if err != nil || !strings.Contains(string(page), `id="elsewhere"`) {
			t.Errorf("the page says nothing of it (%v): %s", err, page)
		}
	}
	do("do", "stop")
	<-r.over
	<-r.over
	shown, listed := hostTable(t, fetchedPage(t, at+"/runs/live")), listedSites(t, store)
	for host, row := range listed {
		if shown[host] != row {
			t.Errorf("the page says of %s: %+v; list sites: %+v", host, shown[host], row)
		}
	}
}
