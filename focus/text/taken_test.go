package text

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// cutAs is what the sample is cut into by this version. When this test fails because text is cut another way, raise
// Version and put the new digest here: what was kept by older programs is then cut anew.
const (
	cutAs      = "5c807390f9e4c3b7"
	cutVersion = 4
)

// sample is text of many kinds.
var sample = []string{
	"The quick brown foxes were running over 3.14 lazy dogs; C++ and C# on the iPhone15, AT&T, Ph.D., v2.3.0, don't.",
	"我来到北京清华大学，他去4S店买车。世界杯决赛在莫斯科举行，產品和服務，大学生活很好，发展中国家。",
	"乒乓球拍卖完了，南京市长江大桥，小明硕士毕业于中国科学院计算所，后在日本京都大学深造。",
	"ＩＰｈｏｎｅ１５ 5G 手机 Wi-Fi 覆盖率 99.9%，e-mail: a@b.example http://www.example.org/x?y=1",
	"ひらがなカタカナ 한국어 ภาษาไทย Ünïcödé naïve cafe\u0301 Straße ﬁn",
	"L’énergie solaire, l'onduleur et la qualité de l'air; dell'inverter, aujourd'hui.",
}

func TestWhatIsCutHoldsTheVersion(t *testing.T) {
	sum := sha256.New()
	for _, o := range []Options{{}, {Terms: []string{"世界杯 决赛", "fox", "大学"}}, {KeepStops: true}, {Tags: true}, {Limit: 60}} {
		d := &Doc{}
		for i, s := range sample {
			d.Segments = append(d.Segments, Segment{Text: s, Position: Position(i), Block: int32(i)})
		}
		for _, k := range cutter(t, o).Tokens(d) {
			if !o.Tags {
				k.Speech = Noun // nobody asked
			}
			fmt.Fprintf(sum, "%s %d %d %d\n", k.Term, k.Segment, k.Position, k.Speech)
		}
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != cutAs || Version != cutVersion {
		t.Errorf("text is cut as %s in version %d, and was as %s in version %d: if it is cut another way, raise Version, and put the new digest here", got, Version, cutAs, cutVersion)
	}
}

func TestCuttersOfOneKeyCutAlike(t *testing.T) {
	dict := filepath.Join(t.TempDir(), "user.txt")
	if err := os.WriteFile(dict, []byte("长江大\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	options := []Options{{}, {Terms: []string{"a b"}}, {Terms: []string{"a", "b"}}, {UserDict: dict}, {KeepStops: true}, {Tags: true}, {Limit: 100}, {Plain: true}}
	var keys []string
	for _, o := range options {
		key := cutter(t, o).Key()
		if again := cutter(t, o).Key(); again != key {
			t.Errorf("%+v has the keys %s and %s", o, key, again)
		}
		if slices.Contains(keys, key) {
			t.Errorf("%+v has a key that other options have", o)
		}
		keys = append(keys, key)
	}
	if cutter(t, Options{Limit: DefaultLimit}).Key() != keys[0] {
		t.Error("the default said aloud has another key")
	}
	if err := os.WriteFile(dict, []byte("长江大桥在\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if cutter(t, options[3]).Key() == keys[3] {
		t.Error("another user dictionary in the same file has the same key")
	}
}

func TestTokensThatWereCutBeforeAreTaken(t *testing.T) {
	c := cutter(t, Options{})
	d := &Doc{Segments: []Segment{{Text: "one boat"}}}
	c.Take(d, []Token{{Term: "ship"}})
	if got := c.Tokens(d); len(got) != 1 || got[0].Term != "ship" {
		t.Errorf("%v", got)
	}
	if got := cutter(t, Options{}).Tokens(d); len(got) != 1 || got[0].Term != "boat" {
		t.Errorf("another cutter takes them too: %v", got)
	}
}
