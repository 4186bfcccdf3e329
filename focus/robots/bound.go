package robots

import (
	"slices"
	"strconv"
)

// How much of a robots.txt is kept. What a site means by it has a few kB; half a megabyte of rules for us is an attack on
// whoever keeps them, or an accident.
const (
	kept        = 512 << 10 // bytes of the rules that hold for us, each with what it costs beside its text
	ruleCost    = 100
	lineKept    = 120  // bytes of a line that are kept to say what decided
	maxSitemaps = 1000 // sitemaps
	maxSaid     = 64   // lines about the use of pages
	longestSaid = 1024 // bytes of one
	maxTerms    = 256  // places of a tdmrep.json
)

// boundTo keeps rules within so many bytes, and forbids at least what they forbid: of patterns that are too long only the beginning
// counts, an Allow that is too long is left out, and what says the same twice says it once. It begins with the longest, and
// goes on with shorter ones until the rest fits.
func boundTo(rules []rule, bytes int) []rule {
	for most := most; size(rules) > bytes && most > 0; most = min(most, 1024, longest(rules)) / 2 {
		rules = shortened(rules, most)
	}
	return rules
}

// longest is how many bytes the longest pattern has.
func longest(rules []rule) (n int) {
	for i := range rules {
		n = max(n, rules[i].pattern.text())
	}
	return n
}

// shortest is the size from which rules are made no shorter.
const shortest = 1 << 10

// shorter are rules of half the size, which forbid at least as much. The sitemaps, which were read when the file was, go first; where
// more is said of the use of pages than is forbidden, half of that goes.
func (r *Rules) shorter() *Rules {
	half := *r
	switch rules := size(r.rules); {
	case len(r.sitemaps) > 0:
		half.sitemaps = nil
	case saidSize(r.said) > rules:
		half.said = slices.Clone(r.said[:len(r.said)/2])
	default:
		half.rules = boundTo(r.rules, rules/2)
	}
	return &half
}

func saidSize(all []said) (n int) {
	for i := range all {
		n += ruleCost + len(all[i].Value) + all[i].pattern.text()
	}
	return n
}

func size(rules []rule) int {
	n := 0
	for i := range rules {
		n += ruleCost + len(rules[i].line) + len(rules[i].pattern.first)
		for _, piece := range rules[i].pattern.pieces {
			n += 16 + len(piece)
		}
	}
	return n
}

// shortened are rules whose patterns have no more bytes than most, each once. A pattern that was cut keeps the length that it
// had: it decides where the whole one would have. The rules are sorted, so that the first of those that say the same is the
// one that decides.
func shortened(rules []rule, most int) (shorter []rule) {
	said := make(map[string]bool, len(rules)/2)
	var key []byte
	for i := range rules {
		r := rules[i]
		if r.pattern.text() > most {
			if r.allow {
				continue
			}
			r.pattern = r.pattern.cut(most)
		}
		key = strconv.AppendBool(strconv.AppendBool(key[:0], r.allow), r.pattern.ended)
		key = append(key, r.pattern.first...)
		for _, piece := range r.pattern.pieces {
			key = append(append(key, '*'), piece...)
		}
		if !said[string(key)] {
			said[string(key)] = true
			shorter = append(shorter, r)
		}
	}
	return slices.Clip(shorter)
}

// cut is the beginning of a pattern: it fits wherever the whole one does.
func (p *pattern) cut(most int) pattern {
	short := pattern{first: p.first[:min(len(p.first), most)], length: p.length}
	if len(short.first) < len(p.first) {
		return short
	}
	for i, piece := range p.pieces {
		if short.pieces = p.pieces[:i+1]; short.text() > most || len(piece) == 0 && i == len(p.pieces)-1 {
			short.pieces = p.pieces[:i]
			break
		}
	}
	return short
}

// text is how many bytes a pattern has.
func (p *pattern) text() int {
	n := len(p.first)
	for _, piece := range p.pieces {
		n += 1 + len(piece)
	}
	return n
}

// Size is how many bytes the rules take, roughly.
func (r *Rules) Size() int {
	n := size(r.rules) + len(r.refused) + len(r.allowed) + ruleCost
	for _, t := range r.sitemaps {
		n += 16 + len(t)
	}
	return n + saidSize(r.said)
}
