package charset

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/saintfish/chardet"
)

// The likeness of a text to a charset is the share of its characters beyond ASCII that are common in the languages
// the charset is for, when it is read in that charset. Chinese read in its own charset is about .6 common
// characters, Korean .5, Japanese .5 of kana; read in another's, a few hundredths. likely is what none but the right
// one reaches.
const likely = 0.25

// certain is what no other charset comes near.
const certain = 0.45

// unlikely is what the right one does not fall below, unless a text is very short or of names alone.
const unlikely = 0.1

// commonHan are the 400 commonest characters by the frequencies of the dictionary: two thirds of running text.
const commonHan = "一万三上下不与专世业东两个中为主举么义之也书了争事二于五些交产京人什今从他代以们件任众会传但位住体何作你使便保信做儿元先光党入全公共关兵其具内再军农决几出分利别" +
	"到制前力加务动化北区十华南即却历原去县又及反发取受变口古只叫可台史号司各合同名后向听员命和品商四回因团国土在地场城基增声处备外多大天太头女她好如委子学它安完官定" +
	"实家对导将小少就展山州工己已市布师带常干平年并广应府度建开式张强当形很得德心必性总情想意感成我或战所手才打技把报指据接提收改放政教数文斯新方族无日时明是更最月有" +
	"期本术机权李条来林果样次正此步武死每比民气水求汉江没河治法活流济海清游湖点然物特王现理生用由电界白百的皇目直相省看真眼着知石研社神种科称程空立笑第等管米类系级线" +
	"组经结给统美老考者而职联能自至色花行表被西要见规解言计认议记论设话说调质资走起路身车转边达过运近还这进连选通道那部都里重量金长门问间队阳院难集非面领题风首马高黄"

// commonTraditional are the traditional characters that are written for one of those.
const commonTraditional = "並佈併來係個們備傢傳兒內兩別動務區卻卽厤員問噹嚮國團報場學實將專對導師帶幹幾廣張強彆後從應戰據敎數於時曆曏書會朮東條業榦樣機檯權歷氣決沒漢濟為無爭爲現產産當發眞" +
	"眾種稱箇糰級組結給統經綫線縣總繫纔義聯聲職聽臺與舉華萬處號衆術衕裏裡製見規計記設話認說説調論議變資質車軍轉農迴這連進遊運過達選還邊錶長門開間閤關陽隊隻難電領頭題" +
	"類風颱馬體髮麪麫麵麼麽黃點黨齣"

// commonHangul are the commonest syllables of running Korean.
const commonHangul = "이다는에의가을를한하고은로도서지기사어인자대나일리시정그만라해과스들있수전아면부제여장구보게상주원것으요등트성유조연동공위중비적국습니합세신선회문무소모경우"

// common are the characters that speak for a charset.
var (
	commonChinese  = setOf(commonHan)
	commonBothWays = setOf(commonHan + commonTraditional)
	commonKorean   = setOf(commonHangul)
)

// charSet is a set of characters of the basic plane.
type charSet [1 << 16 / 64]uint64

func setOf(s string) *charSet {
	var set charSet
	for _, r := range s {
		set[r/64] |= 1 << (r % 64)
	}
	return &set
}

func (s *charSet) has(r rune) bool { return r < 1<<16 && s[r/64]&(1<<(r%64)) != 0 }

// speaksFor says, by charset, which characters are common where it is used.
var speaksFor = map[string]func(r rune) bool{
	"gb18030":     func(r rune) bool { return commonChinese.has(r) },
	"big5":        func(r rune) bool { return commonBothWays.has(r) },
	"euc-kr":      func(r rune) bool { return commonKorean.has(r) },
	"shift_jis":   isCommonKana,
	"euc-jp":      isCommonKana,
	"iso-2022-jp": isCommonKana,
}

// isCommonKana says whether a character is hiragana or full-width katakana: half-width katakana are single bytes,
// which any text holds.
func isCommonKana(r rune) bool {
	return 0x3041 <= r && r <= 0x3093 || 0x30A1 <= r && r <= 0x30F6 || r == 'ー'
}

// guessed are the charsets that guess tries, in this order where two are equally like.
var guessed = []string{"gb18030", "big5", "shift_jis", "euc-kr", "euc-jp", "iso-2022-jp"}

// read decodes a sample and counts its characters beyond ASCII, and those that are no characters of the charset.
func (c charset) read(sample []byte) (characters []rune, bad int) {
	out, _ := c.NewDecoder().Bytes(sample)
	for _, r := range string(out) {
		switch {
		case r == utf8.RuneError:
			bad++
		case r >= utf8.RuneSelf && inWords(r):
			characters = append(characters, r)
		}
	}
	return characters, max(0, bad-1) // the sample may end inside a character
}

// inWords says whether a character beyond ASCII stands in words: signs are much the same in every charset.
func inWords(r rune) bool {
	switch {
	case 0x3400 <= r && r <= 0x9FFF && r != 0x4DC0, r == '々', r == '〇',
		0x3041 <= r && r <= 0x30FF && r != '・', 0x31F0 <= r && r <= 0x31FF, 0xFF66 <= r && r <= 0xFF9F, // kana
		0x0E00 <= r && r <= 0x0EFF, 0x1000 <= r && r <= 0x109F, 0x1780 <= r && r <= 0x17FF: // Thai, Lao, Burmese, Khmer
		return true
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Han, r)
}

// likeness is how much a sample is like text in the charset, from 0 to 1.
func (c charset) likeness(sample []byte) float64 {
	speaks := speaksFor[c.name]
	if speaks == nil {
		return 0
	}
	characters, bad := c.read(sample)
	common := 0
	for _, r := range characters {
		if speaks(r) {
			common++
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(characters)+10*bad)
}

// fits says whether a sample can be in a charset that was declared: few of its bytes are wrong in it, and it is not
// clearly in another. A few letters of Latin text are characters of East Asia by chance.
func (c charset) fits(sample []byte) bool {
	characters, bad := c.read(sample)
	if bad*20 > len(characters) {
		return false
	}
	if c.likeness(sample) >= unlikely || c.inLetters(sample) {
		return true
	}
	best := likeliest(sample)
	return best.name == "" || best.name == c.name
}

// likeliest is the charset of East Asia that a sample is likely in; its name is empty if it is like none.
func likeliest(sample []byte) (best charset) {
	likeness := 0.0
	for _, name := range guessed {
		c, _ := byLabel(name)
		if l := c.likeness(sample); l >= likely && l > likeness {
			if best, likeness = c, l; l >= certain {
				break
			}
		}
	}
	return best
}

// guess tells a charset by what the bytes look like: East Asian by the characters that are common there, Thai by how its
// marks stand, others by chardet, which knows how letters follow each other in the languages of Europe and the Near East.
func guess(sample []byte) (charset, bool) {
	if c := likeliest(sample); c.name != "" {
		return c, true
	}
	if isThai(sample) {
		return thai, true
	}
	results, err := chardet.NewHtmlDetector().DetectAll(sample)
	if err != nil {
		return charset{}, false
	}
	best, rank := charset{}, 0
	for _, r := range results {
		at := slices.Index(singleByte, strings.ToLower(r.Charset))
		if at < 0 {
			continue
		}
		// Results of equal confidence come in any order: the list decides.
		if c, ok := byLabel(r.Charset); ok && r.Confidence*100-at > rank {
			best, rank = c, r.Confidence*100-at
		}
	}
	return best, rank >= sure*100-len(singleByte)
}

// sure is the confidence from which chardet's word on single-byte charsets is taken. Below it windows-1252, which
// most such pages are in, is the better guess.
const sure = 20

// singleByte are the charsets taken from chardet; the names are its own.
var singleByte = []string{"iso-8859-1", "windows-1252", "windows-1251", "koi8-r", "iso-8859-2", "iso-8859-9", "iso-8859-7",
	"windows-1256", "iso-8859-5", "iso-8859-6", "iso-8859-8", "iso-8859-8-i", "windows-1253", "windows-1255", "windows-1254",
	"windows-1250"}
