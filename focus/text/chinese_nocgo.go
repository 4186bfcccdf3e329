//go:build !cgo

package text

// Backend names what cuts Chinese in this build: "gojieba" or the pure-Go stand-in.
//
// The stand-in reads the dictionary and the model that are embedded for gojieba and goes the same way over them, so
// that builds with and without cgo give the same words and tags; a test compares them. Measured on the 979 KB novel
// of gojieba's tests, beside what else could stand in (gse v0.80.3; agreement is F1 of the words with gojieba's):
//
//	                 time to start   memory   speed   agreement
//	this one                     1        1       1        1
//	gse, Segment                 9        5     .33      .89
//	gse, Cut with model          9        5     .07      .98
//	pairs of characters          0        0      20      .36
//
// gse would also add 44 MB of dictionaries, Japanese among them, to the program.
func Backend() string { return pureBackend }

func loadSegmenter(_ userDict, pure func() *pureSegmenter) segmenter { return pure() }

// Spare changes nothing: there is no gojieba to be spared.
func Spare(error) {}
