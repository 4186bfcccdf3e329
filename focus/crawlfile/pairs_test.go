package crawlfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pairsCrawl is a crawl file with a line more.
func pairsCrawl(line string) string {
	return "seeds: [https://www.example.org/a/]\n" + line + "\n"
}

// Two keys of which each is sound by itself, and which say the opposite of each other, are a mistake at the place of one
// of them, with what is allowed.
func TestKeysThatContradictEachOtherAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		"strategy: {from: tunnel, admit: {tunnel: {depth: 5, max: 1}}}":                                              "2:58: strategy.admit.tunnel.max: is 1, and depth 5: an allowance cannot start above the most it can grow to; want at least 5, or -1, twice the depth",
		"strategy: {from: tunnel, admit: {tunnel: {depth: 3, max: 9, raise: reset}}}":                                "2:58: strategy.admit.tunnel.max: is 9, and raise: reset never goes beyond depth, 3; take it out, or write raise: inc",
		"strategy: {from: tunnel, admit: {tunnel: {depth: -1, max: 9}}}":                                             "2:59: strategy.admit.tunnel.max: is 9, and depth -1, no bound; take it out, or give a depth",
		"topic: {terms: [tea], positions: {title: 0, top: 0, heading: 0, meta: 0, emphasis: 0, body: 0, anchor: 0}}": "2:34: topic.positions: are all 0, and no word of a page would count; give one of them a weight",
		"topic: {terms: [tea], speech: {noun: 0, adjective: 0, verb: 0, adverb: 0, function: 0}}":                    "2:31: topic.speech: are all 0, and no word of a page would count; give one of them a weight",
		"topic: {judge: classifier, corpus: {relevant: pages, other: ./pages/}}":                                     "2:61: topic.corpus.other: is topic.corpus.relevant again: the same pages cannot be of the topic and not",
		"sites: [{site: a.example}, {site: A.example, weight: 0.1}]":                                                 "2:35: sites[1].site: is A.example, which is sites[0] already; keep one of the two",
		"sinks: [{to: csv, fields: [url, title, url]}]":                                                              "2:40: sinks[0].fields[2]: is url, which is fields[0] already; keep one of the two",
		"scope: {hosts: [a.example, b.example], not_hosts: [b.example]}":                                             "2:52: scope.not_hosts[0]: is b.example, which is in hosts too; keep one of the two",
		"scope: {paths: [/a/*], not_paths: [/b/*, /a/*]}":                                                            "2:42: scope.not_paths[1]: is /a/*, which is in paths too; keep one of the two",
		"reading: {special: [more on this], stop: [More on this]}":                                                   "2:43: reading.stop[0]: is More on this, which is in special too; keep one of the two",
		"store: run\nfetch: {since: run}":                                                                            "3:16: fetch.since: run is the run folder of this very crawl; give that of an earlier one, or another store",
		"store: run\nlearn: {from: ./run/}":                                                                          "3:15: learn.from: run is the run folder of this very crawl; give that of another one, or another store",
		"store: web\nweb: web":                                                                                       "3:6: web: web is the run folder of this crawl too, whose pages would become part of the web; give another store",
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		for _, folder := range []string{"run", "pages", "web"} {
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join("run", "pages-0001.warc.gz"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("crawl.yaml", []byte(pairsCrawl(line)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load("crawl.yaml"); err == nil || !strings.Contains(err.Error(), "crawl.yaml:"+want) {
			t.Errorf("%s\nhave %v\nwant %s", line, err, want)
		}
	}
}

// A bound that another one hides can be meant: it is crawled, and warned of.
func TestBoundsThatAreNeverReachedAreWarnedOf(t *testing.T) {
	for line, want := range map[string]string{
		"budget: {pages: 100, relevant: 200}":                                   "budget.relevant: is 200, and the crawl ends at 100 pages (budget.pages)",
		"budget: {relevant: 5000}":                                              "budget.relevant: is 5000, and the crawl ends at 3000 pages (budget.pages)",
		"budget: {pages: 500, saturation: 0.1}":                                 "budget.saturation: is looked at from 500 pages on, and the crawl ends at 500 (budget.pages)",
		"polite: {parallel: 2, per_host: 8}":                                    "polite.per_host: is 8, and there are no more than 2 visits at the same time (polite.parallel)",
		"polite: {per_ip: 2, per_host: 8}":                                      "polite.per_host: is 8, and there are no more than 2 at one address (polite.per_ip)",
		"polite: {per_ip: 9, parallel: 3}":                                      "polite.per_ip: is 9, and there are no more than 3 visits at the same time (polite.parallel)",
		"fetch: {timeout: 5s, connect: 6s}":                                     "fetch.connect: is 6s, and a page has 5s in all (fetch.timeout)",
		"fetch: {timeout: 5s, answer: 6s}":                                      "fetch.answer: is 6s, and a page has 5s in all (fetch.timeout)",
		"topic: {language: zh, terms: [茶]}\nscope: {languages: [en]}":           "scope.languages: keeps pages in en, and the topic is in zh (topic.language)",
		"scope: {hosts: [other.example]}":                                       "seeds[0]: is outside the scope (host), and there is no other start page: the crawl is refused",
		"sinks: [csv, {to: jsonl, fields: [title, url]}]":                       "sinks[1].fields: has no id: by that a page of the harvest is known to a search and to --again",
		"topic: {terms: [tea, 인버터, 패널]}":                                        "topic.terms[1]: 인버터 is found as it is written and in no other form",
		"topic: {terms: [tea, pot, 차]}":                                         "topic.terms[2]: 차 is found as it is written and in no other form",
		"topic: {terms: [tea, pot, sail*]}":                                     "topic.terms[2]: sail* is no pattern, and is looked for without its signs",
		"topic: {terms: [tea, pot, '\\btea\\b']}":                               `topic.terms[2]: \btea\b is no pattern`,
		"topic: {terms: [tea, sail, {term: sailing, weight: -1}]}":              "topic.terms[2]: sailing is found where sail is, as another form of it, and of their weights the larger counts, 1; take one of the two out",
		"topic: {terms: [tea, pot, black|green]}":                               "topic.terms[2]: black|green is no pattern",
		"topic: {terms: [tea, pot, a]}":                                         "topic.terms[2]: a is found wherever it stands alone",
		"topic: {about: Seiten über Windkraft und Solaranlagen in Deutschland}": "topic.about: seems to be in neither English nor Chinese",
		"topic: {about: 緑茶の入れ方と日本の茶文化について}":                                     "topic.about: seems to be in neither English nor Chinese",
		"topic: {about: Страницы о парусном спорте}":                            "topic.about: seems to be in neither English nor Chinese",
		"topic: {terms: [energy policy, US, IT]}":                               "topic.terms[1]: US is a stop word, and is not looked for by itself",
		"topic: {terms: [Solar Energy, tea, SOLAR-ENERGY]}":                     "topic.terms[2]: SOLAR-ENERGY is looked for as Solar Energy is, and is the same term",
		"topic: {terms: [苹果 梨 樱桃]}":                                             "topic.terms[0]: 苹果 梨 樱桃 is one phrase, found where these words follow each other; if they are terms, part them: 苹果,梨,樱桃",
		"topic: {terms: [苹果，梨、樱桃]}":                                             "topic.terms[0]: 苹果，梨、樱桃 is one phrase, since a wide comma parts no list; if these are terms, part them by ordinary commas: 苹果, 梨, 樱桃",
		"topic: {terms: [tea, 茶, お茶, чай, شاي]}":                                "topic.terms: are in 4 scripts: a page in one language has the terms of that alone",
		"topic: {terms: [energy policy, (US)]}":                                 "topic.terms[1]: (US) is a stop word, and is not looked for by itself",
		"topic: {terms: [tea, ★]}":                                              "topic.terms[1]: ★ has neither letters nor digits, and is not looked for",
		"scope: {max_address: 20}":                                              "seeds[0]: is outside the scope (trap), and there is no other start page: the crawl is refused",
	} {
		config := mustLoad(t, crawlFile(t, pairsCrawl(line)))
		if have := fmt.Sprint(config.Warnings(nil)); !strings.Contains(have, want) {
			t.Errorf("%s\nhave %s\nwant %s", line, have, want)
		}
	}
	for _, line := range []string{"", "fetch: {timeout: 5s}", "polite: {parallel: 4}", "budget: {pages: 0, relevant: 9000, saturation: 0.1}", "polite: {per_ip: 0, per_host: 8}",
		"topic: {terms: [太阳能, ソーラー, solar, énergie, α-synuclein, The Who, US energy, Vitamin A, 世界杯 决赛, state of the art, sail, sailing]}",
		"topic: {about: Vegan recipes with tofu and tempeh for people in a hurry}", "topic: {about: ramen sushi tempura}", "topic: {about: 二手相机 and film photography}",
		"topic: {about: El Niño and La Niña effects on fisheries in Peru}", "topic: {about: The history of the Bauhaus in Weimar and Dessau}", "topic: {terms: [C++, A*, AC/DC, I/O, R&D, 24/7, F#, .NET]}"} {
		config := mustLoad(t, crawlFile(t, pairsCrawl(line)))
		for _, w := range config.Warnings(nil) {
			if w.Path != "polite.contact" {
				t.Errorf("%q is warned of: %s", line, w)
			}
		}
	}
	config := mustLoad(t, crawlFile(t, "seeds: [https://a.example/, https://b.example/]\nscope: {hosts: [a.example]}\n"))
	if have := fmt.Sprint(config.Warnings(nil)); !strings.Contains(have, "seeds[1]: is outside the scope (host), and is not visited") || strings.Contains(have, "seeds[0]") {
		t.Errorf("one of two: %s", have)
	}
}
