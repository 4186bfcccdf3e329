package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// browser is a headless Chromium that can reach nothing but this machine.
type browser struct {
	t   *testing.T
	ctx context.Context
}

// chromium is the one process that all tests see their pages in; nil before the first of them.
var chromium context.Context

// tabs are those windows of it that no test sees its pages in.
var tabs []context.Context

// scratch is a folder that goes with the process.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "serve-test-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(scratch)
		defer func() {
			if chromium != nil {
				chromedp.Cancel(chromium)
			}
		}()
		debug.SetGCPercent(400) // tests allocate much and hold little
		return m.Run()
	}())
}

// newBrowser is a window in the Chromium of all tests. It has nothing of what was seen in it before, neither cookies nor languages nor
// sizes; who sees several at once sees the same cookies in them.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if chromium == nil || chromium.Err() != nil {
		chromium, tabs = startChromium(t), nil
	}
	if len(tabs) == 0 {
		ctx, _ := chromedp.NewContext(chromium) // it ends with its process
		tabs = append(tabs, ctx)
	}
	tab := tabs[0]
	tabs = tabs[1:]
	patience := 4 * time.Minute
	if os.Getenv("THRESHER_AXE")+os.Getenv("THRESHER_DAY") != "" {
		patience = 20 * time.Minute
	}
	(&browser{t, tab}).forget()
	ctx, cancel := context.WithTimeout(tab, patience)
	t.Cleanup(func() {
		if cancel(); t.Failed() {
			chromedp.Cancel(tab)
			return
		}
		(&browser{t, tab}).do(chromedp.Navigate("about:blank")) // nothing of it goes on
		tabs = append(tabs, tab)
	})
	return &browser{t, ctx}
}

// forget makes a window as good as new.
func (b *browser) forget() {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"))
	_, media := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	_, size := chromedp.Call(b.ctx, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	_, language := chromedp.Call(b.ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{}})
	_, cookies := chromedp.Call(b.ctx, network.ClearBrowserCookies, cdp.Empty{})
	if err := errors.Join(media, size, language, cookies); err != nil {
		b.t.Fatal(err)
	}
}

func startChromium(t *testing.T) context.Context {
	t.Helper()
	program, err := exec.LookPath("chromium-headless-shell") // the same without windows, and so with less work
	if err != nil {
		program, err = exec.LookPath("chromium")
	}
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("there is no chromium, and here it is demanded")
	}
	if err != nil {
		t.Skip("there is no chromium: apt-get install chromium-headless-shell")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"), chromedp.WSURLReadTimeout(time.Minute))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx) // TestMain ends it
	noError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	return ctx
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) read(a chromedp.Action[string]) string {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// clicks clicks on what is there now: while a page comes in the place of another, what was found may be of the one before.
func (b *browser) clicks(on string) {
	b.t.Helper()
	for {
		err := chromedp.Do(b.ctx, chromedp.Click(on))
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "node with given id") {
			b.t.Fatal(err)
		}
	}
}

// speaks sets the language that the browser asks for.
func (b *browser) speaks(language string) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": language}}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) shows(scheme string, width int64) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(width, 900))
}

// opened is a server that a browser looks at. Pages that follow a run do so until it ends.
func opened(t *testing.T, s *Server) *httptest.Server {
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		s.end()
		server.Close()
	})
	return server
}

// TestInABrowser searches in a real browser, in both languages, pages, and opens a hostile copy.
func TestInABrowser(t *testing.T) {
	b := newBrowser(t)
	server := opened(t, served(t, "127.0.0.1:7700"))
	for _, c := range []struct{ language, asked, total, button, marked string }{
		{"en", "oolong", "25 found", "Search", "Oolong"},
		{"zh-CN,zh;q=0.9,en;q=0.8", "乌龙茶", "12 条结果", "搜索", "乌龙茶"},
	} {
		b.speaks(c.language)
		b.do(chromedp.Navigate(server.URL), chromedp.WaitVisible("input[name=q]"), chromedp.SendKeys("input[name=q]", c.asked+"\r"), chromedp.WaitVisible(".results"))
		if total := b.read(chromedp.Text(".total")); total != c.total {
			t.Errorf("%s: %q, want %s", c.language, total, c.total)
		}
		if button := b.read(chromedp.Text("form button")); button != c.button {
			t.Errorf("%s: the button says %q, want %s", c.language, button, c.button)
		}
		if marked := b.read(chromedp.Text("mark")); marked != c.marked {
			t.Errorf("%s: marked is %q, want %s", c.language, marked, c.marked)
		}
		first := b.read(chromedp.Text(".results > ol > li a"))
		b.do(chromedp.Click("a[rel=next]"), chromedp.WaitVisible("a[rel=prev]"))
		if second := b.read(chromedp.Text(".results > ol > li a")); second == first {
			t.Errorf("%s: the next page begins with %q, too", c.language, second)
		}
	}
	b.do(chromedp.Navigate(server.URL+"/page?c=tea&id=1"), chromedp.WaitReady("iframe"))
	if title := b.read(chromedp.Title()); !strings.HasPrefix(title, "Hostile") {
		t.Errorf("the title is %q: a script ran", title)
	}
	b.do(chromedp.Navigate(server.URL + "/copy?c=tea&id=1"))
	if title, copied := b.read(chromedp.Title()), b.read(chromedp.Text("body")); title != "copy" || !strings.Contains(copied, "Green tea") {
		t.Errorf("title %q, text %q", title, copied)
	}
}

// TestWhatAPersonSees looks at the pages of a search, as look says.
func TestWhatAPersonSees(t *testing.T) {
	b := newBrowser(t)
	server := opened(t, served(t, "127.0.0.1:7700"))
	for _, language := range []string{"en", "zh"} {
		b.speaks(language)
		pages := map[string]string{"start": "/", "results": "/?q=green+tea+oolong", "page": "/page?c=tea&id=1", "nothing": "/?q=qqqq"}
		if language == "zh" {
			pages = map[string]string{"start": "/", "results": "/?q=%E4%B9%8C%E9%BE%99%E8%8C%B6", "page": "/page?c=tea&id=2", "nothing": "/?q=%22qqqq"}
		}
		b.pictures(server.URL, language, pages)
	}
}

// pictures looks at pages in the language that the browser speaks, on a telephone and, when that is made wide, on a wide screen: in light
// and dark where somebody looks at colours, and else, where only widths are held, in one of them each, and in Chinese on a telephone,
// where room is short.
func (b *browser) pictures(at, language string, pages map[string]string) {
	b.t.Helper()
	looked := os.Getenv("THRESHER_AXE")+os.Getenv("THRESHER_SCREENSHOTS") != ""
	for name, path := range pages {
		b.shows("light", 360)
		b.do(chromedp.Navigate(at + path))
		for _, width := range []int64{360, 1440} {
			for _, scheme := range []string{"light", "dark"} {
				if !looked && ((width == 360) != (scheme == "light") || width != 360 && language == "zh") {
					continue
				}
				b.shows(scheme, width)
				b.look(fmt.Sprintf("%s-%s-%d-%s", language, name, width, scheme), width)
			}
		}
	}
}

// bothPictures looks at pages in both languages.
func (b *browser) bothPictures(at string, pages map[string]string) {
	b.t.Helper()
	for _, language := range []string{"en", "zh"} {
		b.speaks(language)
		b.pictures(at, language, pages)
	}
	b.speaks("en")
}

// look holds that the page is no wider than its window. With THRESHER_SCREENSHOTS set to a folder it writes there what a person sees;
// with THRESHER_AXE set to the file axe.min.js of axe-core (.ci/long axe fetches it), the page is held against its rules.
func (b *browser) look(name string, width int64) {
	b.t.Helper()
	wide, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("document.documentElement.scrollWidth > window.innerWidth"))
	if err != nil || wide {
		b.t.Errorf("%s is wider than %d pixels (%v)", name, width, err)
	}
	if file := os.Getenv("THRESHER_AXE"); file != "" {
		b.accessible(name, file)
	}
	folder := os.Getenv("THRESHER_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// accessible holds a page against the rules of axe-core, those of WCAG 2.1 A and AA and what it calls best practice. What stands in a
// frame is a page of a stranger.
func (b *browser) accessible(name, file string) {
	b.t.Helper()
	axe, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](string(axe)))
	said := b.read(chromedp.Evaluate[string](`axe.run(document, {iframes: false}).then(function (r) {
		return r.passes.length + " rules hold" + r.violations.map(function (v) {
			return "\n" + v.id + " (" + v.impact + "): " + v.help + v.nodes.slice(0, 4).map(function (n) { return "\n    " + n.html.slice(0, 200) + " " + n.any.concat(n.all, n.none).map(function (c) { return c.message; }).join("; "); }).join("");
		}).join("");
	})`, chromedp.EvalAwaitPromise))
	if _, wrong, any := strings.Cut(said, "\n"); any {
		b.t.Errorf("%s: %s", name, wrong)
	}
	if rules, _ := strconv.Atoi(strings.Fields(said)[0]); rules < 10 {
		b.t.Errorf("%s: axe-core has held it against %d rules only", name, rules)
	}
}
