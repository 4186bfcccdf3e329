package redis

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// certified is a certificate for this machine that no system knows, and its key.
func certified(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "redis"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, of, of, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// Over TLS, as a user who may touch no other keys and no dangerous command, everything that a crawl and those who look at it do
// is done; whom nobody vouches for, who has the wrong password, and who may do less than that is told so.
func TestRedisOverTLSWithUsers(t *testing.T) {
	cert, key := certified(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	admin := server(t, "--tls-port", fmt.Sprint(port), "--tls-cert-file", cert, "--tls-key-file", key, "--tls-auth-clients", "no", "--bind", "127.0.0.1")
	ctx := t.Context()
	for user, may := range map[string]string{"crawler": "+@all -@admin -@dangerous +info ~thresher:*", "mute": "+@all -@admin -@dangerous ~thresher:*", "guest": "+@all -@admin -@dangerous ~guest:*"} {
		args := []any{"ACL", "SETUSER", user, "on", ">secret"}
		for _, rule := range strings.Fields(may) {
			args = append(args, rule)
		}
		if err := admin.Do(ctx, args...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	address := func(login, params string) string {
		return fmt.Sprintf("rediss://%s@127.0.0.1:%d/0?crawl=tls&max_retries=-1%s", login, port, params)
	}
	client, to, err := Dial(address("crawler:secret", "&ca="+cert))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := Await(ctx, client, func(err error) { t.Errorf("it is waited for: %v", err) }); err != nil {
		t.Fatal(err)
	}
	f, err := Open(ctx, client, to.Crawl, frontier.Manners{Delay: time.Millisecond, PerIP: 2, Lease: time.Minute}, Options{KeepAlive: true, Budget: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	does := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	pushed, err := f.PushAll([]frontier.Item{{URL: "http://a/1", Host: "a", Score: 2}, {URL: "http://b/1", Host: "b"}, {URL: "http://c/1", Host: "c", Tier: frontier.Held}})
	does("push", err)
	it, _, err := f.TryPop(0)
	does("pop", err)
	f.Locate("a", "127.0.0.1")
	f.Pace("b", time.Second)
	f.Rest("b", time.Now())
	does("renew", f.Renew(it.ID))
	does("rescore", f.Rescore(pushed[1].ID, 1, 1, nil, nil))
	does("drop", f.Drop(pushed[2].ID))
	does("done", f.Done(it.ID, frontier.Outcome{Lesson: []byte("lesson"), Counters: map[string]int64{Spent: 1}, Files: map[string]int64{"f": 1}}))
	does("commit", f.Commit([]byte("lesson"), nil))
	_, err = f.Hear()
	does("hear", err)
	does("snapshot", f.Snapshot([]byte("all")))
	does("describe", f.Describe(map[string]string{"is": "one"}))
	does("command", f.Command(frontier.Pause))
	_, _, err = About(ctx, client, "", nil)
	does("about", err)
	best, err := f.Best(ctx, 0)
	if does("best", err); len(best) != 1 || f.Find("http://b/1") != pushed[1].ID {
		t.Errorf("%d links wait", len(best))
	}
	visits := NewVisits(client, "tls")
	does("visited", visits.Visited(7))
	if is, err := visits.IsVisited(7); !is || err != nil {
		t.Errorf("Colly's visit: %v, %v", is, err)
	}
	does("clear", Clear(ctx, client, "tls", nil))

	if err := errors.Join(admin.ConfigSet(ctx, "maxmemory-policy", "allkeys-lru").Err(), admin.ConfigSet(ctx, "appendonly", "yes").Err()); err != nil {
		t.Fatal(err)
	}
	for login, want := range map[string]string{"crawler:secret": "set it to noeviction", "mute:secret": "+info"} {
		client, to, err := Dial(address(login, "&ca="+cert))
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		f, err := Open(ctx, client, to.Crawl, frontier.Manners{}, Options{Warn: func(line string) { told = append(told, line) }})
		if err != nil || len(told) != 1 || !strings.Contains(told[0], want) {
			t.Fatalf("%s: of a Redis that throws links away it is said %q, want %q; %v", login, told, want, err)
		}
		f.Close()
		client.Close()
	}

	for login, want := range map[string]string{"crawler:secret": "ca=FILE", "crawler:wrong": "the user or the password in the address is wrong", "guest:secret": "NOPERM"} {
		params := "&ca=" + cert
		if want == "ca=FILE" {
			params = ""
		}
		client, to, err := Dial(address(login, params))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(ctx, client, to.Crawl, frontier.Manners{}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s is told %v", login, err)
		}
		client.Close()
	}
	if _, _, err := Dial(address("crawler:secret", "&ca="+key)); err == nil || !strings.Contains(err.Error(), "no certificate") {
		t.Errorf("a key was taken for certificates: %v", err)
	}
}
