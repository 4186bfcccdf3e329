package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// Choice is a key and the values it is tried with; a single value is simply set.
//
// A key is one of the crawl file that says what is looked for and where (topic.threshold, text.limit, scope.per_host),
// or stands in the strategy: strategy.select, strategy.full, strategy.admit.tunnel.depth, and strategy.rank.PART.KEY, where PART is the
// name of a part of the tree, or the factor it uses, and KEY its weight or one of its parameters:
// strategy.rank.inherited.decay. A strategy without that part is left as it is.
type Choice struct {
	Key    string
	Values []string
}

// ReadChoice reads KEY=VALUE,VALUE… The values of a key that is a list are one value.
func ReadChoice(pair string) (Choice, error) {
	key, values, ok := strings.Cut(pair, "=")
	if key = strings.TrimSpace(key); !ok || key == "" {
		return Choice{}, misuse("%q: want KEY=VALUE, or KEY=VALUE,VALUE to try several", pair)
	}
	c := Choice{Key: key, Values: []string{values}}
	if !isList(key) {
		c.Values = strings.Split(values, ",")
	}
	for i, v := range c.Values {
		if c.Values[i] = strings.TrimSpace(v); c.Values[i] == "" {
			return Choice{}, misuse("%q: a value is empty", pair)
		}
	}
	return c, nil
}

func isList(key string) bool {
	for _, k := range crawlfile.Keys() {
		if k.Path == key {
			return strings.HasPrefix(k.Type, "a list")
		}
	}
	return false
}

// variant is a strategy with the values it is tried with.
type variant struct {
	name     string // how it is called in the tables
	of       string // the strategy it is made of
	judge    string // the judge that the strategy brings along
	claim    string // what its source reports
	strategy crawlfile.StrategyConfig
	set      []crawlfile.Override
}

// strategyKey is how keys begin that stand in the strategy.
const strategyKey = "strategy."

// settled tells of the keys that comparing itself decides.
func settled(key string) bool {
	free := []string{"topic.", "text.", "scope.", "learn.", "reading.", strategyKey}
	if key == "scope.depth" || key == "topic.examples" {
		return true
	}
	return !slices.Contains([]string{"context", "related", "random_seed", "sites"}, key) &&
		!slices.ContainsFunc(free, func(p string) bool { return strings.HasPrefix(key, p) })
}

// variantsOf makes every strategy with every choice of values, in the order they were given.
func variantsOf(strategies []string, choices []Choice) ([]variant, error) {
	used := map[string]bool{}
	for _, c := range choices {
		switch {
		case settled(c.Key):
			return nil, misuse("--set %s: that is for compare to decide; keys of topic, text, reading, scope, learn and strategy can be set, and context, related and sites", c.Key)
		case used[c.Key]:
			return nil, misuse("--set %s is given twice; give its values together: --set %s=a,b", c.Key, c.Key)
		}
		used[c.Key] = true
	}
	used = map[string]bool{}
	var all []variant
	for i, name := range strategies {
		if slices.Contains(strategies[:i], name) {
			return nil, misuse("strategy %s is given twice", name)
		}
		of, err := variantsOfOne(name, choices, used)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	for _, c := range choices {
		if strings.HasPrefix(c.Key, strategyKey) && !used[c.Key] {
			return nil, misuse("--set %s: none of the strategies %s has that; a part of the tree is called by its name or its factor: strategy.rank.PART.KEY", c.Key, strings.Join(strategies, ", "))
		}
	}
	return all, nil
}

// variantsOfOne makes one strategy with every choice that concerns it.
func variantsOfOne(name string, choices []Choice, used map[string]bool) ([]variant, error) {
	read, err := crawlfile.Strategy(name)
	if err != nil {
		return nil, err
	}
	plain := variant{name: name, of: name, judge: read.Judge, strategy: crawlfile.StrategyConfig{Name: name}}
	made := []trial{{variant: plain, text: read.YAML()}}
	for _, c := range choices {
		var next []trial
		for _, t := range made {
			tried, err := t.with(c)
			if err != nil {
				return nil, err
			}
			used[c.Key] = used[c.Key] || tried[0].changed
			next = append(next, tried...)
		}
		made = next
	}
	variants := make([]variant, len(made))
	for i, t := range made {
		if variants[i], err = t.finish(); err != nil {
			return nil, err
		}
	}
	return variants, nil
}

// trial is a variant in the making.
type trial struct {
	variant
	text    []byte   // the strategy
	edited  []string // by what it is not the file's any more, as it was asked for
	changed bool     // the last choice concerned it
	words   []string
}

// with makes a trial for each value of a choice; one that the choice does not concern stays alone.
func (t trial) with(c Choice) ([]trial, error) {
	var all []trial
	for _, value := range c.Values {
		next := t
		next.words, next.changed = slices.Clone(t.words), true
		if path, inStrategy := strings.CutPrefix(c.Key, strategyKey); inStrategy {
			text, ok, err := edit(t.text, path, value)
			if err != nil {
				return nil, misuse("--set %s=%s: %v", c.Key, value, err)
			}
			if !ok {
				next.changed = false
				return []trial{next}, nil
			}
			next.text, next.edited = text, append(slices.Clone(t.edited), "--set "+c.Key+"="+value)
		} else {
			next.set = append(slices.Clone(t.set), crawlfile.Override{Key: c.Key, Value: value, From: "--set " + c.Key + "=" + value})
		}
		if len(c.Values) > 1 {
			next.words = append(next.words, strings.TrimPrefix(c.Key, strategyKey)+"="+value)
		}
		all = append(all, next)
	}
	return all, nil
}

// finish checks a variant and gives it its name.
func (t trial) finish() (variant, error) {
	v := t.variant
	if len(t.words) > 0 {
		v.name = v.of + "[" + strings.Join(t.words, " ") + "]"
	}
	if len(t.edited) > 0 {
		here, err := crawlfile.InPlace(string(t.text))
		if err != nil {
			return v, err
		}
		v.strategy = here
	}
	config := focus.Default()
	config.Strategy = v.strategy
	s, err := config.LoadStrategy(nil)
	if err != nil && len(t.edited) > 0 {
		return v, misuse("%s: %s", strings.Join(t.edited, " "), inStrategy.ReplaceAllString(err.Error(), ""))
	}
	if err != nil {
		return v, err
	}
	v.judge, v.claim = s.Judge, s.Claim
	if len(v.set) > 0 {
		err = config.Override(v.set...)
	}
	return v, err
}

// inStrategy is the line of a strategy in which something is wrong: of one that was edited nobody has seen it.
var inStrategy = regexp.MustCompile(`(?m)^strategy:\d+:\d+: `)

// edit changes one key of a strategy; ok is false where the strategy has no such key.
func edit(text []byte, path, value string) (changed []byte, ok bool, err error) {
	var tree yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &tree, yaml.UseOrderedMap()); err != nil {
		return nil, false, fmt.Errorf("read strategy: %w", err)
	}
	var to any
	if err := yaml.Unmarshal([]byte(value), &to); err != nil {
		return nil, false, fmt.Errorf("is no value: %w", err)
	}
	if part, inTree := strings.CutPrefix(path, "rank."); inTree {
		name, key, two := strings.Cut(part, ".")
		if !two {
			return nil, false, fmt.Errorf("want strategy.rank.PART.KEY")
		}
		root, _ := get(tree, "rank").(yaml.MapSlice)
		ok = editPart(root, name, key, to)
		if !slices.Contains(ownKeys, key) { // a factor that stands in both trees has the same parameters there
			hedge, _ := get(get(tree, "hedge"), "rank").(yaml.MapSlice)
			ok = editPart(hedge, name, key, to) || ok
		}
	} else {
		follow(tree, path)
		ok = put(tree, strings.Split(path, "."), to)
	}
	if !ok {
		return nil, false, nil
	}
	changed, err = yaml.Marshal(tree)
	return changed, true, err
}

// follow lets the most that a tunnel's allowance may grow to follow its depth, where it does so far.
func follow(tree yaml.MapSlice, path string) {
	tunnel, ok := get(get(tree, "admit"), "tunnel").(yaml.MapSlice)
	if !ok || path != "admit.tunnel.depth" {
		return
	}
	depth, most := fmt.Sprint(get(tunnel, "depth")), fmt.Sprint(get(tunnel, "max"))
	if d, err := strconv.Atoi(depth); err == nil && (word(tunnel, "raise") == "reset" || most == strconv.Itoa(2*d)) {
		put(tunnel, []string{"max"}, -1)
	}
}

// ownKeys are the keys of a node that are no parameters: what they say is of its place in the tree.
var ownKeys = []string{"name", "weight", "over", "at", "closed"}

// editPart changes a key of every part of that name, or that uses that factor, or is that branch.
func editPart(node yaml.MapSlice, name, key string, to any) bool {
	done := false
	if word(node, "name") == name || word(node, "use") == name {
		done = put(node, []string{key}, to) || put(node, []string{"with", key}, to)
	}
	if _, branch := get(node, name).([]any); branch {
		done = put(node, []string{"with", key}, to) || done
	}
	for _, item := range node {
		parts, _ := item.Value.([]any)
		for _, p := range parts {
			if part, ok := p.(yaml.MapSlice); ok && editPart(part, name, key, to) {
				done = true
			}
		}
	}
	return done
}

// put gives a key that is there another value.
func put(node yaml.MapSlice, path []string, to any) bool {
	for i := range node {
		if node[i].Key != path[0] {
			continue
		}
		if len(path) == 1 {
			node[i].Value = to
			return true
		}
		below, _ := node[i].Value.(yaml.MapSlice)
		return put(below, path[1:], to)
	}
	return false
}

func get(node any, key string) any {
	entries, _ := node.(yaml.MapSlice)
	for _, item := range entries {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

func word(node yaml.MapSlice, key string) string {
	s, _ := get(node, key).(string)
	return s
}
