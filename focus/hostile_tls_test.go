package focus_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// authority signs the certificates of the tests. The process trusts it: the crawl under test checks certificates as it
// does on the live web.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// trusted is the authority that TestMain made.
var trusted *authority

// trustAuthority makes an authority, and leaves it where the process looks for those it trusts.
func trustAuthority(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of the tests"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().AddDate(-10, 0, 0), NotAfter: time.Now().AddDate(10, 0, 0), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return err
	}
	trusted = &authority{cert, key}
	return os.Setenv("SSL_CERT_FILE", file)
}

// serve starts a server of HTTP/2 with a certificate for a name, until a day, and answers with its port.
func (a *authority) serve(t *testing.T, name string, end time.Time, handler http.HandlerFunc) (server *httptest.Server, port string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: end.AddDate(-2, 0, 0), NotAfter: end, KeyUsage: x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	server = httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	_, port, _ = net.SplitHostPort(server.Listener.Addr().String())
	return server, port
}

// hostileTLS are servers whose certificates are wrong, one that resets its streams after the robots.txt, and one that is
// as it should be: their start pages by name.
func hostileTLS(t *testing.T) (servers []*httptest.Server, seeds map[string]string) {
	seeds = map[string]string{}
	add := func(name, certified string, end time.Time, handler http.HandlerFunc) {
		s, port := trusted.serve(t, certified, end, handler)
		servers = append(servers, s)
		seeds[name] = "https://" + name + ".example:" + port + "/"
	}
	fine := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		sayHTML(w, "<title>Solar energy</title><p>solar energy over a connection that may be trusted: "+r.Proto)
	}
	later := time.Now().AddDate(1, 0, 0)
	add("expired", "expired.example", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), fine)
	add("other-name", "somebody.example", later, fine)
	add("trusted", "trusted.example", later, fine)
	add("stream-resets", "stream-resets.example", later, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		panic(http.ErrAbortHandler)
	})
	return servers, seeds
}
