package extensions

import (
	"time"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// MarshalBinary writes rules down; the same rules give the same bytes.
func (r *RobotsRules) MarshalBinary() ([]byte, error) {
	var s pack.Writer
	s.Number(uint64(len(r.rules)))
	for i := range r.rules {
		rule := &r.rules[i]
		s.Yes(rule.allow)
		s.Text(rule.line)
		s.Text(rule.pattern.first)
		saveTexts(&s, rule.pattern.pieces)
		s.Yes(rule.pattern.ended)
		s.Number(uint64(rule.pattern.length))
	}
	s.Number(uint64(r.delay))
	saveTexts(&s, r.sitemaps)
	saveTexts(&s, r.signals)
	s.Text(r.refused)
	s.Text(r.allowed)
	s.Number(uint64(r.life))
	return s, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (r *RobotsRules) UnmarshalBinary(b []byte) error {
	l := pack.Reader{Left: b}
	var read RobotsRules
	for range l.Count(1) {
		rule := robotsRule{allow: l.Yes(), line: l.Text()}
		rule.pattern = robotsPattern{first: l.Text(), pieces: loadTexts(&l), ended: l.Yes(), length: int(l.Number())}
		read.rules = append(read.rules, rule)
	}
	read.delay = time.Duration(l.Number())
	read.sitemaps, read.signals = loadTexts(&l), loadTexts(&l)
	read.refused, read.allowed = l.Text(), l.Text()
	read.life = time.Duration(l.Number())
	if err := loaded(&l); err != nil {
		return err
	}
	*r = read
	return nil
}
