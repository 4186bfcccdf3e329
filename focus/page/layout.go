package page

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// laid is white space of text that is laid out. In the page's text, which is to be searched and judged, one blank or line break stands
// for it; in the text that is kept it is as the author has it.
type laid struct {
	at int32 // where that blank or line break stands
	as string
}

const (
	maxLaid = 1 << 20 // bytes of white space of a page that are kept as they are
	maxLead = 1 << 10 // of them between two words
)

// lay notes white space of text that is laid out. Where an element has broken the line what follows it sets the next line in.
func (p *prose) lay(space []byte) {
	p.broken = p.broken || p.gap == lined && len(p.lead) == 0
	p.gap = max(p.gap, spaced)
	for i, c := range string(space) {
		switch {
		case c == '\r' && i+1 < len(space) && space[i+1] == '\n':
		case c == '\n' || c == '\r':
			p.gap = lined
			p.lead = append(trimBlanks(p.lead), '\n')
		case len(p.lead) >= maxLead:
		case c == '\t' || c == 0x3000:
			p.lead = utf8.AppendRune(p.lead, c)
		default:
			p.lead = append(p.lead, ' ')
		}
	}
}

// ends notes that an element of laid out text ends that breaks the line. One of which a line break is all is an empty line, as highlighters
// make them that put each line into an element.
func (p *prose) ends() {
	if p.begun && bytes.IndexByte(p.lead, '\n') >= 0 && p.empty < maxLead {
		p.empty++
	}
	p.begun = false
}

// trimBlanks is white space without the blanks at its end: nobody sees those at the end of a line.
func trimBlanks(space []byte) []byte {
	for n := len(space); n > 0 && space[n-1] != '\n'; n-- {
		space = space[:n-1]
	}
	return space
}

// laidOut keeps the white space before the next word, for which one byte stands at a place.
func (p *prose) laidOut(at int) {
	space := string(p.lead)
	if p.broken || p.empty > 0 {
		space = strings.Repeat("\n", 1+p.empty) + lastLine(space)
	}
	p.lead, p.broken, p.empty = p.lead[:0], false, 0
	if at < len(p.buf) && space != string(p.buf[at:]) && p.layout+len(space) <= maxLaid {
		p.laid = append(p.laid, laid{int32(at), space})
		p.layout += len(space)
	}
}

// lastLine is what stands behind the last line break of white space.
func lastLine(space string) string { return space[strings.LastIndexByte(space, '\n')+1:] }

// asLaid is a piece of the page's text with its white space as the author has laid it out.
func (p *Page) asLaid(from, to int32) string {
	i, _ := slices.BinarySearchFunc(p.laid, from, func(l laid, at int32) int { return int(l.at - at) })
	if i == len(p.laid) || p.laid[i].at >= to {
		return p.prose[from:to]
	}
	var b strings.Builder
	for ; i < len(p.laid) && p.laid[i].at < to; i++ {
		b.WriteString(p.prose[from:p.laid[i].at])
		b.WriteString(p.laid[i].as)
		from = p.laid[i].at + 1
	}
	b.WriteString(p.prose[from:to])
	return b.String()
}
