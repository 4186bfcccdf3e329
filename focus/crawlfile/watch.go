package crawlfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Watch looks whether the file of a crawl that runs says something else by now. Somebody asks it to, again and again: it has no
// clock, and no goroutine of its own.
//
// It compares what stands in the file and leaves viper's WatchConfig alone: that ends the process where the system has no watcher
// left (inotify's instances are few, and shared), ends for good when an editor removes the file before it writes it anew, and
// cannot be stopped. A file of a few thousand bytes is read as quickly as its stamp, and a stamp may be the same after a change.
// What was read is laid over environment and overrides by viper, and checked whole, as at the start.
type Watch struct {
	runs      Config // what counts
	overrides []Override
	follows   bool   // the file is one that can be read again: a pipe is none
	seen      []byte // at the last look
	judged    []byte // taken or refused; nil before anything was
	level     slog.LevelVar
}

// NewWatch watches the file of a config that was read with these overrides.
func NewWatch(runs Config, overrides ...Override) *Watch {
	info, err := os.Stat(runs.File)
	w := &Watch{runs: runs, overrides: overrides, follows: err != nil || info.Mode().IsRegular()}
	w.level.Set(runs.Level())
	return w
}

// Counts is what counts now.
func (w *Watch) Counts() Config { return w.runs }

// Level is what is to be said by the file, as it is now.
func (w *Watch) Level() slog.Level { return w.level.Level() }

// Level is what is to be said.
func (c *Config) Level() slog.Level {
	return map[string]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn}[c.Log]
}

// Change is what a crawl file says anew.
type Change struct {
	Config Config
	Keys   []string // that have other values; those of a group each for itself
	Seeds  []string // that were added
	was    Config
}

// Look answers what the file says anew; nil where it says what it said, or is being written: it must be the same at two looks, as
// half a file may well be a crawl file. All of a change counts, or nothing of it: an error says in one line which key may not
// change, or is wrong, and where it stands. It is told once.
func (w *Watch) Look() (*Change, error) {
	if !w.follows {
		return nil, nil
	}
	file := w.runs.File
	text, err := again(file)
	if err != nil {
		text = []byte(Unreadable(file, err).Error())
	}
	quiet := bytes.Equal(text, w.seen)
	if w.seen = text; !quiet || bytes.Equal(text, w.judged) {
		return nil, nil
	}
	w.judged = text
	if err != nil {
		return nil, w.refuse(fmt.Errorf("%s", text))
	}
	now, err := read(file, text, w.overrides)
	if err != nil {
		return nil, w.refuse(err)
	}
	change, wrong := w.runs.changes(now)
	if len(wrong) > 0 {
		return nil, w.refuse(strict.Err(wrong))
	}
	if w.runs = now; len(change.Keys) == 0 {
		return nil, nil
	}
	w.level.Set(now.Level())
	return change, nil
}

// Refuse takes a change back that cannot be carried out, and says why nothing of it counts: the next is compared with what runs.
func (w *Watch) Refuse(change *Change, err error) error {
	w.runs = change.was
	w.level.Set(w.runs.Level())
	return w.refuse(fmt.Errorf("%s: %w", w.runs.File, err))
}

// again reads a file that was read before. What has taken its place may be a pipe, and reading that would never end.
func again(file string) ([]byte, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errPipe}
	}
	return ReadText(file)
}

// errPipe is what is wrong with what is neither a file nor a folder.
var errPipe = errors.New("is no regular file any more")

// refuse says in one line why nothing of a change counts.
func (w *Watch) refuse(err error) error {
	first, rest, more := strings.Cut(err.Error(), "\n")
	if more {
		first += fmt.Sprintf(" (and %d more: 'thresher check %s' says which)", 1+strings.Count(rest, "\n"), shell.Word(w.runs.File))
	}
	return fmt.Errorf("%s; nothing of the change counts, and the crawl goes on as before", first)
}

// live are the keys that may change while a crawl runs. Beside them start pages and sinks may be added, and the scope may become
// wider.
var live = []string{"log", "budget.pages", "budget.relevant", "budget.time", "budget.bytes", "budget.saturation",
	"polite.delay", "polite.per_host", "polite.per_ip", "polite.adapt", "polite.give_up", "polite.park", "polite.patience", "polite.share"}

// changes are the keys by which another config differs, and what is wrong with that while this one runs.
func (c *Config) changes(now Config) (*Change, []strict.Problem) {
	change := &Change{Config: now, was: *c}
	var wrong []strict.Problem
	was, is := strict.Values(*c), strict.Values(now)
	for _, key := range Settable() {
		if was[key] == is[key] {
			continue
		}
		change.Keys = append(change.Keys, key)
		switch {
		case slices.Contains(live, key), key == "seeds" && within(c.Seeds, now.Seeds), key == "sinks" && more(c.Sinks, now.Sinks), c.Scope.Widened(key, &now.Scope):
		case InIdentity(key), slices.Contains([]string{"name", "strategy", "store"}, key):
			wrong = append(wrong, now.At(key, "cannot change in a crawl that has begun: %s", anotherCrawl(key)))
		case key == "sinks":
			wrong = append(wrong, now.At(key, "sinks may be added while the crawl runs; one that is taken out or changed waits for the next start: put it back, or stop the crawl and start it again"))
		case key == "seeds":
			wrong = append(wrong, now.At(key, "start pages may be added while the crawl runs, and not taken away: put back those that are gone"))
		default:
			wrong = append(wrong, now.At(key, "does not change while the crawl runs: put it back, or stop the crawl and start it again"))
		}
	}
	if !slices.Equal(c.Logins, now.Logins) {
		wrong = append(wrong, now.At("fetch.logins", "names and passwords do not change while the crawl runs: put them back, or stop the crawl and start it again"))
	}
	for _, seed := range now.Seeds {
		if !slices.Contains(c.Seeds, seed) {
			change.Seeds = append(change.Seeds, seed)
		}
	}
	return change, wrong
}

// anotherCrawl says what to do about a key that makes a crawl the one it is.
func anotherCrawl(key string) string {
	if strings.HasPrefix(key, "scope.") {
		return "the scope may become wider, and not narrower or another; put it back, or begin another crawl"
	}
	return "it would be another one; put it back, or begin another crawl"
}

// Says are the keys that changed, with what they are now.
func (c *Change) Says() string {
	said := make([]string, len(c.Keys))
	for i, key := range c.Keys {
		said[i] = key + " is " + strict.Value(c.Config, key)
		if key == "seeds" {
			said[i] = fmt.Sprintf("seeds has %d more", len(c.Seeds))
		}
	}
	return strings.Join(said, ", ")
}

// Take puts into effect what may change while a crawl runs, and nothing else: the other keys are being read by others meanwhile.
func (c *Config) Take(change *Change) {
	rounds, now := c.Budget.Rounds, &change.Config
	c.Budget, c.Scope, c.Seeds, c.Sinks, c.Log = now.Budget, now.Scope, now.Seeds, now.Sinks, now.Log
	c.Budget.Rounds = rounds
	p, q := &c.Polite, &now.Polite
	p.Delay, p.PerHost, p.PerIP, p.Adapt = q.Delay, q.PerHost, q.PerIP, q.Adapt
	p.GiveUp, p.Park, p.Patience, p.Share = q.GiveUp, q.Park, q.Patience, q.Share
}

// identity are the keys, or groups of keys, that make a crawl the one it is: what it looks for, where, and how. A run is gone on
// with only where they are the same, though its scope may have become wider; all others may change on the way.
var identity = []string{"topic", "scope", "sites", "reading", "text", "context", "related", "duplicates", "random_seed", "web"}

// InIdentity tells whether a key is one of those that make a crawl the one it is.
func InIdentity(key string) bool {
	group, _, _ := strings.Cut(key, ".")
	return slices.Contains(identity, group)
}

// Widened tells whether a key of a scope (scope.hosts) lets in, in another scope, all that it does in this one.
func (s *ScopeConfig) Widened(key string, now *ScopeConfig) bool {
	switch key {
	case "scope.hosts":
		return lets(s.Hosts, now.Hosts)
	case "scope.paths":
		return lets(s.Paths, now.Paths)
	case "scope.languages":
		return lets(s.Languages, now.Languages)
	case "scope.not_hosts":
		return within(now.NotHosts, s.NotHosts)
	case "scope.not_paths":
		return within(now.NotPaths, s.NotPaths)
	case "scope.depth":
		return reaches(s.Depth, now.Depth)
	case "scope.per_host":
		return reaches(s.PerHost, now.PerHost)
	case "scope.types":
		return now.Types == s.Types || now.Types == "all" || s.Types == "pages"
	case "scope.max_address":
		return now.MaxAddress >= s.MaxAddress
	}
	return false
}

// lets tells whether a list of what may enter, of which an empty one lets all in, has become no narrower.
func lets(was, is []string) bool { return len(is) == 0 || len(was) > 0 && within(was, is) }

// reaches is lets for a bound, of which 0 is none.
func reaches(was, is int) bool { return is == 0 || was != 0 && is >= was }

// more tells whether sinks are those that there were, and others.
func more(was, is []SinkConfig) bool {
	return !slices.ContainsFunc(was, func(one SinkConfig) bool {
		return !slices.ContainsFunc(is, func(other SinkConfig) bool { return reflect.DeepEqual(one, other) })
	})
}

// within tells whether all of some are among others.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(others, one) })
}
