package drawn

import "strings"

// compose decides what a page says.
func (w *drawing) compose(p *drawn) {
	t := p.site.t
	stock := func(kind string) []string { return []string{pick(w.d, t.general.words[kind])} }
	switch p.kind {
	case homePage: // begins with an article on its subject
		s := w.story(p)
		p.title, p.said = s.title, s.paragraphs[:1]
	case hubPage: // one on a shelf has the shelf's title
		if p.topic != nil {
			p.title = t.say("Links: ", "链接：") + p.topic.words["channel"][0]
		}
		p.said = []string{opening(w.story(p).paragraphs[0]), opening(w.story(p).paragraphs[0])}
	case aboutPage:
		p.title, p.said = t.say("About us", "关于我们"), stock("about")
	case privatePage:
		p.title, p.said = t.say("Members only", "会员专区"), stock("members")
	case advert:
		line := pick(w.d, t.general.words["advert lines"])
		goods := strings.Join(some(w.d, t.general.words["advert nouns"], 6), t.say(", ", "，"))
		p.title, p.said = line, append(stock("pitches"), line+t.say(": ", "：")+goods)
	case calendar: // whose title is the month
		p.said = stock("empty")
	case gallery:
		p.title, p.said = t.say("Sites", "网站"), stock("empty")
	case almanac:
		p.title, p.said = t.say("The almanac", "年鉴"), []string{opening(w.story(p).paragraphs[0])}
	default:
		told := w.tell(t, p.topic)
		p.title, p.said = told.title, told.paragraphs
	}
}

// story is an article on a page's subject.
func (w *drawing) story(p *drawn) story {
	about := p.topic
	if about == nil {
		about = p.site.t.general
	}
	return pick(w.d, about.stories)
}
