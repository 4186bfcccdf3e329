package main

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What was refused is listed by reason, the commonest first, with the line of robots.txt that decided, and a reason and hosts can be
// asked for.
func TestRefusalsAreListedByReason(t *testing.T) {
	crawled(t)
	out := mustRun(t, "list", "refused")
	headings := regexp.MustCompile(`(?m)^([a-z0-9 -]+) \((\d+)\): `).FindAllStringSubmatch(out, -1)
	if len(headings) < 3 {
		t.Fatalf("the reasons are:\n%s", out)
	}
	descending(t, "reasons", len(headings), func(i int) float64 { return asNumber(t, headings[i][2]) })
	var all struct {
		Total   int
		Refused []row
	}
	if err := json.Unmarshal([]byte(mustRun(t, "list", "refused", "--json")), &all); err != nil || all.Total != len(all.Refused) || strings.Count(out, "\n    ") != all.Total {
		t.Errorf("%v: %d of %d as JSON, and as text:\n%s", err, len(all.Refused), all.Total, out)
	}
	common := headings[0][1]
	for _, line := range strings.Split(mustRun(t, "list", "refused", "--reason", common, "--top", "1"), "\n")[1:] {
		if line != "" && line != "    and "+strconv.Itoa(int(asNumber(t, headings[0][2]))-1)+" more" && !strings.HasPrefix(line, "    http") {
			t.Errorf("of %s there is %q", common, line)
		}
	}
	if out := mustRun(t, "list", "refused", "--host", "nobody.example"); out != "" {
		t.Errorf("on a host that is not there:\n%s", out)
	}
	if code, _, errs := thresher(t, "list", "refused", "--reason", "nope"); code != exitMisuse || !strings.Contains(errs, `nothing was refused as "nope" in this run; the reasons there are `) {
		t.Errorf("exit %d: %s", code, errs)
	}
	for _, r := range all.Refused {
		if strings.HasPrefix(r.Reason, "robots: line ") {
			if why := mustRun(t, "why", r.URL); !strings.Contains(why, "because robots.txt forbids it (line ") {
				t.Errorf("why:\n%s", why)
			}
			return
		}
	}
	t.Error("robots.txt refused nothing with a line of it")
}
