package text

import "testing"

// Niu, section 3: nouns, adjectives and verbs such as 篮球, 足球 and 踢球 tell a subject, 很多 and 好不好 hardly do. The
// dictionary tags 好不好 as a phrase, as it does many a noun.
func TestPhrasesAreToldApartByTheirWords(t *testing.T) {
	c, err := NewCutter(Options{Tags: true, KeepStops: true})
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]Speech{
		"篮球": Noun, "足球": Noun, "踢球": Noun, // 踢球 is a noun to the dictionary
		"很多": Adverb, "好不好": Adverb, "非常": Adverb, "迅速": Adverb,
		"是不是": Adverb, "没想到": Adverb, "差不多": Adverb, "不可避免": Adverb, "目瞪口呆": Adverb, "名副其实": Adverb,
		"操作系统": Noun, "剩余价值": Noun, "高等教育": Noun, "打电话": Noun, "大街小巷": Noun, "精神文明": Noun,
		"对外开放": Verb, "通货膨胀": Verb,
	} {
		tokens := c.Cut(nil, word)
		if len(tokens) == 0 {
			t.Errorf("%s: no word", word)
			continue
		}
		if have := tokens[0].Speech; have != want {
			t.Errorf("%s, cut as %q: %v, want %v", word, tokens[0].Term, have, want)
		}
	}
}
