package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// hostRow is what a table says of a host.
type hostRow struct{ pages, relevant, waiting int }

var hostCells = regexp.MustCompile(`<tr><th scope="row">([^<]*)</th><td class="n" data-label="[^"]*">(\d+)</td><td class="n" data-label="[^"]*">(\d+)</td><td class="n" data-label="[^"]*">\d+ %</td><td class="n" data-label="[^"]*">(\d+)</td>`)

// hostTable reads the table of hosts from the page of a run.
func hostTable(t *testing.T, page string) map[string]hostRow {
	t.Helper()
	table := map[string]hostRow{}
	for _, c := range hostCells.FindAllStringSubmatch(page, -1) {
		var n [3]int
		for i := range n {
			n[i], _ = strconv.Atoi(c[2+i]) // digits alone
		}
		if table[html.UnescapeString(c[1])] = (hostRow{n[0], n[1], n[2]}); c[1] == "" {
			t.Error("a host has no name")
		}
	}
	return table
}

// listedSites are those that list sites shows of a run.
func listedSites(t *testing.T, ran string) map[string]hostRow {
	t.Helper()
	code, out, errs := thresher(t, "list", "sites", "--run", ran, "--json")
	var listed struct {
		Sites []struct {
			Site                     string
			Pages, Relevant, Waiting int
		}
	}
	if err := json.Unmarshal([]byte(out), &listed); code != exitDone || err != nil || len(listed.Sites) == 0 {
		t.Fatalf("exit code %d: %s%s (%v)", code, out, errs, err)
	}
	table := map[string]hostRow{}
	for _, s := range listed.Sites {
		table[s.Site] = hostRow{s.Pages, s.Relevant, s.Waiting}
	}
	return table
}

// fetchedPage is what a server answers.
func fetchedPage(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	noError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s (%v): %s", address, response.Status, err, text)
	}
	return string(text)
}

// TestOneTableOfHosts: report.html, the page of a run and list sites say the same of the same hosts. A page of very many shows those that
// gave most, and says that there are others.
func TestOneTableOfHosts(t *testing.T) {
	for _, c := range []struct {
		name string
		more int // hosts
	}{{"few", 0}, {"many", 150}} {
		t.Run(c.name, func(t *testing.T) {
			ran := quickstartRun(t)
			if c.more > 0 {
				moreHosts(t, ran, c.more)
			}
			listed := listedSites(t, ran)
			noError(t, watch.WriteReport(ran))
			report := mustRead(t, filepath.Join(ran, run.FileReport))
			live := fetchedPage(t, serving(t, ran)+"/runs/"+filepath.Base(ran))
			for where, page := range map[string]string{"report.html": report, "the page": live} {
				shown, judged := hostTable(t, page), 0
				for host, row := range shown {
					if row.pages == 0 { // list sites has those of which a page was judged
						continue
					}
					judged++
					if listed[host] != row {
						t.Errorf("%s says of %s: %+v; list sites: %+v", where, host, row, listed[host])
					}
				}
				if c.more == 0 && judged != len(listed) {
					t.Errorf("%s has %d hosts, list sites %d", where, judged, len(listed))
				}
				if said := strings.Contains(page, fmt.Sprintf("list sites --run %s", ran)); said != (c.more > 0) || c.more > 0 && len(shown) != 100 {
					t.Errorf("%s shows %d hosts of %d and more, and says so: %v", where, len(shown), len(listed), said)
				}
			}
		})
	}
}

// moreHosts writes pages of so many hosts behind the log of a run that has ended, and links that wait there; each is written in another way.
func moreHosts(t *testing.T, ran string, n int) {
	t.Helper()
	if err := os.Remove(filepath.Join(ran, run.FileState, "safe")); err != nil { // all is taken at its word
		t.Fatal(err)
	}
	log, err := run.OpenLog(filepath.Join(ran, run.FileLog))
	noError(t, err)
	for i := range n {
		id := uint64(1_000_000 + 10*i)
		for k, form := range []string{"http://host%d.test/", "http://HOST%d.test:80/waits", "http://host%d.test./too"} {
			d := run.Decision{Decision: "push", ID: id + uint64(k), URL: fmt.Sprintf(form, i), Score: .5, Relevance: math.NaN()}
			noError(t, log.Write(&d))
		}
		d := run.Decision{Decision: "keep", ID: id, URL: fmt.Sprintf("http://host%d.test/", i), Status: 200, Score: .5, Relevance: .9}
		noError(t, log.Write(&d))
	}
	noError(t, log.Close())
}

// TestAHostWithoutItsPort is that host at any port, whatever is asked of it; with one it is that port alone.
func TestAHostWithoutItsPort(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\n")
	_, port, _ := strings.Cut(strings.TrimPrefix(w.URL, "http://"), ":")
	const name, other = "127.0.0.1", "127.0.0.1:1"
	must(t, "crawl", "boats.yaml", "--quiet")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"etiquette"}, "What was asked of `" + name + ":" + port + "`"},
		{[]string{"export", "--to", "jsonl", "--host"}, `"host":"` + name + ":" + port + `"`},
	} {
		for _, named := range []string{name, "http://" + name + ":" + port + "/there"} {
			replies(t, exitDone, c.says, append(c.args, named)...)
		}
		if _, out, _ := thresher(t, append(c.args, other)...); strings.Contains(out, c.says) {
			t.Errorf("%v %s says %q: %s", c.args, other, c.says, out)
		}
	}
	if !within("www.xn--fiq228c.com:81", "*.中文.COM") || !within("xn--fiq228c.com", "中文.com") {
		t.Error("a host in Chinese letters is not the one that the network knows")
	}
	for _, c := range []struct {
		host  string
		visit bool
	}{{other, true}, {name, false}} {
		must(t, "block", c.host)
		w.reset()
		thresher(t, "crawl", "boats.yaml", "--again", "--quiet")
		if asked := len(w.asked) > 0; asked != c.visit {
			t.Errorf("with %s blocked, %d pages were visited", c.host, len(w.asked))
		}
	}
	replies(t, exitFailed, "nobody.example is not blocked in runs/boats; blocked there: "+name+", "+other+"\n", "block", "--again", name, "nobody.example")
	if _, _, errs := thresher(t, "block", "http://ads.example/x"); !strings.HasPrefix(errs, "blocked: ads.example; ") {
		t.Errorf("a host is named by an address: %s", errs)
	}
	if out := must(t, "forget", other); !strings.HasPrefix(out, "nothing of "+other+" is left in ") { // it is blocked, and was never met
		t.Errorf("%s is forgotten: %s", other, out)
	}
	if out := must(t, "forget", name); !strings.Contains(out, name+":"+port) || strings.Contains(must(t, "list", "harvest"), name) {
		t.Errorf("of %s it forgets: %s", name, out)
	}
}
