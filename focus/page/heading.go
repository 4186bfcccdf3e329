package page

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestMark = 12 // columns of a mark that a site sets before a title: 原创, Thread:
	maxMarked   = 8  // runs of a heading in which marks are looked for
)

// heading is what an h1 says without the marks that the site sets beside the title, in elements or on lines of their own, where the
// title element begins with the rest.
func (t *titling) heading(h int32) string {
	var runs []string
	for run, apart := range t.sayings(t.c, h) {
		if apart {
			run = " " + run
		}
		if runs = append(runs, run); len(runs) > maxMarked {
			return t.saying(t.c, h)
		}
	}
	join := func(from, to int) string { return tidy(strings.Join(runs[from:to], "")) }
	whole := join(0, len(runs))
	if t.piece(whole) >= 0 {
		return whole
	}
	for n := len(runs) - 1; n > 0; n-- {
		for from := 0; from+n <= len(runs); from++ {
			says := join(from, from+n)
			if t.piece(says) == 0 && t.marksBefore(join(0, from), says) && t.marksBehind(join(from+n, len(runs))) {
				t.said.beside = join(from+n, len(runs))
				return says
			}
		}
	}
	return whole
}

// marksBefore says whether what stands before a title in its heading is none of it: what may stand behind one, or a word or two of
// Chinese, or before a colon or a bar, that the title element does not say. A number may be that of a course or a chapter, and a word in other
// letters that of a maker.
func (t *titling) marksBefore(rest, title string) bool {
	if t.marksBehind(rest) {
		return true
	}
	han := strings.ContainsFunc(rest, func(c rune) bool { return unicode.Is(unicode.Han, c) })
	return (han || strings.HasSuffix(rest, ":") || strings.HasSuffix(rest, "|")) && columns(rest) <= min(longestMark, columns(title)) &&
		!strings.ContainsAny(rest, "0123456789") && !strings.Contains(t.low, strings.ToLower(rest))
}

// marksBehind says whether what stands behind a title in its heading is none of it: nothing, a line of the house, the number of an
// issue, or marks that are known. Other words are as often the rest of the title, which its element leaves out.
func (t *titling) marksBehind(rest string) bool {
	return rest == "" || serial.MatchString(rest) || beginsDate(rest) || t.lists.houseLine(rest) || knownMarks.MatchString(rest)
}

// joinsWord says whether a word of letters that stand apart from Chinese goes on from one text into the next.
func joinsWord(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	apart := func(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r) }
	return before != "" && after != "" && apart(a) && apart(b)
}

// knownMarks are those that say by themselves that they are none of a title.
var knownMarks = regexp.MustCompile(`^(?:\s*(?:\[[^\]]*\]|【[^】]*】|原创|转载|置顶))+$`)

// site is a name that a site or a channel of it may have, in Chinese.
var site = regexp.MustCompile(`^\pL{1,10}(?:网|网站|论坛|频道|在线)$`)

// net is what ends as the name of a site does and is another net.
var net = regexp.MustCompile(`(?:互联|物联|车联|因特|局域|广域|城域|以太|万维|关系|蜘蛛|天罗地|铁路|公路|管|电|渔|内|外|专)网$`)

// namesSite says whether a name may be that of a site by what it says.
func namesSite(name string) bool { return site.MatchString(name) && !net.MatchString(name) }

// fronts are called so on every site: that alone is no title.
var fronts = regexp.MustCompile(`(?i)^(?:首页|主页|home|index)$`)

// shared is what a page says that it is called to those who share it, or a piece of the title element that it calls its headline; but
// not the name of its site, but on the front page, nor what ends at a quotation mark of its own that the page forgot to escape.
func (t *titling) shared() string {
	title := t.said.ogTitle
	if title == "" && t.piece(t.said.ldName) >= 0 {
		title = t.said.ldName
	}
	before, after, _ := strings.Cut(t.said.whole(), title)
	cut := strings.HasPrefix(strings.TrimLeft(after, " "), `"`) && strings.Count(before, `"`)%2 == 0
	front := t.own.path == "/" && t.own.query == ""
	parted := title == t.said.title && !t.isSite(t.pieces[0]) && (len(t.pieces) == 2 || !strings.ContainsAny(title, siteBars)) // it has the site's name, too
	if (t.isSite(title) || parted) && len(t.pieces) > 1 && !front || cut {
		return ""
	}
	return title
}

// behindSite is what the title element has behind the name of the site and a colon, where the page begins with that name alone, which leads
// nowhere but to the front page, and says the rest alone, too: so does each page of a Doxygen and of a Fossil.
func (t *titling) behindSite() string {
	runs := t.prose.runs[:min(len(t.prose.runs), maxHeadings)]
	if len(runs) == 0 {
		return ""
	}
	says := func(u *run) string { return tidy(t.page.prose[u.from:u.to]) }
	site, title, _ := strings.Cut(t.said.whole(), ":")
	if title = tidy(title); title == "" || version.ReplaceAllString(says(&runs[0]), "") != tidy(site) {
		return ""
	}
	if link := runs[0].link; link != nothing {
		if front, _ := t.leads(link); !front {
			return ""
		}
	}
	if !slices.ContainsFunc(runs[1:], func(u run) bool { return says(&u) == title }) {
		return ""
	}
	return title
}

// version stands behind the name of what a manual is of.
var version = regexp.MustCompile(`\s+v?\d+(?:\.\S+)?$`)

// beforeSite is a title without the names of the site and its channel at its end: those that are known, and, behind a hyphen in Chinese,
// those that say so, or stand behind what a line of the page says alone.
func (t *titling) beforeSite(title string, home bool) string {
	for range 2 {
		at, end := -1, 0
		if spans := partings(title); spans != nil {
			at, end = spans[len(spans)-1][0], spans[len(spans)-1][1]
		}
		if line := strings.LastIndexByte(title, '_'); line >= end && (t.isSite(title[line+1:]) || t.inHost(title[line+1:])) {
			at, end = line, line+1
		}
		hyphen := strings.LastIndexByte(title, '-')
		left := strings.TrimRight(title[:max(hyphen, 0)], " ")
		han := hyphen >= end && left != "" && hyphen+1 < len(title) && left[len(left)-1] >= utf8.RuneSelf && title[hyphen+1] >= utf8.RuneSelf
		if han {
			end = hyphen + 1
		} else if at > 0 {
			left = strings.TrimSpace(title[:at])
		}
		name := title[end:]
		known := t.isSite(name) || t.inHost(name) || han && (namesSite(name) || t.callsFront(name) || t.hasLine(left) && !t.hasLine(title))
		if home || !han && at <= 0 || !known || namesSite(left) || t.isSite(left) || fronts.MatchString(left) {
			return title
		}
		title = left
	}
	return title
}

// hasLine says whether a line of the page says a text, and no more.
func (t *titling) hasLine(text string) bool {
	for from := 0; ; from++ {
		at := strings.Index(t.page.prose[from:], text)
		if at < 0 {
			return false
		}
		from += at
		to := from + len(text)
		if (from == 0 || t.page.prose[from-1] == '\n') && (to == len(t.page.prose) || t.page.prose[to] == '\n') {
			return true
		}
	}
}

// partings are where the signs stand in a text that part a title from its site. A line between letters of one case is part of a name:
// rolling_mean, FRAC_PI.
func partings(text string) (spans [][]int) {
	for _, span := range parting.FindAllStringIndex(text, -1) {
		if from, to := span[0], span[1]; text[from:to] != "_" || from == 0 || to == len(text) || !oneName(text[from-1], text[to]) {
			spans = append(spans, span)
		}
	}
	return spans
}

// oneName says whether two letters on both sides of a line may be those of a name in code.
func oneName(a, b byte) bool {
	capital := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	return isWord(a) && isWord(b) && (isDigit(a) || isDigit(b) || capital(a) == capital(b))
}

// pieces are what stands between the partings of a text.
func pieces(text string) (all []string) {
	from := 0
	for _, span := range partings(text) {
		all, from = append(all, text[from:span[0]]), span[1]
	}
	return append(all, text[from:])
}

// bracketed says whether the title element ends with a text in brackets, as wikis have the name of the site behind that of the page.
func (t *titling) bracketed(text string) bool {
	return text != "" && strings.HasSuffix(t.low, " ["+strings.ToLower(text)+"]")
}

// welcomes are title elements that have the name of the site alone, in Chinese, by what they say.
var welcomes = regexp.MustCompile(`^欢迎|(?:网|网站|门户)$`)

// trails lead from the front page to this one.
var trails = regexp.MustCompile(`^\s*(?:您?(?:当前|现在|所在)?的?(?:位置|所在)|您现在)|[>»›]`)

// sources are in the line below a title, before whence the text is or when it was published.
var sources = regexp.MustCompile(`(?:来源|发[布表](?:时间|日期|于)|时间|日期|作者)\s*[:：]`)

// longestAbove is how many columns the line has at most that a page is called by, and mostBetween how many lines may stand between it and
// the day.
const (
	longestAbove = 120
	mostBetween  = 2
)

// aboveSource is the line above the one that says whence the text is and when it was published, where the title element has the name of
// the site alone, and no line of the page does: so the pages of many authorities are laid out, in tables without a heading. Of several such
// lines none is the page's.
func (t *titling) aboveSource() (title string) {
	whole := t.said.title
	if t.said.ogTitle != "" || len(t.pieces) != 1 || !welcomes.MatchString(whole) || net.MatchString(whole) || strings.Contains("\n"+t.page.prose+"\n", "\n"+whole+"\n") {
		return ""
	}
	seen := false
	for k := range t.prose.runs {
		from := t.prose.runs[k].from
		line, _, _ := strings.Cut(Cut(t.page.prose[from:], maxLine), "\n")
		if from > 0 && t.page.prose[from-1] != '\n' || !sources.MatchString(line) || endsSentence(line) || asDate(line) == "" {
			continue
		}
		above := t.lineAbove(k)
		if seen && above != title {
			return ""
		}
		seen, title = true, above
	}
	return title
}

// lineAbove is the line above a run, and above those of the house, that may be a title.
func (t *titling) lineAbove(k int) string {
	for range mostBetween + 1 {
		end := t.prose.runs[k].from
		for k--; k >= 0 && t.prose.runs[k].from > 0 && t.page.prose[t.prose.runs[k].from-1] != '\n'; k-- {
		}
		if k < 0 {
			return ""
		}
		u := &t.prose.runs[k]
		line := strings.TrimSpace(t.page.prose[u.from:end])
		if t.lists.houseLine(line) || sources.MatchString(line) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(line)
		if columns(line) < 8 || columns(line) > longestAbove || strings.ContainsAny(line, "\n") || strings.ContainsRune("。；;，,：:", last) || u.link != nothing || u.where == Title ||
			u.where == Meta || trails.MatchString(line) || beginsDate(line) || t.isSite(line) || strings.Contains(t.said.title, line) || t.elsewhere(t.c, u.part) {
			return ""
		}
		return line
	}
	return ""
}
