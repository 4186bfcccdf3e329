package crawlfile

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// check finds what is wrong with the crawl as a whole. The strategy is nil where it could not be read.
func (c *Config) check(s *rank.Strategy) []strict.Problem {
	k := checker{c: c}
	k.seeds()
	k.name()
	k.terms()
	judged := c.Judged(s).Topic
	k.learned(judged)
	k.find(judged)
	k.problems = append(k.problems, topic.CheckParams(string(judged.Judge), judged.With)...)
	k.folders()
	k.c.Extract.Check(func(name, want string) { k.Wrong("extract."+name, "%s", want) })
	k.scope()
	k.sinks()
	k.polite()
	k.private()
	k.access()
	k.hosts()
	k.metrics()
	k.contradictions()
	return k.problems
}

// checker looks at a crawl file that has been read, and gathers all that is wrong with it: a person wants to mend it in one go.
type checker struct {
	c        *Config
	problems []strict.Problem
}

// Wrong notes a problem at a key.
func (k *checker) Wrong(path, format string, args ...any) {
	k.problems = append(k.problems, k.c.At(path, format, args...))
}

// IsAddress tells an address from a path.
func IsAddress(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "www.")
}

func (k *checker) seeds() {
	if k.c.File != "" && k.c.source.Kind() == strict.Null && len(k.c.Seeds) == 0 {
		k.Wrong("", "the file is empty: 'thresher init NAME' writes one, and those in configs/ are there to start from")
	} else if len(k.c.Seeds) == 0 && k.c.WebTopic == "" && !k.c.seedless() {
		k.Wrong("seeds", "there are none: a crawl needs at least one start page, such as seeds: [https://www.example.org/]")
	}
	k.addresses("seeds", k.c.Seeds)
	k.addresses("directories", k.c.Directories)
}

// wideList is what a list of addresses looks like that is parted as Chinese parts words.
var wideList = regexp.MustCompile(`([，、；])\s*(?:$|https?://|www\.)`)

// addresses checks a list of whole addresses.
func (k *checker) addresses(list string, addresses []string) {
	for i, s := range addresses {
		u, err := url.Parse(s)
		switch path := fmt.Sprintf("%s[%d]", list, i); {
		case err != nil || strings.TrimSpace(s) != s || s == "":
			k.Wrong(path, "is %q, want an address such as https://www.example.org/", s)
		case wideList.MatchString(s):
			comma := wideList.FindStringSubmatch(s)[1]
			k.Wrong(path, "is %q, where a wide comma parts no list; give one address each, parted by ordinary commas, or write %s where it belongs to the address", s, url.QueryEscape(comma))
		case u.Scheme == "" && strings.Contains(s, "."):
			k.Wrong(path, "is %q, want the whole address: https://%s", s, strings.TrimPrefix(s, "//"))
		case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
			k.Wrong(path, "is %q, want an address that begins with http:// or https://", s)
		}
	}
}

func (k *checker) name() {
	if strings.ContainsAny(k.c.Name, "/\\\x00\n") || strings.Trim(k.c.Name, ". ") == "" {
		k.Wrong("name", "is %q, want a name without slashes: the run folder is called by it", k.c.Name)
	}
	if k.c.Polite.Agent == "" || strings.ContainsAny(k.c.Polite.Agent, " /;:()") || strings.ContainsFunc(k.c.Polite.Agent, unicode.IsControl) {
		k.Wrong("polite.agent", "is %q, want one word: robots.txt files call the crawler by it", k.c.Polite.Agent)
	}
}

func (k *checker) folders() {
	if why := k.c.missing(k.c.Web); k.c.Web != "" && why != "" {
		k.Wrong("web", "%s: %s; want the folder of a recorded web", plainly(k.c.Web), why)
	} else if k.c.Web != "" {
		if info, err := os.Stat(k.c.Web); err == nil && !info.IsDir() {
			k.Wrong("web", "%s is a file; want the folder of a recorded web", k.c.Web)
		} else if !Holds(k.c.Web, WebFiles...) {
			k.Wrong("web", "%s: there is no pages.warc.gz in it; want the folder of a recorded web", k.c.Web)
		}
	}
	if !IsShared(k.c.Store) {
		if err := cmp.Or(noRedis(k.c.Store), NoFolder(k.c.Store)); err != nil {
			k.Wrong("store", "%v", err)
		}
	}
	if since := k.c.Fetch.Since; since != "" && !Holds(since, WebFiles...) {
		k.Wrong("fetch.since", "%s holds no *.warc.gz; want the folder of a run with the sink warc, or a recorded web", since)
	}
	for i, e := range k.c.Topic.Examples {
		if why := k.c.noFile(e); why != "" && !IsAddress(e) {
			k.Wrong(fmt.Sprintf("topic.examples[%d]", i), "%s: %s", plainly(e), why)
		}
	}
	k.userDict()
}

// userDict reads the user dictionary, so that its bad lines are told of before anything runs.
func (k *checker) userDict() {
	d := k.c.Text.UserDict
	if d == "" {
		return
	}
	if why := k.c.noFile(d); why != "" {
		k.Wrong("text.user_dict", "%s: %s", d, why)
		return
	}
	if _, err := text.NewCutter(text.Options{UserDict: d}); err != nil {
		for line := range strings.Lines(err.Error()) {
			k.Wrong("text.user_dict", "%s", strings.TrimSpace(line))
		}
	}
}

// learned checks what a judge that is learned needs, and what only such a judge uses.
func (k *checker) learned(t TopicConfig) {
	from := t.Corpus
	if why := k.c.noFile(t.Model); t.Model != "" && why != "" {
		k.Wrong("topic.model", "%s: %s; thresher train judge makes one", plainly(t.Model), why)
	} else if t.Model != "" {
		if _, err := topic.LoadModel(t.Model); err != nil {
			k.Wrong("topic.model", "%v", err)
		}
	}
	for _, side := range []struct{ key, path string }{{"topic.corpus.relevant", from.Relevant}, {"topic.corpus.other", from.Other}} {
		if why := k.c.missing(side.path); side.path != "" && why != "" {
			k.Wrong(side.key, "%s: %s", plainly(side.path), why)
		}
	}
	switch {
	case from.Relevant == "" && from.Other != "":
		k.Wrong("topic.corpus", "has pages that are not of the topic and none that are; give relevant too")
	case !t.Trained() && t.Model != "" && !k.c.Says("topic.judge"):
		k.Wrong("topic.model", "is used by a trained judge only; add judge: classifier")
	case t.Trained() && t.Model == "" && from.Relevant == "":
		k.Wrong("topic.judge", "%s has nothing to learn from; give topic.model (thresher train judge makes one), or topic.corpus", t.Judge)
	case t.Trained() && t.Model == "" && from.Other == "" && !IsList(from.Relevant):
		k.Wrong("topic.corpus", "has pages of one kind only, and judge: %s is learned from both; give other too", t.Judge)
	}
}

// find checks that a word for a threshold has the number to itself, and that the judge is the one it was found for.
func (k *checker) find(judged TopicConfig) {
	said := k.c.layer("topic.find")
	if k.c.Topic.Find == "" || said < k.c.layer("topic.threshold") {
		return
	}
	switch {
	case said > 0 && said == k.c.layer("topic.threshold"):
		k.Wrong("topic.find", "says how much is kept, and so does topic.threshold: take one of the two out")
	case judged.Judge != topic.DefaultJudge || judged.Calibrate != "on":
		k.Wrong("topic.find", "stands for a threshold of judge %s with calibrate: on, and pages are judged by %s, calibrate: %s: give topic.threshold instead", topic.DefaultJudge, judged.Judge, judged.Calibrate)
	}
}

// missing says why a file cannot be used, or nothing.
func (c *Config) missing(file string) string {
	_, err := os.Stat(file)
	switch {
	case err == nil:
		return ""
	case os.IsNotExist(err):
		return "there is no such file or folder" + escaped(file)
	case os.IsPermission(err):
		return "it may not be read"
	}
	return err.Error()
}

// noFile says why something cannot be used as a file, or nothing.
func (c *Config) noFile(file string) string {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return errFolder.Error()
	}
	return c.missing(file)
}

func (k *checker) sinks() {
	first := map[string]int{}
	for i, s := range k.c.Sinks {
		path := fmt.Sprintf("sinks[%d]", i)
		if s.To == "" {
			k.Wrong(path, "names no form; say which: {to: jsonl}, and there are %s", strings.Join(sink.Names(), ", "))
			continue
		}
		if at, ok := first[string(s.To)]; ok {
			k.Wrong(path, "%s stands in sinks[%d] already; keep one of the two", s.To, at)
			continue
		}
		first[string(s.To)] = i
		k.cluster(path, &k.c.Sinks[i])
		if s.To == "warc" && len(s.Fields) > 0 {
			k.Wrong(path+".fields", "a warc file has no fields; take them out, or write to jsonl or csv")
			continue
		}
		for j, f := range s.Fields {
			if _, value := strings.CutPrefix(f, sink.ValueOf); !value && !slices.Contains(sink.Fields(), f) {
				k.Wrong(fmt.Sprintf("%s.fields[%d]", path, j), "%s", unknownField(f))
			} else if at := slices.Index(s.Fields, f); at < j {
				k.Wrong(fmt.Sprintf("%s.fields[%d]", path, j), "is %s, which is fields[%d] already; keep one of the two", f, at)
			}
		}
	}
}

// cluster checks what is for a cluster alone.
func (k *checker) cluster(path string, s *SinkConfig) {
	if !s.To.Follows() {
		if s.URL != "" || s.Index != "" || s.Queue != 0 {
			k.Wrong(path, "url, index and queue belong to {to: opensearch}; take them out")
		}
		return
	}
	if err := sink.CheckCluster(s.URL); err != nil {
		k.Wrong(path+".url", "%v", err)
	}
	if err := sink.CheckIndex(s.Index); err != nil && s.Index != "" {
		k.Wrong(path+".index", "%v", err)
	}
	if at := slices.IndexFunc(k.c.Sinks, func(s SinkConfig) bool { return s.To == "jsonl" }); at >= 0 && len(k.c.Sinks[at].Fields) > 0 {
		k.Wrong(fmt.Sprintf("sinks[%d].fields", at), "the cluster is sent what stands in harvest.jsonl: take the fields out, or give them to opensearch")
	}
}

func unknownField(name string) string {
	if near := strict.Nearest(name, sink.Fields()); near != "" {
		return fmt.Sprintf("unknown field %q; did you mean %q?", name, near)
	}
	return fmt.Sprintf("unknown field %q; known are %s", name, strings.Join(sink.Fields(), ", "))
}

func (k *checker) polite() {
	contact := k.c.Polite.Contact
	if contact != "" && !IsContact(contact) {
		k.Wrong("polite.contact", "is %q, want an e-mail address, or a web address that begins with http:// or https://", contact)
	}
}

// IsContact tells of an e-mail address, or a web address, that hosts can write to.
func IsContact(s string) bool {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		u, err := url.Parse(s)
		return err == nil && u.Host != ""
	}
	local, domain, ok := strings.Cut(strings.TrimPrefix(s, "mailto:"), "@")
	return ok && local != "" && strings.Contains(domain, ".") && !strings.ContainsAny(s, " \t\r\n<>()")
}

// Warnings tell what can be crawled, but may not be meant.
func (c *Config) Warnings(s *rank.Strategy) []strict.Problem {
	k := checker{c: c}
	if len(c.Seeds) == 0 {
		k.Wrong("seeds", "%s", noSeeds+c.File)
	} else if c.NoSeeds() != nil {
		k.Wrong("seeds", noneInside, len(c.Seeds))
	}
	if c.NoContact() != nil {
		k.Wrong("polite.contact", "%s", noContact)
	}
	if c.Live() && c.Polite.Robots == "ignore" {
		k.Wrong("polite.robots", "robots.txt is ignored: crawl only hosts that are yours so")
	}
	if p := c.Polite; p.Park > 0 && p.GiveUp > 0 && p.GiveUp <= p.Park {
		k.Wrong("polite.give_up", "is %d, and polite.park %d: a host is given up before it was ever left alone for a while, and a moment's outage keeps it away for minutes, or for good; give a larger one", p.GiveUp, p.Park)
	}
	if IsShared(c.Store) && !c.Live() {
		k.Wrong("store", "a recorded web on Redis is crawled by one machine, from beginning to end: time stands still there while others are waited for")
	}
	b := c.Budget
	k.roundless(s)
	k.unreached()
	k.unsited(s)
	k.untrained(s)
	if b.Pages == 0 && b.Relevant == 0 && b.Time == 0 && b.Bytes == 0 && b.Saturation == 0 && b.Rounds == 0 {
		k.Wrong("budget", "nothing ends this crawl but the last link; give budget.pages or budget.time")
	}
	if len(c.Sinks) == 0 {
		k.Wrong("sinks", "there are none: no page will be kept, crawl.log alone will tell of them")
	}
	for i, to := range c.Sinks {
		if to.To == "jsonl" && len(to.Fields) > 0 && !slices.Contains(to.Fields, "id") {
			k.Wrong(fmt.Sprintf("sinks[%d].fields", i), "has no id: by that a page of the harvest is known to a search and to --again, and to repair and the second look where it has no url either; add it")
		}
	}
	used := c.Judged(s).Topic
	if len(unusual(used.Speech.byName())) > 0 && used.Language == "en" {
		k.Wrong("topic.speech", "changes nothing that is meant: parts of speech are told of Chinese words only, and every English word counts as a noun")
	}
	k.translated()
	k.problems = append(k.problems, c.DoubtfulTerms()...)
	k.belongs(s, used)
	k.untrusted(used)
	k.problems = append(k.problems, c.Withheld()...)
	for _, name := range collyEnvironment() {
		k.problems = append(k.problems, strict.Problem{File: name, Want: "is set in the environment; thresher does not read it"})
	}
	return append(k.problems, UnknownEnvironment(os.Environ())...)
}

// belongs warns of a strategy that is tried with another judge, or another content rule, than belongs to it.
func (k *checker) belongs(s *rank.Strategy, used TopicConfig) {
	if s == nil {
		return
	}
	if s.Judge != "" && s.Judge != "none" && s.Judge != string(used.Judge) {
		k.Wrong("strategy", "%s belongs together with topic.judge: %s; here it is %s", s.Name, s.Judge, used.Judge)
	}
	if s.Content != "" && s.Content != used.Content {
		k.Wrong("strategy", "%s belongs together with topic.content: %s; here it is %s", s.Name, s.Content, used.Content)
	}
}

// untrusted warns of a model that is weak, or that nothing uses.
func (k *checker) untrusted(t TopicConfig) {
	if t.Model == "" {
		return
	}
	if !t.Trained() {
		k.Wrong("topic.model", "is not used by judge: %s", t.Judge)
		return
	}
	if t.Corpus.Relevant != "" && topic.KindOf(string(t.Judge)) != "" {
		k.Wrong("topic.model", "is not used: judge: %s learns from topic.corpus", t.Judge)
		return
	}
	if t.Corpus.Relevant != "" {
		k.Wrong("topic.corpus", "is not used: judge: %s takes topic.model; take one of the two out", t.Judge)
	}
	if m, err := topic.LoadModel(t.Model); err == nil {
		for _, doubt := range m.Doubts() {
			k.Wrong("topic.model", "%s: %s", t.Model, doubt)
		}
	}
}

// collyEnvironment are the variables of the environment by which Colly would change a crawl behind its crawl file.
func collyEnvironment() []string {
	var set []string
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "COLLY_") {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	return set
}
