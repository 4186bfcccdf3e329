package crawlfile

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/viper"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Override gives a key a value that counts more than the file and the environment.
type Override struct {
	Key   string // as Keys names it: budget.pages
	Value string // as it is written in the file; a list may also be written a,b,c
	From  string // what messages call it, such as the name of a flag; the key where it is empty

	Unsaid bool // there is no value, not even an empty one, which is a mistake

	factors *rank.Registry
}

// WithFactors lets the strategy of a crawl file use the factors of a registry of the program's own. They become the
// Factors of the Config.
func WithFactors(r *rank.Registry) Override { return Override{factors: r} }

// environment is the variable that overrides a key.
func environment(key string) string {
	return "THRESHER_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// lay puts environment and overrides over what the file said. viper decides which of them counts; the value that does is
// read as strictly as the file.
func (c *Config) lay(overrides []Override) []strict.Problem {
	c.given = map[string]string{}
	judge := c.Topic.Judge
	v := viper.New()
	from := map[string]string{}
	var problems []strict.Problem
	keys := Settable()
	for _, key := range keys {
		if err := v.BindEnv(key, environment(key)); err != nil {
			problems = append(problems, strict.Problem{File: environment(key), Want: err.Error()})
		}
		if _, ok := os.LookupEnv(environment(key)); ok {
			from[key] = environment(key)
		}
	}
	for _, o := range overrides {
		if o.factors != nil {
			c.Factors = o.factors
			continue
		}
		if !slices.Contains(keys, o.Key) {
			problems = append(problems, strict.Problem{File: o.From, Path: o.Key, Want: unknownKey(o.Key, keys)})
			continue
		}
		if o.Unsaid {
			problems = append(problems, strict.Problem{File: o.From, Path: o.Key, Want: fmt.Sprintf("has no value; want %s=VALUE, or %[1]s= to empty it", o.Key)})
			continue
		}
		v.Set(o.Key, o.Value)
		if from[o.Key] = o.From; o.From == "" {
			from[o.Key] = o.Key
		}
	}
	for _, key := range keys {
		if source, ok := from[key]; ok && v.IsSet(key) {
			c.given[key] = source
			problems = append(problems, strict.Set(c, key, v.GetString(key), source)...)
		}
	}
	if _, said := c.given["topic.with"]; !said && c.Topic.Judge != judge {
		c.Topic.With = strict.Node{} // those of the file's judge
	}
	c.find()
	return problems
}

// unknownKey is what is wrong with a key that cannot be given from outside the file, whether a file may have it or not.
func unknownKey(key string, known []string) string {
	for _, f := range strict.Fields(Default()) {
		if f.Path == key && f.Group {
			first := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, key+".") })
			return "is a group of keys and has no value of its own; give one of them, such as " + known[first]
		}
		whole := strings.HasPrefix(f.Default, "[") || strings.HasPrefix(f.Default, "{")
		if whole && (strings.HasPrefix(key, f.Path+".") || strings.HasPrefix(key, f.Path+"[")) {
			return "is a part of " + f.Path + ", which is given as a whole; give all of it, or write this into the file"
		}
	}
	if strings.HasPrefix(key, "strategy.") {
		return "is a part of strategy, which is given as a whole, such as strategy={from: shark, select: fifo}; or write this into a strategy file (compare alone sets parts)"
	}
	if near := cmp.Or(strict.Nearest(key, known), Meant(key)); near != "" {
		return "unknown key; did you mean \"" + near + "\"?"
	}
	return "unknown key; `thresher check --keys` lists them all"
}

// Meant is the key that can be given from outside the file, of whoever writes the end of its name or what other programs call it;
// empty where there is none.
func Meant(key string) string {
	if path := strict.Meant(Default(), key); slices.Contains(settable(), path) {
		return path
	}
	return ""
}

// Settable are the keys that can be given from outside the file: all but those inside lists, and the groups.
func Settable() []string { return slices.Clone(settable()) }

// settable is found out once: what a run is compared by asks again and again.
var settable = sync.OnceValue(func() []string {
	var keys []string
	for _, f := range strict.Fields(Default()) {
		if !strings.Contains(f.Path, "[]") && !strings.Contains(f.Path, strict.AnyName) && !f.Group {
			keys = append(keys, f.Path)
		}
	}
	return keys
})

// UnknownEnvironment warns of variables that look like a slip of the hand.
func UnknownEnvironment(environ []string) []strict.Problem {
	var known []string
	for _, key := range Settable() {
		known = append(known, environment(key))
	}
	var problems []strict.Problem
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "THRESHER_") || slices.Contains(known, name) {
			continue
		}
		if near := strict.Nearest(name[len("THRESHER_"):], suffixes(known)); near != "" {
			problems = append(problems, strict.Problem{File: name, Want: "no key of the crawl file has this name; did you mean THRESHER_" + near + "?"})
		}
	}
	return problems
}

func suffixes(known []string) []string {
	var short []string
	for _, k := range known {
		short = append(short, strings.TrimPrefix(k, "THRESHER_"))
	}
	return short
}

// Key is one key of the crawl file, for documentation.
type Key struct {
	strict.Field
	Environment string // the variable that overrides it; empty where none does
}

// Keys are all keys of the crawl file with their defaults and documentation, in the order of the file.
func Keys() []Key {
	var keys []Key
	outside := Settable()
	for _, f := range strict.Fields(Default()) {
		k := Key{Field: f}
		if slices.Contains(outside, f.Path) {
			k.Environment = environment(f.Path)
		}
		keys = append(keys, k)
	}
	return keys
}
