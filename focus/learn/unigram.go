package learn

import (
	"fmt"
)

// Unigram tells classes of short texts apart by their words alone, with no class priors: the links of one layer from
// those of another (patent CN101101601). Classes are numbered from 1, as in the source. The fields are what it has counted, to be
// saved as they are; change them through Add. Ready makes of them what tells texts apart.
type Unigram struct {
	Smoothing string               `json:"smoothing"` // backoff | jm
	Lambda    float64              `json:"lambda"`    // the class's own share under jm
	Totals    []float64            `json:"totals"`    // words by class
	Words     map[string][]float64 `json:"words"`     // count of a word by class
}

// NewUnigram makes a model of classes 1 to n. Smoothing backoff is the source's: a word the class does not have gets
// its frequency over all classes, which may be more than a word it has (so a class can win for not having a word);
// jm, Jelinek-Mercer, mixes lambda of the class's frequency with the rest of the frequency over all classes.
func NewUnigram(n int, smoothing string, lambda float64) (*Unigram, error) {
	if smoothing != "backoff" && smoothing != "jm" {
		return nil, fmt.Errorf("smoothing is %q, want backoff or jm", smoothing)
	}
	if !(0 <= lambda && lambda < 1) {
		return nil, fmt.Errorf("lambda is %v, want 0 to less than 1", lambda)
	}
	if n < 1 {
		return nil, fmt.Errorf("%d classes, want at least 1", n)
	}
	return &Unigram{smoothing, lambda, make([]float64, n), make(map[string][]float64)}, nil
}

// Add takes the words of a text of a class, 1 to n.
func (u *Unigram) Add(class int, words []string) {
	u.Totals[class-1] += float64(len(words))
	count(u.Words, len(u.Totals), class-1, words)
}

func (u *Unigram) probability(n, total, overall float64) float64 {
	if u.Smoothing == "jm" {
		return u.Lambda*n/max(total, 1) + (1-u.Lambda)*overall
	}
	if n > 0 {
		return n / total
	}
	return overall
}

// Sound tells of a model that was read from a file whether it holds together, as one of so many classes.
func (u *Unigram) Sound(classes int) error {
	if _, err := NewUnigram(classes, u.Smoothing, u.Lambda); err != nil {
		return err
	}
	if len(u.Totals) != classes {
		return fmt.Errorf("totals of %d classes, want %d", len(u.Totals), classes)
	}
	for w, counts := range u.Words {
		if len(counts) != classes {
			return fmt.Errorf("counts of %q in %d classes, want %d", w, len(counts), classes)
		}
	}
	return nil
}
