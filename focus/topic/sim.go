package topic

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/text"
)

// Sim is the cosine between the topic and a short text, over the topic's words: 1 means all of the topic. The topic
// here is its terms and the 60 words that weigh most in its examples.
func (t *Topic) Sim(s string) float64 {
	d := t.desk()
	defer t.desks.Put(d)
	on(&t.asked.anchors)
	d.met, _ = t.meetings(d.met[:0], d, s)
	return t.nearness(d.met)
}

// SimAround is Sim over the last n words of before and the first n of after.
func (t *Topic) SimAround(before, after string, n int) float64 {
	d := t.desk()
	defer t.desks.Put(d)
	d.met = t.around(d.met[:0], d, before, after, n)
	return t.nearness(d.met)
}

// around appends where the topic's own words occur in the last n words of before and the first n of after.
func (t *Topic) around(dst []meeting, d *desk, before, after string, n int) []meeting {
	on(&t.asked.around)
	from := len(dst)
	dst, words := t.meetings(dst, d, before)
	near := slices.DeleteFunc(dst[from:], func(m meeting) bool { return int(m.at) < words-n })
	from += len(near)
	dst, _ = t.meetings(dst[:from], d, after)
	near = slices.DeleteFunc(dst[from:], func(m meeting) bool { return int(m.at) >= n })
	return dst[:from+len(near)]
}

// Matches are the topic's words that occur in some short texts, as a person would write them, in order of first
// occurrence.
func (t *Topic) Matches(texts ...string) []string {
	d := t.desk()
	defer t.desks.Put(d)
	d.met = d.met[:0]
	for _, s := range texts {
		d.met, _ = t.meetings(d.met, d, s)
	}
	var found []string
	for _, m := range d.met {
		if t.query.weight[m.id] > 0 && !slices.Contains(found, t.profile.surface[m.id]) {
			found = append(found, t.profile.surface[m.id])
		}
	}
	return found
}

// Mentions is how many different words of the topic occur in some short texts together.
func (t *Topic) Mentions(texts ...string) int {
	d := t.desk()
	defer t.desks.Put(d)
	on(&t.asked.anchors)
	d.met, d.ids = d.met[:0], d.ids[:0]
	for _, s := range texts {
		d.met, _ = t.meetings(d.met, d, s)
	}
	for _, m := range d.met {
		if t.query.weight[m.id] > 0 && !slices.Contains(d.ids, m.id) {
			d.ids = append(d.ids, m.id)
		}
	}
	return len(d.ids)
}

// meeting is an occurrence of one of the topic's own words in a short text: its number, and the how-manyth word of
// the text it is.
type meeting struct{ id, at int32 }

// desk is the working space of one look at a short text.
type desk struct {
	met    []meeting
	found  []text.Match
	tokens []text.Token
	tf     []float64
	ids    []int32
}

func (t *Topic) desk() *desk {
	if d, ok := t.desks.Get().(*desk); ok {
		return d
	}
	return new(desk)
}

// meetings appends where the topic's own words occur in s, and answers of how many words s is; of a text without any
// it may answer 0. Anchors come again and again on a site, so what was cut is remembered; where there are only terms, a
// text without one is hardly cut at all.
func (t *Topic) meetings(dst []meeting, d *desk, s string) ([]meeting, int) {
	if met, words, ok := t.here(s); ok {
		return append(dst, met...), words
	}
	if met, words, ok := t.seen.get(s); ok {
		return append(dst, met...), words
	}
	if t.findable {
		if d.found = t.cutter.Find(d.found[:0], s); len(d.found) == 0 {
			return dst, 0
		}
	}
	from := len(dst)
	dst, words := t.cutMeetings(dst, d, s)
	t.seen.put(s, dst[from:], words)
	return dst, words
}

func (t *Topic) cutMeetings(dst []meeting, d *desk, s string) ([]meeting, int) {
	d.tokens = t.cutter.Cut(d.tokens[:0], s)
	for i := range d.tokens {
		if id, ok := t.words.ids[d.tokens[i].Term]; ok && int(id) < t.words.fixed {
			dst = append(dst, meeting{id, int32(i)})
		}
	}
	return dst, len(d.tokens)
}

// nearness is the cosine of the query and the words met.
func (t *Topic) nearness(met []meeting) float64 {
	if len(met) == 0 {
		return 0
	}
	d := t.desk()
	defer t.desks.Put(d)
	d.ids, d.tf = d.ids[:0], d.tf[:0]
	for _, m := range met {
		if t.query.weight[m.id] == 0 {
			continue
		}
		if i := slices.Index(d.ids, m.id); i >= 0 {
			d.tf[i]++
			continue
		}
		d.ids, d.tf = append(d.ids, m.id), append(d.tf, 1)
	}
	return t.query.cosine(d.ids, d.tf, t.component)
}

// cosine compares a text with the query over the query's words alone: ids are the words met, each once, tf how often.
func (q *query) cosine(ids []int32, tf []float64, c componentOf) float64 {
	if len(ids) == 0 {
		return 0
	}
	most := slices.Max(tf)
	dot, norm := 0.0, 0.0
	for i, id := range ids {
		x := c(id, tf[i], most)
		dot += x * q.weight[id]
		norm += x * x
	}
	if norm == 0 {
		return 0
	}
	return min(dot/(math.Sqrt(norm)*q.norm), 1)
}

// memo remembers which of the topic's own words occur in short texts. It is bounded: a full shard starts anew.
type memo struct{ shards [memoShards]memoShard }

const (
	memoShards  = 16
	memoTexts   = 2048 // by shard: some 8 MB when all are full
	memoLongest = 192  // bytes; longer texts hardly come again
)

type memoShard struct {
	sync.RWMutex
	texts map[string]memory
}

type memory struct {
	met   []meeting
	words int
}

func (m *memo) shard(s string) *memoShard {
	return &m.shards[(len(s)+int(s[len(s)-1])*5+int(s[len(s)/2])*3)%memoShards]
}

func (m *memo) get(s string) ([]meeting, int, bool) {
	if s == "" {
		return nil, 0, true
	}
	shard := m.shard(s)
	shard.RLock()
	defer shard.RUnlock()
	known, ok := shard.texts[s]
	return known.met, known.words, ok
}

// put remembers a text. It is copied: an anchor is part of a page, which must not be held in memory.
func (m *memo) put(s string, met []meeting, words int) {
	if len(s) > memoLongest {
		return
	}
	shard := m.shard(s)
	shard.Lock()
	defer shard.Unlock()
	if shard.texts == nil || len(shard.texts) >= memoTexts {
		shard.texts = make(map[string]memory)
	}
	shard.texts[strings.Clone(s)] = memory{slices.Clone(met), words}
}

func (m *memo) forget() {
	for i := range m.shards {
		m.shards[i].Lock()
		m.shards[i].texts = nil
		m.shards[i].Unlock()
	}
}
