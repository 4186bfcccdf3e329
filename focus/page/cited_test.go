package page

import (
	"strings"
	"testing"
)

// A page that tells those who cite it what it is called is called so, and its day is one of those it tells, not a month.
func TestWhatIsToldToThoseWhoCite(t *testing.T) {
	const head = "<title>[2401.01] Piers | Journal of Moles</title><meta name=citation_title content='Piers of the north'><meta name=citation_publication_date content=2024/03>"
	const text = "<h1>Title:Piers of the north</h1><blockquote>The breakwater keeps the swell out, and the mole keeps the sand where it was.</blockquote>"
	for day, want := range map[string]string{
		"<meta name=citation_online_date content=2024/01/03>":    "2024-01-03",
		"<meta name=DC.Date.created content=2024-01-03>":         "2024-01-03",
		"<span class=date>J Moles. 2024 Jan 3;61(2):187.</span>": "2024-01-03",
		"": "",
	} {
		p := Parse([]byte(head+day+text), "http://x.example/abs/2401.01", Options{})
		if p.Title != "Piers of the north" || p.Facts.Date != want {
			t.Errorf("%s: %q of %q, want %q", day, p.Title, p.Facts.Date, want)
		}
	}
}

// Numbers raised behind a name lead to where its owner works, and are no part of it.
func TestNotesOfNames(t *testing.T) {
	for written, want := range map[string]string{
		"Ida Brandt<sup>1</sup>, Sam Okoro<sup>1,2</sup>":   "Ida Brandt, Sam Okoro",
		"Ida Brandt <sup>1</sup><sup>*</sup> and Sam Okoro": "Ida Brandt and Sam Okoro",
		"By Ida Brandt on Wed, 01/03/2024 - 10:00":          "Ida Brandt",
		"Ida Brandt*": "Ida Brandt",
		"<span property='schema:author'>Ida Brandt</span> here": "Ida Brandt",
	} {
		p := Parse([]byte("<h1>Piers</h1><div class=author>"+written+"</div><p>The breakwater keeps the swell out, and the mole keeps the sand where it was."), "http://x.example/a", Options{})
		if p.Facts.Author != want {
			t.Errorf("%s: %q, want %q", written, p.Facts.Author, want)
		}
	}
}

// The day of the week tells days apart that figures alone do not, and RDFa has the day in an attribute.
func TestDaysByTheDayOfTheWeek(t *testing.T) {
	for written, want := range map[string]string{
		"Wed, 01/03/2024 - 10:00":  "2024-01-03T10:00",
		"Fri, 01/03/2024 - 10:00":  "2024-03-01T10:00",
		"Friday 01/03/2024":        "2024-03-01",
		"Sun, 01/03/2024 - 10:00":  "",
		"01/03/2024 - 10:00":       "",
		"<b>2024 Jan 3</b>":        "2024-01-03",
		"March 5, 2024 March 6":    "2024-03-05",
		"in 2024 March 5 boats, 6": "2024-03-05",
	} {
		p := Parse([]byte("<h1>Piers</h1><div class=date>"+written+"</div><p>The breakwater keeps the swell out, and the mole keeps the sand where it was."), "http://x.example/a", Options{})
		if p.Facts.Date != want {
			t.Errorf("%s: %q, want %q", written, p.Facts.Date, want)
		}
	}
	const said = "<p>The breakwater keeps the swell out, and the mole keeps the sand where it was."
	for _, property := range []string{"dc:date dc:created", "schema:dateCreated", "dcterms:issued", "datePublished"} {
		p := Parse([]byte("<h1>Piers</h1><div><span property='"+property+"' content='2024-01-03T10:00:00+00:00'>on 01/03/2024</span></div>"+said), "http://x.example/a", Options{})
		if p.Facts.Date != "2024-01-03T10:00:00+00:00" {
			t.Errorf("%s: %q", property, p.Facts.Date)
		}
	}
}

// What a lexicon and a journal have around their texts is none of them; what stands raised in a text, and a heading of its own, is.
func TestWhatStandsAroundLexiconsAndPapers(t *testing.T) {
	const a, b, c = "The breakwater of the harbour keeps the swell out, and the mole keeps the sand where it was.",
		"Nobody has measured how far the sand travels in a winter of storms, and few have tried.",
		"The third pier was built of oak, and stood for a hundred years before the ice took it."
	const text = "<p>" + a + "</p><h2>History</h2><p>" + b + "</p><p>" + c + "</p>"
	want := a + "\nHistory\n" + b + "\n" + c
	for page, more := range map[string]string{
		"<div class='hatnote navigation-not-searchable'>For the magazine, see <a href=/m>Piers (magazine)</a>.</div>" + text:                                                   "",
		"<div class=dablink>For the film, see elsewhere.</div>" + text:                                                                                                         "",
		"<table class='metadata ambox'><tr><td><div>This article <b>needs more citations</b>. Please help improve it.</div></table>" + text:                                    "",
		strings.Replace(text, "storms,", "storms<sup class='noprint Inline-Template'>[<i><a href=/c>citation needed</a></i>]</sup>,", 1):                                       "",
		"<div class=art-affiliations><div class=affiliation-item><sup>1</sup> <span>Department of Harbours, Kiel</span></div></div>" + text:                                    "",
		text + "<section><h2>Author information</h2><h3>Authors and Affiliations</h3><ol><li><p>Department of Harbours, Kiel</p><p>Ida Brandt</p></ol></section>":              "",
		text + "<section><h2>Rights and permissions</h2><p>This article is licensed under terms which permit use, sharing and adaptation in any medium.</p></section>":         "",
		text + "<section><h2>About this article</h2><h3>Cite this article</h3><p>Brandt, I. Piers of the north. J Moles 28, 14 (2024).</p></section>":                          "",
		text + "<section><h2>Similar content being viewed by others</h2><div><h3><a href=/2>Of sand and ice</a></h3><div>Article 04 March 2021</div></div></section>":          "",
		"<p>This post may contain affiliate links. Read my policy.</p>" + text:                                                                                                 "",
		text + "<section><h2>About this article of law</h2><p>It was written when the harbour was a swamp, and nobody has changed it since then.</p></section>":                "About this article of law\nIt was written when the harbour was a swamp, and nobody has changed it since then.",
		strings.Replace(text, "storms,", "storms<sup>2</sup>,", 1) + "<p>A post that may contain affiliate links is none of ours, says the harbour master to all who ask.</p>": "A post that may contain affiliate links is none of ours, says the harbour master to all who ask.",
	} {
		p := Parse([]byte("<title>Piers</title><body><main><h1>Piers</h1>"+page+"</main>"), "http://x.example/a", Options{})
		got := strings.ReplaceAll(strings.TrimPrefix(p.MainText(), "Piers\n"), "storms²", "storms")
		if want := strings.TrimSuffix(want+"\n"+more, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", page[:min(len(page), 90)], got, want)
		}
	}
}
