package index

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// shop is a harvest in which a program has set values.
func shop(t *testing.T) *harvester {
	h := newHarvest(t)
	for i, data := range []string{
		`{"price":12.5,"Maker":"Lipton Tea Company","tags":["green","loose"],"seen":"2024-03-01"}`,
		`{"price":"9.90","Maker":"清香茶业","offer":{"stock":7}}`,
		`{"price":100,"Maker":"Liptonesque","deep":{"a":{"b":{"c":{"d":{"e":1}}}}},"none":null,"sold":true}`,
		`{"size":"NaN"}`,
	} {
		h.keep(fmt.Sprintf("http://shop%d.example.com/", i), article("Tea", fmt.Sprintf("Tea number %d, see http://a.example.org/ at 10:30.", i)), func(r *sink.Record) {
			if data != "" {
				noError(t, json.Unmarshal([]byte(data), &r.Data))
			}
		})
	}
	return h
}

// TestValuesAreSearched holds that what a program has set is found by its name, and that all else with a colon in it is words.
func TestValuesAreSearched(t *testing.T) {
	c, _ := opened(t, shop(t).dir)
	for query, want := range map[string]string{
		"price:12.5":              "1",
		"price:12.50":             "1",
		"price:>10":               "1 3",
		"price:>=12.5 price:<100": "1",
		"price:<=9.9":             "2",
		"price:5..20":             "1 2",
		"price:..20 tea":          "1 2",
		"price:20..":              "3",
		`price:"> 10"`:            "1 3",
		`price:">= 12.5"`:         "1 3",
		`price:"<= 9.9"`:          "2",
		`price:"5 .. 20"`:         "1 2",
		"size:<5":                 "", // it is called NaN
		"size:<z":                 "4",
		"size:>5":                 "",
		"size:nan":                "4",
		"price:cheap":             "",
		"maker:lipton":            "1", // and not Liptonesque
		`maker:"lipton tea"`:      "1",
		"data.maker:LIPTON":       "1",
		"maker:清香":                "2",
		"Ｐｒｉｃｅ:100":               "3",
		"tags:green":              "1",
		"tags:loose":              "1",
		"offer.stock:7":           "2",
		"seen:>2024-02":           "1",
		"sold:true":               "3",
		"tea":                     "1 2 3 4",
		"http://a.example.org/":   "1 2 3 4", // no page has a value called http
		`see:"tea number 3"`:      "4",
		"10:30":                   "1 2 3 4",
		"tea -price:12.5":         "2 3 4",
		"-data.price:>10":         "2 4", // and those that have none
		"tea -maker:lipton":       "2 3 4",
		`tea -maker:"lipton tea"`: "2 3 4",
		`-maker:清香 -sold:"true"`:  "1 4",
		"tea -10:30":              "",
		`-tea:"number 3" tea`:     "1 2 3",
	} {
		if got := found(asked(t, c, query)); !sameSet(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"price:>abc":       "price:>abc asks for more or less than a word, and all values of price are numbers",
		`price:"5 .. abc"`: `price:"5 .. abc" asks for more or less than a word, and all values of price are numbers`,
		"-price:<abc tea":  "-price:<abc asks for more or less than a word, and all values of price are numbers",
		"price:>10":        "",
		"price:abc":        "",
		"seen:>may":        "", // dates are texts
		"size:>abc":        "", // it is called NaN
	} {
		a := asked(t, c, query)
		said := ""
		for _, note := range a.Notes {
			said += note.String()
		}
		if said != want {
			t.Errorf("%s: %q, want %q", query, said, want)
		}
	}
	a := asked(t, c, "price:12.5")
	if len(a.Hits) != 1 || string(NewReply(a).Results[0].Data["price"]) != "12.5" {
		t.Errorf("%+v, want the values with the result", a.Hits)
	}
	if q := ParseQuery(strings.Repeat("a:1 ", 100)); len(q.Values) > mostWords || len(q.Notes) == 0 {
		t.Errorf("%d values, %v", len(q.Values), q.Notes)
	}
}

func sameSet(a, b string) bool {
	left := map[string]int{}
	for _, id := range strings.Fields(a) {
		left[id]++
	}
	for _, id := range strings.Fields(b) {
		left[id]--
	}
	for _, n := range left {
		if n != 0 {
			return false
		}
	}
	return true
}
