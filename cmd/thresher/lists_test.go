package main

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// aBlog answers with posts about boats, and with the lists of each of its tags.
func aBlog() *httptest.Server {
	words := strings.Fields("keel mast tide rope wind deck crew hull bow stern sail reef knot buoy pier dock")
	sentence := func(n int) string {
		var s []string
		for i := range 12 {
			s = append(s, words[(n*(i+3)+i*i)%len(words)], fmt.Sprintf("of%dand%d", n, i))
		}
		return "A harbour " + strings.Join(s, " ") + "."
	}
	post := func(n int) (title, text string) {
		for i := range 8 {
			text += "<p>" + sentence(100*n+i) + " " + sentence(100*n+50+i) + "</p>"
		}
		return fmt.Sprintf("How harbour %d was built and by whom", n), text
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		var n int
		switch _, err := fmt.Sscanf(r.URL.Path, "/tag/%d", &n); {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/":
			fmt.Fprint(w, "<title>Boats</title><h1>Boats</h1><p>Everything about the harbour, by the tags of the posts:</p><ul>")
			for tag := range 4 {
				fmt.Fprintf(w, "<li><a href=/tag/%d>tag %[1]d</a>", tag)
			}
		case err == nil:
			fmt.Fprintf(w, "<title>Tag %d</title><main><h1>Tag %[1]d</h1>", n)
			for i := 3 * n; i < 3*n+5; i++ {
				title, text := post(i % 14)
				fmt.Fprintf(w, "<article><h2><a href=/post/%d>%s</a></h2>%s</article>", i%14, title, text[:strings.Index(text, "</p>")+4])
			}
		default:
			fmt.Sscanf(r.URL.Path, "/post/%d", &n)
			title, text := post(n)
			fmt.Fprintf(w, "<title>%s</title><main><h1>%[1]s</h1>%s</main>", html.EscapeString(title), text)
		}
	}))
}

// The lists of a blog are visited, and are no finds: each text is kept once. Every command says so.
func TestListsOfABlogAreNoFinds(t *testing.T) {
	server := aBlog()
	defer server.Close()
	file := "name: boats\ntopic: {language: en, terms: [harbour, keel, mast, tide]}\npolite: {delay: 0s, contact: tests@example.org}\nmin_free: 0\n" +
		"fetch: {private: [127.0.0.1]}\nseeds: ['" + server.URL + "/']\n"
	files(t, "boats.yaml", file, "all.yaml", strings.Replace(file, "boats", "all", 1)+"duplicates: keep\n")
	out := must(t, "crawl", "boats.yaml")
	if !strings.Contains(out, "kept, in kept.jsonl, and 4 left out as lists of others") {
		t.Errorf("the crawl does not tell of the lists: %s", out)
	}
	for _, line := range strings.Split(strings.TrimSpace(must(t, "list", "harvest", "--run", "runs/boats", "--json")), "\n") {
		if strings.Contains(line, "/tag/") {
			t.Errorf("a list is kept: %s", line)
		}
	}
	tag := server.URL + "/tag/1"
	if why := must(t, "why", tag, "--run", "runs/boats"); !strings.Contains(why, "hardly anything of the topic but what kept pages say that it leads to") {
		t.Errorf("why does not say that it is a list: %s", why)
	} else if !strings.Contains(why, "; it has left the harvest since") {
		t.Errorf("why ends with that it was kept: %s", why)
	}
	if why := must(t, "why", tag, "--run", "runs/boats", "--json"); !strings.Contains(why, `"fate":"kept","in_harvest":false`) {
		t.Errorf("why --json: %s", why)
	}
	if why := must(t, "why", server.URL+"/post/1", "--run", "runs/boats", "--json"); !strings.Contains(why, `"in_harvest":true`) {
		t.Errorf("why --json of what stays: %s", why)
	}
	if refused := must(t, "list", "refused", "--run", "runs/boats", "--reason", "taken out", "--wide"); strings.Count(refused, "/tag/") != 4 {
		t.Errorf("not all lists are among what was taken out: %s", refused)
	}
	if told := must(t, "winnow", "--run", "runs/boats", "--json"); !strings.Contains(told, `"out":0,"lists":4,`) {
		t.Errorf("winnow --json: %s", told)
	}
	report, err := os.ReadFile("runs/boats/report.html")
	if err != nil || !strings.Contains(string(report), "Left out, because they only list others: 4.") {
		t.Errorf("%v: the report does not tell of the lists", err)
	}
	noError(t, os.WriteFile("answers.tsv", []byte(tag+"\tother\n"+server.URL+"/post/1\trelevant\n"), 0o600))
	if audit := must(t, "label", "runs/boats", "--audit", "100", "--answers", "answers.tsv"); !strings.Contains(audit, "1 answer by lot, of 15 pages") {
		t.Errorf("lists are asked about: %s", audit)
	}
	if out := must(t, "crawl", "all.yaml"); strings.Contains(out, "lists of others") || strings.Count(must(t, "list", "harvest", "--run", "runs/all", "--json"), "/tag/") == 0 {
		t.Errorf("duplicates: keep leaves lists out: %s", out)
	}
}
