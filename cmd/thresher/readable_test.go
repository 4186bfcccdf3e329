package main

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
)

// TestAddressesAreShownAsTheyAreRead: a person who reads Chinese sees the words of an address, and a program gets it as it is.
func TestAddressesAreShownAsTheyAreRead(t *testing.T) {
	const address, read = "http://xn--fsqu00a.example/%E7%BB%BF%E8%8C%B6", "http://例子.example/绿茶"
	var finds strings.Builder
	printFinds(&finds, []ledger.Find{{URL: address, Title: "绿茶", Relevance: .5}})
	if !strings.Contains(finds.String(), "    0.50  绿茶\n          "+read+"\n") {
		t.Errorf("best finds:%s", finds.String())
	}
	row := rowOf(&run.Decision{URL: address, Title: "绿茶"})
	if have := row.link(); have != read+"  “绿茶”" || row.URL != address {
		t.Errorf("a row is %s, with %s for programs", have, row.URL)
	}
}
