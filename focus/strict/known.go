package strict

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Only reports every key of a mapping that is not among the known ones, and every key that stands twice; anything but
// a mapping is one problem. It is what Decode does for a struct, for mappings whose keys are known at run time only.
func (n Node) Only(known ...string) []Problem {
	return n.only(known, func(string) string { return "" })
}

// only does what Only does. elsewhere says where an unknown key belongs, or nothing.
func (n Node) only(known []string, elsewhere func(key string) string) []Problem {
	if n.Kind() != Map {
		return []Problem{n.Problem("%s, want a mapping with %s%s", n.is(), list(known), n.unseen())}
	}
	problems := n.duplicates()
	for _, key := range n.Keys() {
		if slices.Contains(known, key) {
			continue
		}
		want := "unknown key; known are " + list(known)
		if sign := wideSign(key); sign != "" {
			want = fmt.Sprintf("unknown key: its %s is a wide one, which only looks like that of YAML; write %s", sign, strings.TrimSpace(ordinary.Replace(key)))
		} else if near := Nearest(key, known); near != "" {
			want = fmt.Sprintf("unknown key; did you mean %q?", near)
		} else if place := elsewhere(key); place != "" && place != n.path && !strings.HasPrefix(n.path, place+".") { // a group does not belong into itself
			want = fmt.Sprintf("unknown key here; did you mean %s?", place)
		}
		problems = append(problems, n.KeyProblem(key, "%s", want))
	}
	return problems
}

// unseen says why a text may be none of the mappings that whoever wrote it sees there, or nothing.
func (n Node) unseen() string {
	if n.Kind() != Text {
		return ""
	}
	if wide := n.inWide(); wide != "" {
		return wide
	}
	if sign := wideSign(n.Text()); sign != "" {
		return "; its " + sign + " is a wide one, which only looks like that of YAML"
	}
	word, rest, _ := strings.Cut(n.Text(), ":")
	if rest != "" && rest[0] != ' ' && !strings.HasPrefix(rest, "//") && !strings.ContainsAny(word, " \"'") {
		return "; a blank is missing behind the colon"
	}
	return ""
}

// ordinary makes signs of YAML of those that input methods for Chinese, and word processors, write in their place.
var ordinary = strings.NewReplacer("： ", ": ", "：", ": ", "\u3000", " ", "\u00a0", " ")

// wideSign names the first of them in a text, or nothing.
func wideSign(s string) string {
	switch i := strings.IndexAny(s, "：\u3000\u00a0"); {
	case i < 0:
		return ""
	case strings.HasPrefix(s[i:], "："):
		return "colon"
	}
	return "blank"
}

// lookalikes are what input methods for Chinese, and word processors, write in the place of signs of YAML.
const lookalikes = "：，［］｛｝“”‘’＂＇＃－＊＆｜\u3000\u00a0"

// wideHint names the signs of a line that is no YAML which only look as if it were, or nothing.
func wideHint(line string) string {
	var signs []string
	for _, r := range line {
		sign := string(r)
		if r == '\u3000' || r == '\u00a0' {
			sign = "a wide blank"
		}
		if strings.ContainsRune(lookalikes, r) && !slices.Contains(signs, sign) {
			signs = append(signs, sign)
		}
	}
	if len(signs) == 0 {
		return ""
	}
	return "; on this line stands " + list(signs) + ", and YAML knows but : , [ ] { } \" ' # - and a plain blank"
}

// wideAbove names a wide colon in the place of the only one of the line before, or nothing: the library reads on until it meets a key.
func wideAbove(data []byte, number int) string {
	if number < 1 { // nobody knows where it is
		return ""
	}
	above, at := "", 0
	for line := range strings.Lines(string(data)) {
		if number--; number == 0 {
			break
		}
		at++
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			above = fmt.Sprintf("; on line %d stands ：, and YAML knows but :", at)
			if !strings.Contains(line, "：") || strings.Contains(line, ": ") || strings.HasSuffix(line, ":") {
				above = ""
			}
		}
	}
	return above
}

// inWide says of a text that it is a list or a mapping in wide brackets, or nothing.
func (n Node) inWide() string {
	if first, _ := utf8.DecodeRuneInString(n.Text()); n.Kind() == Text && strings.ContainsRune("［｛【", first) {
		return "; its brackets are wide ones, which only look like those of YAML"
	}
	return ""
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
	if slices.Contains(known, word) {
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
