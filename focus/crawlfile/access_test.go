package crawlfile

import (
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
	put("logins", "# ours\nhttps://ann:l0g1n@www.example.org/\n\nhttp://bob:pr0xy@proxy.example:3128\n", 0o600)
	put("cookies.txt", "www.example.org\tFALSE\t/\tTRUE\t0\tsid\tc00k13\n", 0o600)
	const base = "topic: {terms: [solar]}\nseeds: [\"https://www.example.org/\"]\n"
	file := put("solar.yaml", base+"fetch: {logins: [logins], cookies: cookies.txt, proxies: [\"http://proxy.example:3128\"]}\n", 0o644)
	t.Setenv("THRESHER_FETCH_LOGINS", "https://cat:3nv@other.example/, "+filepath.Join(dir, "logins"))
	config, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []Login{{"https://other.example/", "cat", "3nv"}, {"https://www.example.org/", "ann", "l0g1n"}, {"http://proxy.example:3128", "bob", "pr0xy"}}
	if !slices.Equal(config.Logins, want) {
		t.Errorf("logins: %v\nwant %v", config.Logins, want)
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
