package extensions

import "slices"

// How much of a robots.txt is kept. What a site means by it has a few kB; half a megabyte of rules for us is an attack on
// whoever keeps them, or an accident.
const (
	robotsKept     = 512 << 10 // bytes of the rules that hold for us, each with what it costs beside its text
	robotsRuleCost = 100
	robotsLine     = 120  // bytes of a line that are kept to say what decided
	robotsMaps     = 1000 // sitemaps
	robotsSignals  = 16
)

// boundRules keeps rules within bounds, and forbids at least what they forbid: of patterns that are too long only the beginning
// counts, an Allow that is too long is left out, and what says the same twice says it once. It begins with the longest, and
// goes on with shorter ones until the rest fits.
func boundRules(rules []robotsRule) []robotsRule {
	for most := 512; size(rules) > robotsKept && most > 0; most /= 2 {
		rules = shortened(rules, most)
	}
	return rules
}

func size(rules []robotsRule) int {
	n := 0
	for i := range rules {
		n += robotsRuleCost + len(rules[i].line) + len(rules[i].pattern.first)
		for _, piece := range rules[i].pattern.pieces {
			n += 16 + len(piece)
		}
	}
	return n
}

// shortened are rules whose patterns have no more bytes than most. A pattern that was cut keeps the length that it had: it
// decides where the whole one would have.
func shortened(rules []robotsRule, most int) (kept []robotsRule) {
	longest := map[string]int{} // of the patterns that were cut to the same beginning
	for i := range rules {
		r := &rules[i]
		if r.pattern.text() <= most {
			continue
		}
		if first := r.pattern.first; !r.allow {
			longest[first[:min(len(first), most)]] = 0
		}
	}
	for i := range rules {
		r := rules[i]
		if r.pattern.text() <= most {
			kept = append(kept, r)
			continue
		}
		if r.allow {
			continue
		}
		first := r.pattern.first[:min(len(r.pattern.first), most)]
		if longest[first] >= r.pattern.length {
			continue
		}
		longest[first] = r.pattern.length
		r.pattern = robotsPattern{first: first, length: r.pattern.length}
		kept = append(kept, r)
	}
	return slices.Clip(kept)
}

// text is how many bytes a pattern has.
func (p *robotsPattern) text() int {
	n := len(p.first)
	for _, piece := range p.pieces {
		n += 1 + len(piece)
	}
	return n
}

// Size is how many bytes the rules take, roughly.
func (r *RobotsRules) Size() int {
	n := size(r.rules) + len(r.refused) + len(r.allowed) + robotsRuleCost
	for _, texts := range [][]string{r.sitemaps, r.signals} {
		for _, t := range texts {
			n += 16 + len(t)
		}
	}
	return n
}
