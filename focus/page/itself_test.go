package page

import (
	"strings"
	"testing"
)

// An article that was found by a name with a campaign, or on the page for telephones, has the name that it says as well; a list, a part
// of something that is counted, a front page, a folder, a program and another path are not believed
// to be the same.
func TestNamesOfAPage(t *testing.T) {
	for _, c := range []struct{ at, canonical, want string }{
		{"https://m.x.example/news/7.html?from=related", "https://www.x.example/news/7.html", "https://www.x.example/news/7.html https://m.x.example/news/7.html"},
		{"https://x.example/news/7.html?from=related", "/news/7.html", "https://x.example/news/7.html"},
		{"http://wap.x.example/show?id=5", "https://x.example/show?id=5", "https://x.example/show?id=5"},
		{"https://x.example/news/7.html?utm_id=3", "/news/7.html", ""}, // known by that name already
		{"https://x.example/news?page=2", "/news", ""},
		{"https://x.example/show?id=5", "/show?id=1", ""},
		{"https://x.example/index.php?title=Solar", "/index.php", ""},
		{"https://x.example/news/?section=solar", "/news/", ""},
		{"https://x.example/news?section=solar", "/news", ""},
		{"https://x.example/guide-2.html?lang=de", "/guide-2.html", ""},
		{"https://x.example/show.aspx?of=solar", "/show.aspx", ""},
		{"https://x.example/solar-roofs?ref=home", "/solar-roofs", "https://x.example/solar-roofs"},
		{"https://m.x.example/index.php?title=Solar", "https://www.x.example/index.php?title=Solar", "https://www.x.example/index.php?title=Solar"},
		{"https://m.x.example/", "https://www.x.example/", ""},
		{"https://x.example/news/7.html?from=related", "/", ""},
		{"https://x.example/news/7.html?from=related", "https://y.example/news/7.html", ""},
		{"https://x.example/news/7.html", "", ""},
	} {
		head := "<title>Solar</title><link rel=canonical href=\"" + c.canonical + "\">"
		p := Parse([]byte(head+"<p>"+strings.Repeat("solar energy ", 40)), c.at, Options{})
		if got := strings.Join(p.Names(), " "); got != c.want {
			t.Errorf("%s, canonical %s: is %q, too, want %q", c.at, c.canonical, got, c.want)
		}
		list := Parse([]byte(head+strings.Repeat("<a href=x>solar energy</a> ", 40)), c.at, Options{})
		if got := list.Names(); got != nil {
			t.Errorf("%s: a list is %q, too", c.at, got)
		}
	}
}

// A list of posts that shows one of them below its linked heading says what that post says; a post whose heading leads to itself, to the
// blog or to what it speaks of on another host says it itself.
func TestPagesThatShowOthers(t *testing.T) {
	for at, shows := range map[string]bool{"/tag/rye/": true, "/": true, "/page/2/": true, "/2024/rye/": false} {
		for _, heading := range []string{"<h1>%s</h1>", "<h1><a href=/>Blog</a></h1><h2 class=entry-title>%s</h2>", "<header><h2>%s</h2></header><footer class=meta>5 May 2024</footer>"} {
			heading = strings.Replace(heading, "%s", "<a href=/2024/rye/>Rye that stands</a>", 1)
			p := Parse([]byte("<nav><a href=/2024/rye/>Rye that stands</a> <a href=/tag/rye/>Rye</a></nav><article>"+heading+"<div class=content>"+strings.Repeat("<p>The dough of rye wants warmth, water and a sour that was fed the evening before.</p>", 5)+"</div><a href=/2024/rye/#more>read more</a></article>"), "https://blog.example"+at, Options{})
			if p.Shows() != shows {
				t.Errorf("%s, %s: %v", at, heading, p.Shows())
			}
		}
	}
	// An article whose heading leads to itself says it itself, whatever its address has beside that: a copy of it is one.
	for at, to := range map[string]string{"/2024/rye/?replytocom=5": "/2024/rye/", "/2024/rye.html?sid=5": "/2024/rye.html", "/2024/rye": "/2024/rye/", "/2024/rye/": "http://blog.example/2024/rye", "/?p=12&sid=5": "/?p=12"} {
		p := Parse([]byte("<article><h1><a href='"+to+"'>Rye that stands</a></h1>"+strings.Repeat("<p>The dough of rye wants warmth, water and a sour that was fed the evening before.</p>", 5)+"</article>"), "https://blog.example"+at, Options{})
		if p.Shows() {
			t.Errorf("%s, whose heading leads to %s: another's", at, to)
		}
	}
	if p := Parse([]byte("<article><h2><a href='/?p=12'>Rye that stands</a></h2>"+strings.Repeat("<p>The dough of rye wants warmth, water and a sour that was fed the evening before.</p>", 5)+"</article>"), "https://blog.example/", Options{}); !p.Shows() {
		t.Error("a front page that shows /?p=12 says it itself")
	}
	for _, heading := range []string{"<h1><a href=/>Blog</a></h1>", "<h2><a href=https://other.example/rye>Rye elsewhere</a></h2>", "<h1>Rye</h1>", ""} {
		p := Parse([]byte(heading+"<div class=content>"+strings.Repeat("<p>The dough of rye wants warmth, water and a sour that was fed the evening before.</p>", 5)+"</div>"), "https://blog.example/2024/rye/", Options{})
		if p.Shows() {
			t.Errorf("%s: another's", heading)
		}
	}
}

// What a page calls itself by is believed where that leaves out what only says how it is shown, and not where a site calls all that a program
// or a folder shows by its address alone, nor where the two ask for different pages.
func TestWhatAPageCallsItself(t *testing.T) {
	for _, c := range []struct {
		at, canonical string
		believed      bool
	}{
		{"http://x.example/story?print=1", "http://x.example/story", true},
		{"http://x.example/story?from=mail", "http://x.example/story", true},
		{"http://x.example/show.php?id=5&print=1", "http://x.example/show.php?id=5", true},
		{"http://x.example/show.php?id=5&from=list", "http://x.example/show.php?id=5", true},
		{"http://m.x.example/show.php?id=5", "http://www.x.example/show.php?id=5", true},
		{"https://x.example/", "http://x.example/", true},
		{"http://x.example/news.php?id=5", "http://x.example/news.php", false},
		{"http://x.example/news.php?id=1", "http://x.example/news.php", false},
		{"http://x.example/index.aspx?title=roofs", "http://x.example/index.aspx", false},
		{"http://x.example/?p=12", "http://x.example/", false},
		{"http://x.example/?p=roofs", "http://x.example/", false},
		{"http://x.example/show?id=5", "http://x.example/show", false},
		{"http://x.example/show?cat=solar&id=5", "http://x.example/show?cat=solar", false},
		{"http://x.example/show?id=5", "http://x.example/show?id=7", false},
		{"http://x.example/story?page=2", "http://x.example/story", false},
		{"http://x.example/story?lang=de", "http://x.example/story", false},
		{"http://x.example/story", "http://x.example/", false},
	} {
		if got := Itself(c.canonical, c.at); got != "" != c.believed {
			t.Errorf("%s calls itself %s: %q", c.at, c.canonical, got)
		}
	}
}

// A part of an article that counts from 0 and is called by the address of the first is none that is printed.
func TestAPartThatCallsItselfByTheFirst(t *testing.T) {
	for _, c := range []struct {
		at, links string
		believed  bool
	}{
		{"http://x.example/story?page=1", "<a href=/story>1</a> <a href='?page=2'>3</a>", false},
		{"http://x.example/story?print=1", "<a href=/story>back</a> <a href='?print=0'>plain</a> <a href='?page=2'>more</a>", true},
		{"http://x.example/story?print=1", "<a href='/other?print=2'>other</a>", true},
	} {
		p := Parse([]byte("<link rel=canonical href=/story><p>words "+c.links), c.at, Options{})
		if got := p.Itself(c.at); got != "" != c.believed {
			t.Errorf("%s calls itself /story: %q", c.at, got)
		}
	}
}
