package robots

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Parse reads a robots.txt for the crawler of that product token, as RFC 9309 says: groups of the token are
// joined, the one for everybody ("*") holds where there is none; the longest pattern decides, and Allow where two are
// equally long. Lines it does not understand are passed over. Of a longer file the first 500 KiB count. A path
// in another charset than UTF-8 holds as its bytes and as what they say, for links write it as either.
func Parse(body []byte, token string) *Rules {
	p := parser{token: nameIn(token), said: readings(body)}
	number := 0
	for line := range lines(body) {
		number++
		p.read(line, number)
		if text, _, _ := strings.Cut(line, "#"); utf8.ValidString(text) {
			continue
		}
		for i, said := range p.said {
			known := func(before []string) bool { return before[number-1] == said[number-1] }
			if !slices.ContainsFunc(p.said[:i], known) {
				p.read(said[number-1], number)
			}
		}
	}
	return p.rules()
}

// readings are the lines of a robots.txt in another charset than UTF-8 as they may read, the likeliest first. Of a few letters
// nobody can tell which charset they are in, and what they are not in makes a path that no page has. There is none of a file in UTF-8.
func readings(body []byte) (all [][]string) {
	if body = body[:min(len(body), most)]; utf8.Valid(body) {
		return nil
	}
	guessed, name := charset.Decode(body, "")
	tries := [][]byte{guessed}
	for _, other := range []encoding.Encoding{simplifiedchinese.GB18030, traditionalchinese.Big5} {
		said, err := other.NewDecoder().Bytes(body)
		switch {
		case err != nil:
		case name == "windows-1252" && other == simplifiedchinese.GB18030 && inPairs(body):
			tries = slices.Insert(tries, 0, said)
		default:
			tries = append(tries, said)
		}
	}
	count := len(slices.Collect(lines(body)))
	for _, said := range tries {
		if as := slices.Collect(lines(said)); len(as) >= count {
			all = append(all, as)
		}
	}
	return all
}

// inPairs says whether all bytes beyond ASCII stand two by two, as of Chinese and hardly ever in Latin letters.
func inPairs(body []byte) bool {
	run := 0
	for _, b := range body {
		if b >= utf8.RuneSelf {
			run++
		} else if run%2 != 0 {
			return false
		} else {
			run = 0
		}
	}
	return run%2 == 0
}

// shown is a line as it reads.
func (p *parser) shown(line string, number int) string {
	if len(p.said) > 0 {
		return p.said[0][number-1]
	}
	return line
}

// lines are the lines of a robots.txt, ended by CR, LF or both. A line that the length limit cut is left out: half
// a path would refuse more than its author did.
func lines(body []byte) func(yield func(string) bool) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if len(body) > most {
		body = body[:most]
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
	}
	return func(yield func(string) bool) {
		for len(body) > 0 {
			end := bytes.IndexAny(body, "\r\n")
			if end < 0 {
				yield(string(body))
				return
			}
			if !yield(string(body[:end])) {
				return
			}
			if body[end] == '\r' && end+1 < len(body) && body[end+1] == '\n' {
				end++
			}
			body = body[end+1:]
		}
	}
}

// group collects what is said to some crawlers: to us, or to everybody.
type group struct {
	named bool // it was spoken to
	rules []rule
	delay time.Duration
	said  []said
}

type parser struct {
	token    string
	us, all  group
	toUs     bool // the group being read is for us
	toAll    bool // … for everybody
	ruled    bool // a rule was read since the last User-agent line: the next one starts a new group
	begun    bool // a group has begun
	sitemaps []string
	licences []said
	said     [][]string // the lines as they may read, of a file in another charset
}

// read takes one line.
func (p *parser) read(line string, number int) {
	text, _, _ := strings.Cut(line, "#")
	key, value := record(text)
	switch key {
	case "user-agent", "useragent", "user agent":
		p.address(value)
	case "allow":
		p.rule(true, value, line, number)
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		p.rule(false, value, line, number)
	case "crawl-delay", "crawldelay":
		p.slow(value)
	case "sitemap", "site-map":
		if value != "" && len(p.sitemaps) < maxSitemaps && len(value) <= 2048 {
			address, _, _, _ := page.Login(value)
			p.sitemaps = append(p.sitemaps, address)
		}
	case "content-usage":
		p.ruled = p.begun // it is a rule
		p.usage(ContentUsage, value)
	case "content-signal":
		p.usage(ContentSignal, value)
	case "license":
		if value != "" && len(value) <= longestSaid && len(p.licences) < maxSaid {
			p.licences = append(p.licences, said{Said{License, value}, newPattern("/")})
		}
	}
}

// usage takes a line about what may be done with the pages below a path; with all of them where it names none. Before the first
// group it speaks to everybody.
func (p *parser) usage(name, value string) {
	path := "/"
	if strings.HasPrefix(value, "/") {
		at := strings.IndexAny(value, " \t")
		if at < 0 {
			return
		}
		path, value = value[:at], strings.TrimSpace(value[at:])
	}
	if value == "" || max(len(value), len(path)) > longestSaid {
		return
	}
	says := said{Said{name, value}, newPattern(path)}
	groups := p.each
	if !p.begun {
		groups = func(do func(*group)) { do(&p.us); do(&p.all) }
	}
	groups(func(g *group) {
		if len(g.said) < maxSaid {
			g.said = append(g.said, says)
		}
	})
}

// record splits a line into its key, in lower case, and its value. Where the colon was forgotten a space does.
func record(line string) (key, value string) {
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return "", ""
		}
		key, value = fields[0], fields[1]
	}
	return strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
}

// address starts a group, or adds a crawler to the one that starts.
func (p *parser) address(agent string) {
	if p.ruled {
		p.toUs, p.toAll, p.ruled = false, false, false
	}
	p.begun = true
	switch name := nameIn(agent); {
	case agent == "*" || strings.HasPrefix(agent, "* "):
		p.toAll, p.all.named = true, true
	case name != "" && strings.EqualFold(name, p.token):
		p.toUs, p.us.named = true, true
	}
}

// each does something with every group that is being read.
func (p *parser) each(do func(*group)) {
	if p.toUs {
		do(&p.us)
	}
	if p.toAll {
		do(&p.all)
	}
}

// rule adds a rule. An empty path rules nothing, but it is a rule as far as groups are concerned.
func (p *parser) rule(allow bool, path, line string, number int) {
	p.ruled = true
	if path == "" {
		return
	}
	p.each(func(g *group) {
		g.rules = append(g.rules, rule{
			pattern: newPattern(path),
			allow:   allow,
			line:    fmt.Sprintf("line %d: %s", number, strings.ToValidUTF8(page.Cut(strings.TrimSpace(p.shown(line, number)), lineKept), "\ufffd")),
		})
	})
}

// slow takes a Crawl-delay in seconds. It holds for the crawlers named so far and starts no group, because RFC 9309
// knows no such line.
func (p *parser) slow(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || !(seconds > 0 && seconds <= math.MaxInt32) {
		return
	}
	p.each(func(g *group) { g.delay = time.Duration(seconds * float64(time.Second)) })
}

// rules answers what holds for us, sorted so that the first rule that matches decides.
func (p *parser) rules() *Rules {
	g := &p.all
	if p.us.named {
		g = &p.us
	}
	sortRules(g.rules)
	return &Rules{rules: boundTo(g.rules, kept), delay: g.delay, sitemaps: p.sitemaps, said: slices.Concat(g.said, p.licences), life: life}
}

// sortRules puts the rule first that decides: the longest, and of equally long ones the Allow.
func sortRules(rules []rule) {
	slices.SortStableFunc(rules, func(a, b rule) int {
		if a.pattern.length != b.pattern.length {
			return cmp.Compare(b.pattern.length, a.pattern.length)
		}
		switch {
		case a.allow == b.allow:
			return 0
		case a.allow:
			return -1
		}
		return 1
	})
}
