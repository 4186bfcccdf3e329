package compare

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Options say what is compared.
type Options struct {
	Webs       []string // folders of recorded webs
	Tune, Show []string // instead of Webs: the winner is chosen on the first, and shown on the second
	Topics     []string // names of topics; empty means all
	Strategies []string // names or paths of strategies
	Set        []Choice // keys that are set for all of them, or tried with several values
	Share      float64  // budget as a share of the pages that can be reached; 0 means all of them
	Pages      int      // budget in pages, where Share is 0; 0 means all
	Examples   int      // example pages drawn for each topic
	Draws      int      // how often they are drawn; 0 means once
	Depth      int      // links from the start pages; 0 means any
	Jobs       int      // crawls at the same time; 0 means one a processor
	SecondLook bool     // what a second look keeps is measured too, beside what it could keep at the most
	Labels     int      // with SecondLook: how it looks, too, with answers to so many pages that label asks about
	LeaveOut   bool     // each topic is tried again without each of its terms
	ByLabels   bool     // strategies learn from the labels of the web, not from a judge: the most that a better judge could give
	Rules
	Starting
	OwnJudge bool     // each strategy's own judge, not one for all
	Baseline string   // the strategy that the others are tested against; empty means the first
	Train    []string // WEB or WEB:TOPIC: what judges that need training learn from
	Model    string   // a trained judge that stands for labels where a web has none
	Shared   bool     // it may be the crawls' own judge, or have learned from what they fetch
	Seed     uint64
	Listening
}

// Rules are what a crawl keeps to, beside the same for all: without them it meets recorded pages alone, and waits for no host.
type Rules struct {
	AsCrawl   bool // all that a crawl file keeps to that says nothing of it, and nothing else: nothing is left out to be fair
	DeadLinks bool // links that leave the web are offered, too, and each costs a fetch
	Manners   bool // hosts are given the time that a crawl file gives them that says nothing of it, and hours are told
}

// dead tells whether a crawl meets links that leave the web.
func (r Rules) dead() bool { return r.DeadLinks || r.AsCrawl }

// Starting is where crawls begin, if it is not at the start pages of the topic.
type Starting struct {
	Starts     int  // so many start pages are drawn from the web in the place of the topic's; 0 means none
	AtExamples bool // the drawn examples are start pages too, beside the others
}

// Listening is who hears of a comparison while it goes on.
type Listening struct {
	Say     func(string) // how it goes, one thing at a time; may be nil
	Fetched func(Fetch)  // each visit, crawl by crawl; may be nil
}

// Misuse is a mistake in what was asked for, not in what was found.
type Misuse struct{ message string }

func (m Misuse) Error() string { return m.message }

func misuse(format string, args ...any) error { return Misuse{fmt.Sprintf(format, args...)} }

// check states what may be asked for.
func (o *Options) check() error {
	switch {
	case len(o.Webs)+len(o.Tune)+len(o.Show) == 0:
		return misuse("there is no web to compare on; name one with --web DIR")
	case len(o.Webs) > 0 && len(o.Tune)+len(o.Show) > 0:
		return misuse("--web shows what it tries; --tune and --show part the two: give one or the other")
	case (len(o.Tune) > 0) != (len(o.Show) > 0):
		return misuse("--tune and --show belong together: the winner is chosen on the one and shown on the other")
	case len(o.Strategies) == 0:
		return misuse("there is no strategy to compare")
	case !(0 <= o.Share && o.Share <= 1):
		return misuse("the budget is %v of the reach, want more than 0 %% and at most 100 %%", o.Share)
	case o.Labels > 0 && !o.SecondLook:
		return misuse("labels are for the second look, which was not asked for: give --second-look too")
	case o.AsCrawl && (o.SecondLook || o.ByLabels || o.Model != ""):
		return misuse("as a crawl goes it has its own judge and one look: a second look, labels and a judge's model do not go with that")
	case o.AtExamples && o.Examples == 0:
		return misuse("to start at the examples, some must be drawn: --examples 5")
	}
	for what, n := range map[string]int{"pages": o.Pages, "examples": o.Examples, "draws": o.Draws, "depth": o.Depth, "starts": o.Starts, "jobs": o.Jobs, "labels": o.Labels} {
		if n < 0 {
			return misuse("%s is %d, want 0 or more", what, n)
		}
	}
	return nil
}

// runner checks the options, fills in what they leave open, and makes ready.
func (o Options) runner() (*runner, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	variants, err := variantsOf(o.Strategies, o.Set)
	if err != nil {
		return nil, err
	}
	o.Draws = max(o.Draws, 1)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	o.Say = inTurn(o.Say)
	r := &runner{Options: &o, variants: variants}
	if err := r.baseline(); err != nil {
		return nil, err
	}
	if err := r.parted(); err != nil {
		return nil, err
	}
	if r.jury, err = newJury(o.Model, o.Shared); err != nil {
		return nil, err
	}
	r.school, err = newSchool(o.Train, o.Seed)
	return r, err
}

// inTurn lets crawls that run side by side say one thing at a time. Nobody need listen.
func inTurn(say func(string)) func(string) {
	var turn sync.Mutex
	return func(what string) {
		turn.Lock()
		defer turn.Unlock()
		if say != nil {
			say(what)
		}
	}
}

// baseline settles which variant the others are tested against. A strategy's name stands for its first variant.
func (r *runner) baseline() error {
	if r.Baseline == "" {
		r.Baseline = r.variants[0].name
		return nil
	}
	if slices.Contains(r.names(), r.Baseline) {
		return nil
	}
	for _, v := range r.variants {
		if v.of == r.Baseline {
			r.Baseline = v.name
			return nil
		}
	}
	return misuse("the baseline %s is not among the strategies; they are %s", r.Baseline, strings.Join(r.names(), ", "))
}

// names are the names of the variants.
func (r *runner) names() []string {
	names := make([]string, len(r.variants))
	for i, v := range r.variants {
		names[i] = v.name
	}
	return names
}

// parted sees to it that no web is both tuned and shown on, and none is given twice.
func (r *runner) parted() error {
	at := map[string]string{} // by path, the flag it was given with
	for _, given := range []struct {
		flag string
		webs []string
	}{{"--web", r.Webs}, {"--tune", r.Tune}, {"--show", r.Show}} {
		for _, dir := range given.webs {
			real, err := realPath(dir)
			if err != nil {
				continue // whoever opens it says what is wrong
			}
			switch at[real] {
			case "":
				at[real] = given.flag
			case given.flag:
				return misuse("%s %s is given twice: its topics would count twice; give it once", given.flag, dir)
			default:
				return misuse("%s is to be tuned and shown on: a winner is shown on webs that had no part in choosing it", dir)
			}
		}
	}
	return nil
}

func realPath(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", fmt.Errorf("web %s: %w", dir, err)
	}
	return path, nil
}
