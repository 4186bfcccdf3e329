package text

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// packed holds cppjieba's dictionary and hidden Markov model, compressed (MIT, see dict/LICENSE-cppjieba).
//
//go:embed dict/jieba.dict.utf8.zst dict/hmm_model.utf8.zst
var packed embed.FS

// The dictionaries' names; below dict/ they are compressed and end in .zst.
const (
	dictName  = "jieba.dict.utf8"
	modelName = "hmm_model.utf8"
)

// unpack is the content of a dictionary.
func unpack(name string) ([]byte, error) {
	b, err := packed.ReadFile("dict/" + name + ".zst")
	if err != nil {
		return nil, fmt.Errorf("embedded dictionary: %w", err)
	}
	if b, err = Unpack(b); err != nil {
		return nil, fmt.Errorf("embedded %s: %w", name, err)
	}
	return b, nil
}

// Unpack is what was compressed by zstd, at once and in the goroutine that asks.
func Unpack(compressed []byte) ([]byte, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(compressed, nil)
}

// wordList is the embedded dictionary as it is written, before a trie is made of it.
type wordList struct {
	words         []dictWord
	phrases       []phrase // those of them that are tagged as phrases, in their order
	sum           float64  // of all frequencies
	least, middle float64  // weights
}

type dictWord struct {
	word   string
	weight float64 // logarithm of its probability
	speech Speech
}

// embeddedWords reads the embedded dictionary. Nobody keeps it: it is needed once for each segmenter, and takes more
// memory than what is made of it.
func embeddedWords() (*wordList, error) {
	b, err := unpack(dictName)
	if err != nil {
		return nil, err
	}
	return readWords(b)
}

// readWords reads the lines of the dictionary: word, frequency, tag.
func readWords(b []byte) (*wordList, error) {
	l := &wordList{words: make([]dictWord, 0, 350000)}
	var weights []float64
	var phrases []phrase
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		w, rest, _ := strings.Cut(lines.Text(), " ")
		count, tag, _ := strings.Cut(rest, " ")
		frequency, err := strconv.ParseFloat(count, 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %q is not a word, its frequency and tag", dictName, n, lines.Text())
		}
		l.sum += frequency
		weights = append(weights, frequency)
		if isPhrase(tag) {
			phrases = append(phrases, phrase{len(l.words), tag[0] == 'i'})
		}
		l.words = append(l.words, dictWord{w, frequency, speechOfTag(tag)})
	}
	l.tellPhrases(phrases)
	l.phrases = phrases
	slices.Sort(weights)
	l.least, l.middle = math.Log(weights[0]/l.sum), math.Log(weights[len(weights)/2]/l.sum)
	for i := range l.words {
		l.words[i].weight = math.Log(l.words[i].weight / l.sum)
	}
	return l, lines.Err()
}

// with are the words that occur in runs of Chinese, and the user's, in the order of their characters; of equal ones
// the user's counts, and of the user's the last.
func (l *wordList) with(user []userWord) []dictWord {
	words := make([]dictWord, 0, len(l.words)+len(user))
	for _, w := range l.words {
		if isChinese(w.word) {
			words = append(words, w)
		}
	}
	for _, u := range user {
		w := dictWord{u.word, l.middle, speechOfTag(u.tag)}
		if u.frequency > 0 {
			w.weight = math.Log(float64(u.frequency) / l.sum)
		}
		words = append(words, w)
	}
	slices.SortStableFunc(words, func(a, b dictWord) int { return strings.Compare(a.word, b.word) })
	last := words[:0]
	for i, w := range words {
		if i+1 == len(words) || words[i+1].word != w.word {
			last = append(last, w)
		}
	}
	return last
}

// isChinese says whether a word can stand in a run of Chinese.
func isChinese(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return classOf(r) != han })
}

// dictionary is a trie of words. The children of node n stand side by side from first[n] up to first[n+1].
type dictionary struct {
	char   []rune
	first  []int32
	weight []float64 // noWord where none ends
	speech []Speech
	roots  [lastHan - firstHan + 1]int32 // nodes of first characters, 0 where there is none
	least  float64                       // weight of a character the dictionary does not hold
}

// noWord is the weight of a beginning of words that is none itself.
var noWord = math.Inf(-1)

// newDictionary builds the trie, a layer of words' characters at a time.
func newDictionary(words []dictWord, least float64) *dictionary {
	d := &dictionary{least: least, char: []rune{0}, weight: []float64{noWord}, speech: []Speech{Noun}}
	type branch struct{ from, to, depth int } // words that share their first depth bytes
	queue := []branch{{0, len(words), 0}}
	for n := 0; n < len(queue); n++ {
		b := queue[n]
		d.first = append(d.first, int32(len(queue)))
		for i := b.from; i < b.to; {
			rest := words[i].word[b.depth:]
			if rest == "" {
				d.weight[n], d.speech[n] = words[i].weight, words[i].speech
				i++
				continue
			}
			r, size := utf8.DecodeRuneInString(rest)
			j := i + 1
			for j < b.to && strings.HasPrefix(words[j].word[b.depth:], rest[:size]) {
				j++
			}
			d.char, d.weight, d.speech = append(d.char, r), append(d.weight, noWord), append(d.speech, Noun)
			queue = append(queue, branch{i, j, b.depth + size})
			i = j
		}
	}
	d.first = append(d.first, int32(len(queue)))
	for n := d.first[0]; n < d.first[1]; n++ {
		if r := d.char[n]; firstHan <= r && r <= lastHan {
			d.roots[r-firstHan] = n
		}
	}
	return d
}

// child is the node that follows n by r, or 0.
func (d *dictionary) child(n int32, r rune) int32 {
	if n == 0 && firstHan <= r && r <= lastHan {
		return d.roots[r-firstHan]
	}
	from, to := d.first[n], d.first[n+1]
	for end := to; from < end; {
		if middle := (from + end) / 2; d.char[middle] < r {
			from = middle + 1
		} else {
			end = middle
		}
	}
	if from == to || d.char[from] != r {
		return 0
	}
	return from
}

// holds tells whether a word is in the dictionary.
func (d *dictionary) holds(word []rune) bool {
	node := int32(0)
	for _, r := range word {
		if node = d.child(node, r); node == 0 {
			return false
		}
	}
	return d.weight[node] != noWord
}
