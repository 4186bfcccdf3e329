package extensions

import "time"

// MarshalBinary writes rules down; the same rules give the same bytes.
func (r *RobotsRules) MarshalBinary() ([]byte, error) {
	var s saved
	s.number(uint64(len(r.rules)))
	for i := range r.rules {
		rule := &r.rules[i]
		s.yes(rule.allow)
		s.text(rule.line)
		s.text(rule.pattern.first)
		s.texts(rule.pattern.pieces)
		s.yes(rule.pattern.ended)
		s.number(uint64(rule.pattern.length))
	}
	s.number(uint64(r.delay))
	s.texts(r.sitemaps)
	s.texts(r.signals)
	s.text(r.refused)
	s.text(r.allowed)
	s.number(uint64(r.life))
	return s, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (r *RobotsRules) UnmarshalBinary(b []byte) error {
	l := loaded{left: b}
	var read RobotsRules
	for range l.count() {
		rule := robotsRule{allow: l.yes(), line: l.text()}
		rule.pattern = robotsPattern{first: l.text(), pieces: l.texts(), ended: l.yes(), length: int(l.number())}
		read.rules = append(read.rules, rule)
	}
	read.delay = time.Duration(l.number())
	read.sitemaps, read.signals = l.texts(), l.texts()
	read.refused, read.allowed = l.text(), l.text()
	read.life = time.Duration(l.number())
	if err := l.done(); err != nil {
		return err
	}
	*r = read
	return nil
}
