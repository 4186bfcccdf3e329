package forget

import (
	"strings"
	"testing"
)

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

// TestAVisitThatWasLostIsALine: what a repair has made a comment names the host all the same.
func TestAVisitThatWasLostIsALine(t *testing.T) {
	e := &eraser{hosts: []string{"t.co"}, ids: map[uint64]bool{7: true}}
	const theirs, others, header = "#2020-01-01T00:00:00.000Z\tkeep\t7\t0\t\t200\t1\t-\t1\thttp://t.co/\t\t\t\tTheirs\t\n",
		"#2020-01-01T00:00:00.000Z\tkeep\t8\t7\tL\t200\t1\t-\t1\thttp://a.example/\t\t\tsaid there\tOurs\t\n",
		"#thresher-log-2\ttime\tdecision\tid\tvia\thops\tstatus\tbytes\tscore\trelevance\turl\tnumbers\twords\tanchor\ttitle\tchosen\n"
	for line, want := range map[string]string{theirs: "", others: strings.Replace(others, "said there", "", 1), header: header, "#damaged   \n": "#damaged   \n", "\n": "\n"} {
		if got, err := e.decision([]byte(line)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v, want %q", line, got, err, want)
		}
	}
}
