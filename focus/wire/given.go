package wire

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
)

// Authorities is the layer that trusts those of a pool beside, or in the place of, the system's.
func Authorities(trusted *x509.CertPool) Layer {
	return Layer{name: "Authorities", place: AtProxies, ground: func(g *ground) { g.trusted = trusted }}
}

// trust lets a transport believe in the authorities of a pool.
func trust(t *http.Transport, trusted *x509.CertPool) {
	if t.TLSClientConfig == nil {
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	t.TLSClientConfig.RootCAs = trusted
}

// Headers is the layer that says of every request what it does not say already. It stands above what writes down what is sent: they
// are no secrets.
func Headers(said map[string]string) Layer {
	return NewLayer("Headers", AtDecode, trips(func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
		with := r.Clone(r.Context())
		for name, value := range said {
			if have := with.Header.Get(name); have == "" || have == "*/*" { // Colly accepts all where nobody says anything
				with.Header.Set(name, value)
			}
		}
		return next.RoundTrip(with)
	}))
}
