package topic

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/text"
)

// spoken is a word of a sentence. One without weight is no term: it parts phrases.
type spoken struct {
	written, key string // as it is shown, and as it is cut
	weight       float64
	first        string // what it begins with, where it was put together and ends in no verb
	lead         string // the character before it that it makes a phrase with, as 短 does with 视频
	bound        bool   // a character that is a word only together with what follows it
}

// A Chinese word that the dictionary does not know is cut into one that it does and a single character: 充电|桩, 元|宇宙. Such a
// character belongs to the word before it, or else to that behind it. Those of leads, adjectives, always go with what follows
// (短视频), and those of alone are words by themselves: verbs that take an object, places, numbers and what is counted by.
const (
	leads = "大小新老短长高低好旧热冷快慢微超双单全乱"
	alone = "做学吃买卖看玩养写找想算去用选办租开打修种读练考骑拍进治有喝听教带搞当要能会是讲谈说" +
		"中下上里内外前后间旁时年月日号个次些只位名款" + "零一二三四五六七八九十百千万亿两几半多少每各第"
)

// newer are words that are younger than the dictionary, which cuts them into others, or has them among the numbers.
var newer = strings.Fields(`一带一路 三星堆 乡村振兴 云计算 充电桩 元宇宙 公众号 共享单车 共享经济 剧本杀 区块链 大数据 大模型 外卖骑手 小程序
	快递柜 扫地机器人 数字人民币 数字货币 新冠疫苗 新冠病毒 新能源汽车 新能源车 核酸检测 机器学习 比特币 深度学习 物联网 直播带货
	短视频 碳中和 碳排放 碳交易 社区团购 移动支付 自动驾驶 自媒体 增强现实 预制菜`)

// spokenWords are the words of a sentence, or of a part of it without marks, put together where the cut has parted one.
func spokenWords(cutter *text.Cutter, piece string, surface map[string]string) (words []spoken) {
	folded := text.Fold(piece)
	for _, k := range cutter.Cut(nil, piece) {
		w := spoken{written: k.Term, key: k.Term, weight: aboutSpeech[k.Speech]}
		if slices.Contains(newer, k.Term) {
			w.weight = aboutSpeech[text.Noun]
		}
		if s, ok := surface[k.Term]; ok {
			w.written = s
		}
		var last spoken
		if len(words) > 0 {
			last = words[len(words)-1]
		}
		grammar := k.Speech == text.Function || text.IsStop(k.Term)
		beside := strings.Contains(folded, last.key+w.key)
		switch single := text.HasChinese(k.Term) && utf8.RuneCountInString(k.Term) == 1; {
		case single && strings.Contains(leads, k.Term):
			w.weight, w.lead = 0, k.Term
		case single && (grammar || strings.Contains(alone, k.Term)):
			w.weight = 0
		case single && beside && last.takes():
			words[len(words)-1] = last.and(w)
			continue
		case single:
			w.bound = w.weight == 0
		case grammar || w.weight == 0 || isAside(w.written):
			w.weight = 0
		case last.bound && beside && !counted(folded, last.key+w.key):
			words[len(words)-1] = last.and(w)
			continue
		case last.weight == 0:
			w.lead = last.lead
		}
		words = append(words, w)
	}
	return words
}

// takes tells whether a single character behind a word is a part of it. Behind a word that stands everywhere it is not: 中国酒.
func (w spoken) takes() bool {
	return w.weight > 0 && text.HasChinese(w.key) && utf8.RuneCountInString(w.key) > 1 && !Common(w.written)
}

// and is a word with what it goes on with; it is a noun.
func (w spoken) and(next spoken) spoken {
	both := spoken{written: w.written + next.written, key: w.key + next.key, weight: aboutSpeech[text.Noun]}
	if next.weight != aboutSpeech[text.Verb] {
		both.first = w.key
	}
	return both
}

// counted tells whether a digit stands before a word: its first character is what is counted by then, as in 500元手机.
func counted(piece, word string) bool {
	at := strings.Index(piece, word)
	return at > 0 && '0' <= piece[at-1] && piece[at-1] <= '9'
}

// sentenceCutter cuts sentences; stop words part phrases. What the dictionary does not know as a word may be named.
func sentenceCutter(userDict string, names ...string) (*text.Cutter, error) {
	return text.NewCutter(text.Options{UserDict: userDict, Tags: true, KeepStops: true, Terms: slices.Concat(newer, names)})
}

// Untold are the words and characters of a Chinese sentence that stand in none of its terms, grammar, words of asking
// and what it says is not looked for left out.
func Untold(about string, terms []Term) (untold []string) {
	cutter, err := sentenceCutter("")
	if err != nil {
		return nil
	}
	for _, k := range cutter.Cut(nil, soughtIn(about)) {
		stands := func(t Term) bool { return strings.Contains(text.Fold(t.Term), k.Term) }
		said := k.Speech == text.Function || text.IsStop(k.Term) || isAside(k.Term) || slices.ContainsFunc(terms, stands)
		if text.HasChinese(k.Term) && !said && !slices.Contains(untold, k.Term) {
			untold = append(untold, k.Term)
		}
	}
	return untold
}

// fewestTogether is how often pages must have a word together with a character for the two to be one.
const fewestTogether = 3

// longestPiece bounds the bytes between two marks that are looked through: what is spoken is shorter, and each word is looked for in it.
const longestPiece = 4 << 10

// compounds are the Chinese words of pages that the dictionary does not know: one of its own with a single character joined to it,
// where the pages have the word so more often than not. With a verb it is the beginning of a sentence as often: 王菲|唱.
func compounds(cutter *text.Cutter, docs []*text.Doc) (list []string) {
	times, firsts := map[string]int{}, map[string]string{}
	for _, d := range docs[:min(len(docs), mostLabelled)] {
		for _, s := range d.Segments {
			if !text.HasChinese(s.Text) {
				continue
			}
			for _, piece := range strings.FieldsFunc(s.Text, betweenPhrases) {
				piece = strings.ToValidUTF8(piece[:min(len(piece), longestPiece)], "")
				for _, w := range spokenWords(cutter, piece, nil) {
					if times[w.key]++; w.first != "" {
						firsts[w.key] = w.first
					}
				}
			}
		}
	}
	for whole, first := range firsts {
		if times[whole] >= fewestTogether && times[whole] > times[first] {
			list = append(list, whole)
		}
	}
	slices.Sort(list)
	return list
}
