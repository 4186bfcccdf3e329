package text

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
)

func TestPositionsAreThoseOfPage(t *testing.T) {
	ours := []Position{Body, Anchor, Emphasis, Meta, Heading, Top, Title}
	for i, p := range []page.Position{page.Body, page.Anchor, page.Emphasis, page.Meta, page.Heading, page.Top, page.Title} {
		if Position(p) != ours[i] {
			t.Errorf("position %d is %d in page", ours[i], p)
		}
	}
}

func TestTokensSayWhereTheyStand(t *testing.T) {
	c := cutter(t, Options{})
	d := &Doc{Segments: []Segment{{Text: "足球新闻", Position: Title}, {Text: "the solar panels", Position: Anchor, Block: 3}}}
	want := []Token{{"足球", 0, Title, Noun}, {"新闻", 0, Title, Noun}, {"solar", 1, Anchor, Noun}, {"panel", 1, Anchor, Noun}}
	got := c.Tokens(d)
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("token %d: %v, want %v", i, got[i], want[i])
		}
	}
	if again := c.Tokens(d); &again[0] != &got[0] {
		t.Error("the page was cut again")
	}
	if other := cutter(t, Options{Terms: []string{"足球新闻"}}).Tokens(d); other[0].Term != "足球新闻" {
		t.Errorf("another cutter was given this one's words: %v", other)
	}
}

// TestLimit holds that body text is cut up to the limit, main text first, and all else whole; also where the terms alone are looked for.
func TestLimit(t *testing.T) {
	body := strings.Repeat("alpha ", 1000)
	long := strings.Repeat("omega ", 6000)
	d := &Doc{
		Segments: []Segment{{Text: body}, {Text: "gamma", Position: Title}, {Text: long, Position: Anchor}, {Text: strings.Repeat("delta ", 100), Block: 1},
			{Text: "kappa", Position: Emphasis, Block: 2}},
		Main: []bool{false, true, false},
	}
	for _, test := range []struct {
		limit, alpha, delta, kappa int
	}{
		{-1, 1000, 100, 1},
		{0, 1000, 100, 1},
		{900, 50, 100, 0},
		{605, 1, 100, 0},
		{100, 0, 16, 0},
		{2, 0, 0, 0},
	} {
		n := map[string]int{}
		for _, k := range cutter(t, Options{Limit: test.limit}).Tokens(emptied(d)) {
			n[k.Term]++
		}
		if n["alpha"] != test.alpha || n["delta"] != test.delta || n["kappa"] != test.kappa || n["gamma"] != 1 || n["omega"] != 6000 {
			t.Errorf("limit %d: %v, want %+v", test.limit, n, test)
		}
		checkFilter(t, cutter(t, Options{Limit: test.limit, Terms: []string{"alpha", "kappa", "gamma omega", "delta"}}), emptied(d))
	}
	chinese := &Doc{Segments: []Segment{{Text: strings.Repeat("中文网页。", 10000)}}}
	if n := len(cutter(t, Options{}).Tokens(chinese)); n < 2700 || n > 2760 {
		t.Errorf("%d words of the first 20 KB, want about 2730", n)
	}
}

func TestTraditionalAndFullWidthAreOne(t *testing.T) {
	c := cutter(t, Options{Terms: []string{"體育"}})
	for _, s := range []string{"体育", "體育", "體育新聞"} {
		if m := c.Find(nil, s); len(m) != 1 || m[0].Key != "体育" {
			t.Errorf("%s: %v", s, m)
		}
	}
	simple, traditional := words(c, "计算机软件开发，著名的乾隆皇帝"), words(c, "計算機軟件開發，著名的乾隆皇帝")
	if simple != traditional || simple != "计算机软件|开发|著名|乾隆皇帝" {
		t.Errorf("%s and %s", simple, traditional)
	}
	if got := Fold("ＡＢＣ１２３　ｱﾞ，臺灣é\xff"); got != "abc123　ｱﾞ,台湾é\uFFFD" {
		t.Errorf("folded to %q", got)
	}
}

// TestSimplifiedTable holds what the scanner builds on: every character maps to one of as many bytes that maps no
// further.
func TestSimplifiedTable(t *testing.T) {
	pairs := 0
	for i, to := range simplified {
		if to == 0 {
			continue
		}
		pairs++
		from := rune(firstHan + i)
		if utf8.RuneLen(from) != utf8.RuneLen(rune(to)) || fold(rune(to)) != rune(to) || classOf(rune(to)) != han {
			t.Errorf("%c is compared as %c", from, to)
		}
	}
	if pairs != 2955 {
		t.Errorf("%d pairs, want 2955", pairs)
	}
}

func TestSpeech(t *testing.T) {
	c := cutter(t, Options{Tags: true, KeepStops: true, Terms: []string{"踢球"}})
	want := map[string]Speech{"他": Function, "非常": Adverb, "喜欢": Verb, "踢球": Noun, "和": Function, "漂亮": Adjective, "北京": Noun}
	seen := 0
	for _, k := range c.Cut(nil, "他非常喜欢踢球和漂亮的北京") {
		if w, ok := want[k.Term]; ok {
			seen++
			if k.Speech != w {
				t.Errorf("%s: speech %d, want %d", k.Term, k.Speech, w)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d words seen of %d", seen, len(want))
	}
}

// TestTerms are terms that are hard to find, or nothing.
func TestTerms(t *testing.T) {
	for _, test := range []struct{ term, key, in string }{
		{"Office Hours", "offic hour", "his office-hours are long"},
		{"state of the art", "state of the art", "a State-of-the-Art machine"},
		{"ph.d.", "phd", "a Ph.D. student"},
		{"《紅樓夢》", "红楼梦", "他读《红楼梦》。"},
		{"AT&T", "at&t", "at AT&T, the"},
		{"C", "c", "the language C is old"},
		{"2008", "2008", "奥运2008年"},
		{"C++", "c++", "用Ｃ＋＋写程序"},
		{"5G", "5g", "5G网络"},
		{".NET", ".net", "the net of a fisherman, ASP.NET, www.a.net, wait...net, and 学习．NET开发"},
		{".NET Core", ".net core", "a net core and (.NET Core)"},
		{"NET", "net", "on .NET"},
		{"世界杯 决赛", "世界杯 决赛", "世界杯决赛"},
		{"世界盃-決賽", "世界杯 决赛", "世界杯 · 决赛"},
		{"NBA 决赛", "nba 决赛", "看NBA决赛"},
		{"4S店", "4s店", "一家４Ｓ店"},
		{"AI芯片", "ai芯片", "国产AI 芯片发布"},
		{"学Python编程", "学python编程", "学 Python 编程"},
		{"维生素C", "维生素c", "维生素 C 是"},
		{"の", "の", "日の丸"},
		{"énergie solaire", "énergie solair", "L’énergie solaire est propre"},
		{"qualité de l'air", "qualité de l air", "la qualité de l’air"},
		{"onduleur", "onduleur", "lorsqu'un client d'onduleurs"},
		{"energia solare", "energia solar", "dell'energia solare"},
		{"O'Reilly", "o'reilli", "by O’Reilly"},
		{"aujourd'hui", "aujourd'hui", "aujourd’hui, dès aujourd"},
		{"球", "球", "他把 球 踢了"},
		{"a b c d e f g 中 h i", "a b c d e fg中hi", "a b c d e fg中hi"},
		{"the", "", "the the"},
		{"的", "", "的"},
		{"", "", "nothing"},
		{"！？", "", "！？"},
	} {
		c := cutter(t, Options{Terms: []string{test.term}})
		if got := c.Keys()[0]; got != test.key {
			t.Errorf("%q: key %q, want %q", test.term, got, test.key)
		}
		want := 1
		if test.key == "" {
			want = 0
		}
		if m := c.Find(nil, test.in); len(m) != want {
			t.Errorf("%q in %q: %v, want %d", test.term, test.in, m, want)
		}
	}
	if c := cutter(t, Options{Terms: []string{"the"}, KeepStops: true}); c.Keys()[0] != "the" {
		t.Error("a stop word is a term where they are kept")
	}
	c := cutter(t, Options{Terms: []string{"net", ".NET"}})
	if m := c.Find(nil, "nets for .NET"); !slices.Equal(c.Keys(), []string{"net", ".net"}) || len(m) != 2 || m[0].Term != 0 || m[1].Term != 1 {
		t.Errorf("keys %q, found %v", c.Keys(), m)
	}
	for _, same := range [][]string{{"course", "Courses"}, {"世界杯决赛", "世界杯 决赛"}, {"世界杯 决赛", "世界盃決賽"}, {"4S店", "４s店"}, {"4S店", "4S 店"}, {"AI 芯片", "AI芯片"}} {
		c := cutter(t, Options{Terms: same})
		if k := c.Keys(); k[0] != k[1] {
			t.Errorf("keys %q of one term", k)
		}
		for _, s := range same {
			if m := c.Find(nil, s); len(m) != 1 || m[0].Key != c.Keys()[0] || m[0].Term != 0 {
				t.Errorf("%q of %q: %v", s, same, m)
			}
		}
	}
}

// TestShortTermsAreWords holds that a term of one or two characters is not found where two words happen to meet.
func TestShortTermsAreWords(t *testing.T) {
	for _, test := range []struct {
		term, in string
		want     int
	}{
		{"和服", "产品和服务", 0},
		{"和服", "她穿和服", 1},
		{"学生", "大学生活很丰富", 0},
		{"学生", "大学生和小学生", 2},
		{"中国", "发展中国家", 0},
		{"中国", "中国足球队", 1},
		{"京东", "北京东城区，南京东路", 0},
		{"京东", "京东商城", 1},
		{"证券", "上海证券交易所", 1},
		{"科学", "中国科学院", 1},
		{"车市", "汽车市场", 0},
		{"试驾", "新车试驾", 1},
		{"足球", "足球队", 1},
		{"车", "火车站的车", 1},
		{"世界杯", "世界杯赛", 1},
	} {
		if m := cutter(t, Options{Terms: []string{test.term}}).Find(nil, test.in); len(m) != test.want {
			t.Errorf("%s in %s: %d, want %d", test.term, test.in, len(m), test.want)
		}
	}
}

// TestBadInput holds that what no page should be is cut in time that grows with its length, and to a defined end.
func TestBadInput(t *testing.T) {
	c := cutter(t, Options{Terms: append([]string{"aaaa aaaa", "啊啊啊啊", "a.a"}, trickyTerms...), Limit: -1})
	c.Cut(nil, "热身")
	for name, s := range map[string]string{
		"nothing":      "",
		"one letter":   strings.Repeat("a", 10<<20),
		"one word":     strings.Repeat("aaaa ", 1<<18),
		"letters":      strings.Repeat("a.", 1<<17),
		"one Chinese":  strings.Repeat("啊", 3<<20),
		"invalid":      strings.Repeat("\xFF\xC0中", 1<<17),
		"NUL":          strings.Repeat("\x00中\x00", 1<<17),
		"spaces":       strings.Repeat(" ", 10<<20),
		"office":       strings.Repeat("office ", 1<<17),
		"a long gap":   strings.Repeat("世界杯"+strings.Repeat(" ", 1000), 1<<10),
		"marks":        strings.Repeat("c+", 1<<18),
		"kana":         strings.Repeat("の", 1<<16),
		"combining":    "e" + strings.Repeat("\u0301", 1<<17),
		"plane two":    strings.Repeat("𠀀", 1<<16),
		"third script": strings.Repeat("Привет мир ", 1<<14),
	} {
		start := time.Now()
		for _, k := range c.Cut(nil, s) {
			if !utf8.ValidString(k.Term) || k.Term == "" || strings.ContainsRune(k.Term, 0) {
				t.Fatalf("%s: term %q", name, k.Term)
			}
		}
		c.Find(nil, s)
		t.Logf("%s: %d bytes in %v", name, len(s), time.Since(start))
	}
}

func TestManyAtOnce(t *testing.T) {
	c := cutter(t, Options{Terms: trickyTerms, Tags: true})
	s := generated(3, 3000, trickyTerms)
	want := words(c, s)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 5 {
				if got := words(c, s); got != want {
					t.Error("words differ")
				}
				c.Find(nil, s)
			}
		})
	}
	wait.Wait()
}

func FuzzCut(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(generated(seed, 200, trickyTerms), true)
	}
	f.Add("C++ Ｃ＃ 4S店 U.S. F-16 AT&T don't 卡拉OK\x00\xff", false)
	f.Add("running-running don't,running a+C++ C++a é.NET .NET runningé NBA", false)
	f.Add("世界杯 · 决赛 office--hours の 𠀀", true)
	f.Fuzz(func(t *testing.T, s string, tags bool) {
		c, err := NewCutter(Options{Terms: trickyTerms, Tags: tags, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		d := &Doc{Segments: []Segment{{Text: s}}}
		for _, k := range c.Tokens(d) {
			if k.Term == "" || !utf8.ValidString(k.Term) {
				t.Fatalf("term %q", k.Term)
			}
		}
		checkFilter(t, c, d)
		if u := Fold(s); Fold(u) != u {
			t.Fatalf("folded again %q is %q", u, Fold(u))
		}
		Detect(s, s)
	})
}

// refusing is a segmenter that nobody may ask.
type refusing struct{ t *testing.T }

func (r refusing) cut(dst []piece, s string, _ depth) []piece {
	r.t.Errorf("the dictionary was asked for %q", s)
	return dst
}

func (r refusing) search(dst []part, s string) []part {
	r.cut(nil, s, plain)
	return dst
}

// A crawl of an English topic meets Chinese now and then, and loads no dictionary for it.
func TestPairsNeedNoDictionary(t *testing.T) {
	c := cutter(t, Options{Terms: []string{"solar panel"}, Pairs: true, Tags: true})
	c.chinese = refusing{t}
	if got, want := words(c, "Solar panels 太阳能板 2kW"), "solar panel|太阳|阳能|能板|2kw"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if found := c.Find(nil, "足球 solar panels 太阳能板"); len(found) != 1 || found[0].Key != "solar panel" {
		t.Errorf("found %v", found)
	}
	if c.Key() == cutter(t, Options{Terms: []string{"solar panel"}, Tags: true}).Key() {
		t.Error("its tokens have the key of another cut")
	}
}
