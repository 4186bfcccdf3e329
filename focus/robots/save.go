package robots

import (
	"errors"
	"math"
	"time"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// MarshalBinary writes rules down; the same rules give the same bytes.
func (r *Rules) MarshalBinary() ([]byte, error) {
	var s pack.Writer
	s.Number(uint64(len(r.rules)))
	for i := range r.rules {
		rule := &r.rules[i]
		s.Yes(rule.allow)
		s.Text(rule.line)
		savePattern(&s, &rule.pattern)
	}
	s.Number(uint64(r.delay))
	saveTexts(&s, r.sitemaps)
	s.Count(len(r.said))
	for i := range r.said {
		s.Text(r.said[i].Name)
		s.Text(r.said[i].Value)
		savePattern(&s, &r.said[i].pattern)
	}
	s.Yes(r.asked)
	s.Number(uint64(r.failed))
	s.Text(r.refused)
	s.Text(r.allowed)
	s.Number(uint64(r.life))
	return s, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (r *Rules) UnmarshalBinary(b []byte) error {
	l := pack.Reader{Left: b}
	var read Rules
	for range l.Count(1) {
		rule := rule{allow: l.Yes(), line: l.Text()}
		rule.pattern = loadPattern(&l)
		read.rules = append(read.rules, rule)
	}
	read.delay = time.Duration(l.UpTo(math.MaxInt))
	read.sitemaps = loadTexts(&l)
	for range l.Count(1) {
		read.said = append(read.said, said{Said{l.Text(), l.Text()}, loadPattern(&l)})
	}
	read.asked, read.failed = l.Yes(), l.UpTo(termsTries)
	read.refused, read.allowed = l.Text(), l.Text()
	read.life = time.Duration(l.UpTo(math.MaxInt))
	if !l.Whole() {
		return errSaved
	}
	*r = read
	return nil
}

var errSaved = errors.New("what was saved is damaged, or another version wrote it: start the crawl afresh")

func savePattern(s *pack.Writer, p *pattern) {
	s.Text(p.first)
	saveTexts(s, p.pieces)
	s.Yes(p.ended)
	s.Number(uint64(p.length))
}

func loadPattern(l *pack.Reader) pattern {
	return pattern{first: l.Text(), pieces: loadTexts(l), ended: l.Yes(), length: l.UpTo(math.MaxInt)}
}

func saveTexts(s *pack.Writer, list []string) {
	s.Count(len(list))
	for _, t := range list {
		s.Text(t)
	}
}

func loadTexts(l *pack.Reader) (list []string) {
	for range l.Count(1) {
		list = append(list, l.Text())
	}
	return list
}
