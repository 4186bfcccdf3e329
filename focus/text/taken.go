package text

import (
	"crypto/sha256"
	"fmt"
)

// Version changes when text is cut into other words, or words become other terms: tokens that one version cut are none
// of another's. A test holds it to what is cut.
const Version = 4

// Key says all that the tokens of a page depend on but the page: cutters of one key give the same tokens. It is short
// and holds no blanks.
func (c *Cutter) Key() string { return c.key }

func keyOf(o Options, dict userDict, names []string) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %q %v %v %v %d %q %q", Version, o.Terms, o.KeepStops, o.Tags, o.Pairs, o.Limit, names, Backend())
	if o.Plain {
		fmt.Fprint(sum, o.Plain)
	}
	sum.Write(dict.lines())
	return fmt.Sprintf("%x", sum.Sum(nil)[:16])
}

// Take gives a page the tokens that a cutter of the same key has cut of it. They are not changed.
func (c *Cutter) Take(d *Doc, tokens []Token) { d.tokens, d.cutBy = tokens, c }
