package focus_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/topic"
)

const (
	benchPages = 5000
	benchHosts = 100
)

// benchWeb is a web of the benchmarks: pages of 46 KB with 80 links, whose words stand on each in an order of their own, so that no
// page is nearly another. One page in five is of the topic.
type benchWeb struct {
	host   string // that its hosts begin with
	pages  int
	about  string // what stands on a page of the topic
	topic  crawlfile.TopicConfig
	writes func(to *bytes.Buffer, text []byte, r *rand.Rand) // a text in an order of its own
}

// In the English and the Chinese web nearly all links lead to what is known already. In the portal some twenty links are left
// waiting for each page that is fetched, of two thousand.
var (
	inEnglish = benchWeb{"h", benchPages, "Solar panels on the roof, and battery storage for solar energy.", solar("en", "solar", "panel", "battery storage"), shuffled}
	inChinese = benchWeb{"z", benchPages, "屋顶上的太阳能电池板，和储存太阳能的储能设备，一家人用不完。", solar("zh", "太阳能", "电池板", "储能"), newProse()}
	aPortal   = benchWeb{"p", 43_000, inEnglish.about, inEnglish.topic, shuffled}
)

func solar(language topic.Language, terms ...string) crawlfile.TopicConfig {
	about := crawlfile.TopicConfig{Language: language}
	for _, term := range terms {
		about.Terms = append(about.Terms, crawlfile.TermConfig{Term: term, Weight: 1})
	}
	return about
}

func (w *benchWeb) address(n int) string {
	return fmt.Sprintf("http://%s%d.example/section%d/page%d.html", w.host, n%benchHosts, n%7, n)
}

// page is a page of the web, drawn after a page of the drawn web that is parted at its addresses.
func (w *benchWeb) page(template [][]byte, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 46))
	var b bytes.Buffer
	for i, part := range template {
		if i > 0 {
			fmt.Fprintf(&b, `<a href="%s"`, w.address(r.IntN(w.pages)))
		}
		before, after, heading := bytes.Cut(part, []byte("</h1>"))
		if w.write(&b, before, r); !heading {
			continue
		}
		b.WriteString("</h1>")
		if n%5 == 0 {
			b.WriteString(strings.Repeat("<p>"+w.about+"</p>", 12))
		}
		w.write(&b, after, r)
	}
	return b.Bytes()
}

// write writes HTML with its texts in an order of their own.
func (w *benchWeb) write(b *bytes.Buffer, part []byte, r *rand.Rand) {
	for len(part) > 0 {
		text, rest, tag := bytes.Cut(part, []byte("<"))
		w.writes(b, text, r)
		if !tag {
			return
		}
		inside, after, _ := bytes.Cut(rest, []byte(">"))
		fmt.Fprintf(b, "<%s>", inside)
		part = after
	}
}

// shuffled writes the words of a longer text in another order.
func shuffled(b *bytes.Buffer, text []byte, r *rand.Rand) {
	if words := bytes.Fields(text); len(words) > 20 {
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		text = bytes.Join(words, []byte(" "))
	}
	b.Write(text)
}

// newProse writes Chinese of the drawn web in the place of each text, about as many bytes.
func newProse() func(b *bytes.Buffer, text []byte, r *rand.Rand) {
	var sentences []string
	return func(b *bytes.Buffer, text []byte, r *rand.Rand) {
		if sentences == nil {
			sentences = chineseSentences()
		}
		for left := len(bytes.TrimSpace(text)); left > 3; {
			s := sentences[r.IntN(len(sentences))]
			for len(s) > left || left < 60 && len(s) > 30 { // a title is part of a sentence
				_, last := utf8.DecodeLastRuneInString(s)
				s = s[:len(s)-last]
			}
			if b.WriteString(s); len(s) == 0 {
				return
			}
			left -= len(s)
		}
	}
}

// chineseSentences are those of the articles of the drawn web.
func chineseSentences() (sentences []string) {
	drawnPages(func(_ string, body []byte) bool {
		for _, part := range bytes.Split(body, []byte("<p>"))[1:] {
			text, _, _ := bytes.Cut(part, []byte("</p>"))
			for _, s := range strings.SplitAfter(string(text), "。") {
				if strings.HasSuffix(s, "。") && !strings.Contains(s, "<") {
					sentences = append(sentences, s)
				}
			}
		}
		return true
	})
	if len(sentences) < 100 {
		panic(fmt.Sprintf("the drawn web has %d Chinese sentences", len(sentences)))
	}
	return sentences
}

// benchTemplate is the page of 46 KB with 80 links that the drawn web has, parted at its addresses.
func benchTemplate() (parts [][]byte) {
	drawnPages(func(labels string, body []byte) bool {
		if !strings.Contains(labels, "almanac") {
			return true
		}
		for i, part := range bytes.Split(body, []byte(`<a href="`)) {
			if i > 0 {
				_, part, _ = bytes.Cut(part, []byte(`"`))
			}
			parts = append(parts, part)
		}
		return false
	})
	if parts == nil {
		panic("the drawn web has no almanac")
	}
	return parts
}

// drawnPages visits the pages of the drawn web until it is answered false.
func drawnPages(visit func(labels string, body []byte) bool) {
	web, err := replay.Open("../testdata/webs/quickstart")
	if err != nil {
		panic(err)
	}
	defer web.Close()
	for address := range web.Addresses() {
		labels, _ := web.Labels(address)
		req, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			panic(err)
		}
		resp, err := web.RoundTrip(req)
		if err != nil {
			continue // recorded as an address that did not answer
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			panic(err)
		}
		if !visit(labels, body) {
			return
		}
	}
}
