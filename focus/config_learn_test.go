package focus_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/study"
)

// quickstartConfig is a crawl of the other drawn web, for the same topic.
func quickstartConfig(t testing.TB) focus.Setting {
	config := replayConfig(t)
	config.Name, config.Web, config.Seeds = "quickstart", "../testdata/webs/quickstart", []string{"http://daily.test/", "http://gazette.test/"}
	return config
}

func TestACrawlHandsOnWhatItLearned(t *testing.T) {
	config := replayConfig(t)
	config.Strategy.Name, config.Budget.Pages = "apprentice", 100
	crawlWith(t, config)
	e, err := study.ReadExperience(config.Store)
	if err != nil {
		t.Fatal(err)
	}
	if e.Web != "small" || e.Crawl != "small" || e.Strategy != "apprentice" || e.Pages == 0 || e.Relevant == 0 {
		t.Errorf("the experience is that of %s on %s by %s, %d of %d pages relevant", e.Crawl, e.Web, e.Strategy, e.Relevant, e.Pages)
	}
	file := filepath.Join(t.TempDir(), "sailing.learned")
	if err := e.Save(file); err != nil {
		t.Fatal(err)
	}

	config.Store, config.Learn.From = filepath.Join(t.TempDir(), "again"), file
	if c, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "the one to be crawled") {
		t.Errorf("a crawl of the web it was learned on begins with it: %v", err)
		c.Close()
	}

	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	refusedElsewhere(t, config)
	for _, at := range []int{0, len(raw) / 3, len(raw) / 2, len(raw) - 1} {
		changed := filepath.Join(t.TempDir(), "changed.learned")
		damaged := bytes.Clone(raw)
		if damaged[at] ^= 1; at == 0 {
			damaged = raw[:len(raw)/2]
		}
		if err := os.WriteFile(changed, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := study.ReadExperience(changed); err == nil || !strings.Contains(err.Error(), changed+" is damaged, or cut short: ") {
			t.Errorf("byte %d of %d is another: %v", at, len(raw), err)
		}
	}

	warm := firstPromises(t, file)
	cold := firstPromises(t, "")
	if warm == cold {
		t.Errorf("warm or cold, the first links promise the same: %s", cold)
	}
}

// refusedElsewhere sees to it that the web of a crawl is known again that begins with what was learned on it: under another
// name, in another folder, recorded once more, and where another crawl has begun with it in between.
func refusedElsewhere(t *testing.T, config focus.Setting) {
	t.Helper()
	refused := func(what, web, from string) {
		t.Helper()
		c := config
		c.Store, c.Web, c.Learn.From = filepath.Join(t.TempDir(), "again"), web, from
		crawler, err := focus.NewWith(c)
		if err == nil {
			crawler.Close()
		}
		strategy, lerr := c.LoadStrategy(nil)
		if lerr != nil {
			t.Fatal(lerr)
		}
		_, ferr := study.Flaws(&c.Config, strategy) // as check asks
		for _, err := range []error{err, ferr} {
			if err == nil || !strings.Contains(err.Error(), "which is the one to be crawled") {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	copied := filepath.Join(t.TempDir(), "another web")
	if err := os.CopyFS(copied, os.DirFS(config.Web)); err != nil {
		t.Fatal(err)
	}
	about, err := os.ReadFile(filepath.Join(copied, "web.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(copied, "web.yaml"), bytes.Replace(about, []byte("name: small"), []byte("name: other"), 1), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	refused("under another name", copied, config.Learn.From)
	again := config
	again.Store, again.Learn.From, again.Record = filepath.Join(t.TempDir(), "recording"), "", filepath.Join(t.TempDir(), "recorded once more")
	crawlWith(t, again)
	refused("recorded once more", again.Record, config.Learn.From)
	between := quickstartConfig(t)
	between.Strategy.Name, between.Learn.From, between.Budget.Pages = "apprentice", config.Learn.From, 60
	crawlWith(t, between)
	refused("with a crawl in between", copied, between.Store)
}

// firstPromises are the log lines of the first page's links in a crawl by an apprentice.
func firstPromises(t *testing.T, from string) string {
	t.Helper()
	config := quickstartConfig(t)
	config.Strategy.Name, config.Learn.From = "apprentice", from
	config.Budget.Pages, config.Window, config.Polite.Parallel = 1, 1, 1
	crawlWith(t, config)
	log, err := os.ReadFile(filepath.Join(config.Store, "crawl.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

func TestWhatNobodyLearnedIsNotBegunWith(t *testing.T) {
	config := quickstartConfig(t)
	config.Strategy.Name = "apprentice"
	config.Learn.From = filepath.Join(t.TempDir(), "none")
	if _, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "there is none") {
		t.Errorf("err = %v", err)
	}
	if err := os.WriteFile(config.Learn.From, []byte("nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "thresher learn export") {
		t.Errorf("err = %v", err)
	}
	sum := sha256.Sum256([]byte("nonsense"))
	if err := os.WriteFile(config.Learn.From, fmt.Appendf(nil, "{\"sum\":\"%x\"}\nnonsense", sum[:8]), 0o644); err != nil {
		t.Fatal(err)
	}
	config.Strategy.Name = "shark-site"
	if _, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), "without an apprentice") {
		t.Errorf("err = %v", err)
	}
}

// What a crawl cannot begin with is told by check, and before a run that is to be begun anew is cleared.
func TestABadExperienceCostsNoHarvest(t *testing.T) {
	config := replayConfig(t)
	config.Strategy.Name, config.Budget.Pages = "apprentice", 20
	crawlWith(t, config)
	harvest := filepath.Join(config.Store, "harvest.jsonl")
	before, err := os.ReadFile(harvest)
	if err != nil || len(before) == 0 {
		t.Fatalf("%d bytes harvested, %v", len(before), err)
	}
	cut := filepath.Join(t.TempDir(), "cut.learned")
	if err := os.WriteFile(cut, []byte("{}\n\x01cut"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"typo.learned", cut} {
		config.Fresh, config.Learn.From = true, from
		strategy, err := config.LoadStrategy(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := study.Flaws(&config.Config, strategy); err == nil || !strings.Contains(err.Error(), from) {
			t.Errorf("check says of %s: %v", from, err)
		}
		if c, err := focus.NewWith(config); err == nil || !strings.Contains(err.Error(), from) {
			t.Errorf("it begins with %s: %v", from, err)
			c.Close()
		}
		if after, _ := os.ReadFile(harvest); string(after) != string(before) {
			t.Fatalf("%s cost the harvest: %d bytes of %d are left", from, len(after), len(before))
		}
	}
}
