package forget

import "testing"

// TestOtherHostsKeepTheirNames holds what names a host, and that nothing is changed in the names of others.
func TestOtherHostsKeepTheirNames(t *testing.T) {
	for _, c := range []struct{ host, text, want string }{
		{"t.co", "copy of http://reddit.com/x", "copy of http://reddit.com/x"},
		{"t.co", "copy of http://t.co/x", "copy of http://-/x"},
		{"example.org", "http://notexample.org/ http://www.example.org/ http://example.org.uk/ http://example.org:8080/", ""},
		{"example.org", "http://example.org/ and http://example.org:443/, example.org.", "http://-/ and http://-:443/, -."},
		{"example.org:8080", "http://example.org:8080/ http://example.org/", "http://-/ http://example.org/"},
		{"robots", "robots: http://robots/x", "robots: http://-/x"},
		{"例子.测试", "http://大例子.测试/ http://例子.测试/", "http://大例子.测试/ http://-/"},
	} {
		e := &eraser{hosts: []string{c.host}}
		if c.want == "" {
			c.want = c.text
		}
		if got := e.unnamed(c.text); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.host, c.text, got, c.want)
		}
		if e.names(c.text) != (c.want != c.text) {
			t.Errorf("%s is named in %q: %v", c.host, c.text, e.names(c.text))
		}
	}
}
