package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
)

// What was refused is listed by reason, the commonest first, with the line of robots.txt that decided, and a reason and hosts can be
// asked for.
func TestRefusalsAreListedByReason(t *testing.T) {
	crawled(t)
	out := must(t, "list", "refused")
	headings := regexp.MustCompile(`(?m)^([a-z0-9 -]+) \((\d+)\): `).FindAllStringSubmatch(out, -1)
	if len(headings) < 3 {
		t.Fatalf("the reasons are:\n%s", out)
	}
	descending(t, "reasons", len(headings), func(i int) float64 { return asNumber(t, headings[i][2]) })
	var all struct {
		Total   int
		Refused []row
	}
	if err := json.Unmarshal([]byte(must(t, "list", "refused", "--json")), &all); err != nil || all.Total != len(all.Refused) || strings.Count(out, "\n    ") != all.Total {
		t.Errorf("%v: %d of %d as JSON, and as text:\n%s", err, len(all.Refused), all.Total, out)
	}
	common := headings[0][1]
	for _, line := range strings.Split(must(t, "list", "refused", "--reason", common, "--top", "1"), "\n")[1:] {
		if line != "" && line != "    and "+strconv.Itoa(int(asNumber(t, headings[0][2]))-1)+" more" && !strings.HasPrefix(line, "    http") {
			t.Errorf("of %s there is %q", common, line)
		}
	}
	if out := must(t, "list", "refused", "--host", "nobody.example"); out != "" {
		t.Errorf("on a host that is not there:\n%s", out)
	}
	host := page.Host(all.Refused[0].URL)
	if byHost := must(t, "list", "refused", "--host", host); byHost == "" || must(t, "list", "refused", "--host", all.Refused[0].URL) != byHost {
		t.Errorf("by an address on %s it is not\n%s", host, byHost)
	}
	replies(t, exitMisuse, `--host: "not a host" is not a host`, "list", "refused", "--host", "not a host")
	replies(t, exitMisuse, `nothing was refused as "nope" in this run; the reasons there are `, "list", "refused", "--reason", "nope")
	for _, r := range all.Refused {
		if strings.HasPrefix(r.Reason, "robots: line ") {
			if why := must(t, "why", r.URL); !strings.Contains(why, "because robots.txt forbids it (line ") {
				t.Errorf("why:\n%s", why)
			}
			return
		}
	}
	t.Error("robots.txt refused nothing with a line of it")
}

// eachStandsOnce holds that a page that was visited is listed as kept or as refused, and that the story counts the refusals so.
func eachStandsOnce(t *testing.T, dir string) {
	t.Helper()
	var kept, refused struct {
		Total            int
		Harvest, Refused []row
	}
	for list, into := range map[string]any{"harvest": &kept, "refused": &refused} {
		noError(t, json.Unmarshal([]byte(must(t, "list", list, "--run", dir, "--json")), into))
	}
	stands, kinds := map[string]int{}, map[admit.Refused]int{}
	for _, r := range append(kept.Harvest, refused.Refused...) {
		if stands[r.URL]++; r.Reason != "" {
			kinds[admit.Refused(r.Reason).Kind()]++
		}
	}
	ran, err := run.Open(dir)
	if err == nil {
		err = ran.Log(func(d *run.Decision) bool {
			if (d.Decision == "keep" || d.Decision == "drop") && stands[d.URL] != 1 {
				t.Errorf("%s was visited, and stands in %d lists", d.URL, stands[d.URL])
			}
			return true
		})
	}
	noError(t, err)
	for _, r := range storyOf(t, dir).Refused {
		if r.Count != kinds[r.Reason] || len(r.Examples) == 0 {
			t.Errorf("the story has %d refused as %q, list refused %d; examples %v", r.Count, r.Reason, kinds[r.Reason], r.Examples)
		}
		for _, e := range r.Examples {
			if !slices.ContainsFunc(refused.Refused, func(one row) bool { return one.URL == e.URL && admit.Refused(one.Reason).Kind() == r.Reason }) {
				t.Errorf("an example of %q is %s", r.Reason, e.URL)
			}
		}
		delete(kinds, r.Reason)
	}
	if len(kinds) > 0 || refused.Total != len(refused.Refused) {
		t.Errorf("the story does not have %v", kinds)
	}
}

// TestALinkThatCameBackIsListedOnce: what was refused as a trap, and visited when that had turned out to be untrue, is listed for what became
// of it then.
func TestALinkThatCameBackIsListedOnce(t *testing.T) {
	crawled(t)
	const dir = "runs/small"
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	noError(t, err)
	for _, d := range []run.Decision{{Decision: "push"}, {Decision: "drop", Reason: admit.Refuse(admit.RefusedTrap, "a calendar")}, {Decision: "push"},
		{Decision: "drop", Reason: admit.RefusedWeak, Status: 200, Relevance: .1}} {
		d.ID, d.URL = 1_000_000, "http://back.test/"
		if d.Status == 0 {
			d.Relevance = math.NaN()
		}
		noError(t, log.Write(&d))
	}
	noError(t, log.Close())
	if out := must(t, "list", "refused", "--run", dir); strings.Count(out, "back.test") != 1 || strings.Contains(out, "trap (0)") {
		t.Errorf("it was visited at last:\n%s", out)
	}
	var all struct {
		Total   int
		Refused []row
	}
	if err := json.Unmarshal([]byte(must(t, "list", "refused", "--run", dir, "--json")), &all); err != nil || all.Total != len(all.Refused) {
		t.Errorf("%v: %d of %d", err, len(all.Refused), all.Total)
	}
}
