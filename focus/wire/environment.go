package wire

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// EnvironmentProxies says what is wrong with the proxies that the environment names. Without it a request would go straight where nobody can
// read where its proxy stands, and whoever names one may not want that. What is wrong may be a password, and is not shown.
func EnvironmentProxies() error {
	named := httpproxy.FromEnvironment()
	for _, one := range []struct{ name, address string }{{"HTTP_PROXY", named.HTTPProxy}, {"HTTPS_PROXY", named.HTTPSProxy}} {
		if one.address != "" && !isProxy(one.address) {
			return fmt.Errorf("%s of the environment is no address of a proxy: want one such as http://proxy.example:3128 (write %%25, %%23, %%2F and %%40 for %%, #, / and @ in a password)", one.name)
		}
	}
	if named.CGI && named.HTTPProxy != "" {
		return fmt.Errorf("HTTP_PROXY of the environment does not count where REQUEST_METHOD is set, as for programs of a web server, whose clients could have named it: name the proxy here, or unset REQUEST_METHOD")
	}
	return nil
}

// isProxy tells of what the environment names whether it is an address of a proxy, whose http:// may be left out.
func isProxy(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" {
		if u, err = url.Parse("http://" + address); err == nil && strings.HasSuffix(u.Host, ":") {
			return false // http://http://…, for what stands behind it could not be read
		}
	}
	return err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}
