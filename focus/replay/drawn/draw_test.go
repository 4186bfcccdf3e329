package drawn

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/thresher-crawler/thresher/focus/replay"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

var update = flag.Bool("update", false, "draw the webs of testdata/webs anew")

const webs = "../../../testdata/webs/"

// unpackedFile is what a file holds: packers may change how they pack, and the web is the same.
func unpackedFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func open(t testing.TB, dir string) *replay.Web {
	t.Helper()
	w, err := replay.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func sameWeb(t testing.TB, a, b string) bool {
	t.Helper()
	for _, name := range []string{"pages.warc.gz", "redirects.tsv", "labels.tsv", "web.yaml"} {
		if !bytes.Equal(unpackedFile(t, filepath.Join(a, name)), unpackedFile(t, filepath.Join(b, name))) {
			t.Logf("%s differs", name)
			return false
		}
	}
	return true
}

// TestDrawnWebsAreThoseInTheFolder holds testdata/webs to what Draw draws. To draw them anew:
//
//	go test ./focus/replay/drawn -run DrawnWebsAreThose -update
func TestDrawnWebsAreThoseInTheFolder(t *testing.T) {
	for name, k := range map[string]Knobs{"quickstart": Quickstart(), "small": Small()} {
		if *update {
			if err := Draw(webs+name, k); err != nil {
				t.Fatal(err)
			}
		}
		dir := filepath.Join(t.TempDir(), name)
		if err := Draw(dir, k); err != nil {
			t.Fatal(err)
		}
		if !sameWeb(t, dir, webs+name) {
			t.Errorf("testdata/webs/%s is not what its knobs draw; go test ./focus/replay/drawn -run DrawnWebsAreThose -update draws it anew", name)
		}
	}
}

// kinds counts the pages of a web by topic and kind, and its hosts.
func kinds(w *replay.Web) (count map[string]int, hosts map[string]bool) {
	count, hosts = map[string]int{}, map[string]bool{}
	for address := range w.Addresses() {
		if u, err := url.Parse(address); err == nil {
			hosts[u.Host] = true
		}
		if line, ok := w.Labels(address); ok {
			col := strings.Split(line, "\t")
			count["all"]++
			count[col[0]]++
			count[col[1]]++
			if col[0] != "general" && col[1] != copied {
				count["relevant "+col[0]]++
			}
		}
	}
	return count, hosts
}

func TestQuickstartHoldsWhatACrawlerMeets(t *testing.T) {
	if info, err := os.Stat(webs + "quickstart/pages.warc.gz"); err != nil || info.Size() > 4<<20 {
		t.Fatalf("%v, want at most 4 MB: %v", info.Size(), err)
	}
	w := open(t, webs+"quickstart")
	count, hosts := kinds(w)
	if count["all"] < 2000 || len(hosts) != 40 {
		t.Errorf("%d pages on %d hosts", count["all"], len(hosts))
	}
	languages := map[bool]int{}
	for _, topic := range w.Topics() {
		share := float64(count["relevant "+topic.Name]) / float64(count["all"])
		if share < 0.05 || share > 0.1 {
			t.Errorf("%s: a share of %.3f is relevant", topic.Name, share)
		}
		languages[utf8.RuneCountInString(topic.Terms[0]) < len(topic.Terms[0])]++
	}
	if languages[true] < 2 || languages[false] < 2 {
		t.Errorf("topics by language: %v", languages)
	}
	for kind, least := range map[string]int{hubPage: 100, tunnelPage: 30, advert: 10, calendar: 72, copied: 50, privatePage: 5, almanac: 1} {
		if count[kind] < least {
			t.Errorf("%d pages of kind %s, want %d", count[kind], kind, least)
		}
	}
	if redirects := bytes.Count(unpackedFile(t, webs+"quickstart/redirects.tsv"), []byte("\n")); redirects < 100 {
		t.Errorf("%d redirects", redirects)
	}
	for host := range hosts {
		if !strings.HasSuffix(host, ".example") && !strings.HasSuffix(host, ".test") {
			t.Errorf("%s might be somebody's", host)
		}
	}
}

// answers are the bodies of a web as they are sent, by address.
func answers(t testing.TB, w *replay.Web) map[string]*http.Response {
	t.Helper()
	all := map[string]*http.Response{}
	for address := range w.Addresses() {
		req, err := http.NewRequest("GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if all[address], err = w.RoundTrip(req); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestQuickstartSpeaksAllCharsets(t *testing.T) {
	w := open(t, webs+"quickstart")
	found := map[string]int{}
	robots := map[string]int{}
	for address, resp := range answers(t, w) {
		body, _ := io.ReadAll(resp.Body)
		if strings.HasSuffix(address, "/robots.txt") {
			for _, rule := range []string{"Crawl-delay", "Disallow: /private/", "Disallow: /\n", "Disallow:\n"} {
				if bytes.Contains(body, []byte(rule)) {
					robots[rule]++
				}
			}
			continue
		}
		declared := regexp.MustCompile(`charset=([a-z0-9-]+)`).FindSubmatch(body)
		_, header, _ := strings.Cut(resp.Header.Get("Content-Type"), "charset=")
		how := "undeclared"
		if header != "" {
			how = header + " in the header"
		} else if declared != nil {
			how = string(declared[1]) + " in the page"
		}
		if !utf8.Valid(body) {
			how += ", not UTF-8"
		}
		found[how]++
	}
	for _, how := range []string{
		"utf-8 in the header", "utf-8 in the page", "gbk in the header, not UTF-8", "gb2312 in the page, not UTF-8", "undeclared, not UTF-8", "big5 in the page, not UTF-8",
	} {
		if found[how] < 20 {
			t.Errorf("%s: %d pages", how, found[how])
		}
	}
	if found["utf-8 in the header, not UTF-8"]+found["utf-8 in the page, not UTF-8"] > 0 {
		t.Errorf("%v", found)
	}
	if len(robots) != 4 {
		t.Errorf("rules of robots.txt: %v", robots)
	}
}

func TestTheAlmanacIsWhatReadersAreMeasuredWith(t *testing.T) {
	w := open(t, webs+"quickstart")
	for address := range w.Addresses() {
		line, _ := w.Labels(address)
		if !strings.Contains(line, almanac) {
			continue
		}
		req, _ := http.NewRequest("GET", address, nil)
		resp, err := w.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		if links := bytes.Count(body, []byte("<a href=")); links != 80 || len(body) < 46_000 || len(body) > 47_104 {
			t.Errorf("%s: %d bytes, %d links", address, len(body), links)
		}
		return
	}
	t.Error("there is no almanac")
}

func TestEveryPageCanBeReached(t *testing.T) {
	for _, name := range []string{"quickstart", "small"} {
		w := open(t, webs+name)
		count, _ := kinds(w)
		seeds := ""
		for _, topic := range w.Topics() {
			if topic.Seeds[0] == seeds {
				continue
			}
			seeds = topic.Seeds[0]
			c := &walker{t: t, w: w, relevant: regexp.MustCompile(topic.Relevant), pages: walked(name)}
			relevant, fetched := c.crawl(topic.Seeds, 1e6)
			if relevant != count["relevant "+topic.Name] || fetched != count["all"] {
				t.Errorf("%s, %s: reached %d of %d pages, %d of %d relevant", name, topic.Name, fetched, count["all"], relevant, count["relevant "+topic.Name])
			}
		}
	}
}

func TestOnlyTunnelsLeadToHiddenSites(t *testing.T) {
	k := Quickstart()
	k.Seed = 7
	w := newDrawing(k)
	if err := w.plan(); err != nil {
		t.Fatal(err)
	}
	w.connect()
	lengths := map[int]bool{}
	for _, tun := range w.tunnels {
		lengths[len(tun.pages)] = true
	}
	if len(lengths) != w.k.Tunnel {
		t.Errorf("tunnels of %d lengths, want 1 to %d", len(lengths), w.k.Tunnel)
	}
	var hidden []string
	for _, s := range w.sites {
		if s.hidden {
			hidden = append(hidden, s.host)
		}
	}
	if len(hidden) < 5 {
		t.Fatalf("%d hidden sites", len(hidden))
	}
	for _, p := range w.pages {
		if p.kind == tunnelPage || p.site.hidden {
			continue
		}
		text := w.render(p)
		for _, host := range hidden {
			if strings.Contains(text, "//"+host+"/") {
				t.Errorf("%s (%s) links to %s", p.address(), p.kind, host)
			}
		}
	}
}

func TestFollowingTheWordsPays(t *testing.T) {
	w := open(t, webs+"quickstart")
	count, _ := kinds(w)
	for _, topic := range w.Topics() {
		c := &walker{t: t, w: w, terms: topic.Terms, relevant: regexp.MustCompile(topic.Relevant), pages: walked("quickstart")}
		breadth, _ := c.crawl(topic.Seeds, 350)
		c.scored = true
		words, _ := c.crawl(topic.Seeds, 350)
		all := count["relevant "+topic.Name]
		t.Logf("%-12s 350 of 2200 pages: breadth finds %d of %d, following the words %d", topic.Name, breadth, all, words)
		if words < 2*breadth || words > all*95/100 {
			t.Errorf("%s: want at least twice as many, and not all", topic.Name)
		}
	}
}

// tiny are knobs that draw quickly.
func tiny() Knobs {
	k := Small()
	k.Hosts, k.Pages, k.Topics, k.Relevant = 22, 300, 2, 0.08
	return k
}

func TestEveryKnobTurnsSomething(t *testing.T) {
	plain := t.TempDir()
	if err := Draw(plain, tiny()); err != nil {
		t.Fatal(err)
	}
	kt := reflect.TypeFor[Knobs]()
	for i := range kt.NumField() {
		k := tiny()
		switch f := reflect.ValueOf(&k).Elem().Field(i); f.Kind() {
		case reflect.Float64:
			f.SetFloat(f.Float() / 2)
		case reflect.Uint64:
			f.SetUint(f.Uint() + 1)
		default:
			f.SetInt(f.Int() + 1)
		}
		dir := t.TempDir()
		if err := Draw(dir, k); err != nil {
			t.Errorf("%s: %v", kt.Field(i).Name, err)
		} else if bytes.Equal(unpackedFile(t, dir+"/pages.warc.gz"), unpackedFile(t, plain+"/pages.warc.gz")) {
			t.Errorf("%s turns nothing", kt.Field(i).Name)
		}
	}
}

func TestKnobsOutOfRange(t *testing.T) {
	for name, turn := range map[string]func(*Knobs){
		"noise is NaN, want 0 to 1":     func(k *Knobs) { k.Noise = nan() },
		"hosts is 1, want 2 to 10000":   func(k *Knobs) { k.Hosts = 1 },
		"topics is 5, want 1 to 4":      func(k *Knobs) { k.Topics = 5 },
		"30 pages are too few for 22 h": func(k *Knobs) { k.Pages = 30 },
	} {
		k := tiny()
		turn(&k)
		if err := Draw(t.TempDir(), k); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Draw(filepath.Join(file, "web"), tiny()); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v, want the folder named", err)
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

func TestTheDrawnChineseHasTraditionalForms(t *testing.T) {
	zh := readWords("zh", chinese)
	var text []string
	for _, l := range append(zh.topics, zh.general) {
		for kind, list := range l.words {
			if kind != "articles" && kind != "sites" {
				text = append(text, list...)
			}
		}
		for _, told := range zh.tellings(&dice{}, l) {
			text = append(append(text, told.title), told.paragraphs...)
		}
	}
	for _, s := range text {
		if b, err := charsets[5].encode(s); err != nil || bytes.Contains(b, []byte("&#")) {
			t.Errorf("%s cannot be written in Big5: %s, %v", s, b, err)
		}
	}
}

func TestDiceAreSplitmix(t *testing.T) {
	d := &dice{state: 1234567} // the vector that implementations are compared by
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := d.next(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	k := Quickstart()
	k.Hosts, k.Pages = 200, 20_000
	for b.Loop() {
		if err := Draw(b.TempDir(), k); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(k.Pages), "µs/page")
}
