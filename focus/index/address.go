package index

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// longestAddress is how much of an address is indexed.
const longestAddress = 500

// addressWords are the words of an address. Of those that are several words written as one, as in /StudentProjects/cs101.html, the parts
// follow.
func addressWords(written string) string {
	var words []string
	for _, word := range wordsOfAddress(written) {
		words = append(append(words, word), partsOf(word)...)
	}
	return strings.Join(words, " ")
}

// wordsOfAddress are the words of an address: of its host without what all hosts have, and of its path and query.
func wordsOfAddress(written string) []string {
	u, err := url.Parse(written)
	if err != nil {
		return nil
	}
	host := strings.TrimPrefix(u.Hostname(), "www.")
	if dot := strings.LastIndexByte(host, '.'); dot > 0 {
		host = host[:dot]
	}
	return strings.FieldsFunc(clippedView(host+" "+u.Path+" "+u.RawQuery, longestAddress), func(r rune) bool {
		return r < utf8.RuneSelf && !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	})
}

// partsOf are the words that were written as one: where letters and digits meet, and before a capital. None where it is one.
func partsOf(word string) (parts []string) {
	digit := func(b byte) bool { return '0' <= b && b <= '9' }
	begin := 0
	for i := 1; i < len(word); i++ {
		before, now := word[i-1], word[i]
		if digit(before) != digit(now) || 'a' <= before && before <= 'z' && 'A' <= now && now <= 'Z' {
			parts = append(parts, word[begin:i])
			begin = i
		}
	}
	if begin > 0 {
		parts = append(parts, word[begin:])
	}
	return parts
}

// addressed is how a word of a query looks that is an address: by its scheme, by www., or by a host with a path behind it.
var addressed = regexp.MustCompile(`^(?i:(https?://)|(www\.[^/]+\.)|[^/:]+\.[a-z]{2,}(:[0-9]+)?/)`)

// addressOf is the address that a word of a query is; empty where it is none.
func addressOf(word string) string {
	switch m := addressed.FindStringSubmatch(word); {
	case m == nil:
		return ""
	case m[1] == "":
		return "http://" + word
	}
	return word
}

// addressOf is the same of a word that may also be the bare name of a host: of one that is searched, or that some of these are below.
func (s *seeker) addressOf(word string) string {
	if address := addressOf(word); address != "" {
		return address
	}
	site := siteOf(word)
	known := func(c *Collection) bool { return c.open.table.has(facetSite, site) }
	if strings.Contains(strings.Trim(site, "."), ".") && slices.ContainsFunc(s.held, known) {
		return "http://" + site + "/"
	}
	return ""
}

// inText is a word of a query as texts may have it: of an address its words alone, as pages have those of theirs.
func (w word) inText() string {
	if w.address != "" {
		return strings.Join(wordsOfAddress(w.address), " ")
	}
	return w.written
}

// named are the cards of pages that a query names by their address, with or without its scheme; of a front page also those with and
// without www. The bare name of a host beside other words names no page: these are looked for there.
func (s *seeker) named(p *place) map[int]bool {
	cards := map[int]bool{}
	for _, w := range s.words {
		_, behind, ok := strings.Cut(w.address, "://")
		if !ok || addressOf(w.written) == "" && len(s.words) > 1 {
			continue
		}
		all := []string{behind}
		if host, path, _ := strings.Cut(behind, "/"); path == "" {
			bare := strings.TrimPrefix(host, "www.")
			all = []string{bare, "www." + bare}
		}
		for _, address := range all {
			for _, scheme := range []string{"http://", "https://"} {
				if i, there := p.g.table.names.byName[nameOf(scheme+address)]; there {
					cards[i] = true
				}
			}
		}
	}
	return cards
}
