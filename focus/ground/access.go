package ground

import (
	"net/url"
	"slices"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/signing"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// openAccess reads what the crawl file says of pages that are not wide open. Names and passwords of proxies are kept where those of
// hosts are.
func (g *Ground) openAccess() (err error) {
	more, err := g.config.Fetch.ReadLogins()
	if err != nil {
		return err
	}
	for _, known := range slices.Concat(g.config.Logins, more) {
		g.Logins.Add(known.Address, known.User, known.Password)
	}
	if g.with.Transport == nil && g.with.Brought == nil && len(g.config.Fetch.Proxies) == 0 {
		if err := wire.EnvironmentProxies(); err != nil {
			return g.config.Wrong("fetch.proxies", err)
		}
	}
	if g.cookies, err = g.config.Fetch.ReadCookies(); err != nil {
		return err
	}
	if g.trusted, err = g.config.Fetch.Authorities(); err != nil {
		return err
	}
	if path := g.config.Fetch.Key; path != "" && g.config.Live() {
		if g.key, err = signing.Open(path, g.config.Fetch.Agent); err != nil {
			return g.config.Wrong("fetch.key", err)
		}
	}
	return nil
}

// ways are the layers by which the live network is gone to.
func (g *Ground) ways() []wire.Layer {
	layers := []wire.Layer{wire.Proxies(wire.ProxiesConfig{Addresses: g.config.Fetch.ProxyList(), User: g.Logins.User})}
	if g.trusted != nil {
		layers = append(layers, wire.Authorities(g.trusted))
	}
	return layers
}

// sent are the layers that add to requests: what everybody may see, and what nobody may.
func (g *Ground) sent() []wire.Layer {
	layers := []wire.Layer{g.Logins.Layer()}
	if g.cookies != nil {
		layers = append(layers, g.cookies.Layer())
	}
	if g.key != nil {
		layers = append(layers, wire.NewLayer("Signature", wire.AtLogins, g.key.Transport))
	}
	if len(g.config.Fetch.Headers) > 0 {
		layers = append(layers, wire.Headers(g.config.Fetch.Headers))
	}
	return layers
}

// LogsOut tells of a link that would end a session that the crawl has cookies of.
func (g *Ground) LogsOut(l *page.Link) bool {
	if g.cookies == nil || !junk.LogsOut(l) {
		return false
	}
	u, err := url.Parse(l.URL)
	return err == nil && g.cookies.Has(u)
}
