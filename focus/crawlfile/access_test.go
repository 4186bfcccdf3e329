package crawlfile

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestSecretsAreReadFromFilesOfOnesOwn: logins and cookies come from files that nobody else may read, or from the environment; none of
// them stands in what is written down.
func TestSecretsAreReadFromFilesOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	put("logins", "\ufeff# ours\nhttps://ann:l0g1n@www.example.org/\n\nhttp://bob:pr0xy@proxy.example:3128\n", 0o600)
	put("cookies.txt", "www.example.org\tFALSE\t/\tTRUE\t0\tsid\tc00k13\n", 0o600)
	const base = "topic: {terms: [solar]}\nseeds: [\"https://www.example.org/\"]\n"
	file := put("solar.yaml", base+"fetch: {logins: [logins], cookies: cookies.txt, proxies: [\"http://proxy.example:3128\"]}\n", 0o644)
	t.Setenv("THRESHER_FETCH_LOGINS", "https://cat:3nv@other.example/, "+filepath.Join(dir, "logins"))
	config, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	logins, err := config.Fetch.ReadLogins()
	want := []Login{{"https://other.example/", "cat", "3nv"}, {"https://www.example.org/", "ann", "l0g1n"}, {"http://proxy.example:3128", "bob", "pr0xy"}}
	if logins = slices.Concat(config.Logins, logins); err != nil || !slices.Equal(logins, want) {
		t.Errorf("logins: %v (%v)\nwant %v", logins, err, want)
	}
	cookies, err := config.Fetch.ReadCookies()
	if at, _ := url.Parse("https://www.example.org/a"); err != nil || !cookies.Has(at) {
		t.Errorf("cookies: %v", err)
	}
	written := string(config.YAML())
	for _, secret := range []string{"l0g1n", "pr0xy", "3nv", "c00k13"} {
		if strings.Contains(written, secret) {
			t.Errorf("%q is written down:\n%s", secret, written)
		}
	}
	os.Unsetenv("THRESHER_FETCH_LOGINS")
	if runtime.GOOS == "windows" {
		return // there modes say nothing
	}
	put("open-logins", "https://ann:l0g1n@www.example.org/\n", 0o644)
	put("open-cookies", "", 0o640)
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"a file of logins":       {base + "fetch: {logins: [open-logins]}\n", 0o600, "fetch.logins[0]: " + filepath.Join(dir, "open-logins") + " holds secrets, and others may read it: chmod 600"},
		"a file of cookies":      {base + "fetch: {cookies: open-cookies}\n", 0o600, "fetch.cookies: " + filepath.Join(dir, "open-cookies") + " holds secrets"},
		"the crawl file itself":  {strings.Replace(base, "//www", "//ann:l0g1n@www", 1), 0o644, "seeds[0]: has a name and a password in it"},
		"its proxies":            {base + "fetch: {proxies: [\"http://ann:l0g1n@proxy.example:3128\"]}\n", 0o604, "fetch.proxies[0]: has a name"},
		"a crawl file of my own": {strings.Replace(base, "//www", "//ann:l0g1n@www", 1), 0o600, ""},
	} {
		_, err := Load(put("try.yaml", c.text, c.mode))
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		case err != nil && strings.Contains(err.Error(), "l0g1n"):
			t.Errorf("%s: the message says the password: %v", name, err)
		}
	}
}

// TestNoPasswordIsShownOrWritten: not one with characters that end a host, not one of an address that looks like a named engine, and not
// the token of a rendering service.
func TestNoPasswordIsShownOrWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "try.yaml")
	load := func(text string) (Config, error) {
		t.Helper()
		if err := os.WriteFile(path, []byte("topic: {terms: [solar]}\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Load(path)
	}
	const seeds = "seeds: [\"https://www.example.org/\"]\n"
	for _, text := range []string{"fetch: {logins: [\"https://ann:s3c/r3t@www.example.org/\"]}\n", "fetch: {proxies: [\"http://ann:s3c?r3t@proxy.example:3128\"]}\n",
		"fetch: {proxies: [\"ftp://ann:s3c%23r3t@proxy.example:3128\"]}\n", "fetch: {render: \"http://ann:s3c#r3t@render.example/content\"}\n",
		"fetch: {logins: [\"ann:s3cr3t@www.example.org\"]}\n", "fetch: {logins: [\"ann:s3cr3t\"]}\n", "fetch: {logins: [\"http://ann:s3cr3t@127.0.0.1:84x1\"]}\n"} {
		if _, err := load(seeds + text); err == nil || strings.Contains(err.Error(), "s3c") || strings.Contains(err.Error(), "r3t") || !strings.Contains(err.Error(), "fetch.") {
			t.Errorf("%s: %v", text, err)
		}
	}
	config, err := load("seeds: [\"https://ann:s3cr3t@www.example.org/?next=http://www.example.org/a\"]\nengines: [\"searxng=http://bob:s3cr3t@search.example/\"]\n" +
		"fetch: {render: \"http://127.0.0.1:3000/content?token=s3cr3t&stealth=true\"}\n")
	if err != nil {
		t.Fatal(err)
	}
	if written := string(config.YAML()); strings.Contains(written, "s3cr3t") || !strings.Contains(written, "/content?stealth=true") || !strings.Contains(written, "searxng=http://search.example/") {
		t.Errorf("written down is\n%s", written)
	}
	if len(config.Logins) != 2 || config.Seeds[0] != "https://www.example.org/?next=http://www.example.org/a" || !strings.Contains(config.Fetch.Render, "token=s3cr3t") {
		t.Errorf("%v, %q, %q", config.Logins, config.Seeds, config.Fetch.Render)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "fetch.render: has a secret in it") {
		t.Errorf("a token that others may read: %v", err)
	}
}

// TestLoginsThatStayAtHomeAreToldOf: a proxy reads what goes by it over plain http, so that is not sent; over https it is, and so is what goes
// straight and what the proxy itself asks for.
func TestLoginsThatStayAtHomeAreToldOf(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"} {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	logins := filepath.Join(dir, "logins")
	if err := os.WriteFile(logins, []byte("http://ann:l0g1n@www.example.org\nhttps://ann:l0g1n@www.example.org\nhttp://bob:l0g1n@proxy.example:3128\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const by = "proxies: [http://proxy.example:3128]"
	for _, c := range []struct{ access, proxy, none, want string }{
		{"logins: [" + logins + "], " + by, "", "", "fetch.logins: the login of http://www.example.org is not sent, because a proxy would read it"},
		{"logins: [" + logins + "]", "http://proxy.example:3128", "proxy.example", "fetch.logins: the login of http://www.example.org is not sent"},
		{"logins: [" + logins + "]", "http://proxy.example:3128", "proxy.example,www.example.org", ""},
		{"logins: [" + logins + "]", "", "", ""},
		{by, "", "", ""},
	} {
		t.Setenv("HTTP_PROXY", c.proxy)
		t.Setenv("NO_PROXY", c.none)
		config := mustLoad(t, crawlFile(t, pairsCrawl("fetch: {"+c.access+"}")))
		have := fmt.Sprint(config.Warnings(nil))
		if n := strings.Count(have, "is not sent"); !strings.Contains(have, c.want) || n > 1 || c.want == "" && n > 0 || strings.Contains(have, "l0g1n") {
			t.Errorf("%s, HTTP_PROXY=%s NO_PROXY=%s\nhave %s\nwant %s", c.access, c.proxy, c.none, have, c.want)
		}
	}
}
