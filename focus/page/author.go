package page

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// maxName is the bytes of the longest name of an author.
const maxName = 80

// name is a name of an author, or nothing: never an address, never a sentence, never what else a byline says.
func name(s string) string {
	if m := reported.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	if strings.ContainsAny(s, "⁰¹²³⁴⁵⁶⁷⁸⁹") {
		s = notesOfNames.ReplaceAllString(s, "")
	}
	for i, piece := range sideBySide.Split(tidy(s), -1) {
		if i == 0 {
			if s := nameAtFirst(piece); s != "" {
				return s
			}
		}
		if s := nameWithin(piece); s != "" {
			return s
		}
	}
	return ""
}

// sideBySide parts what stands side by side on a byline.
var sideBySide = regexp.MustCompile(`\s*[|•]\s*|\s+[·»]\s+`)

// nameAtFirst is the name that a piece of a byline begins with, behind the words that say so.
func nameAtFirst(s string) string {
	for again := true; again; {
		again = false
		for _, word := range bylines {
			if len(s) > len(word) && strings.EqualFold(s[:len(word)], word) {
				s, again = strings.TrimLeft(s[len(word):], " :：/／\u3000"), true
			}
		}
	}
	if span := afterName.FindStringIndex(s); span != nil {
		s = s[:span[0]]
	}
	if span := afterMail.FindStringIndex(s); span != nil {
		s = s[:span[0]]
	}
	if at := strings.LastIndex(s, " ("); at > 0 && !strings.Contains(s[at:], ")") { // what stands in brackets was parted
		s = s[:at]
	}
	s = strings.TrimRight(strings.Trim(s, " ,，;；:：-–—()（）【】\""), " ,*⁎†‡")
	if s == "" || len(s) > maxName || strings.Contains(s, "://") || strings.HasPrefix(s, "www.") || s[0] == '/' || s[0] == '#' || strings.ContainsAny(s, "。！？!?@{}<>©") || noName.MatchString(s) {
		return ""
	}
	return s
}

// afterMail is the address to write to behind a name.
var afterMail = regexp.MustCompile(`\s*[(<\[（]\s*[^\s()<>@]+(?:@| (?:at|AT) )[^()<>]+[)>\]）]\s*$`)

// nameWithin is the name that stands in a byline behind other things: that of the author, else of who put the text there.
func nameWithin(s string) string {
	for _, words := range []*regexp.Regexp{byWithin, putThere} {
		for _, span := range words.FindAllStringIndex(s, -1) {
			piece := sideBySide.Split(s[span[1]:], 2)[0]
			if startsName(piece) {
				if s := nameAtFirst(piece); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

var putThere = regexp.MustCompile(`(?:发布者|发布人|发帖人)\s?[:：]\s*`)

// byWithin stands before a name that a byline does not begin with: behind a day or a time of day, at the beginning of a piece, or behind
// a word for what was written. Who reviewed, translated or photographed it is not its author.
var byWithin = regexp.MustCompile(`(?i)(?:^|[\d|,;)–—-]|\d\s*[ap]\.?m\.?|\b(?:ago|utc|gmt|written|posted|published|submitted|words|text|story|reports?|reporting|article|interview))\s*\bby[\s:]+|\bauthors?:\s*|(?:作者|撰文)[\s:：]+|记者[\s:：]+`)

// labels say what follows them on a byline in Chinese.
const labels = `发布|发布时间|发布日期|发表|发表时间|发布者|更新|更新时间|日期|时间|来源|稿源|出处|信息来源|文章来源|编辑|责编|责任编辑|审核|校对|摄影|浏览|浏览次数|阅读|阅读量|点击|点击数|点击量|评论|字号|分享|收藏|关注|登录|注册|举报|打印|选稿|选编|供稿|供图|图片|编译|摄`

// afterName is what may follow a name on its line.
var afterName = regexp.MustCompile(`(?i)\s+(?:published|posted|updated|on\s+\w+day|on\s+(?:mon|tues?|wed|thur?s?|fri|sat|sun)\b|last\s|(?:(?:over|about|almost)\s+)?\d+\s+(?:min|minutes?|hours?|days?|weeks?|months?|years?|comments?|views?)\b|\d{1,2}-\d{1,2}(?:\s|$)|(?:at\s+)?\d{1,2}[:：]\d\d)` +
	`|[,;]\s*\w+\s+by\s|\s*所有$|\s(?:` + labels + `)|\s(?:图|视频)[/／:：]|\s\p{Han}{0,4}编辑\s|　|(?:选稿|责任编辑|责编|编辑|摄影|来源)[:：]|(?:\s+on)?\s*(?:` + dates.String() + `)`)

// noName is what stands in the place of a name and is none: words for when the page was written and what can be done with it, and a
// label of something else.
var noName = regexp.MustCompile(`(?i)^(?:[\s\d.,:;/+-]|\b(?:published|posted|updated|modified|edited|last|on|at|by|the|date|time|min|mins|minutes?|hours?|days?|weeks?|months?|years?|ago|yesterday|today|read|reading|share|shared|sharing|this|article|` +
	`comments?|views?|print|email|follow|save|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|(?:星期|周)[一二三四五六日天])+$` +
	`|^(?:` + labels + `)(?:[\s:：\d(（]|到|给|于|$)|^(?:\w+ed|photos?|images?|pictures?|words|text|story|reports?|reporting|editing|illustrations?|design|theme)\s+by\b|扫码|扫一扫` +
	`|^(?:最新|其[他它]|更多|热门|全部)的?\p{Han}{2}$|^(?:null|undefined|none|no author|unknown|admin|administrator|webmaster|(?:系统|网站)?管理员|佚名|匿名|未知)$`)

// bylines begin a line that says who wrote a text.
var bylines = []string{"written by ", "posted by ", "published by ", "submitted by ", "added by ", "written by:", "posted by:", "published by:", "by ", "by:", "author:", "author ", "作者", "撰文", "文/", "文／", "文：", "本报记者", "记者"}

var byAuthor = newPhrases(bylines)

// maxAuthors bounds the authors of a page, and how often it may name them.
const maxAuthors = 200

// authors are the names of those who wrote a page, as one place names them after the other.
type authors struct {
	place string
	names []string
	asked int
	size  int
}

// asks says whether a place may add a name. The first place that has one counts: other names in another are other forms of the same.
func (a *authors) asks(place string) bool {
	a.asked++
	return a.asked <= maxAuthors && a.size < maxSaid/2 && (a.names == nil || place == a.place)
}

// add adds a name that a place has.
func (a *authors) add(place, name string) {
	if name != "" && !slices.Contains(a.names, name) {
		a.place, a.names, a.size = place, append(a.names, name), a.size+len(name)
	}
}

// String is all of them, parted by what stands in none of them.
func (a *authors) String() string {
	if slices.ContainsFunc(a.names, func(name string) bool { return strings.Contains(name, ",") }) {
		return strings.Join(a.names, "; ")
	}
	return strings.Join(a.names, ", ")
}

// named finds the author on the page: where an attribute says so, then where a class does, then in a line that begins as bylines
// do, or has one in it behind the day or the source; the nearest to the heading.
func (r *reading) named(c []candidate, near int32, to *resolver) string {
	for _, want := range []hint{hintAuthor | hintSurely, hintAuthor} {
		if found := r.markedAuthors(c, near, want); found != "" {
			return found
		}
	}
	for i := near; int(i) < min(len(r.parts), int(near)+nearby); i++ {
		if s := r.namedBelow(c, i); s != "" && !r.elsewhere(c, i) {
			return s
		}
		if c[i].all == 0 || c[i].all > maxLine || facts[r.parts[i].tag]&isHeading != 0 && !r.headsByline(c, i) {
			continue
		}
		begins, s := r.beginning(&c[i]), ""
		if byAuthor.begins(begins) {
			s = nameBehind(r.saying(c, i))
		}
		if s == "" && strings.Contains(begins, "者 ") {
			if m := ofHouse.FindStringSubmatch(r.saying(c, i)); m != nil {
				s = name(m[1])
			}
		}
		if s == "" && (r.parts[i].hints&hintByline != 0 || beginsDate(begins) || r.lists.houseLine(begins)) {
			s = nameWithin(r.saying(c, i))
		}
		if s != "" && !r.elsewhere(c, i) {
			return s
		}
	}
	return cmp.Or(r.reporter(c, near), r.namedAtEnd(c), r.person(c, near, to))
}

// reported is how a report begins in Chinese: 〔記者王小明／台北報導〕, 本报讯（记者 王小明 李四）.
var reported = regexp.MustCompile(`^(?:[〔（(【[]?\p{Han}{0,8}(?:[／/]\s?)?\s?|[^。（）()]{0,24}[讯电訊電]\s?[（(][^。（）()]{0,20}?)[记記]者[\s:：]*(\p{Han}{2,4}(?:[\s、·]+\p{Han}{2,4})*?)\s*` +
	`(?:[／/]\s*\p{Han}{2,8}[报報][导導道]|[\s、]*(?:通[讯訊][员員]|实习|见习)[^（）()]*[）)]|[）)])`)

// reporter is who reports, by the first words of the main text.
func (r *reading) reporter(c []candidate, near int32) string {
	for i := near; int(i) < min(len(r.parts), int(near)+nearby); i++ {
		if begins := r.beginning(&c[i]); c[i].keep && strings.Contains(Cut(begins, maxLine), "者") {
			if m := reported.FindStringSubmatch(Cut(begins, maxLine)); m != nil {
				return name(m[1])
			}
		}
	}
	return ""
}

// markedAuthors are the authors in parts that have hints for them: the nearest to the heading, and where it is sure that they are,
// those who stand beside them.
func (r *reading) markedAuthors(c []candidate, near int32, want hint) string {
	var found authors
	least, last := int32(1<<30), int32(nothing)
	for i := range int32(len(r.parts)) {
		p := &r.parts[i]
		if p.hints&want != want {
			continue
		}
		far := max(i-near, 3*(near-i))
		joins := want&hintSurely != 0 && last != nothing && r.adjoins(c, last, i) && found.asks("")
		around := i
		if want&hintSurely != 0 { // whatever it is called besides
			around = p.parent
		}
		if far >= least && !joins || r.elsewhere(c, around) && !r.inOwnFooter(c, i, near) {
			continue
		}
		s := r.naming(c, i)
		if s == "" {
			continue
		}
		if !joins {
			found = authors{}
		}
		found.add("", s)
		least, last = min(least, far), i
	}
	return found.String()
}

// inOwnFooter tells of a part that it stands in the footer of the article whose heading that is: a footer says of its article what
// that of a site says of the site. Of a list of articles no heading is in any of them, and that of a comment or of an article beside it
// is another's, also within the article.
func (r *reading) inOwnFooter(c []candidate, part, heading int32) bool {
	i := part
	for i > 0 && r.parts[i].tag != tagFooter && c[i].unlike&elsewhereHints == 0 {
		i = r.parts[i].parent
	}
	if r.parts[i].tag != tagFooter || c[i].unlike&elsewhereHints&^tagHints[tagFooter] != 0 || r.elsewhere(c, r.parts[i].parent) {
		return false
	}
	for i > 0 && r.parts[i].tag != tagArticle {
		i = r.parts[i].parent
	}
	return i > 0 && r.inside(heading, i)
}

// adjoins says whether between one part and one behind it stands no more than what parts two names.
func (r *reading) adjoins(c []candidate, part, next int32) bool {
	a, b := c[part].opens, c[next].opens
	if a == nothing || b == nothing {
		return false
	}
	between := r.prose.runs[b].from - r.prose.runs[a].from - c[part].all
	return 0 <= between && between <= int32(len(", and by "))
}

// naming is the name that a part has which is called the author: what an attribute says, what is called the name in it, or all of a
// short text. Where microdata says so, the first name is the author's, whatever else is said of them; in a class it has to be the only
// one, since there may be several authors.
func (r *reading) naming(c []candidate, i int32) string {
	p := &r.parts[i]
	surely := p.hints&hintSurely != 0
	if p.value != "" {
		return r.asName(p.value)
	}
	short, only := c[i].all <= 2*maxName, ""
	for k := i + 1; int(k) < len(r.parts) && r.parts[k].parent >= i && (surely || short) && r.tried <= maxAuthors; k++ {
		if r.parts[k].hints&hintName == 0 || c[k].all > 2*maxName {
			continue
		}
		switch s := r.asName(cmp.Or(r.parts[k].value, r.saying(c, k))); {
		case s == "" || s == only:
		case surely:
			return s
		case only != "":
			return r.asName(r.saying(c, i))
		default:
			only = s
		}
	}
	if only == "" && short {
		return r.asName(r.saying(c, i))
	}
	return only
}

// asName is name, as often as a page may name its authors: it takes its time.
func (r *reading) asName(text string) string {
	if r.tried++; r.tried > maxAuthors {
		return ""
	}
	return name(text)
}

// nameBehind is the name in a line that begins as bylines do.
func nameBehind(line string) string {
	for _, word := range bylines {
		if len(line) > len(word) && strings.EqualFold(line[:len(word)], word) && startsName(line[len(word):]) {
			if s := name(line); s != "" {
				return s
			}
		}
	}
	return ""
}

// namedBelow are the authors whose names stand below a heading that says no more than that they come: Posted by: what stands below
// "Author" is as often one of a text's own headings, of a manual or of a book that it tells of.
func (r *reading) namedBelow(c []candidate, heading int32) string {
	k := c[heading].next
	if at := &c[heading]; facts[r.parts[heading].tag]&isHeading == 0 || at.all == 0 || at.all > shortSentence || k == nothing || c[k].all == 0 || c[k].all > bylineBytes {
		return ""
	}
	says := strings.ToLower(strings.TrimRight(r.saying(c, heading), ":： "))
	if !strings.HasSuffix(says, " by") && (says != "作者" || !r.isHead(c, heading)) || !slices.ContainsFunc(bylines, func(word string) bool { return says == strings.TrimRight(word, ": ") }) {
		return ""
	}
	var found authors
	for i := k; int(i) < len(c) && (i == k || r.parts[i].parent >= k); i++ {
		if says := r.saying(c, i); c[i].bytes > 0 && startsName(says) && !r.ends(&c[i]) {
			found.add("", name(says))
		}
	}
	return found.String()
}

// headsByline says of a heading that it is called a byline, and begins as one with no text above it, or that the names of the authors stand
// below it.
func (r *reading) headsByline(c []candidate, i int32) bool {
	p, at := &r.parts[i], &c[i]
	return p.hints&hintByline != 0 && p.tag != tagH1 && at.all <= bylineBytes && nameBehind(r.saying(c, i)) != "" && r.isHead(c, i) ||
		r.namedBelow(c, i) != ""
}

// isByline says whether a part is a byline and no more: by whom, and on which day.
func (r *reading) isByline(c []candidate, i int32) bool {
	at := &c[i]
	if at.opens == nothing || at.all > bylineBytes || !byAuthor.begins(r.page.prose[r.prose.runs[at.opens].from:]) {
		return false
	}
	line := r.saying(c, i)
	day := dates.FindStringIndex(line)
	return day != nil && endsByline.MatchString(line[day[1]:]) && !noByline.MatchString(line[:day[0]]) && nameBehind(line) != ""
}

// isDateline says whether a part has no more than on which day the page was published or changed, and by whom.
func (r *reading) isDateline(c []candidate, i int32) bool {
	if at := &c[i]; at.opens == nothing || at.all > maxLine || !beginsWhen.begins(r.beginning(at)) {
		return false
	}
	line := r.saying(c, i)
	when := justWhen.FindStringIndex(line)
	if when == nil {
		return false
	}
	line = line[when[1]:]
	day := dates.FindStringIndex(Cut(line, longestDay))
	if day == nil || day[0] > 0 {
		return false
	}
	line = line[day[1]:]
	rest := strings.TrimLeft(line, " ,·|")
	who := nameBehind(rest)
	return endsByline.MatchString(line) || who != "" && strings.HasSuffix(rest, who) && len(rest)-len(who) <= len("written by ")
}

// longestDay are the bytes of the day in such a line, beginsWhen how it begins, and justWhen all that stands before the day.
const longestDay = 40

var beginsWhen = newPhrases([]string{"first ", "originally ", "published", "posted", "written", "created", "last ", "updated", "modified", "edited", "revised",
	"zuletzt ", "veröffentlicht", "aktualisiert", "geändert"})

var justWhen = regexp.MustCompile(`(?i)^(?:(?:first |originally )?(?:published|posted|written|created)|(?:last )?(?:updated|modified|edited|revised)|(?:zuletzt )?(?:veröffentlicht|aktualisiert|geändert))(?: on| at| am)?[ :]+`)

// atEdge says whether a byline stands where one does: right below a heading or what begins, or above what ends or a heading; and not as one
// of many things, as of pictures or of what was filed.
func (r *reading) atEdge(c []candidate, i int32) bool {
	_, below := r.beside(c, i)
	return !r.isItem(c, i) && (r.isHead(c, i) || below == nothing || facts[r.parts[below].tag]&isHeading != 0)
}

// isHead says whether right above a part there is a heading, or nothing.
func (r *reading) isHead(c []candidate, i int32) bool {
	above, _ := r.beside(c, i)
	return above == nothing || facts[r.parts[above].tag]&isHeading != 0
}

// isItem says whether a part is all that an item of a list or a cell says.
func (r *reading) isItem(c []candidate, i int32) bool {
	for k := r.prose.runs[c[i].opens].part; k > 0 && c[k].all <= c[i].all; k = r.parts[k].parent {
		switch r.parts[k].tag {
		case tagLi, tagTd, tagTh, tagDt, tagDd:
			return true
		}
	}
	return false
}

// noByline is in a line before its day if somebody speaks in it, or it names a law: By Act of 3 May 1920.
var noByline = regexp.MustCompile(`(?i)\bof\b|^by [^:]*: |[?!]`)

// endsByline is what may stand behind the day on a byline: a time without minutes.
var endsByline = regexp.MustCompile(`(?i)^(?:,?\s(?:at )?(?:noon|midnight|\d{1,2}\s?[ap]\.?m))?[\s.)]*$`)

// startsName says whether a text may begin with a name.
func startsName(s string) bool {
	s = strings.TrimLeft(s, " :：/／\u3000")
	return s != "" && (s[0] >= 0x80 || 'A' <= s[0] && s[0] <= 'Z')
}
