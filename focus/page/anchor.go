package page

import "strings"

// parentheses end an address in Markdown, in a table bars do, and other signs may mean something before it has ended.
var (
	parentheses = strings.NewReplacer("(", "%28", ")", "%29", "`", "%60", `\`, "%5C")
	bars        = strings.NewReplacer("(", "%28", ")", "%29", "`", "%60", `\`, "%5C", "|", "%7C")
)

// openLink writes the beginning of a link. Behind an exclamation mark that would be a picture's.
func (w *markdown) openLink() {
	if written := w.out.Len() - 1; written >= 0 && w.out.Bytes()[written] == '!' {
		w.out.Truncate(written)
		w.put(`\!`)
	}
	w.putByte('[')
	w.inLink = true
}

// close writes the end of the open link, if anything stands in it.
func (w *markdown) close() {
	if !w.inLink {
		return
	}
	if w.inner {
		w.closeStrong()
	}
	w.inLink = false
	w.put("](")
	if int(w.link) < len(w.page.Links) {
		w.address(w.page.Links[w.link].URL)
	}
	w.putByte(')')
	w.linked = w.out.Len()
}

// address writes the address of a link.
func (w *markdown) address(s string) {
	signs := parentheses
	if w.columns > 0 {
		signs = bars
	}
	for {
		i := strings.IndexByte(s, '&') + 1
		if i == 0 {
			signs.WriteString(&w.out, s)
			return
		}
		signs.WriteString(&w.out, s[:i])
		if entity(s[i-1:]) {
			w.put("amp;")
		}
		s = s[i:]
	}
}
