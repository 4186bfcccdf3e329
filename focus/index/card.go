package index

import (
	"bufio"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// card is what is known of a page but its words. All of them are in memory while a collection is open.
type card struct {
	ID         uint64 // the item's number in the crawl; the page's name in bleve
	File       string // of the harvest, below the run folder
	Offset     int64
	Length     int32
	Archive    string // the WARC file with the page's bytes, below the run folder; empty where there is none
	At         int64
	Part       int32  // the file with what was read of its bytes: what others say of it is of before
	URL        string // the address that answered
	Host       string
	Language   string
	Kind       string // hub or text; empty where the page's bytes are not there
	Date       int32  // the day that the page states, as days has it; 0 where it states none
	Found      int64  // when it was fetched, in Unix seconds
	Relevance  float32
	Importance float32
	Print      uint64   // simhash of its text
	Words      int32    // that Print was made of
	Digest     uint64   // hash of the digest of its bytes; 0 where there is none
	Names      []uint64 // hashes of the canonical forms of its addresses, and of those that lead to it by redirects
	Lengths    [fieldCount]int32
	Linked     uint64 // hash of the words of its in-links, as they are in the index
	Inlinks    int32
	Values     []value // what a program has set
}

// key is the page's name in bleve.
func (c *card) key() string { return strconv.FormatUint(c.ID, 10) }

// newCard is the card of a record, as far as the record tells.
func newCard(r *sink.Record, line sink.Line) card {
	c := card{
		ID: r.ID, File: line.File, Offset: line.Offset, Length: int32(len(line.Text)),
		URL: answered(r), Language: language(r.Language), Date: stated(r.Date), Found: r.Time.Unix(),
		Relevance: float32(r.Relevance), Values: valuesOf(r.Data),
	}
	c.Host = cmp.Or(page.Host(c.URL), r.Host)
	if r.Digest != "" {
		c.Digest = hashOf(r.Digest)
	}
	c.Names = []uint64{nameOf(c.URL), nameOf(r.URL)}
	return c
}

// ownNames is how many names a card has of its own; behind them stand those that lead to it by redirects.
const ownNames = 2

// answered is the address that answered.
func answered(r *sink.Record) string {
	return cmp.Or(r.FinalURL, r.URL)
}

// language is the primary tag of a language.
func language(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	return tag
}

// stated reads the date that a page states of itself: what begins with a year, a month and perhaps a day, in digits. 0 is
// none.
func stated(s string) int32 {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return days(t)
		}
	}
	var parts []int
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(f)
		if err == nil && len(parts) == 0 && len(f) == 8 {
			parts = append(parts, n/10000, n/100%100, n%100)
		} else if err == nil {
			parts = append(parts, n)
		}
	}
	if len(parts) < 2 || parts[0] < firstYear || parts[0] > lastYear || parts[1] < 1 || parts[1] > 12 {
		return 0
	}
	day := 1
	if len(parts) > 2 && 1 <= parts[2] && parts[2] <= 31 {
		day = parts[2]
	}
	t := time.Date(parts[0], time.Month(parts[1]), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day {
		return 0 // February has no 30th
	}
	return days(t)
}

// The years of which there are dates: newspapers are as old.
const firstYear, lastYear = 1600, 2200

// noDay is the day before the first there is, which stands for none.
var noDay = time.Date(firstYear-1, 12, 31, 0, 0, 0, 0, time.UTC)

// days is a day as a number: how many days it is behind noDay.
func days(t time.Time) int32 {
	if t.Year() < firstYear || t.Year() > lastYear {
		return 0
	}
	return int32((t.Unix() - noDay.Unix()) / 86400)
}

// day is a day of a card as a time.
func day(days int32) time.Time { return noDay.AddDate(0, 0, int(days)) }

// relevance is a page's relevance, 0 where nobody judged it.
func (c *card) relevance() float64 {
	if r := float64(c.Relevance); !math.IsNaN(r) {
		return r
	}
	return 0
}

// writeCards writes the cards of a generation: how many there are, and each by itself, so that to read them takes no more
// memory than to have them.
func writeCards(path string, cards []card) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	out := gob.NewEncoder(w)
	err = out.Encode(len(cards))
	for i := range cards {
		if err == nil {
			err = out.Encode(&cards[i])
		}
	}
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}

// readCards reads the cards of a generation. Names that stand on many cards, such as a host, are kept once.
func readCards(path string) ([]card, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	in := gob.NewDecoder(bufio.NewReaderSize(f, 256<<10))
	n := 0
	if err := in.Decode(&n); err != nil || n < 0 || int64(n) > info.Size() {
		return nil, damaged("%s cannot be read: %v", path, err)
	}
	cards := make([]card, n)
	shared := map[string]string{}
	for i := range cards {
		c := &cards[i]
		if err := in.Decode(c); err != nil {
			return nil, damaged("%s cannot be read: %v", path, err)
		}
		for _, s := range []*string{&c.File, &c.Archive, &c.Host, &c.Language, &c.Kind} {
			if _, known := shared[*s]; !known {
				shared[*s] = *s
			}
			*s = shared[*s]
		}
	}
	return cards, nil
}

// known are the cards of a generation by what pages are known by.
type known struct {
	byID   map[uint64]int
	byName map[uint64]int // of canonical addresses
}

func knownOf(cards []card) known {
	k := known{make(map[uint64]int, len(cards)), make(map[uint64]int, 2*len(cards))}
	for i := range cards {
		k.add(cards, i)
	}
	return k
}

func (k known) add(cards []card, i int) {
	k.byID[cards[i].ID] = i
	for _, name := range cards[i].Names {
		if _, taken := k.byName[name]; !taken && name != 0 {
			k.byName[name] = i
		}
	}
}

// String names a card in messages.
func (c *card) String() string { return fmt.Sprintf("%s (page %d)", c.URL, c.ID) }
