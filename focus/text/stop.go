package text

import (
	_ "embed"
	"strings"
	"unicode/utf8"
)

// chineseStops is cppjieba's list of stop words (MIT, see dict/LICENSE-cppjieba). Only its Chinese is used: its
// English would drop computer, system, fire and bill.
//
//go:embed dict/stop_words.utf8
var chineseStops string

// englishStops are the words that carry grammar and no subject, and the furniture of web pages.
const englishStops = `
a about above across after afterwards again against all almost alone along already also although always am among
amongst an and another any anybody anyhow anyone anything anyway anywhere are aren't around as at away back be became
because become becomes been before beforehand behind being below beside besides between beyond both but by can can't
cannot could couldn't did didn't do does doesn't doing don't done down due during each either else elsewhere enough
etc even ever every everybody everyone everything everywhere except few for from further had hadn't has hasn't have
haven't having he he'd he'll he's hence her here here's hers herself him himself his how however i i'd i'll i'm i've
if in indeed inside instead into is isn't it it's its itself just let let's like likely made many may maybe me
meanwhile might mine more moreover most mostly much must mustn't my myself near nearly neither never nevertheless no
nobody none nor not nothing now nowhere of off often oh on once one ones only onto or other others otherwise our ours
ourselves out outside over own per perhaps please quite rather re really same shall shan't she she'd she'll she's
should shouldn't since so some somebody somehow someone something sometimes somewhere still such than that that's the
their theirs them themselves then thence there there's thereafter thereby therefore these they they'd they'll they're
they've this those though through throughout thus to together too toward towards under unless unlike until up upon us
very via was wasn't we we'd we'll we're we've were weren't what what's whatever when whenever where whereas whereby
wherein wherever whether which while who who's whoever whole whom whose why will with within without won't would
wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves
two three four five six seven eight nine ten first last next get gets got go goes going gone say says said see seen
mr mrs ms dr eg ie e.g i.e a.m p.m click http https www html htm com
`

// stopWords are matched against folded words before stemming.
var stopWords = readStops()

func readStops() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(englishStops) {
		m[w] = true
	}
	for w := range strings.FieldsSeq(chineseStops) {
		if r, _ := utf8.DecodeRuneInString(w); classOf(r) == han {
			m[Fold(w)] = true
		}
	}
	return m
}

// IsStop says whether a word is a stop word, however it is written.
func IsStop(w string) bool { return stopWords[Fold(w)] }
