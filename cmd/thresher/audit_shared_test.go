package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// sharedWebs are the topics of the recorded webs, each as a labelled crawl is measured on it.
func sharedWebs(t *testing.T, visit func(dir string, web *replay.Web, about replay.Topic)) {
	t.Helper()
	if os.Getenv("THRESHER_SHARED") != "1" || os.Getenv("THRESHER_AUDIT") != "1" {
		t.Skip("audits of recorded webs take minutes; THRESHER_SHARED=1 THRESHER_AUDIT=1 asks for them")
	}
	for _, name := range []string{"webkb", "zh_portals"} {
		dir, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", "webs", name))
		noError(t, err)
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("there is no recorded web in %s", dir)
		}
		web, err := replay.Open(dir)
		noError(t, err)
		for _, about := range web.Topics() {
			visit(dir, web, about)
		}
		if err := web.Close(); err != nil {
			t.Error(err)
		}
	}
}

// sharedRun is a crawl of a topic of a recorded web.
func sharedRun(t *testing.T, web, topic, budget string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	file := filepath.Join(t.TempDir(), "shared.yaml")
	noError(t, os.WriteFile(file, []byte("name: shared\ntopic: {terms: [none]}\nseeds: [http://www.example.org/]\npolite: {delay: 0s, per_host: 8, parallel: 8}\n"), 0o644))
	must(t, "crawl", file, "--web", web, "--topic", topic, "--budget", budget, "--store", dir, "--quiet")
	return dir
}

// TestAuditsOfRealWebs holds 60 answers by the labels of two recorded webs against all of them: a hundred draws, over all topics in turn. The
// intervals of precision and of recall hold what is so in ninety at least, and that of precision is no wider than .25 where precision is
// above .5. With -v it says how wide they are.
func TestAuditsOfRealWebs(t *testing.T) {
	const perTopic, draws = 6, 100
	precise, recalled, all := 0, 0, 0
	var widths, wide []float64
	sharedWebs(t, func(dir string, web *replay.Web, about replay.Topic) {
		relevant := regexp.MustCompile(about.Relevant)
		ran := sharedRun(t, dir, about.Name, "400")
		truth, precision, recall := truthOf(t, ran, web, relevant)
		if len(truth) == 0 {
			return
		}
		for seed := range uint64(perTopic) {
			if all == draws {
				return
			}
			a, err := winnow.OpenAudit(ran, []string{ran}, seed, true)
			noError(t, err)
			for a.Asked() < 60 {
				url, ok := a.Next()
				if !ok {
					break
				}
				if is, ok := truth[url]; ok {
					a.Answer(is)
				} else {
					a.Pass()
				}
			}
			f := a.Figures()
			all++
			if f.Precision.Holds(precision) {
				precise++
			}
			if f.Recall == nil || f.Recall.Holds(recall) {
				recalled++
			}
			if precision > .5 {
				widths = append(widths, f.Precision.Width())
				wide = append(wide, f.Recall.Width())
			}
			t.Logf("%s, seed %d: %d of %d pages kept, precision %.2f in %.2f to %.2f, recall %.2f in %+v", about.Name, seed, f.Kept, f.Pages, precision, f.Precision.Low, f.Precision.High, recall, f.Recall)
		}
	})
	slices.Sort(widths)
	slices.Sort(wide)
	t.Logf("precision held in %d of %d draws, recall in %d; where precision is above .5 its interval is %.3f wide (median) and %.3f at most, that of recall %.3f and %.3f",
		precise, all, recalled, widths[len(widths)/2], widths[len(widths)-1], wide[len(wide)/2], wide[len(wide)-1])
	if all != draws || precise < 90 || recalled < 90 || widths[len(widths)-1] > .25 {
		t.Errorf("precision held in %d of %d draws, recall in %d; its interval is up to %.3f wide", precise, all, recalled, widths[len(widths)-1])
	}
}

// truthOf is what the labels of a web say of the pages that can be asked about, and precision and recall of the harvest by all of them.
func truthOf(t *testing.T, dir string, web *replay.Web, relevant *regexp.Regexp) (truth map[string]bool, precision, recall float64) {
	t.Helper()
	kept, err := keptAgain([]string{dir})
	noError(t, err)
	ran, err := run.Open(dir)
	noError(t, err)
	truth = map[string]bool{}
	in, took, all := 0., 0., 0.
	noError(t, ran.Log(func(d *run.Decision) bool {
		address, recorded := web.Has(d.URL)
		line, labelled := web.Labels(address)
		if d.Decision != "keep" && (d.Decision != "drop" || d.Reason != admit.RefusedWeak) || !recorded || !labelled {
			return true
		}
		is := relevant.MatchString(line)
		truth[d.URL] = is
		_, taken := kept[d.ID]
		if is {
			all++
		}
		if taken {
			took++
		}
		if is && taken {
			in++
		}
		return true
	}))
	if took == 0 || all == 0 {
		return nil, 0, 0
	}
	return truth, in / took, in / all
}
