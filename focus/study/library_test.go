package study

import (
	"strings"
	"testing"
)

// A recorded web holds the robots.txt of its hosts. They are no pages, and nobody is shown them or asked about them.
func TestRobotsIsNoPage(t *testing.T) {
	l, err := OpenLibrary("../../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, ok := l.Address("http://daily.example/robots.txt"); !ok {
		t.Fatal("the web has no robots.txt: the test sees nothing")
	}
	for _, address := range l.Addresses() {
		if strings.HasSuffix(address, "/robots.txt") {
			t.Errorf("%s is taken for a page", address)
		}
	}
	if len(l.Addresses()) < 50 {
		t.Errorf("%d pages", len(l.Addresses()))
	}
}
