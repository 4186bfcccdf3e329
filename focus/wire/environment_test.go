package wire

import (
	"strings"
	"testing"
)

// A proxy that is named so that nobody can read it is told: the standard library goes straight then, and says nothing.
func TestEnvironmentProxies(t *testing.T) {
	for address, good := range map[string]bool{
		"": true, "http://127.0.0.1:3128": true, "proxy.example:3128": true, "proxy.example": true, "socks5://[::1]:1080": true, "https://me:p%25@proxy.example/": true,
		"127.0.0.1:3128": true, "http://proxy.example:": true,
		"::bad::": false, "http://me:p%s3cr3t@proxy.example:3128": false, "http://me:p#s3cr3t@proxy.example:3128": false, "http://proxy.example:3128 ": false,
		"ftp://proxy.example": false, "http://": false, "http://:3128": false,
	} {
		for _, name := range []string{"HTTP_PROXY", "https_proxy"} {
			t.Run(name+" "+address, func(t *testing.T) {
				for _, other := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
					t.Setenv(other, "")
				}
				t.Setenv(name, address)
				err := EnvironmentProxies()
				if good != (err == nil) || err != nil && (!strings.HasPrefix(err.Error(), strings.ToUpper(name)+" of the environment is no address of a proxy: want") || strings.Contains(err.Error(), "s3cr3t")) {
					t.Errorf("%v", err)
				}
			})
		}
	}
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:3128")
	t.Setenv("REQUEST_METHOD", "GET")
	if err := EnvironmentProxies(); err == nil || !strings.Contains(err.Error(), "unset REQUEST_METHOD") {
		t.Errorf("in a program of a web server: %v", err)
	}
}
