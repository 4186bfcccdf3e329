package crawlfile

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/sink"
)

var updateConfig = flag.Bool("update-config", false, "write the messages of testdata/config/*.bad.yaml anew")

// configFiles are the files in testdata/config that end so, read from within their folder.
func configFiles(t *testing.T, suffix string) []string {
	t.Helper()
	t.Chdir(filepath.Join("..", "..", "testdata", "config"))
	files, err := filepath.Glob("*" + suffix)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files *%s: %v", suffix, err)
	}
	return files
}

// TestGoodFiles: every *.good.yaml loads, what it comes to is a crawl file again, and loading that changes nothing.
func TestGoodFiles(t *testing.T) {
	for _, file := range configFiles(t, ".good.yaml") {
		config, err := Load(file)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		roundTrip(t, config)
	}
}

// roundTrip checks that a crawl file as it counts says the same, wherever it is put.
func roundTrip(t *testing.T, config Config) {
	t.Helper()
	effective := config.YAML()
	elsewhere := filepath.Join(t.TempDir(), "again.yaml")
	if err := os.WriteFile(elsewhere, effective, 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := Load(elsewhere)
	if err != nil {
		t.Errorf("%s is not read back: %v\n%s", config.File, err, effective)
		return
	}
	if have := again.YAML(); !bytes.Equal(have, effective) {
		t.Errorf("%s changed when it was read back:\n%s\nwas\n%s", config.File, have, effective)
	}
}

// TestBadFiles: every *.bad.yaml is refused with exactly the messages in its *.bad.want, in which long lists of names are
// abbreviated, so that a new strategy changes no file.
func TestBadFiles(t *testing.T) {
	files := configFiles(t, ".bad.yaml")
	lists := strings.NewReplacer(
		strings.Join((&Config{}).Strategies(), ", "), "STRATEGIES",
		strings.Join(rank.Factors.Names(), ", "), "FACTORS",
		strings.Join(sink.Fields(), ", "), "FIELDS",
		strconv.Itoa(math.MaxInt), "MOST")
	if len(files) < 40 {
		t.Errorf("%d bad files, want at least 40", len(files))
	}
	for _, file := range files {
		_, err := Load(file)
		if err == nil {
			t.Errorf("%s was accepted", file)
			continue
		}
		have := lists.Replace(err.Error()) + "\n"
		wanted := strings.TrimSuffix(file, ".yaml") + ".want"
		if *updateConfig {
			if err := os.WriteFile(wanted, []byte(have), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(wanted)
		if err != nil {
			t.Error(err)
			continue
		}
		if have != string(want) {
			t.Errorf("%s:\nhave %swant %s", file, have, want)
		}
	}
}

// TestConfigs: every crawl file in configs loads, reads back the same, opens with a comment that says what it is, and
// makes check warn of nothing but the contact that its reader has to fill in.
func TestConfigs(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	files, err := filepath.Glob(filepath.Join("configs", "*.yaml"))
	topics, _ := filepath.Glob(filepath.Join("configs", "topics", "*.yaml"))
	if err != nil || len(files) < 5 || len(topics) < 6 {
		t.Fatalf("%d files, %d topics: %v", len(files), len(topics), err)
	}
	published, _ := filepath.Glob(filepath.Join("configs", "published", "*.yaml"))
	if len(published) != 5 {
		t.Errorf("%d files of published crawlers, want one for each of 5 sources", len(published))
	}
	files = append(append(files, topics...), published...)
	for _, file := range files {
		config, err := Load(file)
		if err != nil {
			t.Error(err)
			continue
		}
		strategy, err := config.LoadStrategy(nil)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, w := range config.Warnings(strategy) {
			untrained := w.Path == "strategy" && len(strategy.Untrained()) > 0 // its head says how to train it
			if (w.Path != "polite.contact" || !config.Live()) && !untrained {
				t.Errorf("check warns: %s", w)
			}
		}
		if text, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(text, []byte("# ")) {
			t.Errorf("%s does not say what it is: %v", file, err)
		}
		roundTrip(t, config)
		examplesAreInTheWeb(t, config)
	}
}

// examplesAreInTheWeb checks start pages and examples of a crawl over a recorded web.
func examplesAreInTheWeb(t *testing.T, config Config) {
	t.Helper()
	if config.Live() {
		return
	}
	web, err := replay.Open(config.Web)
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	for _, address := range slices.Concat(config.Seeds, config.Topic.Examples) {
		if _, ok := web.Has(address); !ok {
			t.Errorf("%s: %s is not in %s", config.File, address, config.Web)
		}
	}
}
