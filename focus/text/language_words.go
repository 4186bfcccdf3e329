package text

import (
	"slices"
	"strings"
	"unicode"
)

// letters reads lists of a language and the letters that only it uses among the languages of its script.
func letters(lists ...string) map[rune]string {
	m := map[rune]string{}
	for _, list := range lists {
		language, chars, _ := strings.Cut(list, " ")
		for _, r := range chars {
			m[r] = language
		}
	}
	return m
}

// commonWords are the commonest short words of languages in Latin letters. A word that several languages share
// speaks for each of them, and the rest of the text decides.
var commonWords = wordsOf(`
en the of and to in is that for it was on are as with his they at be this from have or by not but what all were when
en we there can an your which their said if do will each about how up out them then she many some so these would other
de der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie
de nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein
fr de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se le ce il sont avec son sa ses aux
fr mais comme ou si leur y dont nous été cette fait être deux ces vous elle tout ont même aussi leurs sans peut
es de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya
es entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay
it di e il la che in a per un è del una non sono le si con i da come al dei nel alla più anche ma gli della ha lo su
it delle questo nella o se ed essere loro stato tra ne due degli dal quando ci era molto sul anni suo fra cui
pt de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser
pt quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas
nl de van een het en in is dat op te zijn voor met die niet aan er om ook als dan maar bij of uit nog worden door naar
nl heeft tot over wordt hij ze wat geen deze meer werd kan dit je was zou al hun onder veel
sv och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år under också
da og i at det er en til på af for med de den som har ikke der et han var om men sig vi fra kan så når år efter også blev
no og i det er på til som en å for av at med de ikke den har et han om var men seg vi fra kan så når år etter også ble
fi ja on ei se että oli hän mutta kun niin ovat myös kuin joka sen olla tai ole mukaan voi vain jos sekä hänen nyt
pl i w na z się nie do to że o jest jak po od za przez ale są ze co dla tym już tego był czy oraz jego może tak
cs a se v na je že s z do o to i jako za by který pro ve jsou po k ale od si ze jeho tak které byl při aby nebo
hu a az és hogy nem is egy ez van meg csak volt már de még el mint ki ha azt vagy után lehet
ro de și în a la cu pe că o nu din un care este pentru ce mai sau fi au sunt prin fost după dar să se lui
tr ve bir bu da de için ile çok en olarak daha gibi kadar olan ne var sonra ama değil mi her o ya
vi và của là có được trong cho không các với một những người này để đã khi từ đến cũng như ra
id dan yang di ini itu dengan untuk dari tidak dalam pada akan juga ke ada oleh saya kami atau bisa karena`)

// rareLetters are Latin letters that few languages use: each counts like a common word.
var rareLetters = letters("de ß", "es ñ", "pt ãõ", "fr œ", "pl łśźżąęńć", "cs řěůčďťň", "hu őű", "ro ășț", "tr ğşı",
	"vi ạảấầẩậắằặẹẻẽếềểệịỉọỏốồổộớờởợụủứừửựđơư")

// common are the commonest words of languages, and how long the longest is.
type common struct {
	languages []string
	of        map[string][]uint8 // by their places among the languages
	numbers   [1 << 11]uint64    // of the words that have one, each at the place that is its own or the next that was free
	called    [1 << 11][]uint8   // what stands in of for the word at that place
	longest   int
}

func wordsOf(list string) *common {
	c := &common{of: map[string][]uint8{}}
	for line := range strings.Lines(strings.TrimSpace(list)) {
		language, words, _ := strings.Cut(line, " ")
		at := slices.Index(c.languages, language)
		if at < 0 {
			at, c.languages = len(c.languages), append(c.languages, language)
		}
		for w := range strings.FieldsSeq(words) {
			if len(w) > 1 { // a single letter may stand for anything
				c.of[w], c.longest = append(c.of[w], uint8(at)), max(c.longest, len(w))
			}
		}
	}
	for w, languages := range c.of {
		if number := numberOf(w, 0, len(w)); number != 0 {
			at := c.place(number)
			c.numbers[at], c.called[at] = number, languages
		}
	}
	return c
}

// place is where the word of a number stands, or else where it would.
func (c *common) place(number uint64) int {
	at := int(number * 0x9e3779b97f4a7c15 >> (64 - 11))
	for c.numbers[at] != 0 && c.numbers[at] != number {
		at = (at + 1) % len(c.numbers)
	}
	return at
}

// find answers the languages that the word from i to end of s is common in, whichever way it is written.
func (c *common) find(s string, i, end int) []uint8 {
	if number := numberOf(s, i, end); number != 0 {
		return c.called[c.place(number)]
	}
	if w := s[i:end]; plainEnd(w, 0) <= c.longest {
		return c.of[Fold(w)]
	}
	return nil
}

// numberOf is a word of up to eight letters and digits of ASCII as a number, whichever way they are written; of all others it is 0.
func numberOf(s string, i, end int) uint64 {
	var eight uint64
	switch n := end - i; {
	case n > 8:
		return 0
	case i+8 <= len(s):
		eight = eightAt(s, i)
	default:
		for k := range n {
			eight |= uint64(s[i+k]) << (8 * k)
		}
	}
	if plainBytes(eight) < end-i {
		return 0
	}
	return (eight | smallLetters) & (1<<(8*(end-i)) - 1)
}

// detect tells the language of a text in the script by its letters, and by its words if the letters are Latin.
func (s *script) detect(sample string) string {
	rare, likeliest := s.letters, ""
	if len(s.languages) > 0 {
		likeliest = s.languages[0]
	} else {
		rare, likeliest = rareLetters, "en"
	}
	votes := map[string]int{}
	for _, r := range sample {
		if r <= unicode.MaxASCII { // none of these is rare
			continue
		}
		if l, ok := rare[unicode.ToLower(r)]; ok && unicode.IsLetter(r) {
			votes[l]++
		}
	}
	enough := 1
	if len(s.languages) == 0 {
		enough = max(1, countWords(votes, sample)/10)
	}
	first := likeliest
	for l, n := range votes {
		if most := votes[likeliest]; n >= enough && (n > most || n == most && likeliest != first && l < likeliest) {
			likeliest = l
		}
	}
	return likeliest
}

// countWords gives each language a vote for each of its common words, and answers with the number of all words. Of
// running text three words in ten are common; lists of names hold one that is by chance.
func countWords(votes map[string]int, sample string) (words int) {
	counts := make([]int, len(commonWords.languages))
	for i := 0; i < len(sample); {
		r, n := at(sample, i)
		if classOf(r) != word {
			i += n
			continue
		}
		end := scanWord(sample, i)
		for _, l := range commonWords.find(sample, i, end) {
			counts[l]++
		}
		i = end
		words++
	}
	for l, n := range counts {
		if n > 0 {
			votes[commonWords.languages[l]] += n
		}
	}
	return words
}
