package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/thresher-crawler/thresher/focus/watch"
)

// atFocus is what has the focus, in a word (its value, its name, or where it leads), behind whether it is seen to have it.
const atFocus = `(function () {
	var e = document.activeElement;
	if (e === document.body) return "seen ";
	var s = getComputedStyle(e), seen = e.tagName === "IFRAME" || s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0;
	return (seen ? "seen " : "unseen ") + (e.getAttribute("value") && e.tagName === "BUTTON" ? e.getAttribute("value") : e.name || e.id || e.getAttribute("href") || e.textContent.trim());
})()`

// tabTo presses Tab until something has the focus, and answers what had it before; each must be seen to have it.
func (b *browser) tabTo(what string) (passed []string) {
	b.t.Helper()
	for range 400 {
		b.do(chromedp.KeyEvent(kb.Tab))
		ring, now, _ := strings.Cut(b.read(chromedp.Evaluate[string](atFocus)), " ")
		if ring != "seen" { // a busy browser draws it a moment later
			b.sees(fmt.Sprintf("what shows that %q has the focus", now), atFocus+`.startsWith("seen ")`)
		}
		if now == what {
			return passed
		}
		passed = append(passed, now)
	}
	b.t.Fatalf("no way by Tab to %q, only to %q", what, passed)
	return nil
}

// typed tabs to something and types.
func (b *browser) typed(what, keys string) {
	b.t.Helper()
	b.tabTo(what)
	b.do(chromedp.KeyEvent(keys))
}

// sees waits until something is so.
func (b *browser) sees(what, condition string) {
	b.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if so, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](condition)); err == nil && so { // between two pages there is nothing to ask
			return
		}
	}
	b.t.Fatalf("waited in vain for %s: %s", what, b.read(chromedp.Text("body")))
}

// everyControl holds that Tab reaches all controls of the page that are shown, and gets away from them again.
func (b *browser) everyControl() {
	b.t.Helper()
	const controls = `Array.from(document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")).filter(function (e) { return e.checkVisibility() && !e.disabled; })`
	want := b.read(chromedp.Evaluate[string](`(function () { window.reached = new Set(); document.addEventListener("focusin", function (e) { window.reached.add(e.target); }); document.activeElement.blur(); return String(` + controls + `.length); })()`))
	many, _ := strconv.Atoi(want)
	for range 600 {
		b.do(chromedp.KeyEvent(strings.Repeat(kb.Tab, max(many, 1)))) // all at once, and then what was left out one by one
		many = 1
		if b.read(chromedp.Evaluate[string](`String(`+controls+`.every(function (e) { return window.reached.has(e); }))`)) == "true" {
			return
		}
	}
	b.t.Errorf("of %s controls the keyboard does not reach %s", want, b.read(chromedp.Evaluate[string](controls+`.filter(function (e) { return !window.reached.has(e); }).map(function (e) { return e.outerHTML.slice(0, 120); }).join("\n")`)))
}

// TestTheKeyboardSuffices watches and steers a crawl, by keys alone.
func TestTheKeyboardSuffices(t *testing.T) {
	b := newBrowser(t)
	s, g, _, ended := going(t, Options{})
	server := opened(t, s)
	defer server.CloseClientConnections() // somebody watches
	g.open(30)
	until(t, s, "a first page", func(st *watch.Story) bool { return st.Counts.Pages >= 20 })
	b.do(chromedp.Navigate(server.URL + "/runs"))
	b.everyControl()
	b.do(chromedp.Navigate(server.URL + "/runs"))
	b.typed("runs/live", "\r")
	b.sees("the page of the run", `document.getElementById("figures") !== null`)
	b.typed("pause", "\r")
	b.sees("a pause", `document.querySelector("#state .badge").className.includes("paused")`)
	b.everyControl()
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.typed("addresses", "http://oldmill.test/\r")
	b.sees("word of the address", `document.getElementById("said").textContent.startsWith("1 address")`)
	b.typed("host", "fairwind.test\r")
	b.sees("word of the host", `document.getElementById("said").textContent.includes("asked no more")`)
	b.typed("pages", "\r")
	b.sees("a larger budget", `document.querySelector("#figures small").textContent.includes("700")`)
	b.tabTo("Yield")
	b.do(chromedp.KeyEvent("\r"))
	b.sees("hosts in the order of their yield", `document.querySelector("#hosts th[aria-sort=descending]") !== null && Array.from(document.querySelectorAll("#hosts tbody tr")).every(function (r, i, all) { return i === 0 || parseFloat(r.cells[3].textContent) <= parseFloat(all[i - 1].cells[3].textContent); })`)
	b.do(chromedp.KeyEvent(" "))
	b.sees("them the other way round", `document.querySelector("#hosts th[aria-sort=ascending]") !== null && document.querySelectorAll("[aria-sort]").length === 1`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.typed("resume", "\r")
	g.open(40)
	b.sees("pages after it went on, in the same order", `parseInt(document.querySelector("#figures dd").textContent) >= 60 && document.querySelector("#hosts th[aria-sort=ascending]") !== null`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.typed("stop", "\r")
	g.open(20)
	<-ended
	b.sees("the end", `document.querySelector("#state .badge").className.includes("interrupted")`)
}

// TestPagesAreLabelledByKeys labels ten pages, asks what that changes, trains, takes a word and winnows, by keys alone.
func TestPagesAreLabelledByKeys(t *testing.T) {
	b := newBrowser(t)
	taken := ""
	s, dir := taught(t, Options{Steer: Steering{
		Train:   func(string) (float64, error) { return 0, errors.New("there are too few labels") },
		Suggest: func(string) ([]Suggestion, error) { return []Suggestion{{Term: "keel", Weight: .7, Why: "parts"}}, nil },
		Take:    func(_, term string, weight float64) error { taken = term; return nil },
	}})
	server := opened(t, s)
	b.do(chromedp.Navigate(server.URL + "/runs/tea"))
	b.everyControl()
	b.do(chromedp.Navigate(server.URL + "/runs/tea"))
	b.typed("runs/tea/label", "\r")
	b.sees("the page of labels", `document.getElementById("answer") !== null`)
	b.everyControl()
	b.do(chromedp.Navigate(server.URL + "/runs/tea/label")) // where Tab has been the kept copy may take the focus yet, and keys with it
	b.sees("it without a focus", `document.readyState === "complete" && document.activeElement === document.body`)
	for n := range 10 {
		b.do(chromedp.KeyEvent([]string{"y", "n"}[n%2]))
		b.labelsAre(dir, n+1)
		b.sees("the next page", `document.readyState === "complete" && document.getElementById("learned") !== null && document.getElementById("learned").textContent.match(/\d+/g).slice(0, 2).reduce(function (a, b) { return +a + +b; }, 0) === `+[]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}[n])
	}
	b.typed("would", "\r")
	b.sees("what the labels change", `document.getElementById("change") !== null`)
	b.typed("train", "\r")
	b.sees("what is wrong with it", `document.querySelector("[role=alert]") !== null`)
	b.typed("suggest", "\r")
	b.sees("a word", `document.querySelector("form.word") !== null`)
	b.typed("Take", "\r")
	b.sees("that it was taken", `document.getElementById("said").textContent.includes("crawl file")`)
	if taken != "keel" {
		t.Errorf("%q was taken", taken)
	}
	b.typed("winnow", "\r")
	b.sees("a second look", `document.getElementById("said").textContent.startsWith("The second look was taken")`)
}

// labelsAre waits until so many labels are written in a run.
func (b *browser) labelsAre(dir string, n int) {
	b.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		raw, _ := os.ReadFile(filepath.Join(dir, "labels.tsv"))
		if strings.Count(string(raw), "\n") == n {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("%d labels are not written: %s", n, b.read(chromedp.Text("body")))
		}
	}
}

// TestKeysComeBackFromTheCopy clicks into the kept copy, where text can be marked and read on by keys while the mouse is over it. The
// page says so, and when the mouse has left the copy the keys say what the page is.
func TestKeysComeBackFromTheCopy(t *testing.T) {
	b := newBrowser(t)
	s, dir := taught(t, Options{})
	server := opened(t, s)
	const has = `document.readyState === "complete" && document.querySelector(".asked iframe") %s document.activeElement && %sdocument.getElementById("incopy").hidden`
	b.do(chromedp.Navigate(server.URL + "/runs/tea/label?from=finds"))
	b.sees("the page with a copy", fmt.Sprintf(has, "!==", ""))
	for n := range 3 {
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".asked iframe").scrollIntoView({block: "center"})`))
		over, _ := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](`(function (r) { return [r.x + r.width / 2, r.y + r.height / 2, r.x + r.width / 2, r.y - 9]; })(document.querySelector(".asked iframe").getBoundingClientRect())`))
		b.do(chromedp.MouseClickXY(over[0], over[1]))
		b.sees("the focus in the copy, and that it is said", fmt.Sprintf(has, "===", "!"))
		b.do(chromedp.MouseClickXY(over[0], over[1]+9))
		b.sees("it there yet", fmt.Sprintf(has, "===", "!"))
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, over[2], over[3]))
		b.sees("the focus on the page", fmt.Sprintf(has, "!==", ""))
		b.do(chromedp.KeyEvent([]string{"y", "n", "y"}[n]))
		b.labelsAre(dir, n+1)
		b.sees("the next page", fmt.Sprintf(has, "!==", "")+` && document.getElementById("learned").textContent.match(/\d+/g).slice(0, 2).reduce(function (a, b) { return +a + +b; }, 0) === `+strconv.Itoa(n+1))
	}
}

// TestATopicIsBegunByKeys writes into each field of the page on which topics are begun, and begins one.
func TestATopicIsBegunByKeys(t *testing.T) {
	b := newBrowser(t)
	server := opened(t, beginner(t, Options{}))
	b.do(chromedp.Navigate(server.URL + "/runs"))
	b.typed("new", "\r")
	b.sees("the form", `document.querySelector("form.topic") !== null`)
	b.everyControl()
	b.do(chromedp.Navigate(server.URL + "/new"))
	for _, field := range [][2]string{{"name", "boats"}, {"terms", "sailing,yacht"}, {"seeds", "http://daily.test/"}, {"contact", "you@example.org"}} {
		b.typed(field[0], field[1])
	}
	b.typed("pages", "\r")
	b.sees("the run", `document.querySelector(".badge.finished") !== null`)
	b.do(chromedp.Navigate(server.URL + "/"))
	b.everyControl()
	b.do(chromedp.Navigate(server.URL + "/"))
	b.typed("q", "yacht\r")
	b.sees("results", `document.querySelector("main") !== null && location.search.includes("yacht")`)
}

// TestASearchIsWalkedByKeys searches, sorts, narrows, pages, opens what a result says of itself and comes back, by keys alone.
func TestASearchIsWalkedByKeys(t *testing.T) {
	b := newBrowser(t)
	s := served(t, "127.0.0.1:7700")
	server := opened(t, s)
	first := func() string { return b.read(chromedp.Text(".results > ol > li a")) }
	const results = `document.readyState === "complete" && document.querySelector(".results > ol > li") !== null && location.search.includes(%q)`
	b.do(chromedp.Navigate(server.URL + "/"))
	b.sees("the field that is written in", `document.activeElement.name === "q"`) // who opens it may write at once
	b.do(chromedp.KeyEvent("oolong\r"))
	b.sees("results", fmt.Sprintf(results, "oolong"))
	b.everyControl()
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	best := first()
	follow := func(selector string) {
		t.Helper()
		b.tabTo(b.read(chromedp.Evaluate[string](fmt.Sprintf(`document.querySelector(%q).getAttribute("href")`, selector))))
		b.do(chromedp.KeyEvent("\r"))
	}
	follow("a[rel=next]")
	b.sees("the next page", `document.readyState === "complete" && document.querySelector("a[rel=prev]") !== null`)
	if second := first(); second == best {
		t.Errorf("the next page begins with %q, too", second)
	}
	follow("a[rel=prev]")
	b.sees("the page before", `document.readyState === "complete" && document.querySelector("a[rel=prev]") === null && document.querySelector(".results > ol > li") !== null`)
	if again := first(); again != best {
		t.Errorf("the page before begins with %q, want %q", again, best)
	}
	follow(`.sort a:not([aria-current])`)
	b.sees("the order by date", `document.readyState === "complete" && location.search.includes("sort=date") && document.querySelector(".sort a[aria-current]").href.includes("sort=date")`)
	b.tabTo(b.read(chromedp.Evaluate[string](`document.querySelector("aside summary").textContent.trim()`)))
	b.do(chromedp.KeyEvent(" "))
	b.sees("a folded list", `!document.querySelector("aside details").open`)
	b.do(chromedp.KeyEvent(" "))
	b.sees("it open again", `document.querySelector("aside details").open`)
	follow("aside a")
	b.sees("fewer results", `document.readyState === "complete" && document.querySelector("aside a[aria-current]") !== null`)
	follow(`.results > ol > li a[href^="page?"]:not([href$="#copy"])`)
	b.sees("the page of a result", `document.readyState === "complete" && location.pathname === "/page" && document.querySelector("iframe") !== null`)
	b.everyControl()
	b.do(chromedp.Evaluate[chromedp.Void](`void setTimeout(() => history.back())`)) // its answer comes before the page goes
	b.sees("the results again", `document.readyState === "complete" && location.pathname === "/"`)
	follow(`.results > ol > li a[href^="like?"]`)
	b.sees("pages like it", `document.readyState === "complete" && location.pathname === "/like" && document.querySelector(".like") !== null`)
	b.everyControl()
}

// TestAQuestionIsAskedByKeys asks the web, waits for answers, stops, goes on to one and asks again, by keys alone.
func TestAQuestionIsAskedByKeys(t *testing.T) {
	b := newBrowser(t)
	s, g := askable(t)
	server := opened(t, s)
	defer server.CloseClientConnections()
	b.do(chromedp.Navigate(server.URL + "/"))
	b.typed("ask", "\r")
	b.sees("the form", `document.readyState === "complete" && document.querySelector(".askform") !== null`)
	b.everyControl()
	b.do(chromedp.Navigate(server.URL + "/ask"))
	b.sees("the question's field", `document.activeElement.name === "q"`) // it begins there
	b.do(chromedp.KeyEvent("how is a yacht sailed?"))
	b.tabTo("pages")
	b.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent("\r"))
	b.sees("what the harvest knows", `document.querySelector("#known ol a") !== null`)
	g.open(30)
	b.sees("answers", `document.querySelectorAll("#found ol > li").length > 1`)
	b.everyControl()
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.typed("stop", "\r")
	g.open(200)
	b.sees("the end", `document.querySelector("#asked form") === null && document.querySelector("#asked .badge") !== null`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.everyControl()
	b.do(chromedp.Navigate(server.URL + "/ask"))
	b.tabTo(b.read(chromedp.Evaluate[string](`document.querySelector(".pages a").getAttribute("href")`)))
	b.do(chromedp.KeyEvent("\r"))
	b.sees("the answers again", `document.readyState === "complete" && document.querySelector("#found") !== null`)
}
