package page

import (
	"regexp"
	"slices"
	"strings"
)

// Who wrote a page, where no line says so in words.

// ofHouse is a line that names a reporter behind the paper: 风之屋记者 王小明.
var ofHouse = regexp.MustCompile(`^\p{Han}{2,10}[记記]者\s+(\p{Han}{2,4}(?:[\s、]+\p{Han}{2,4}){0,3})$`)

// linesBehind is how many parts behind the main text a line may stand that says who wrote it.
const linesBehind = 8

// namedAtEnd is the author by a line below the text that begins as bylines do in Chinese, with a colon behind the word.
func (r *reading) namedAtEnd(c []candidate) string {
	last := r.lastKept(c, int32(len(c)))
	for i := last + 1; last != nothing && int(i) < min(len(c), int(last)+linesBehind); i++ {
		if c[i].opens == nothing {
			continue
		}
		line, _, _ := strings.Cut(Cut(r.page.prose[r.prose.runs[c[i].opens].from:], maxLine), "\n")
		line = strings.TrimPrefix(line, "本文")
		if !strings.HasPrefix(line, "作者：") && !strings.HasPrefix(line, "作者:") {
			continue
		}
		if s := name(line); s != "" && !r.elsewhere(c, i) {
			return s
		}
	}
	return ""
}

// person is who the first link below the headline leads to that is one to a person of the site, above the text, in a line that says when
// or beside one.
func (r *reading) person(c []candidate, headline int32, to *resolver) string {
	if headline <= 0 || ofPerson(r.address) {
		return ""
	}
	from := c[headline].opens
	for k := from; int(k) < min(len(r.prose.runs), int(from)+nearby); k++ {
		u := &r.prose.runs[k]
		switch says := r.page.prose[u.from:u.to]; {
		case r.inside(u.part, headline):
			continue
		case c[u.part].keep && u.link == nothing && (len(says) > bylineBytes || len(says) >= shortSentence && endsSentence(says)):
			return "" // the text has begun
		case u.link == nothing, !ofPerson(r.links[u.link].href), r.elsewhere(c, u.part), !r.besideTime(u):
			continue
		}
		says := r.page.prose[u.from:u.to]
		if a, ok := to.resolve(r.links[u.link].href); ok && SameSite(a.host, Host(r.address)) && r.lists.said.is(says) == 0 {
			return name(says)
		}
	}
	return ""
}

// besideTime says whether a run stands in a line that says when, or right above or below one.
func (r *reading) besideTime(u *run) bool {
	from, to := u.from, u.to
	for range 2 {
		from = int32(strings.LastIndexByte(r.page.prose[:max(0, from-1)], '\n') + 1)
		if end := strings.IndexByte(r.page.prose[min(int(to)+1, len(r.page.prose)):], '\n'); end >= 0 {
			to += 1 + int32(end)
		} else {
			to = int32(len(r.page.prose))
		}
	}
	return to-from <= 2*maxLine && (dates.MatchString(r.page.prose[from:to]) || timeAgo.MatchString(r.page.prose[from:to]))
}

// people are in the addresses of pages about somebody who writes for a site.
var people = []string{"/u/", "/user", "/member", "/people/", "/profile/", "/author", "?uid=", "&uid=", "space-uid-", "//space."}

func ofPerson(address string) bool {
	return slices.ContainsFunc(people, func(s string) bool { return strings.Contains(address, s) })
}

// timeAgo is how long ago something was.
var timeAgo = regexp.MustCompile(`(?i)(?:\d|半)\s?(?:秒|分|分钟|小时|天|周|个月|年)\s?前|昨天|前天|\d\s?(?:second|minute|hour|day|week|month|year)s? ago`)

// notesOfNames stand raised behind names, and lead to what is said of each elsewhere: where its owner works.
var notesOfNames = regexp.MustCompile(`\s*[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[\s,*⁎†‡§¶]*[⁰¹²³⁴⁵⁶⁷⁸⁹*⁎†‡§¶]+)*`)
