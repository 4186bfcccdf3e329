package focus_test

import (
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// trusted is the authority that signs the certificates of the tests. The process trusts it: the crawl under test checks
// certificates as it does on the live web.
var trusted *hostiletest.Authority

// trustAuthority makes an authority, and leaves it where the process looks for those it trusts.
func trustAuthority(dir string) (err error) {
	if trusted, err = hostiletest.NewAuthority(); err != nil {
		return err
	}
	file := filepath.Join(dir, "authority.pem")
	if err := os.WriteFile(file, trusted.PEM(), 0o600); err != nil {
		return err
	}
	return os.Setenv("SSL_CERT_FILE", file)
}
