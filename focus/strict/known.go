package strict

import "fmt"

// Only reports every key of a mapping that is not among the known ones, and every key that stands twice; anything but
// a mapping is one problem. It is what Decode does for a struct, for mappings whose keys are known at run time only.
func (n Node) Only(known ...string) []Problem {
	return n.only(known, func(string) string { return "" })
}

// only does what Only does. elsewhere says where an unknown key belongs, or nothing.
func (n Node) only(known []string, elsewhere func(key string) string) []Problem {
	if n.Kind() != Map {
		return []Problem{n.Problem("%s, want a mapping with %s", n.is(), list(known))}
	}
	problems := n.duplicates()
	for _, key := range n.Keys() {
		if contains(known, key) {
			continue
		}
		want := "unknown key; known are " + list(known)
		if near := Nearest(key, known); near != "" {
			want = fmt.Sprintf("unknown key; did you mean %q?", near)
		} else if place := elsewhere(key); place != "" {
			want = fmt.Sprintf("unknown key here; did you mean %s?", place)
		}
		problems = append(problems, n.KeyProblem(key, "%s", want))
	}
	return problems
}

// OneOf reports a scalar that is not one of the known words.
func (n Node) OneOf(known ...string) []Problem {
	if n.Kind() == List || n.Kind() == Map {
		return []Problem{n.Problem("%s, want one of %s", n.is(), shown(known))}
	}
	if want := oneOf(n.Text(), known); want != "" {
		return []Problem{n.Problem("%s", want)}
	}
	return nil
}

// oneOf says what is wrong with a word, or nothing.
func oneOf(word string, known []string) string {
	if contains(known, word) {
		return ""
	}
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("unknown word %q; did you mean %q?", word, near)
	}
	return fmt.Sprintf("unknown word %q; known are %s", word, shown(known))
}

// shown are words as a message lists them: the empty one is seen.
func shown(words []string) string {
	visible := make([]string, len(words))
	for i, w := range words {
		if visible[i] = w; w == "" {
			visible[i] = `""`
		}
	}
	return list(visible)
}

func (n Node) duplicates() []Problem {
	var problems []Problem
	for _, d := range n.value.dups {
		problems = append(problems, Problem{File: d.value.file, Line: d.line, Column: d.column, Path: join(n.path, d.key),
			Want: fmt.Sprintf("given already on line %d; keep one of the two", d.first)})
	}
	return problems
}
