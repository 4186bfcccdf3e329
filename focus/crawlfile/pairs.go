package crawlfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// This file holds which keys of a crawl file cannot both be meant: each is sound by itself.

// contradictions finds keys that say the opposite of each other.
func (k *checker) contradictions() {
	t := &k.c.Topic
	if weightless(t.Positions.byName()) {
		k.Wrong("topic.positions", weightlessWords)
	}
	if weightless(t.Speech.byName()) {
		k.Wrong("topic.speech", weightlessWords)
	}
	if !IsList(t.Corpus.Relevant) && sameFile(t.Corpus.Relevant, t.Corpus.Other) {
		k.Wrong("topic.corpus.other", "is topic.corpus.relevant again: the same pages cannot be of the topic and not")
	}
	k.against()
	k.sitesTwice()
	k.apart("reading.stop", k.c.Reading.Stop, "special", k.c.Reading.Special)
	k.apart("scope.not_hosts", k.c.Scope.NotHosts, "hosts", k.c.Scope.Hosts)
	k.apart("scope.not_paths", k.c.Scope.NotPaths, "paths", k.c.Scope.Paths)
	k.ownRun()
}

const weightlessWords = "are all 0, and no word of a page would count; give one of them a weight"

func weightless(weights map[string]*float64) bool {
	for _, w := range weights {
		if w == nil || *w != 0 {
			return false
		}
	}
	return true
}

// against finds terms that say nothing, and lists that only say what is not wanted.
func (k *checker) against() {
	t := &k.c.Topic
	wanted := len(t.Terms) == 0 || t.About != "" || len(t.Examples) > 0 || t.Corpus.Relevant != "" || t.Model != ""
	for i, term := range t.Terms {
		if term.Weight == 0 {
			k.Wrong(fmt.Sprintf("topic.terms[%d].weight", i), "is 0, and the term would count nothing; give it one, or take the term out")
		}
		wanted = wanted || term.Weight >= 0
	}
	if !wanted {
		k.Wrong("topic.terms", "all speak against a page, and nothing for one; add what is looked for")
	}
}

// sitesTwice finds sites of which two things are said.
func (k *checker) sitesTwice() {
	first := map[string]int{}
	for i, s := range k.c.Sites {
		site := strings.ToLower(strings.TrimSuffix(s.Site, "/"))
		if at, ok := first[site]; ok {
			k.Wrong(fmt.Sprintf("sites[%d].site", i), "is %s, which is sites[%d] already; keep one of the two", s.Site, at)
			continue
		}
		first[site] = i
	}
}

// unsited warns of sites that the strategy does not look up.
func (k *checker) unsited(s *rank.Strategy) {
	if s == nil || len(k.c.Sites) == 0 {
		return
	}
	hosts, directories := s.LooksUpSites()
	if !hosts {
		k.Wrong("sites", "counts nothing in this crawl: %s does not ask what its sites are worth; choose a strategy that does, such as apprentice or shark-site, or take it out", s.Name)
		return
	}
	for i, site := range k.c.Sites {
		host, directory, _ := strings.Cut(site.Site, "/")
		if strings.Trim(directory, "/") != "" && !directories {
			k.Wrong(fmt.Sprintf("sites[%d].site", i), "is %s, and %s counts whole hosts: it is not used; write %s, or give the strategy's factor site key: host+dir", site.Site, s.Name, host)
		}
	}
}

// apart finds what stands in a list and in its opposite.
func (k *checker) apart(list string, words []string, oppositeName string, opposite []string) {
	for i, w := range words {
		same := func(o string) bool { return strings.EqualFold(strings.TrimSpace(o), strings.TrimSpace(w)) }
		if slices.ContainsFunc(opposite, same) {
			k.Wrong(fmt.Sprintf("%s[%d]", list, i), "is %s, which is in %s too; keep one of the two", w, oppositeName)
		}
	}
}

// ownRun finds keys that take the run folder for something that is there before the run.
func (k *checker) ownRun() {
	c := k.c
	if IsShared(c.Store) {
		return
	}
	if sameFile(c.Fetch.Since, c.Store) {
		k.Wrong("fetch.since", "%s is the run folder of this very crawl; give that of an earlier one, or another store", c.Fetch.Since)
	}
	if from := c.Learn.From; sameFile(from, c.Store) || sameFile(from, filepath.Join(c.Store, FileExperience)) {
		k.Wrong("learn.from", "%s is the run folder of this very crawl; give that of another one, or another store", from)
	}
	if sameFile(c.Web, c.Store) {
		k.Wrong("web", "%s is the run folder of this crawl too, whose pages would become part of the web; give another store", c.Web)
	}
}

// sameFile tells whether two paths lead to one file or folder. What is not there, or not given, is none.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// unreached warns of bounds that another one hides.
func (k *checker) unreached() {
	b, p, f, s := k.c.Budget, k.c.Polite, k.c.Fetch, k.c.Scope
	const pages, visits, time = "is %v, and the crawl ends at %d pages (budget.pages)", "is %d, and there are no more than %d visits at the same time (polite.parallel)",
		"is %v, and a page has %v in all (fetch.timeout)"
	for _, bound := range []struct {
		hidden  bool
		key     string
		Says    string
		is, and any
	}{
		{b.Pages > 0 && b.Relevant > b.Pages, "budget.relevant", pages, b.Relevant, b.Pages},
		{b.Pages > 0 && b.Pages <= ledger.Window && b.Saturation > 0, "budget.saturation", "is looked at from %d pages on, and the crawl ends at %d (budget.pages)", ledger.Window, b.Pages},
		{p.PerHost > p.Parallel, "polite.per_host", visits, p.PerHost, p.Parallel},
		{p.PerIP > 0 && p.PerHost > p.PerIP, "polite.per_host", "is %d, and there are no more than %d at one address (polite.per_ip)", p.PerHost, p.PerIP},
		{p.PerIP > p.Parallel && k.c.Says("polite.per_ip"), "polite.per_ip", visits, p.PerIP, p.Parallel},
		{f.Connect > f.Timeout && k.c.Says("fetch.connect"), "fetch.connect", time, f.Connect, f.Timeout},
		{f.Answer > f.Timeout && k.c.Says("fetch.answer"), "fetch.answer", time, f.Answer, f.Timeout},
	} {
		if bound.hidden {
			k.Wrong(bound.key, bound.Says, bound.is, bound.and)
		}
	}
	if l := k.c.Topic.Language; l != "auto" && !(&admit.Scope{Languages: s.Languages}).Speaks(string(l)) {
		k.Wrong("scope.languages", "keeps pages in %s, and the topic is in %s (topic.language)", strings.Join(s.Languages, ", "), l)
	}
	for _, key := range k.c.unheard {
		k.Wrong(key, "counts nothing beside web_topic, which has the web's own in its place; take one of the two out")
	}
	k.outside()
}

// outside warns of start pages that the scope refuses.
func (k *checker) outside() {
	rules := k.c.Scope.Rules()
	if rules.Compile() != nil {
		return // told by New
	}
	refused := map[int]admit.Refused{}
	for i, seed := range k.c.Seeds {
		l := page.LinkTo(seed)
		if why := rules.Admit(&l, 0); why != "" {
			refused[i] = why
		}
	}
	what := "and is not visited"
	if len(refused) == len(k.c.Seeds) {
		what = "and so is every other start page: the crawl is refused"
	}
	if len(k.c.Seeds) == 1 {
		what = "and there is no other start page: the crawl is refused"
	}
	for i := range k.c.Seeds {
		if why, out := refused[i]; out {
			k.Wrong(fmt.Sprintf("seeds[%d]", i), "is outside the scope (%s), %s", why, what)
		}
	}
}
