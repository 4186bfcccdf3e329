package watch

import (
	"embed"
	"fmt"
	"html/template"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Assets are the style sheets of the page of a run, and the script that sorts its tables, which a server shows and a report has in it.
//
//go:embed assets
var Assets embed.FS

// Templates are those of the page of a run: each of Sections by its name, and report.html, the whole in one file.
func Templates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"readable": page.Readable,
		"percent":  func(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) },
		"two":      func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) },
		"whole":    func(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) },
		"tenth":    func(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) },
		"minute":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") },
		"clock":    func(t time.Time) string { return t.UTC().Format(time.TimeOnly) },
		"part":     func(n, of int) int { return 100 * n / max(of, 1) },
		"typed":    commands,
		"ofrun":    Address,
		"list":     func(v *View, all []Find) pageList { return pageList{v, all} },
		"told":     func(v *View, all []run.Told) toldList { return toldList{v, all} },
	}).ParseFS(Assets, "assets/*.html"))
}

// Address is where a server shows the run that it knows by a name, which may have # ? and % in it: from where the server stands.
func Address(name string) string { return "runs/" + url.PathEscape(name) }

// Sections are the parts of the page of a run: each is a template and an element of that name.
var Sections = []string{"state", "figures", "audit", "curve", "finds", "best", "near", "moved", "waiting", "hosts", "refused", "words", "picks", "goon"}

// templates are read when the first report is written: most commands write none.
var templates = sync.OnceValue(Templates)

// WriteReport prints the page of a run into report.html in its folder, as far as the run is committed: in one file that loads
// nothing. It is told in Chinese where the crawl is.
func WriteReport(dir string) error {
	w, err := Open(dir)
	if err == nil {
		err = w.Update()
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	words := Words{"en"}
	if w.config.Chinese() {
		words.Language = "zh"
	}
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, "report.html", ViewOf(words, "", w.Story())); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return whole.Write(filepath.Join(dir, run.FileReport), []byte(sink.Plain(b.String()))) // what pages say turns no direction on ours
}

// Style is what the page looks like, for a page that loads nothing.
func (v *View) Style() (template.CSS, error) {
	var all strings.Builder
	for _, name := range []string{"style.css", "watch.css"} {
		text, err := Assets.ReadFile("assets/" + name)
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	return template.CSS(all.String()), nil
}

// Script sorts the tables of a page that loads nothing.
func (v *View) Script() (template.JS, error) {
	text, err := Assets.ReadFile("assets/sort.js")
	return template.JS(text), err
}

// toldList are pages as the second look tells of them.
type toldList struct {
	V    *View
	List []run.Told
}

// step is something that can be done with a run, and the command for it.
type step struct{ What, Line string }

// Steps are what can be done next.
func (v *View) Steps() []step {
	r := &v.S.Run
	dir := shell.Word(r.Folder)
	at := func(key, line string) step { return step{v.W.T(key), "thresher " + line} }
	steps := []step{at("go-search", "serve "+dir), at("go-label", "label "+dir), at("go-winnow", "winnow --run "+dir), at("go-suggest", "suggest "+dir),
		at("go-export", "export --run "+dir+" --to csv"), at("go-why", "why --run "+dir+" URL")}
	if r.State.Live() || r.File == "" || len(r.Machines) > 0 {
		return steps
	}
	more := ""
	if b := v.S.Pace.Budget; b > 0 && b <= v.S.Counts.Pages {
		more = " --budget " + strconv.Itoa(2*b)
	}
	return append(steps, at("go-more", "crawl "+shell.Word(r.File)+" --store "+dir+more))
}
