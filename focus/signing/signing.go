// Package signing answers one question: is it really us? Requests are signed as Web Bot Auth has it
// (draft-meunier-web-bot-auth-architecture): HTTP Message Signatures (RFC 9421) with Ed25519, by a key whose public half the crawler's
// owner publishes.
package signing

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Key signs requests.
type Key struct {
	private ed25519.PrivateKey
	id      string
	agent   string // where its public half is published, as an address; empty where no request says so
}

// lasts is how long a signature holds: a request is sent at once, or again a little later.
const lasts = time.Minute

// Open reads a key from a file that nobody else may read: PEM, as openssl genpkey -algorithm ed25519 writes it.
func Open(path, agent string) (*Key, error) {
	if agent != "" && (!strings.HasPrefix(agent, "https://") || strings.ContainsAny(agent, "\"\\ \t\r\n")) {
		return nil, fmt.Errorf("the key is said to be published at %q: want an https address such as https://bot.example.org", agent)
	}
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file: openssl genpkey -algorithm ed25519 -out '%[1]s' && chmod 600 '%[1]s' makes a key", path)
	}
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: others may read the key (mode %04o): chmod 600 '%[1]s'", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	k, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: make one with openssl genpkey -algorithm ed25519", path, err)
	}
	k.agent = agent
	return k, nil
}

func parse(text []byte) (*Key, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("it is no key in PEM")
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	private, ok := any.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("it is no Ed25519 key")
	}
	return &Key{private: private, id: thumbprint(private.Public().(ed25519.PublicKey))}, nil
}

// jwk is a public key as RFC 8037 writes it, its members in the order in which RFC 7638 takes their digest.
func jwk(public ed25519.PublicKey) string {
	return `{"crv":"Ed25519","kty":"OKP","x":"` + base64.RawURLEncoding.EncodeToString(public) + `"}`
}

func thumbprint(public ed25519.PublicKey) string {
	sum := sha256.Sum256([]byte(jwk(public)))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Directory is what is to be published at /.well-known/http-message-signatures-directory, as
// application/http-message-signatures-directory+json.
func (k *Key) Directory() string {
	public := strings.TrimSuffix(jwk(k.private.Public().(ed25519.PublicKey)), "}")
	return `{"keys":[` + public + `,"kid":"` + k.id + `","use":"sig"}]}` + "\n"
}

// component is a part of a request that is signed, by its name.
type component struct{ name, value string }

// sign signs components with parameters, and answers what was said to be signed.
func (k *Key) sign(parts []component, parameters string) (input, signature string) {
	var base strings.Builder
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = `"` + p.name + `"`
		base.WriteString(names[i] + ": " + p.value + "\n")
	}
	input = "(" + strings.Join(names, " ") + ")" + parameters
	base.WriteString(`"@signature-params": ` + input)
	return input, base64.StdEncoding.EncodeToString(ed25519.Sign(k.private, []byte(base.String())))
}

// Sign adds the signature to the header of a request: its host, and who says so.
func (k *Key) Sign(r *http.Request, now time.Time) {
	parts := []component{{"@authority", authority(r)}}
	if k.agent != "" {
		said := `"` + k.agent + `"`
		r.Header.Set("Signature-Agent", said)
		parts = append(parts, component{"signature-agent", said})
	}
	parameters := ";created=" + strconv.FormatInt(now.Unix(), 10) + ";expires=" + strconv.FormatInt(now.Add(lasts).Unix(), 10) +
		`;keyid="` + k.id + `";alg="ed25519";nonce="` + rand.Text() + `";tag="web-bot-auth"`
	input, signature := k.sign(parts, parameters)
	r.Header.Set("Signature-Input", "sig1="+input)
	r.Header.Set("Signature", "sig1=:"+signature+":")
}

// authority is the host of a request in small letters, without the port that goes without saying.
func authority(r *http.Request) string {
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	host = strings.ToLower(host)
	usual := map[string]string{"http": ":80", "https": ":443"}[r.URL.Scheme]
	if usual != "" {
		host = strings.TrimSuffix(host, usual)
	}
	return host
}

// Transport signs each request on its way.
func (k *Key) Transport(next http.RoundTripper) http.RoundTripper { return signed{k, next} }

type signed struct {
	key  *Key
	next http.RoundTripper
}

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	with := r.Clone(r.Context())
	s.key.Sign(with, time.Now())
	resp, err := s.next.RoundTrip(with)
	if resp != nil {
		resp.Request = r
	}
	return resp, err
}
