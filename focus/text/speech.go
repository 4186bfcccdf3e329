package text

// speechOfTag maps a tag of the dictionary (ICTCLAS's letters) to a part of speech. Names and nouns, verbs and
// adjectives used as nouns (vn, an) and abbreviations carry a subject; an adjective used as an adverb (ad) is an adverb, and
// so, for its weight, is whatever else is not grammar: numbers, measure words, time, places. Idioms and phrases of the
// dictionary are told apart by their words (see tellPhrases); those of a user's dictionary carry a subject.
func speechOfTag(tag string) Speech {
	if tag == "" {
		return Noun
	}
	switch tag {
	case "vn", "an", "eng":
		return Noun
	case "ad", "vd":
		return Adverb
	}
	switch tag[0] {
	case 'n', 'i', 'j', 'l', 'x', 'g':
		return Noun
	case 'a', 'b', 'z':
		return Adjective
	case 'v':
		return Verb
	case 'p', 'c', 'u', 'y', 'e', 'o', 'w', 'h', 'k', 'r':
		return Function
	}
	return Adverb
}
