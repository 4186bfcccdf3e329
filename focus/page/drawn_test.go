package page

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sheet is a page that is drawn by lot, block by block. Each word names the block it was drawn in.
type sheet struct {
	*rand.Rand
	strings.Builder
	blocks int
}

// next begins a block.
func (s *sheet) next() { s.blocks++ }

// words are so many words of the block.
func (s *sheet) words(n int) string {
	w := make([]string, n)
	for i := range w {
		w[i] = fmt.Sprintf("b%dw%d", s.blocks, s.IntN(1000))
	}
	return strings.Join(w, " ")
}

func (s *sheet) link(n int) string {
	return fmt.Sprintf("<a href=/%d/%d.html>%s</a>", s.blocks, s.IntN(1000), s.words(n))
}

func (s *sheet) links(n, words int, before, after string) string {
	var b strings.Builder
	for range n {
		b.WriteString(before + s.link(words) + after)
	}
	return b.String()
}

// parts are the ways to write down one block that has a wrapper of its own.
var parts = []func(*sheet) string{
	func(s *sheet) string { return "<ul>" + s.links(3+s.IntN(8), 2, "<li>", "</li>") + "</ul>" },
	func(s *sheet) string { return s.links(3+s.IntN(8), 3, "", "<br>") },
	func(s *sheet) string { return s.links(2+s.IntN(4), 2, "", " | ") },
	func(s *sheet) string { // an article with emphasised words and a link or two
		var b strings.Builder
		for range 2 + s.IntN(5) {
			fmt.Fprintf(&b, "<p>%s <b>%s</b> %s <font color=red>%s</font> %s <span style='color:#00f'>%s</span> %s %s</p>",
				s.words(10), s.words(1), s.words(8), s.words(1), s.words(4), s.words(2), s.link(2), s.words(9))
		}
		return b.String()
	},
	func(s *sheet) string { // a table of data
		var b strings.Builder
		for range 3 + s.IntN(4) {
			fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>", s.words(2), s.words(1), s.link(1))
		}
		return "<table>" + b.String() + "</table>"
	},
	func(s *sheet) string { // items of a list that are made of several elements
		var b strings.Builder
		for range 3 + s.IntN(4) {
			fmt.Fprintf(&b, "<li><div class=item><div class=pic>%s</div><div class=says><h4>%s</h4><p>%s</p></div></div></li>", s.link(1), s.link(3), s.words(6))
		}
		return "<ul class=cards>" + b.String() + "</ul>"
	},
	func(s *sheet) string { // cards that are alike but for their place
		var b strings.Builder
		n := 3 + s.IntN(3)
		for i := range n {
			class := "card"
			switch i {
			case 0:
				class = "card first"
			case n - 1:
				class = "last card"
			}
			fmt.Fprintf(&b, "<div class='%s'><h4>%s</h4> %s</div>", class, s.link(3), s.words(8))
		}
		return b.String()
	},
}

func (s *sheet) part() string {
	s.next()
	return parts[s.IntN(len(parts))](s)
}

// layouts put blocks on a page.
var layouts = []func(s *sheet, n int){
	func(s *sheet, n int) { // boxes of one style, told apart by their classes
		for i := range n {
			fmt.Fprintf(s, "<div style='float:left;width:300px' class='box %s'>%s</div>", []string{"rel", "friends", "hot", "news", "world"}[i%5], s.part())
		}
	},
	func(s *sheet, n int) { // boxes that differ by colour or font alone
		for i := range n {
			fmt.Fprintf(s, "<div style='%s'>%s</div>", []string{"color:red", "background:#eee", "font-size:18px", "color: blue", "border:1px solid"}[i%5], s.part())
		}
	},
	func(s *sheet, n int) { // a table of columns
		s.WriteString("<table width=900><tr>")
		for i := range n {
			fmt.Fprintf(s, "<td width=%d valign=top><div class=c%c>%s</div></td>", 100+i, 'a'+i, s.part())
		}
		s.WriteString("</tr></table>")
	},
	func(s *sheet, n int) { // elements of HTML5
		for i := range n {
			tag := []string{"nav", "article", "section", "aside", "section"}[i%5]
			fmt.Fprintf(s, "<%s id=x%d>%s</%s>", tag, i, s.part(), tag)
			if i%5 == 2 && i+1 < n {
				continue
			}
		}
	},
	func(s *sheet, n int) { // groups of links of a colour each, in one element
		s.WriteString("<div>")
		s.next()
		s.WriteString(s.words(12) + " ")
		for i := range n {
			s.next()
			fmt.Fprintf(s, []string{"<font color=red>%s</font> ", "<span style='color:green'>%s</span> ", "<font color=blue size=4>%s</font> "}[i%3], s.links(2+s.IntN(4), 3, "", " "))
		}
		s.WriteString("</div>")
	},
	func(s *sheet, n int) { // a block in a block speaks of something else
		s.next()
		fmt.Fprintf(s, "<div class=outer>%s", s.words(30))
		for i := range n {
			fmt.Fprintf(s, "<div class=in%c>%s</div>", 'a'+i, s.part())
		}
		s.WriteString("</div>")
	},
}

// drawPage is a page of two or three layouts, and how many blocks it has.
func drawPage(seed uint64) *sheet {
	s := &sheet{Rand: rand.New(rand.NewPCG(15, seed))}
	s.WriteString("<title>drawn</title><body>")
	for i, l := range s.Perm(len(layouts))[:2+s.IntN(2)] {
		fmt.Fprintf(s, "<div id=layout%d class=l%c>", i, 'a'+i)
		layouts[l](s, 2+s.IntN(4))
		s.WriteString("</div>")
	}
	return s
}

// adjustedRand is the adjusted Rand index of two partitions of the same things: 1 where they are the same, 0 by chance.
func adjustedRand(a, b []int) float64 {
	pairs := func(n int) float64 { return float64(n) * float64(n-1) / 2 }
	cells, rows, columns := map[[2]int]int{}, map[int]int{}, map[int]int{}
	for i := range a {
		cells[[2]int{a[i], b[i]}]++
		rows[a[i]]++
		columns[b[i]]++
	}
	var both, inA, inB float64
	for _, n := range cells {
		both += pairs(n)
	}
	for _, n := range rows {
		inA += pairs(n)
	}
	for _, n := range columns {
		inB += pairs(n)
	}
	chance, most := inA*inB/pairs(len(a)), (inA+inB)/2
	if most == chance {
		return 1
	}
	return (both - chance) / (most - chance)
}

func TestAdjustedRand(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want float64
	}{
		{[]int{0, 0, 1, 1}, []int{5, 5, 3, 3}, 1},
		{[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -.5},
		{[]int{0, 0, 1, 1}, []int{0, 0, 1, 2}, .571429}, // (1 - 1·2/6)/(1.5 - 1·2/6)
	} {
		if have := adjustedRand(c.a, c.b); have < c.want-1e-6 || have > c.want+1e-6 {
			t.Errorf("%v, %v: %v, want %v", c.a, c.b, have, c.want)
		}
	}
}

// Thirty pages whose blocks are known are cut as they were drawn.
func TestDrawnPagesAreCutAsTheyWereDrawn(t *testing.T) {
	const pages = 30
	sum, least := 0.0, 1.0
	for seed := range uint64(pages) {
		s := drawPage(seed)
		p := Parse([]byte(s.String()), "http://drawn.example/", Options{})
		var drawn, cut []int
		for _, run := range p.Runs {
			for _, w := range strings.Fields(run.Text) {
				block, n := 0, 0
				if _, err := fmt.Sscanf(w, "b%dw%d", &block, &n); err == nil {
					drawn, cut = append(drawn, block), append(cut, int(run.Block))
				}
			}
		}
		index := adjustedRand(drawn, cut)
		sum, least = sum+index, min(least, index)
		if index < .7 {
			t.Errorf("page %d: adjusted Rand index %.3f, %d blocks of %d drawn\n%s\n%s", seed, index, len(p.Blocks), s.blocks, outline(p), s.String())
		}
	}
	if mean := sum / pages; mean < .9 {
		t.Errorf("adjusted Rand index %.3f on the mean, %.3f at least; want .9", mean, least)
	} else {
		t.Logf("adjusted Rand index %.3f on the mean of %d pages, %.3f at least", mean, pages, least)
	}
}
