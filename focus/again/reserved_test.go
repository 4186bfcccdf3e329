package again

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReservations come and go while a page stays as it is, and its host says so with a 304: what is reserved now is not kept, whether the
// answer or robots.txt says so, and what is reserved no more is kept again, as it is now. What a page says by itself counts before robots.txt.
func TestReservations(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	web := site{"/": tea("all", "/a", "/b", "/c"), "/a": tea("one"), "/b": tea("two"), "/c": strings.Replace(tea("three"), "<p>", "<meta name=tdm-reservation content=0><p>", 1)}
	crawled(t, c, web, nil)
	noindex := func(paths ...string) {
		for _, path := range paths {
			web[tagged+path] = "noindex"
		}
	}
	for i, step := range []struct {
		change func()
		kept   string
	}{
		{func() { noindex("/a", "/b"); web["/b"] = tea("another") }, "all three"},
		{func() { delete(web, tagged+"/a"); delete(web, tagged+"/b") }, "all one another three"},
		{func() { web["/robots.txt"] = "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n" }, "three"},
		{func() { delete(web, "/robots.txt") }, "all one another three"},
	} {
		step.change()
		told := visitedAgain(t, c, web, time.Now().AddDate(0, i, 0)) // a month later each time, or what would be sent whole had no turn
		kept := harvestOf(t, c.Store)
		for _, says := range strings.Fields("all one two another three") {
			if is, want := strings.Contains(kept, `"title":"Tea `+says+`"`), strings.Contains(" "+step.kept+" ", " "+says+" "); is != want {
				t.Errorf("round %d: %q is kept: %v, want %v; %+v", i+1, says, is, want, told)
			}
		}
	}
}
