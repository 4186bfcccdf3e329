package topic

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/text"
)

// asides are words with which people ask for pages, whatever the pages are about.
var asides = strings.Fields(`article articles content find information interested look looking material page pages
	related search site sites want web webpage webpages website websites
	网页 网站 页面 文章 信息 关于 有关 相关 寻找 查找 搜索 想 想要 需要 内容 资料 介绍 介绍性 各种 方面`)

func isAside(word string) bool { return slices.Contains(asides, strings.ToLower(word)) }

// aboutSpeech is what a word of a sentence weighs by its part of speech: nouns and adjectives say what a topic is,
// verbs nearly as much, adverbs and function words nothing. English words are not tagged and count as nouns.
var aboutSpeech = map[text.Speech]float64{text.Noun: 1, text.Adjective: .9, text.Verb: .8}

// negated is what a sentence says is not looked for: from a word of denial to the next mark, or to a but. A not or a without beside other
// words denies nothing: houses not connected to the grid, or not on it, are what somebody looks for; nor does a 不要 that says what is not
// needed, as in 不要门票的景点. What stands in quotation marks is taken as it is ($1), and but not limited to and the like take nothing away from what follows.
var negated = regexp.MustCompile(`(?i)("[^"]*"|` +
	`[，,；;。！!？?]?\s*(?:但是?|可是|不过|也|请|我)*不要(?:钱|门?票|手续费|中介费|押金|签证|护照|预约|预订|排队|密码|注册|登录|学历|经验)的)|` +
	`\b(?:but|and)\s+not\s+(?:only|just|merely|limited|least|necessarily)\b|` +
	`(?:\bnot\s+(?:about|regarding|concerning|related\s+to)\b|\bnothing\s+(?:about|on|regarding|concerning|related\s+to)\b|(?:^|[,;:.!?(])\s*not\s+on\b|` +
	`\b(?:but|and)\s+not\s|\bexcept(?:\s+for)?\b|\bexcluding\b|不是关于|而不是|而非|不包括|` +
	`[，,；;。！!？?]\s*(?:但是?|可是|不过|也|请|我)*(?:不要|不想要|不想看))` +
	`(?:"[^"]*"|[^",;:.!?()，；：。！？（）\n])*?(?:\bbut\b|但|[,;:.!?()，；：。！？（）\n]|$)`)

// requests are how a sentence begins that asks somebody for pages: it speaks of the asking, and not of what they are about. Collecting
// and downloading may be a topic, too, where nobody is asked to do it and no pages follow.
var requests = regexp.MustCompile(`(?i)^\s*(?:` +
	`(?:(?:please|help\s+me(?:\s+to)?|(?:i|we)(?:'d|\s+would)?\s+(?:want|like|need|wish)(?:\s+you)?\s+to)\s+)*` +
	`(?:(?:collect|gather|crawl|download|harvest|scrape|fetch)\s+(?:and\s+)?)+(?:(?:all|any|some|the|many|every)\s+)*((?:article|content|information|material|news|page|post|site|web\s*page|web\s*site)s?\b)|` +
	`(?:请|請|麻烦|麻煩|帮忙?|幫忙?|给|給|我们?|我們|你|您|想要?|需?要|希望|打算)+` + collecting + `(?:一下|一些|所有|全部|大量)*|` +
	collecting + `(?:一下|一些|所有|全部|有关|有關|关于|關於)+|` +
	`(?:我们?|我們)(?:想要?|需?要|希望)(?:了解|瞭解|看看)?)`)

const collecting = `(?:收集|搜集|采集|採集|抓取|爬取|下载|下載|获取|獲取|了解|瞭解|看看|查阅|查閱|浏览|瀏覽)`

// soughtIn is a sentence without how it asks and what it says is not looked for; what it puts in quotation marks stands in plain ones.
func soughtIn(about string) string {
	return negated.ReplaceAllString(quotes.Replace(requests.ReplaceAllString(about, "$1")), "$1\n")
}

// besideTerms is what a word of the sentence weighs where somebody has stated terms as well.
const besideTerms = .5

// quotes open and close what is to be kept whole.
var quotes = strings.NewReplacer("“", "\"", "”", "\"", "「", "\"", "」", "\"", "『", "\"", "』", "\"", "《", "\"", "》", "\"")

// AboutTerms are the terms of a sentence: what it puts in quotation marks, whole, and each of its other words that is
// a noun, an adjective or a verb, stop words, words of asking and what it says is not looked for left out. A word that comes n times weighs log2(1+n)
// times as much. Two words that stand side by side are a phrase, too, where the background table has one of them on so many
// pages that alone it says little: the phrase then has half of what they weigh, and they have the other half. A word that stands on pages about anything
// (see Common) weighs half.
func AboutTerms(s *Spec) ([]Term, error) {
	about := text.Seen(s.About)
	if strings.TrimSpace(about) == "" {
		return nil, nil
	}
	cutter, err := sentenceCutter(s.UserDict, dottedNames(about)...)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(soughtIn(about), "\"")
	var found []Term
	for i, part := range parts {
		if quoted := i%2 == 1 && i < len(parts)-1; quoted && strings.TrimSpace(part) != "" {
			found = append(found, Term{strings.TrimSpace(part), 1})
		} else if !quoted {
			found = append(found, wordTerms(cutter, part)...)
		}
	}
	if len(found) == 0 && len(s.Terms) == 0 {
		return nil, fmt.Errorf("about %q has no word that says what is looked for: name things, or write terms", s.About)
	}
	if len(s.Terms) > 0 {
		for i := range found {
			found[i].Weight *= besideTerms
		}
	}
	return found, nil
}

// vagueBelow is how rare a word is at most that says little alone: it stands on 18 of a thousand pages, or more.
const vagueBelow = 4

// wordTerms are the words of a sentence that can say what is looked for, and its phrases.
func wordTerms(cutter *text.Cutter, sentence string) []Term {
	surface := surfacesOf(cutter, sentence)
	var order, phrases []string
	times, weight, shared := map[string]float64{}, map[string]float64{}, map[string]bool{}
	for _, piece := range strings.FieldsFunc(partingMarks.ReplaceAllString(sentence, "\n"), betweenPhrases) {
		var last spoken // the word right before
		for _, w := range spokenWords(cutter, piece, surface) {
			if w.weight == 0 {
				last = spoken{}
				continue
			}
			if times[w.written] == 0 {
				order = append(order, w.written)
			}
			times[w.written]++
			weight[w.written] = max(weight[w.written], w.weight)
			phrase := joinedWords(last.written, w.written)
			if w.lead != "" {
				phrase = w.lead + w.written
			}
			if w.lead != "" || last.weight > 0 && last.written != w.written && min(rarity(last.key), rarity(w.key)) < vagueBelow {
				if weight[phrase] == 0 {
					phrases = append(phrases, phrase)
				}
				weight[phrase], shared[last.written], shared[w.written] = min(cmp.Or(last.weight, 1), w.weight)/2, true, true
			}
			last = w
		}
	}
	var found []Term
	for _, phrase := range phrases {
		found = append(found, Term{phrase, weight[phrase]})
	}
	for _, written := range order {
		w := weight[written] * math.Log2(1+times[written])
		if shared[written] || Common(written) {
			w /= 2
		}
		found = append(found, Term{written, w})
	}
	return found
}

// joinedWords are two words as a phrase is written: with a blank between them, but for Chinese.
func joinedWords(first, second string) string {
	if text.HasChinese(first) && text.HasChinese(second) {
		return first + second
	}
	return first + " " + second
}

// partingMarks are marks that part phrases where they stand alone or end a word, and are part of one in its middle, as in C++ and 2.0.
var partingMarks = regexp.MustCompile(`[./]+(\s|$)|(^|\s)[\pS#&/-]+(\s|$)`)

// betweenPhrases tells what parts the phrases of a sentence: a mark that is no part of a word.
func betweenPhrases(r rune) bool {
	return r == '\n' || unicode.IsPunct(r) && !strings.ContainsRune("-'’&#./", r)
}

// betweenWords tells what parts words that are written with spaces between them.
func betweenWords(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Han, r) || unicode.IsPunct(r) && !strings.ContainsRune("-'’&#", r)
}

// dotted is a name with a dot of its own before it, as .NET: the dot ends no word.
var dotted = regexp.MustCompile(`(?:^|[^\pL\pN.]|\p{Han})(\.[A-Za-z]+)`)

// dottedNames are the names of a sentence that have a dot before them, without which they are other words.
func dottedNames(sentence string) (names []string) {
	for _, m := range dotted.FindAllStringSubmatch(sentence, -1) {
		if !text.IsStop(m[1][1:]) {
			names = append(names, m[1])
		}
	}
	return names
}

// surfacesOf are the words of a sentence as they are written, by what they are cut to: a stem is no word to show, nor
// to cut again.
func surfacesOf(cutter *text.Cutter, sentence string) map[string]string {
	surface := map[string]string{}
	for _, w := range slices.Concat(dottedNames(sentence), strings.FieldsFunc(dotted.ReplaceAllString(sentence, " "), betweenWords)) {
		if cut := cutter.Cut(nil, w); len(cut) == 1 {
			if _, ok := surface[cut[0].Term]; !ok {
				surface[cut[0].Term] = w
			}
		}
	}
	return surface
}
