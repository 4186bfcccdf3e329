// Package strict answers one question: what does this YAML say, and where is it wrong?
//
// Parse reads a file into a Node; Node.Decode fills a struct from it. Every mistake is reported at once, each with
// file, line, column and, for a word it does not know, the word that was probably meant. What the struct holds before
// is the default: a key that is absent changes nothing. Encode writes a struct back as YAML that says the same. The
// package fences the YAML library off from everything else: no type of it is seen outside.
//
// Fields are named by their yaml tag, and a check tag says what is allowed, always stated positively:
//
//	type With struct {
//		Decay  float64       `yaml:"decay" doc:"what is left of a page's relevance one link on" check:"0..1"`
//		Window int           `yaml:"window" check:"1.."`
//		Raise  string        `yaml:"raise" check:"inc|reset"`
//		Pause  time.Duration `yaml:"pause"`
//		Tree   strict.Node   `yaml:"tree"` // kept as it stands, to be decoded later
//	}
//
// "1..100" is a range with its ends, either of which may be missing; "(0..1)" is one without them; NaN is in no range.
// What no tag can say is said by a Checker.
package strict

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Problem is one mistake in a file.
type Problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"` // from 1; 0 when the problem is not at a place in a file
	Column int    `json:"column"`
	Path   string `json:"path"`    // where in the document: topic.terms[2].weight
	Want   string `json:"message"` // what is wrong and what to do
}

// String is the problem on one line, the place first: crawl.yaml:3:5: topic.threshold: is 7, want a number 0..1.
func (p Problem) String() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
		}
		b.WriteString(": ")
	}
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	return b.String() + p.Want
}

// Error is one or more problems, in the order of the file.
type Error struct{ Problems []Problem }

// Error is all the problems, one on each line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Err makes an error of problems, or none where there are none. They are put in order: the files as they first occur,
// each from its beginning to its end, what has no place in it last.
func Err(problems []Problem) error {
	if len(problems) == 0 {
		return nil
	}
	files := map[string]int{}
	for _, p := range problems {
		if _, ok := files[p.File]; !ok {
			files[p.File] = len(files)
		}
	}
	sorted := slices.Clone(problems)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		line := func(p Problem) int { return (p.Line - 1) & math.MaxInt } // 0 last
		return cmp.Or(cmp.Compare(files[a.File], files[b.File]), cmp.Compare(line(a), line(b)), cmp.Compare(a.Column, b.Column))
	})
	return &Error{Problems: sorted}
}

// Problems are the problems an error made here holds; ok is false for any other error.
func Problems(err error) (problems []Problem, ok bool) {
	var e *Error
	if errors.As(err, &e) {
		return e.Problems, true
	}
	return nil, false
}

// Decode parses a file and fills the struct that into points to.
func Decode(name string, data []byte, into any) error {
	n, err := Parse(name, data)
	if err != nil {
		return err
	}
	return Err(n.Decode(into))
}
