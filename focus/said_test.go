package focus_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Whatever a server writes 100 kB of, none of it gets further than a line: not the reasons in crawl.log, which are those of
// list refused, and not what the crawl counts and remembers.
func TestReasonsHoldNoMoreThanALineOfWhatAServerSaid(t *testing.T) {
	const much = 100_000
	long := strings.Repeat("Q", much)
	const ok, html = "HTTP/1.1 200 OK\r\nConnection: close\r\n", "Content-Type: text/html\r\n"
	page := "\r\n<title>Solar energy " + long + "</title><p>solar energy<a href=/" + long + ">solar " + long + "</a>"
	pages := map[string]string{
		"protocol":       long + "\r\n\r\n",
		"version":        "HTTP/" + long + " 200 OK\r\n" + html + page,
		"status":         "HTTP/1.1 " + long + "\r\n" + html + page,
		"status-text":    "HTTP/1.1 404 " + long + "\r\nConnection: close\r\n" + html + page,
		"header":         ok + long + "\r\n" + page,
		"header-name":    ok + long + " : x\r\n" + page,
		"coding":         ok + html + "Content-Encoding: " + long + "\r\n" + page,
		"transfer":       ok + html + "Transfer-Encoding: " + long + "\r\n" + page,
		"length":         ok + html + "Content-Length: " + long + "\r\n" + page,
		"type":           ok + "Content-Type: text/" + long + "; charset=" + long + "\r\n" + page,
		"redirect":       "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /" + long + "\r\n\r\n",
		"redirect-host":  "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: http://" + long + ".example/\r\n\r\n",
		"redirect-none":  "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: http://[" + long + "\r\n\r\n",
		"redirect-what":  "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: " + long + ":x\r\n\r\n",
		"later":          "HTTP/1.1 503 Busy\r\nConnection: close\r\nRetry-After: " + long + "\r\n\r\n",
		"login":          "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nWWW-Authenticate: Basic realm=" + long + "\r\n\r\n",
		"chunk":          ok + html + "Transfer-Encoding: chunked\r\n\r\n" + long + "\r\n",
		"page":           ok + html + page,
		"robots-status":  ok + html + page,
		"robots-header":  ok + html + page,
		"robots-coding":  ok + html + page,
		"robots-away":    ok + html + page,
		"robots-forbids": ok + html + page,
	}
	robots := map[string]string{
		"robots-status":  "HTTP/1.1 " + long + "\r\n\r\n",
		"robots-header":  ok + long + "\r\n\r\n",
		"robots-coding":  ok + "Content-Encoding: " + long + "\r\n\r\nx",
		"robots-away":    "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: http://[" + long + "\r\n\r\n",
		"robots-forbids": ok + "\r\nUser-agent: *\nDisallow: /*" + long + "$\nDisallow: /" + strings.Repeat("*", much) + "\nSitemap: /" + long + "\n",
	}
	port := saying(t, func(host, path string) string {
		name, _, _ := strings.Cut(host, ".")
		if path != "/robots.txt" {
			return pages[name]
		}
		if said := robots[name]; said != "" {
			return said
		}
		return "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
	})
	config := hostileConfig(t, port, slices.Sorted(maps.Keys(pages)), late)
	config.Seeds = slices.DeleteFunc(config.Seeds, func(seed string) bool { return strings.Contains(seed, "//good") })
	config.Fetch.MaxHeader, config.Fetch.Retries = 1e6, 1
	var books []byte
	ended := map[string]bool{}
	crawlWith(t, config, func(c *focus.Crawler) {
		c.OnDone(func(v *focus.Visit) { books, ended[v.Item.Host] = c.Books(), true })
	})
	if len(ended) < len(pages) {
		t.Errorf("%d hosts were visited, want %d", len(ended), len(pages))
	}
	if most := 64 << 10; len(books) > most || bytes.Contains(books, []byte(strings.Repeat("Q", 1000))) {
		t.Errorf("what is counted of %d hosts has %d bytes", len(pages), len(books))
	}
	ran, err := run.Open(config.Store)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	if err := ran.Log(func(d *run.Decision) bool {
		lines++
		for what, said := range map[string]string{"reason": string(d.Reason), "title": d.Title, "anchor": d.Anchor, "words": strings.Join(d.Words, ",")} {
			if len(said) > 250 {
				t.Errorf("%.60s: its %s has %d bytes: %.80s", d.URL, what, len(said), said)
			}
		}
		if len(d.URL) > 5000 {
			t.Errorf("%.60s: its address has %d bytes", d.URL, len(d.URL))
		}
		return true
	}); err != nil || lines < len(pages) {
		t.Fatal(lines, err)
	}
	whole := map[string]bool{"harvest.jsonl": true, "look.jsonl": true} // a page that is kept is kept whole
	for _, file := range filesOf(t, config.Store) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !whole[filepath.Base(file)] && bytes.Contains(b, []byte(strings.Repeat("Q", 5000))) {
			t.Errorf("%s holds what a server said", file)
		}
	}
}

// filesOf are the files below a folder.
func filesOf(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// saying serves answers that need not be HTTP, one for each connection, and answers with its port.
func saying(t *testing.T, answer func(host, path string) string) (port string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				r := bufio.NewReader(conn)
				var path, host string
				for line, err := r.ReadString('\n'); err == nil && strings.TrimSpace(line) != ""; line, err = r.ReadString('\n') {
					if path == "" {
						fmt.Sscanf(line, "GET %s", &path)
					} else if rest, is := strings.CutPrefix(line, "Host: "); is {
						host = rest
					}
				}
				io.WriteString(conn, answer(host, path))
			}()
		}
	}()
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port
}
