package winnow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// written are pages that are written one by one, all of them kept.
type written struct {
	sheaf
	dice *rand.Rand
	han  bool
}

func blog(seed uint64, han bool) *written {
	return &written{dice: rand.New(rand.NewPCG(seed, 1)), han: han}
}

// sentence is one that nobody else says.
func (w *written) sentence() string {
	var words []string
	for range 14 {
		if w.han {
			words = append(words, string(rune(0x4e00+w.dice.IntN(3000))))
		} else {
			words = append(words, fmt.Sprintf("w%dx", w.dice.IntN(5000)))
		}
	}
	if w.han {
		return strings.Join(words, "") + "。"
	}
	return strings.Join(words, " ") + "."
}

func (w *written) sentences(n int) string {
	var all []string
	for range n {
		all = append(all, w.sentence())
	}
	return strings.Join(all, " ")
}

// page adds a page.
func (w *written) page(address, title, text string, to ...string) {
	p := Page{ID: uint64(len(w.pages) + 1), URL: address, Keys: []uint64{sink.Key(address)}, Title: title, Text: text, Relevance: .6}
	for _, address := range to {
		p.Links = append(p.Links, sink.Pointer{To: sink.Key(address), Anchor: "more"})
	}
	w.pages = append(w.pages, p)
}

// posts adds posts, and answers their addresses.
func (w *written) posts(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("http://blog.example/2024/post-%d/", i))
		w.page(all[i], w.sentence(), w.sentences(5)+"\n"+w.sentences(5), "http://blog.example/tag/all/")
	}
	return all
}

// list adds a page that shows how posts begin, and whole one that shows all of them.
func (w *written) list(address string, posts ...string)  { w.showing(address, 3, posts) }
func (w *written) whole(address string, posts ...string) { w.showing(address, 1, posts) }

func (w *written) showing(address string, part int, posts []string) {
	var text []string
	for _, post := range posts {
		i := slices.IndexFunc(w.pages, func(p Page) bool { return p.URL == post })
		begins := []rune(w.pages[i].Text)
		text = append(text, w.pages[i].Title, string(begins[:len(begins)/part])+" […]")
	}
	w.page(address, "Archive", strings.Join(text, "\n"), posts...)
}

// hold makes the pages ready for a second look.
func (w *written) hold() {
	w.material, w.digest = *held(w.pages), make([]string, len(w.pages))
	w.passages, w.titles, w.bare = make([][]uint64, len(w.pages)), make([][]uint64, len(w.pages)), make([]string, len(w.pages))
}

// left are the pages that a second look leaves out as lists.
func (w *written) left(o Options) (all []string) {
	w.hold()
	for i := range w.pages {
		w.digest[i] = fmt.Sprint(i)
	}
	r := Report{Result: resultOf(w.pages, &o)}
	for i := range r.Verdicts {
		r.Verdicts[i].Kept = true
	}
	if err := r.leaveCopies(&w.sheaf, &o); err != nil {
		panic(err)
	}
	for i, v := range r.Verdicts {
		if v.List == v.Kept {
			panic("a list is kept, or another page is not")
		}
		if v.List {
			all = append(all, w.pages[i].URL)
		}
	}
	if r.Lists != len(all) || r.Out != 0 || r.In != 0 {
		panic(fmt.Sprintf("%d lists are counted and %d went out", r.Lists, r.Out))
	}
	return all
}

// A list of posts that are kept is left out, in any script; of a tag with one post, too, and never one of the posts.
func TestListsOfKeptPagesAreLeftOut(t *testing.T) {
	for _, han := range []bool{false, true} {
		w := blog(1, han)
		posts := w.posts(20)
		lists := []string{"http://blog.example/", "http://blog.example/tag/keel/", "http://blog.example/tag/jib/", "http://blog.example/tag/all/", "http://blog.example/tag/one/"}
		w.list(lists[0], posts[:10]...)
		w.list(lists[1], posts[3:9]...)
		w.list(lists[2], posts[10], posts[4], posts[19])
		w.list(lists[3], posts[10:]...)
		w.list(lists[4], posts[7])
		if left := w.left(Options{Threshold: .3}); !slices.Equal(left, lists) {
			t.Errorf("Chinese: %v: %q are left out, want %q", han, left, lists)
		}
		if left := w.left(Options{Threshold: .3, copies: true}); left != nil {
			t.Errorf("Chinese: %v: duplicates: keep leaves out %q", han, left)
		}
		o := Options{Threshold: .3, Labels: map[string]bool{lists[1]: true, posts[0]: true}, Examples: lists[2:3]}
		if left := w.left(o); slices.Contains(left, lists[1]) || slices.Contains(left, lists[2]) {
			t.Errorf("Chinese: %v: what somebody has said is left out: %q", han, left)
		}
	}
}

// So is a list that shows all of its posts, where others list them, too.
func TestListsOfWholePostsAreLeftOut(t *testing.T) {
	w := blog(6, false)
	posts := w.posts(12)
	lists := []string{"http://blog.example/", "http://blog.example/tag/keel/", "http://blog.example/tag/jib/", "http://blog.example/2024/05/"}
	w.whole(lists[0], posts[:6]...)
	w.whole(lists[1], posts[1], posts[3], posts[5], posts[7], posts[9], posts[11])
	w.list(lists[2], posts[0], posts[2], posts[4], posts[6], posts[8], posts[10])
	w.whole(lists[3], posts[4:]...)
	if left := w.left(Options{Threshold: .3}); !slices.Equal(left, lists) {
		t.Errorf("%q are left out, want %q", left, lists)
	}
}

// A list that shows all of its posts, each below a heading that leads to it, is one wherever else they are listed; one whose headings lead
// nowhere, or elsewhere, may be a thread or a book.
func TestListsOfWholePostsBelowTheirHeadingsAreLeftOut(t *testing.T) {
	w := blog(10, false)
	posts := w.posts(12)
	for i := range posts {
		w.pages[i].Text += "\n\n## " + w.sentence() + "\n\n" + w.sentences(9)
	}
	below := func(address, headings string, from, to int) {
		var text string
		for i := from; i < to; i++ {
			heading := strings.NewReplacer("TITLE", w.pages[i].Title, "POST", posts[i], "LIST", address).Replace(headings)
			text += heading + "\n\n" + w.pages[i].Text + "\n\n"
		}
		w.page(address, "The blog", text, posts...)
	}
	lists := []string{"http://blog.example/page/1/", "http://blog.example/page/2/"}
	below(lists[0], "## [TITLE](POST)", 0, 3)
	below(lists[1], "- # [TITLE](POST)", 3, 6)
	below("http://blog.example/book/", "## TITLE", 6, 8)
	below("http://blog.example/thread/", "## [TITLE](LIST#POST)", 8, 10)
	below("http://blog.example/named/", "[TITLE](POST)", 10, 12)
	if left := w.left(Options{Threshold: .3}); !slices.Equal(left, lists) {
		t.Errorf("%q are left out, want %q", left, lists)
	}
}

// A list of whole posts of which two are of the topic is a list where headings lead to them, of whatever rank those in the posts are; what
// says more of the topic than they do stays, and so does a page that quotes them below no such heading.
func TestAListOfWholePostsOfWhichTwoAreOfTheTopic(t *testing.T) {
	spec := topic.Defaults()
	spec.Language, spec.Terms = "en", []topic.Term{{Term: "harbour", Weight: 1}, {Term: "keel", Weight: 1}}
	for _, at := range []struct {
		heading, others string
		left            bool
	}{
		{"## [TITLE](POST)", "Bread is baked of rye and left to cool. ", true},
		{"## [TITLE](POST)", "The keel came into the harbour, and the harbour slept. ", false},
		{"TITLE", "Bread is baked of rye and left to cool. ", false},
	} {
		w := blog(12, false)
		posts, text := w.posts(2), ""
		for i, post := range posts {
			text += strings.NewReplacer("TITLE", w.pages[i].Title, "POST", post).Replace(at.heading) + "\n\n" + w.pages[i].Text + "\n\n"
		}
		for i := range 30 {
			text += fmt.Sprintf("\n\n## Before day %d\n\n%sIt was the day %[1]d of the year, and %[3]s", i, at.others, w.sentence())
		}
		const list = "http://blog.example/page/7/"
		w.page(list, "Old posts", text, posts...)
		var want []string
		if at.left {
			want = []string{list}
		}
		if left := w.left(Options{Threshold: .3, spec: spec}); !slices.Equal(left, want) {
			t.Errorf("%+v: %q are left out", at, left)
		}
	}
}

// What a post says stands in the list of each of its tags, too: that makes it no frame of the list of all posts, of which a few are of the
// topic.
func TestAListOfPostsThatHaveManyTags(t *testing.T) {
	spec := topic.Defaults()
	spec.Language, spec.Terms = "en", []topic.Term{{Term: "harbour", Weight: 1}, {Term: "keel", Weight: 1}}
	w := blog(13, false)
	posts := w.posts(5)
	var lists []string
	for i := range 5 {
		lists = append(lists, fmt.Sprintf("http://blog.example/tag/%d/", i))
		w.list(lists[i], posts...)
	}
	lists = append(lists, "http://blog.example/")
	w.list(lists[5], posts...)
	last := &w.pages[len(w.pages)-1]
	for i := range 10 {
		last.Text += fmt.Sprintf("\nBread %d\nBread is baked of rye and left to cool on day %d, and %s […]", i, i, w.sentence())
	}
	for _, tag := range lists[:5] {
		last.Links = append(last.Links, sink.Pointer{To: sink.Key(tag), Anchor: "tag"})
	}
	if left := w.left(Options{Threshold: .3, spec: spec}); !slices.Equal(left, lists) {
		t.Errorf("%q are left out, want %q", left, lists)
	}
}

// No post is a list, wherever its text stands once more, in lists that show it whole and that lead to each other, beside others of its
// folder or not; nor is a chapter beside its book.
func TestPostsAreNoLists(t *testing.T) {
	w := blog(7, false)
	posts := w.posts(12)
	lists := []string{"http://blog.example/2024/index/", "http://blog.example/2024/index2/", "http://blog.example/2024/tag-a/", "http://blog.example/2024/tag-b/", "http://blog.example/2024/marta/"}
	w.whole(lists[0], posts[:6]...)
	w.whole(lists[1], posts[6:]...)
	w.whole(lists[2], posts[0], posts[3], posts[6], posts[9])
	w.list(lists[3], posts[1], posts[4], posts[7])
	w.whole(lists[4], posts[2:9]...)
	mixed := &w.pages[len(w.pages)-1] // half of what it shows is of no page that is kept
	mixed.Text, mixed.Title = mixed.Text+"\n"+w.sentences(70), "All of Marta's posts"
	for i := range posts {
		w.pages[i].Links = nil
		for _, list := range lists {
			w.pages[i].Links = append(w.pages[i].Links, sink.Pointer{To: sink.Key(list)})
		}
	}
	if left := w.left(Options{Threshold: .3}); !slices.Equal(left, lists[:4]) {
		t.Errorf("%q are left out, want %q", left, lists[:4])
	}
}

// A list that shows posts whole and, between them, others that are not of the topic is one; with others that are it stays.
func TestListsOfWhichAPartIsOfTheTopic(t *testing.T) {
	spec := topic.Defaults()
	spec.Language, spec.Terms = "en", []topic.Term{{Term: "harbour", Weight: 1}, {Term: "keel", Weight: 1}}
	for others, want := range map[string][]string{
		"Bread is baked of rye and left to cool. ":                {"http://blog.example/tag/keel/", "http://blog.example/marta/"},
		"The keel came into the harbour, and the harbour slept. ": {"http://blog.example/tag/keel/"},
	} {
		w := blog(8, false)
		posts := w.posts(8)
		w.list("http://blog.example/tag/keel/", posts...)
		w.whole("http://blog.example/marta/", posts[:4]...)
		for i := range 30 {
			w.pages[len(w.pages)-1].Text += "\n" + strings.Repeat(others, 2) + fmt.Sprintf("It was the day %d of the year.", i)
		}
		if left := w.left(Options{Threshold: .3, spec: spec}); !slices.Equal(left, want) {
			t.Errorf("%q: %q are left out, want %q", others, left, want)
		}
	}
}

// A list that shows how posts begin, one of them of the topic and kept, is one where its lines break off, are links, or stand below headings that are. What quotes a post, and what is of
// the topic by what no kept post says, stays.
func TestListsThatShowHowPostsBegin(t *testing.T) {
	spec := topic.Defaults()
	spec.Language, spec.Terms = "en", []topic.Term{{Term: "harbour", Weight: 1}, {Term: "keel", Weight: 1}}
	w := blog(9, false)
	posts := w.posts(8)
	for i := range posts {
		w.pages[i].Text = strings.ReplaceAll(w.pages[i].Text, ".", " of the keel in the harbour.")
	}
	begins := func(i int) string { return string([]rune(w.pages[i].Text)[:240]) }
	others := func(said, end string) (lines string) {
		for range 4 {
			lines += "\n" + strings.Repeat(said, 2) + w.sentences(2) + end
		}
		return lines
	}
	const bread, keel = "Bread is baked of rye. ", "The keel came into the harbour, and the harbour slept. "
	lists := []string{"http://blog.example/2024/05/", "http://blog.example/2024/06/"}
	w.page(lists[0], "May", begins(0)+" […]"+others(bread, " […]"), posts...)
	w.page(lists[1], "June", begins(1)+"... Read on"+others(bread, "... Read on"), posts...)
	w.page("http://blog.example/2024/07/", "July", begins(2)+"… Read on"+others(keel, "… Read on"), posts...)
	card := func(post int, said string) string {
		return "\n\n[" + w.pages[post].Title + "](" + posts[post] + ")\n\n[" + said + "](" + posts[post] + ")\n\n[5 May 2024](" + posts[post] + ")"
	}
	lists = append(lists, "http://blog.example/page/2/")
	w.page(lists[2], "Page 2", "## Latest"+card(0, begins(0))+card(3, strings.TrimSpace(others(bread, "")))+card(4, strings.TrimSpace(others(bread, ""))), posts...)
	sections := func(to ...string) (text string) {
		for i, to := range to {
			said := strings.TrimSpace(others(bread, ""))
			if i == 0 {
				said = begins(4)
			}
			text += "## [" + w.sentence() + "](" + to + ")\n\n" + said + "\n\n"
		}
		return text
	}
	lists = append(lists, "http://blog.example/page/3/")
	w.page(lists[3], "Page 3", "# Blog\n\n"+sections(posts[4:7]...), posts...)
	lists = append(lists, "http://blog.example/page/4/")
	item := strings.NewReplacer("## ", "- ### ", "\n\n", "\n\n  ")
	w.page(lists[4], "Page 4", item.Replace(sections(posts[4:7]...)), posts...)
	w.page("http://blog.example/bread/", "Bread", sections("http://blog.example/bread/#a", "http://blog.example/bread/#b", "http://blog.example/bread/"), posts...)
	w.page("http://blog.example/2024/quoted/", "Of two posts", begins(0)+"\n"+begins(1)+" …"+others(bread, ""), posts...)
	if left := w.left(Options{Threshold: .3, spec: spec}); !slices.Equal(left, lists) {
		t.Errorf("%q are left out, want %q", left, lists)
	}
}

// A list that does no more than name kept pages and lead to them is one, whatever small things it says of each. What has more to say, or says
// it of the topic, and a page that names few others, stays.
func TestListsOfTitles(t *testing.T) {
	spec := topic.Defaults()
	spec.Language, spec.Terms = "en", []topic.Term{{Term: "harbour", Weight: 1}, {Term: "keel", Weight: 1}}
	for _, han := range []bool{false, true} {
		w := blog(11, han)
		posts := w.posts(9)
		names := func(n int, each func(i int) string) (text string) {
			for i := range n {
				text += w.pages[i].Title + "\n" + each(i) + "\n"
			}
			return text
		}
		says := func(format string) func(int) string { return func(i int) string { return fmt.Sprintf(format, i+1) } }
		lists := []string{"http://blog.example/tag/keel/", "http://blog.example/search?q=keel", "http://blog.example/shop/", "http://blog.example/all/", "http://blog.example/archives/"}
		w.page(lists[0], "Keel", names(5, says("Ann, %d May 2024, 3 answers")), posts...)
		w.page(lists[1], "keel", "9 results\n"+names(9, says("£%d.50")), posts...)
		cut := ""
		for i := range 4 {
			title := []rune(w.pages[i].Title)
			cut += string(title[:len(title)/2]) + " …\n£12.50\n"
		}
		w.page(lists[2], "Shop", cut, posts...)
		w.page(lists[3], "All", names(3, says("Revised: 10:4%d p.m."))+"Bread\nRye", append([]string{lists[0], lists[1]}, posts...)...)
		archive, notes := "", ""
		for i := range 5 {
			archive += fmt.Sprintf("%d May 2024 » ", i+1) + w.pages[i].Title + "\n" + w.pages[i].Title + fmt.Sprintf(" %d May bread, rye\n", i+1)
			notes += w.pages[i].Title + ": the keel came into the harbour, and the harbour slept.\n"
		}
		w.page(lists[4], "Archives", archive, posts...)
		w.page("http://blog.example/notes/", "Notes", notes, posts...)
		w.page("http://blog.example/keels/", "Keels", names(5, says("The keel of boat %d came into the harbour; the harbour slept.")), posts...)
		w.page("http://blog.example/review/", "Review", names(5, func(int) string { return w.sentences(3) }), posts...)
		w.page("http://blog.example/two/", "Two", names(2, says("Ann, %d May\nBob, in the evening of day %[1]d\nEve, who was away on day %[1]d\nDan, who had to go on day %[1]d")), posts...)
		w.page("http://blog.example/nowhere/", "Nowhere", names(5, says("%d")))
		if left := w.left(Options{Threshold: .3, spec: spec}); !slices.Equal(left, lists) {
			t.Errorf("Chinese: %v: %q are left out, want %q", han, left, lists)
		}
		o := Options{Threshold: .3, spec: spec, Labels: map[string]bool{lists[0]: true}}
		if left := w.left(o); slices.Contains(left, lists[0]) {
			t.Errorf("Chinese: %v: what somebody has said is left out: %q", han, left)
		}
	}
}

// What says more than the pages that it leads to stays, and so does what says less than one of them; what is said nowhere else is kept
// once at least.
func TestWhatIsNoListStays(t *testing.T) {
	w := blog(2, false)
	posts := w.posts(9)
	quote := func(post int) string { return w.pages[post].Text[:300] }
	w.page("http://blog.example/review/", "Three years", quote(0)+"\n"+w.sentences(4)+"\n"+quote(1)+"\n"+w.sentences(4)+"\n"+quote(2), posts[:3]...)
	w.list("http://blog.example/elsewhere/", posts[:3]...)
	w.pages[len(w.pages)-1].Links = nil // it leads to none of them
	chapters := []string{"http://book.example/1/", "http://book.example/2/", "http://book.example/3/", "http://book.example/4/"}
	var book []string
	for _, chapter := range chapters {
		text := w.sentences(6)
		w.page(chapter, w.sentence(), text, "http://book.example/whole/")
		book = append(book, text)
	}
	w.page("http://book.example/whole/", "The book", strings.Join(book, "\n"), "http://book.example/1/")
	var frames, framed []string // all pages of a part have its frame, and the first page has both
	for part := range 2 {
		frames = append(frames, w.sentences(9))
		for i := range 6 {
			framed = append(framed, fmt.Sprintf("http://frame.example/%d/%d/", part, i))
			w.page(framed[len(framed)-1], "Harbour", w.sentences(3)+"\n"+frames[part])
		}
	}
	w.page("http://frame.example/", "Harbour", w.sentences(3)+"\n"+strings.Join(frames, "\n"), framed...)
	if left := w.left(Options{Threshold: .3}); left != nil {
		t.Errorf("%q are left out", left)
	}
	// A thread and a book, which say all of what has pages of its own, and which nothing else lists but parts of them.
	w = blog(5, false)
	posts = w.posts(12)
	w.whole("http://forum.example/thread/", posts[:8]...)
	w.whole("http://forum.example/thread/part/", posts[:3]...)
	w.whole("http://book.example/whole/", posts[8:]...)
	if left := w.left(Options{Threshold: .3}); !slices.Equal(left, []string{"http://forum.example/thread/part/"}) {
		t.Errorf("%q are left out, want what is a part of another list", left)
	}
	// Where the posts are not kept their lists are what says most of them, and stays.
	w = blog(3, false)
	posts = w.posts(6)
	w.list("http://blog.example/a/", posts[:3]...)
	w.list("http://blog.example/b/", posts[3:]...)
	w.showing("http://blog.example/", 6, posts)
	w.pages = w.pages[6:]
	for i := range w.pages {
		w.pages[i].Links = nil
		for n := range w.pages {
			w.pages[i].Links = append(w.pages[i].Links, sink.Pointer{To: w.pages[n].Keys[0]})
		}
	}
	if left := w.left(Options{Threshold: .3}); !slices.Equal(left, []string{"http://blog.example/"}) {
		t.Errorf("%q are left out, want the one that the two others say", left)
	}
}

// The best are as many as are asked for: a list among them makes room for another page.
func TestTheBestAreNoLists(t *testing.T) {
	w := blog(4, false)
	posts := w.posts(30)
	for i := range 5 {
		w.list(fmt.Sprintf("http://blog.example/tag/%d/", i), posts[6*i:6*i+6]...)
		w.pages[len(w.pages)-1].Relevance = .9
	}
	o := Options{Threshold: .3}
	w.left(o)
	r := Report{Result: resultOf(w.pages, &o)}
	for i := range r.Verdicts {
		r.Verdicts[i].Second = w.pages[i].Relevance
	}
	noError(t, r.best(28, &w.sheaf, &o))
	if r.kept() != 28 {
		t.Errorf("%d pages are kept, want the best 28", r.kept())
	}
	for i, v := range r.Verdicts {
		if v.Kept && strings.Contains(w.pages[i].URL, "/tag/") && v.List {
			t.Errorf("%s is a list, and is kept", w.pages[i].URL)
		}
	}
	noError(t, r.best(100, &w.sheaf, &o))
	if r.kept() != 30 {
		t.Errorf("%d pages are kept, want all 30 posts", r.kept())
	}
}

// The texts of all pages are read twice to find the best, however many lists among them make room for others: for their passages, and
// for the lines of what may be a list.
func TestTheBestAreReadTwice(t *testing.T) {
	w := blog(4, false)
	posts := w.posts(40)
	for i := range 10 { // each of which is found when those before have made room for what it lists
		w.list(fmt.Sprintf("http://blog.example/tag/%d/", i), posts[4*i:4*i+4]...)
		w.pages[len(w.pages)-1].Relevance = .9
	}
	w.hold()
	for i := range w.pages {
		w.digest[i] = fmt.Sprint(i)
	}
	o := Options{Threshold: .3}
	times, texts := 0, w.texts
	w.texts = func(take func(int, string) error) error {
		times++
		return texts(take)
	}
	r := Report{Result: resultOf(w.pages, &o)}
	for i := range r.Verdicts {
		r.Verdicts[i].Second = w.pages[i].Relevance
	}
	noError(t, r.best(36, &w.sheaf, &o))
	if r.kept() != 36 || times != 2 {
		t.Errorf("%d pages are kept, want the best 36, and all texts were read %d times, want 2", r.kept(), times)
	}
}

// A page whose text is gone since its passages were read stays, where others do not say nearly all of it: it is not known what else it says.
func TestAPageWhoseTextIsGoneIsNoList(t *testing.T) {
	spec := topic.Defaults()
	spec.Language, spec.Terms = "en", []topic.Term{{Term: "harbour", Weight: 1}}
	w := blog(8, false)
	posts := w.posts(8)
	w.list("http://blog.example/tag/keel/", posts...)
	w.whole("http://blog.example/marta/", posts[:4]...)
	for i := range 30 {
		w.pages[len(w.pages)-1].Text += fmt.Sprintf("\nBread is baked of rye and left to cool. It was the day %d of the year.", i)
	}
	w.hold()
	for i := range w.pages {
		w.digest[i] = fmt.Sprint(i)
	}
	texts, times := w.texts, 0
	w.texts = func(take func(int, string) error) error {
		if times++; times > 1 {
			return nil
		}
		return texts(take)
	}
	o := Options{Threshold: .3, spec: spec}
	r := Report{Result: resultOf(w.pages, &o)}
	for i := range r.Verdicts {
		r.Verdicts[i].Kept = true
	}
	noError(t, r.leaveCopies(&w.sheaf, &o))
	if times != 2 || r.Lists != 1 || !r.Verdicts[len(w.pages)-1].Kept {
		t.Errorf("texts were read %d times, and %d pages are left out, want the one of which all is said elsewhere", times, r.Lists)
	}
}
