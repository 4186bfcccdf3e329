package signing

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dunglas/httpsfv"
)

// testKey is test-key-ed25519 of RFC 9421, B.1.4.
const testKey = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n"

func key(t *testing.T) *Key {
	t.Helper()
	k, err := parse([]byte(testKey))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestTheVectors: RFC 9421 B.2.6, and the thumbprint of RFC 8037 A.3.
func TestTheVectors(t *testing.T) {
	_, signature := key(t).sign([]component{{"date", "Tue, 20 Apr 2021 02:07:55 GMT"}, {"@method", "POST"}, {"@path", "/foo"}, {"@authority", "example.com"},
		{"content-type", "application/json"}, {"content-length", "18"}}, `;created=1618884473;keyid="test-key-ed25519"`)
	if want := "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="; signature != want {
		t.Errorf("signature %s, want %s", signature, want)
	}
	public, err := base64.RawURLEncoding.DecodeString("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
	if err != nil {
		t.Fatal(err)
	}
	if got := thumbprint(public); got != "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" {
		t.Errorf("thumbprint %s", got)
	}
	want := `{"keys":[{"crv":"Ed25519","kty":"OKP","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U","use":"sig"}]}` + "\n"
	if got := key(t).Directory(); got != want {
		t.Errorf("directory %s, want %s", got, want)
	}
}

// TestARequestIsSigned: whoever has the public key can check a request by what stands in it.
func TestARequestIsSigned(t *testing.T) {
	k := key(t)
	k.agent = "https://bot.example.org"
	var sent *http.Request
	through := k.Transport(roundTrip(func(r *http.Request) (*http.Response, error) { sent = r; return nil, http.ErrHandlerTimeout }))
	r, err := http.NewRequest(http.MethodGet, "https://Www.Example.com:443/page?x=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now().Unix()
	through.RoundTrip(r)
	if r.Header.Get("Signature") != "" {
		t.Error("the request of the caller was changed")
	}
	input, ok := strings.CutPrefix(sent.Header.Get("Signature-Input"), "sig1=")
	said := regexp.MustCompile(`^\("@authority" "signature-agent"\);created=(\d+);expires=(\d+);keyid="` + k.id + `";alg="ed25519";nonce="[A-Z2-7]{26}";tag="web-bot-auth"$`).FindStringSubmatch(input)
	if !ok || said == nil || said[1] < strconv.FormatInt(before, 10) {
		t.Fatalf("Signature-Input: %s", input)
	}
	base := "\"@authority\": www.example.com\n\"signature-agent\": \"https://bot.example.org\"\n\"@signature-params\": " + input
	signature, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(strings.TrimPrefix(sent.Header.Get("Signature"), "sig1=:"), ":"))
	if err != nil || !ed25519.Verify(k.private.Public().(ed25519.PublicKey), []byte(base), signature) {
		t.Errorf("the signature does not hold: %v", err)
	}
	if sent.Header.Get("Signature-Agent") != `"https://bot.example.org"` {
		t.Errorf("Signature-Agent: %s", sent.Header.Get("Signature-Agent"))
	}
}

// TestAnotherProgramReadsTheFields: what is sent are structured fields as another program (httpsfv) reads them, written as it writes them,
// and what it reads verifies.
func TestAnotherProgramReadsTheFields(t *testing.T) {
	k := key(t)
	k.agent = "https://bot.example.org"
	r, err := http.NewRequest(http.MethodGet, "http://example.com:8080/", nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1735689600, 0)
	k.Sign(r, now)
	input, err := httpsfv.UnmarshalDictionary(r.Header["Signature-Input"])
	if err != nil {
		t.Fatal(err)
	}
	member, _ := input.Get("sig1")
	list, ok := member.(httpsfv.InnerList)
	if !ok || len(input.Names()) != 1 {
		t.Fatalf("Signature-Input: %q", r.Header["Signature-Input"])
	}
	for name, want := range map[string]any{"created": now.Unix(), "expires": now.Add(lasts).Unix(), "keyid": k.id, "alg": "ed25519", "tag": "web-bot-auth"} {
		if have, _ := list.Params.Get(name); have != want {
			t.Errorf("%s is %v, want %v", name, have, want)
		}
	}
	agent, err := httpsfv.UnmarshalItem(r.Header["Signature-Agent"])
	if err != nil || agent.Value != k.agent {
		t.Errorf("Signature-Agent: %v, %v", agent, err)
	}
	signatures, err := httpsfv.UnmarshalDictionary(r.Header["Signature"])
	if err != nil {
		t.Fatal(err)
	}
	member, _ = signatures.Get("sig1")
	item, ok := member.(httpsfv.Item)
	signature, isBytes := item.Value.([]byte)
	if !ok || !isBytes {
		t.Fatalf("Signature: %q", r.Header["Signature"])
	}
	base := ""
	for i, value := range []string{"example.com:8080", `"` + k.agent + `"`} {
		base += fmt.Sprintf("%q: %s\n", list.Items[i].Value, value)
	}
	written, err := httpsfv.Marshal(httpsfv.List{list})
	if err != nil {
		t.Fatal(err)
	}
	if base += `"@signature-params": ` + written; !ed25519.Verify(k.private.Public().(ed25519.PublicKey), []byte(base), signature) {
		t.Errorf("the signature does not hold for\n%s", base)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAKeyThatOthersMayRead is refused, and so is what is none, each with what to do.
func TestAKeyThatOthersMayRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bot.pem")
	if err := os.WriteFile(path, []byte(testKey), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, ""); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, ""); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "chmod 600")) {
		t.Errorf("%v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, ""); err == nil || !strings.Contains(err.Error(), "openssl genpkey") {
		t.Errorf("%v", err)
	}
}
