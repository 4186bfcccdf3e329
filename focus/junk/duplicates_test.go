package junk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// prose is a page of n words, drawn from a seed.
func prose(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%c%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26))
	}
	return words
}

func TestFingerprintsOfLikePagesAreAlike(t *testing.T) {
	within, beyond := 0, 0
	const rounds = 200
	for seed := range uint64(rounds) {
		words := prose(seed, 400)
		one, _ := Fingerprint([]byte(strings.Join(words, " ")))
		words[100] = "changed"
		other, n := Fingerprint([]byte("<html><head><style>p > a {}</style></head><p>" + strings.Join(words, "</b> <i>") + "<script>var x = '<p>';</script>"))
		if n != 400 {
			t.Fatalf("%d words, want 400", n)
		}
		if Distance(one, other) <= nearBits {
			within++
		}
		stranger, _ := Fingerprint([]byte(strings.Join(prose(seed+1e6, 400), " ")))
		if Distance(one, stranger) > nearBits {
			beyond++
		}
	}
	if within < rounds*8/10 || beyond != rounds {
		t.Errorf("of %d pages with one word changed %d are found; of as many strangers %d are told apart", rounds, within, beyond)
	}
}

// TestStrangersThatRepeatThemselves: pages that have no sentence in common are not nearly the same because each repeats the words of
// their topic, or is set in with the same signs.
func TestStrangersThatRepeatThemselves(t *testing.T) {
	for name, repeat := range map[string]func(words []string) string{
		"words of the topic": func(words []string) string {
			for i := 0; i < len(words); i += 12 {
				words[i] = "solar energy"
			}
			return strings.Join(words, " ")
		},
		"blanks by name": func(words []string) string {
			var b strings.Builder
			for i := 0; i < len(words); i += 30 {
				b.WriteString("<p>&nbsp;&nbsp;&nbsp;&nbsp;" + strings.Join(words[i:i+30], " "))
			}
			return b.String()
		},
		"a table's words": func(words []string) string { return strings.Join(words, " today ") },
	} {
		var prints []uint64
		near := 0
		for seed := range uint64(60) {
			print, _ := Fingerprint([]byte(repeat(prose(seed, 300))))
			for _, other := range prints {
				if Distance(print, other) <= nearBits {
					near++
				}
			}
			prints = append(prints, print)
		}
		if near > 0 {
			t.Errorf("%s: %d pairs of strangers are nearly the same", name, near)
		}
	}
}

// TestEachPairCountsOnce: a page says no more where it says everything twice.
func TestEachPairCountsOnce(t *testing.T) {
	words := append(prose(1, 3000), "end")
	once, _ := Fingerprint([]byte(strings.Join(words, " ")))
	twice, n := Fingerprint([]byte(strings.Repeat(strings.Join(words, " ")+" ", 2)))
	if Distance(once, twice) > 1 || n != 2*len(words) { // one pair is new: the last word and the first
		t.Errorf("%d bits differ, %d words", Distance(once, twice), n)
	}
	if again, _ := Fingerprint([]byte(strings.Join(words, " "))); again != once {
		t.Error("another page in between made another fingerprint")
	}
}

// A character reference is what it stands for; what only looks like one is text.
func TestReferencesAreCharacters(t *testing.T) {
	for written, said := range map[string]string{
		"f&uuml;r&nbsp;&nbsp;alle&mdash;und": "für alle und",
		"&#26053;&#x6E38; a&lt;p&gt;b":       "旅游 a p b",
		"R&D Q&A; &unknown; &; &#; a&amp;b":  "R D Q A unknown # a b",
		"at the end &nbsp":                   "at the end nbsp",
		"R&AMP;D &#38; &#x26;D":              "R D D",
	} {
		got, n := Fingerprint([]byte(written))
		if want, words := Fingerprint([]byte(said)); got != want || n != words {
			t.Errorf("%q has %d words, %q %d, and %d bits differ", written, n, said, words, Distance(got, want))
		}
	}
}

// What stands in a script or style is no word, also where the element never ends: then all that is left is its text, and a page of
// nothing but such tags is looked through once.
func TestScriptsHaveNoWords(t *testing.T) {
	for _, unread := range []string{"<script>one two", "<STYLE media=x>one </b> two </styl", "<script/>one", strings.Repeat("<script>a</b>", 1<<16)} {
		if !fewerWords([]byte("<p>zero</p>"+unread), 1) {
			t.Errorf("%.40q has words outside of the script", unread)
		}
	}
	if fewerWords([]byte("<styled>one two</styled> three"), 2) {
		t.Error("an element whose name begins like that of a style is one")
	}
}

// In a text, angles are no tags: what follows one is read, too.
func TestAnglesInATextAreNoTags(t *testing.T) {
	got, n := TextFingerprint("if a < b then c > d, and <e> is f")
	if want, words := Fingerprint([]byte("if a b then c d and e is f")); got != want || n != words {
		t.Errorf("it has %d words, want %d, and %d bits differ", n, words, Distance(got, want))
	}
}

func TestFingerprintCutsChinese(t *testing.T) {
	_, n := Fingerprint([]byte("<p>旅游攻略，2026年 hello world</p>"))
	if n != 4+1+1+2 {
		t.Errorf("%d words", n)
	}
	for _, broken := range []string{"<", "<script", "<script>x", "<!--", "\xff<p>\xe6\x97", ""} {
		Fingerprint([]byte(broken)) // must end
	}
}

func TestDuplicates(t *testing.T) {
	text := strings.Join(prose(1, 500), " ")
	d := NewDuplicates(0)
	steps := []struct{ address, body, first, reason string }{
		{"http://a.example/1", text, "", ""},
		{"http://a.example/1", text, "", ""}, // the page itself, once more
		{"http://a.example/2", " " + text + "\n", "http://a.example/1", "the same as http://a.example/1"},
		{"http://a.example/3", text + " today", "http://a.example/1", "nearly the same as http://a.example/1"},
		{"http://a.example/4", strings.Join(prose(2, 500), " "), "", ""},
		{"http://a.example/5", "few words", "", ""},
		{"http://a.example/6", "few Words", "", ""},
		{"http://a.example/7", "few words", "http://a.example/5", "the same as http://a.example/5"},
	}
	for _, s := range steps {
		if first, reason := d.Find(s.address, []byte(s.body), s.body); first != s.first || reason != s.reason {
			t.Errorf("%s: %q, %q; want %q, %q", s.address, first, reason, s.first, s.reason)
		}
	}
}

// TestPagesOfOneTemplate: what a page says by itself decides, not the menus around it: articles in one long menu are others, and the
// same one in another menu is the same. Lists and calendars that say nothing but a number are the same.
func TestPagesOfOneTemplate(t *testing.T) {
	menu, other := strings.Join(prose(1, 3000), " "), strings.Join(prose(2, 900), " ")
	story := func(n uint64, words int) string { return "A title\n" + strings.Join(prose(n, words), " ") }
	changed := strings.Replace(story(10, 60), story(10, 60)[20:60], "one two three four five", 1)
	d := NewDuplicates(0)
	for i, s := range []struct {
		menu, text string
		like       int // the page it repeats; its own number where it repeats none
	}{
		{menu, story(10, 60), 0},
		{menu, story(11, 60), 1},
		{menu, story(12, 31), 2},
		{menu, changed, 0},        // some words are others, in the same menu
		{other, changed, 4},       // in another one that is not enough
		{other, story(11, 60), 1}, // the same words are
		{other, "Events of May 2024\nNothing is on.", 6},
		{other + " x", "Events of June 2024\nNothing is on.", 7},
		{other + " y", "Events of May 2025\nNothing is on.", 6},
		{menu, "Events of May 2025\nNothing is on.", 9},
		{menu, "", 10},
		{menu + " x", "", 10},
		{menu + " <b>y</b>", story(12, 27), 12},
		{other, "if a < b\n" + story(13, 60), 13},
		{other, "if a < b\n" + story(14, 60), 14},
	} {
		first, _ := d.Find(fmt.Sprint(i), []byte(s.menu+" "+s.text), s.text)
		if first == "" {
			first = fmt.Sprint(i)
		}
		if want := fmt.Sprint(s.like); first != want {
			t.Errorf("page %d is taken for %s, want %s", i, first, want)
		}
	}
}

func TestMirrors(t *testing.T) {
	d := NewDuplicates(0)
	for i := range 6 {
		body := []byte(strings.Join(prose(uint64(i), 100), " "))
		d.Find(fmt.Sprintf("http://a.example/%d", i), body, string(body))
		d.Find(fmt.Sprintf("https://copy.example/%d", i), body, string(body))
		d.Find(fmt.Sprintf("http://press.example/elsewhere/%d", i), body, string(body))
		if want := map[bool]string{true: "a.example"}[i >= mirrorFrom-1]; d.MirrorOf("copy.example") != want {
			t.Errorf("after %d pages copy.example is a mirror of %q, want %q", i+1, d.MirrorOf("copy.example"), want)
		}
	}
	if d.MirrorOf("a.example") != "" || d.MirrorOf("press.example") != "" {
		t.Error("a mirror that is none")
	}
}

// TestMirrorsVisitedSideBySide: whichever of the two is first at each page, together they have five pages in common.
func TestMirrorsVisitedSideBySide(t *testing.T) {
	d := NewDuplicates(0)
	hosts := [2]string{"a.example", "b.example"}
	for i := range mirrorFrom {
		body := []byte(strings.Join(prose(uint64(i), 100), " "))
		d.Find(fmt.Sprintf("http://%s/%d", hosts[i%2], i), body, string(body))
		d.Find(fmt.Sprintf("http://%s/%d", hosts[1-i%2], i), body, string(body))
	}
	if d.MirrorOf("b.example") != "a.example" {
		t.Errorf("b.example is a mirror of %q, want a.example", d.MirrorOf("b.example"))
	}
}

func TestDuplicatesAreBounded(t *testing.T) {
	d := NewDuplicates(10)
	for i := range 200 {
		d.Find(fmt.Sprintf("http://a.example/%d", i), []byte(strings.Join(prose(uint64(i), 40), " ")), "")
	}
	if n := len(d.near[0].voices) + len(d.near[1].voices); n > 10 || d.exact.Len() > 10 {
		t.Errorf("%d fingerprints and %d digests are remembered", n, d.exact.Len())
	}
}

func BenchmarkFingerprint(b *testing.B) {
	page := []byte("<p>" + strings.Join(prose(1, 5000), "</p> <p class=text>"))
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		Fingerprint(page)
	}
}

// TestWhatIsShownIsNoRepetition holds that a post does not repeat the list that showed it before, that the list repeats the post, and that
// a memory that was told of it again answers the same.
func TestWhatIsShownIsNoRepetition(t *testing.T) {
	says := strings.Repeat("the dough of rye wants warmth water and a sour that was fed the evening before it is baked ", 3)
	post := PrintOf([]byte("<p>comments related posts share this "+says), "Rye\n"+says)
	list := PrintOf([]byte("<p>all posts with this tag "+says+" older newer archive of all that was written about it since 2019"), "Rye\n"+says)
	list.Shows = true
	d := NewDuplicates(0)
	d.Record()
	for i, c := range []struct {
		at    string
		print Print
		first string
	}{{"x/tag", list, ""}, {"x/post", post, ""}, {"x/month", list, "x/tag"}, {"x/post?print=1", post, "x/post"}} {
		if first, _ := d.Compare(c.at, c.print); first != c.first {
			t.Errorf("%d: %s repeats %q, want %q", i, c.at, first, c.first)
		}
	}
	other := list
	other.digest++
	if first, _ := d.Compare("x/year", other); first != "x/post" {
		t.Errorf("a list that comes later repeats %q", first)
	}
	again := NewDuplicates(0)
	if err := again.Relearn(d.Lesson()); err != nil || !bytes.Equal(again.State(), d.State()) {
		t.Errorf("told again it remembers something else: %v", err)
	}
}

// TestListsThatShowDifferentTexts holds that lists of one template are not taken for copies of each other by its menus, each of which
// shows a short text of its own; and that one of the same text is one, whatever number stands beside it.
func TestListsThatShowDifferentTexts(t *testing.T) {
	var menus strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&menus, "<li>entry%d of the menu%d</li>", i, i*7)
	}
	shows := func(visit, says string) Print {
		p := PrintOf([]byte("<ul>"+menus.String()+"</ul><p>"+says+"</p><i>"+visit+"</i>"), says)
		p.Shows = true
		return p
	}
	rye := strings.Repeat("the dough of rye wants warmth water and a sour that was fed the evening before it is baked ", 3)
	tea := strings.Repeat("leaves of green tea are heated soon after they were plucked so that they stay as green as they were ", 3)
	d := NewDuplicates(0)
	for _, c := range []struct {
		at    string
		print Print
		first string
	}{{"x/tag/rye", shows("1", rye), ""}, {"x/tag/tea", shows("2", tea), ""}, {"x/tag/rye?sid=3", shows("3", rye), "x/tag/rye"}} {
		if first, _ := d.Compare(c.at, c.print); first != c.first {
			t.Errorf("%s repeats %q, want %q", c.at, first, c.first)
		}
	}
}
