// Package strict answers one question: what does this YAML say, and where is it wrong?
//
// Decode fills a struct from YAML and reports every mistake at once, each with file, line, column and, for a word it
// does not know, the word that was probably meant. It fences the YAML library off from everything else.
package strict

// Problem is one mistake in a file.
type Problem struct {
	File   string
	Line   int // from 1; 0 when the problem is not at a place in a file
	Column int
	Path   string // where in the document: topic.terms[2].weight
	Want   string // what is wrong and what to do
}

// Error is one or more problems, in the order of the file.
type Error struct{ Problems []Problem }

func (e *Error) Error() string { panic("strict: not built") }
