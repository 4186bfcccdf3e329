package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
)

// What Failure calls, or begins to call, failures that a person can do something about.
const (
	BadCertificate = "bad certificate"
	UnknownSigner  = "nobody who is believed has signed it"
	NoSuchHost     = "no such host"
	NoNameServer   = "no answer from the DNS"             // which says nothing of the name
	WantsLogin     = "it wants another name and password" // a proxy
	ShutByProxy    = "the proxy lets nobody through to this host and port"
	NoTLS          = "no TLS is spoken there"
)

// Failure names what went wrong, so that failures can be counted by kind: without an address of the web. That of a proxy is told, as
// there are few.
func Failure(err error) string {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	var proxy *proxyError
	var bar *barred
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &bar):
		return bar.said
	case errors.As(err, &proxy) && proxy.none:
		return ErrProxy.Error() + ": " + proxy.at + ": " + Failure(proxy.fault)
	case errors.Is(err, ErrProxy):
		return ErrProxy.Error()
	case errors.As(err, &dns) && dns.IsNotFound:
		return NoSuchHost
	case errors.As(err, &dns):
		return NoNameServer
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.Is(err, ErrPrivate):
		return ErrPrivate.Error() + "; fetch.private lets it be visited"
	}
	if withoutTLS(err) {
		return NoTLS
	}
	if said := badCertificate(err); said != "" {
		return BadCertificate + ": " + said
	}
	said := err.Error()
	for _, known := range spoken { // behind it stands what the server wrote, and every answer may be of a kind of its own
		if strings.Contains(said, known) {
			return known
		}
	}
	if _, alert, ok := strings.Cut(said, "tls: "); ok { // else it says what is wrong, and not with what
		return "TLS: " + alert
	}
	if i := strings.LastIndex(said, ": "); i >= 0 {
		said = said[i+2:]
	}
	return said
}

// spoken begin the errors of net/http that quote the server.
var spoken = []string{"malformed HTTP response", "malformed HTTP version", "malformed HTTP status code", "malformed MIME header", "invalid header field", "bad Content-Length",
	"unsupported transfer encoding", "too many transfer encodings", "invalid Trailer key", "server response headers exceeded", "stream error", "server sent GOAWAY", "message cannot contain multiple Content-Length headers", "header line too long", "malformed chunked encoding", "unexpected content-encoding"}

// badCertificate says what is wrong with the certificate of a server; nothing where that is not what failed.
func badCertificate(err error) string {
	var bad *tls.CertificateVerificationError
	if !errors.As(err, &bad) {
		return ""
	}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(bad.Err, &unknown):
		return UnknownSigner
	case errors.As(bad.Err, &name):
		return "it is for another name"
	case errors.As(bad.Err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired, or is not valid yet"
	}
	return "it is not valid"
}

// withoutTLS tells that what answers an https address is no TLS.
func withoutTLS(err error) bool {
	var other tls.RecordHeaderError
	return errors.As(err, &other) || errors.Is(err, http.ErrSchemeMismatch)
}

// Refuses tells that nothing listens where a host is.
func Refuses(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, ErrProxy)
}

// Gone tells that there is nobody to ask: the host has no address, nothing listens there, it cannot show who it is, or it may not
// be asked.
func Gone(err error) bool {
	var dns *net.DNSError
	if errors.Is(err, ErrProxy) {
		return false
	}
	return errors.As(err, &dns) && dns.IsNotFound || Refuses(err) || badCertificate(err) != "" || withoutTLS(err) ||
		errors.Is(err, ErrPrivate) || errors.Is(err, ErrScheme)
}
