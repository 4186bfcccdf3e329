package robots

import (
	"errors"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// MarshalBinary writes rules down; the same rules give the same bytes.
func (r *Rules) MarshalBinary() ([]byte, error) {
	var k pack.Coder
	r.code(&k)
	return k.Bytes, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (r *Rules) UnmarshalBinary(b []byte) error {
	k, read := pack.Coder{Bytes: b, Read: true}, Rules{}
	if read.code(&k); k.Done() != nil || read.failed > termsTries {
		return errSaved
	}
	*r = read
	return nil
}

var errSaved = errors.New("what was saved is damaged, or another version wrote it: start the crawl afresh")

func (r *Rules) code(k *pack.Coder) {
	pack.List(k, &r.rules, func(x *rule) { k.Yes(&x.allow); k.Text(&x.line); x.pattern.code(k) })
	pack.Small(k, &r.delay)
	pack.List(k, &r.sitemaps, k.Text)
	pack.List(k, &r.said, func(x *said) { k.Text(&x.Name); k.Text(&x.Value); x.pattern.code(k) })
	k.Yes(&r.asked)
	pack.Small(k, &r.failed)
	k.Text(&r.refused)
	k.Text(&r.allowed)
	pack.Small(k, &r.life)
}

func (p *pattern) code(k *pack.Coder) {
	k.Text(&p.first)
	pack.List(k, &p.pieces, k.Text)
	k.Yes(&p.ended)
	pack.Small(k, &p.length)
}
