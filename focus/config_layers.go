package focus

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/viper"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Override changes what Load makes of a crawl file.
type Override func(*layers)

// Set gives a key a value that counts more than the file and the environment. The value is written as in the file; a list
// may also be written a,b,c. from is what messages call it: the name of a flag.
func Set(key, value, from string) Override {
	return func(l *layers) { l.set = append(l.set, given{key, value, from}) }
}

// WithFactors reads the strategy with the factors of a registry of the caller's.
func WithFactors(r *rank.Registry) Override {
	return func(l *layers) { l.factors = r }
}

// layers are what lies over the crawl file.
type layers struct {
	set     []given
	factors *rank.Registry
}

// given is a value that was not given by the file.
type given struct{ key, value, from string }

// environment is the variable that overrides a key.
func environment(key string) string {
	return "THRESHER_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// lay puts environment and overrides over what the file said. viper decides which of them counts; the value that does is
// read as strictly as the file.
func (l *layers) lay(c *Config) []strict.Problem {
	c.given = map[string]string{}
	v := viper.New()
	from := map[string]string{}
	var problems []strict.Problem
	keys := settable()
	for _, key := range keys {
		if err := v.BindEnv(key, environment(key)); err != nil {
			problems = append(problems, strict.Problem{File: environment(key), Want: err.Error()})
		}
		if _, ok := os.LookupEnv(environment(key)); ok {
			from[key] = environment(key)
		}
	}
	for _, g := range l.set {
		if !slices.Contains(keys, g.key) {
			problems = append(problems, strict.Problem{File: g.from, Path: g.key, Want: unknownKey(g.key, keys)})
			continue
		}
		v.Set(g.key, g.value)
		from[g.key] = g.from
	}
	for _, key := range keys {
		if source, ok := from[key]; ok && v.IsSet(key) {
			c.given[key] = source
			problems = append(problems, strict.Set(c, key, v.GetString(key), source)...)
		}
	}
	return problems
}

func unknownKey(key string, known []string) string {
	if near := strict.Nearest(key, known); near != "" {
		return "unknown key; did you mean \"" + near + "\"?"
	}
	return "unknown key; `thresher check --keys` lists them all"
}

// settable are the keys that can be given from outside the file: all but those inside lists, and the groups.
func settable() []string {
	var keys []string
	for _, f := range strict.Fields(Default()) {
		if !strings.Contains(f.Path, "[]") && !f.Group {
			keys = append(keys, f.Path)
		}
	}
	return keys
}

// unknownEnvironment warns of variables that look like a slip of the hand.
func unknownEnvironment(environ []string) []strict.Problem {
	var known []string
	for _, key := range settable() {
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
