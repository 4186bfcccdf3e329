package text

import (
	"strings"
	"testing"
)

func cutter(t testing.TB, o Options) *Cutter {
	t.Helper()
	c, err := NewCutter(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// words are the terms of the tokens of s, parted by a bar.
func words(c *Cutter, s string) string {
	var list []string
	for _, t := range c.Cut(nil, s) {
		list = append(list, t.Term)
	}
	return strings.Join(list, "|")
}

func TestWordsOfManyScripts(t *testing.T) {
	c := cutter(t, Options{Terms: []string{"office hours", "世界杯 决赛", "学生", "和服", "4S店", "C", "NBA 决赛", "the", "中国", "球"}})
	for _, test := range []struct{ in, want string }{
		{"Running runners ran", "run|runner|ran"},
		{"5G and C++ on the iPhone15, C# too", "5g|c++|iphone15|c#"},
		{"Ｃ＋＋ ＩＰｈｏｎｅ１５", "c++|iphone15"},
		{"他去4S店买车", "4s店|买车"},
		{"我来到北京清华大学", "来到|北京|清华大学"},
		{"Office-hours of the office", "offic hour|offic"},
		{"世界杯决赛，世界杯 · 决赛，世界杯的决赛", "世界杯 决赛|世界杯 决赛|世界杯|决赛"},
		{"產品和服務", "产品|服务"},
		{"他的和服很美", "和服|很美"},
		{"大学生活很好", "大学|生活"},
		{"发展中国家", "发展中国家"},
		{"2019 3.14 a b AT&T F-16 U.S. U.S.A. don't Ph.D. PhD e.g. v2.3.0", "at&t|f-16|u.s|usa|phd|phd|v2.3.0"},
	} {
		if got := words(c, test.in); got != test.want {
			t.Errorf("%s: %s, want %s", test.in, got, test.want)
		}
	}
}
