package extract

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// rules reads the rules of a crawl file.
func rules(t *testing.T, yaml string) Rules {
	t.Helper()
	var file struct {
		Extract Rules `yaml:"extract"`
	}
	noError(t, strict.Decode("x.yaml", []byte("extract:\n"+yaml), &file))
	return file.Extract
}

// shop is a page on which the same things stand in every way in which pages say them.
const shop = `<!doctype html><html><head><title>Kettle</title><base href="/goods/">
<meta property="og:title" content="The kettle"><meta property="og:image" content="/k.jpg"><meta property="product:price:amount" content="31.50">
<meta property="article:published_time" content="2026-11-23T09:30:00+08:00"><meta name="robots" content="all">
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage","name":"page"},
 {"@type":["Thing","Product"],"name":"Steel kettle","sku":"K-9","brand":{"@type":"Brand","name":"Lipton"},"gtin":12345,
  "offers":[{"@type":"Offer","price":"29.90","availability":"https://schema.org/InStock"},{"@type":"Offer","price":"35"}]}]}</script>
<script type="application/ld+json">{broken</script>
<script type="application/ld+json">/* <![CDATA[ */ {"@type":"Recipe","name":"Iced
tea","steps":[1,2,],} /* ]]> */</script>
<script type="application/ld+json">{"@type":"Boat","name":"Mast","length":NaN,"width":-Infinity,"built":undefined,"weight":1.5e3,"sold":true}</script></head><body>
<div itemscope itemtype="https://schema.org/Review"><span itemprop="reviewBody">Boils <b>well</b></span>
 <div itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="url" href="p">x</a><span itemprop="name">Ann</span></div>
 <meta itemprop="ratingValue" content="4.5"><span itemprop="tag">a</span><span itemprop="tag">b</span></div>
<p class="price">EUR 1.299,50 <s>old</s></p><p class="stock">Yes</p><p class="when">Published on Nov. 23rd, 2026 by <a rel="author" href="../ann">Ann</a></p>
<ul><li class="t">one</li><li class="t"> two<script>x()</script></li><li class="t"></li></ul><p class="cents">$<b>1,299</b><sup>99</sup></p><p id="n">共 12.5万 人</p></body></html>`

func TestValues(t *testing.T) {
	for name, c := range map[string]struct{ rule, want string }{
		"a number as it is written here":       {`{css: .price, as: number}`, `1299.5`},
		"text":                                 {`.price`, `"EUR 1.299,50 old"`},
		"no whole number":                      {`{css: .price, as: integer}`, ``},
		"a date in a sentence":                 {`{css: .when, as: date}`, `"2026-11-23"`},
		"an address, by the base of the page":  {`{css: "[rel=author]", as: url}`, `"https://shop.example/ann"`},
		"an attribute":                         {`{css: "[rel=author]", attr: href}`, `"../ann"`},
		"a list":                               {`{css: .t, list: true}`, `["one","two"]`},
		"the first":                            {`{css: .t}`, `"one"`},
		"a meta element":                       {`{meta: article:published_time, as: date}`, `"2026-11-23T09:30:00+08:00"`},
		"the content of a meta element by css": {`{css: "meta[name=robots]"}`, `"all"`},
		"OpenGraph":                            {`{og: title}`, `"The kettle"`},
		"OpenGraph of another vocabulary":      {`{og: "product:price:amount", as: number}`, `31.5`},
		"JSON-LD by a type and a path":         {`{jsonld: Product.offers.price, as: number, list: true}`, `[29.9,35]`},
		"a thing that is a property":           {`{jsonld: Product.brand}`, `"Lipton"`},
		"a number in JSON-LD":                  {`{jsonld: Product.gtin, as: integer}`, `12345`},
		"a type that is not there":             {`{jsonld: Movie.name}`, ``},
		"JSON-LD that is nearly JSON":          {`{jsonld: Recipe.name}`, `"Iced tea"`},
		"JSON-LD with numbers that are none":   {`{jsonld: Boat.name}`, `"Mast"`},
		"a number beside those":                {`{jsonld: Boat.weight, as: number}`, `1500`},
		"one of those":                         {`{jsonld: Boat.length}`, ``},
		"cents that are raised":                {`{css: .cents, as: number}`, `1299`},
		"a thing as a whole":                   {`{jsonld: Brand, as: json}`, `{"@type":"Brand","name":"Lipton"}`},
		"microdata":                            {`{microdata: Review.ratingValue, as: number}`, `4.5`},
		"a thing in a thing":                   {`{microdata: author.name}`, `"Ann"`},
		"properties of one name":               {`{microdata: tag, list: true}`, `["a","b"]`},
		"yes":                                  {`{css: .stock, as: bool}`, `true`},
		"no answer":                            {`{css: .price, as: bool}`, ``},
		"what an expression finds":             {`{css: .price, match: "([A-Z]{3}) "}`, `"EUR"`},
		"all that an expression finds":         {`{css: .price, match: "[A-Z]{3}"}`, `"EUR"`},
		"a list of what an expression finds":   {`{css: .price, match: "[0-9]+", list: true, as: integer}`, `[1,299,50]`},
		"a list of what its group finds":       {`{css: .when, match: "([A-Z])[a-z]+", list: true}`, `["P","N","A"]`},
		"an expression that finds nothing":     {`{css: .price, match: "USD"}`, ``},
		"ten thousands":                        {`{css: "#n", as: integer}`, `125000`},
		"the second rule":                      {`[{css: .none}, {css: .stock}]`, `"Yes"`},
		"a rule for other hosts":               {`[{css: .stock, hosts: ["*.other.example"]}, {css: .t}]`, `"one"`},
		"a rule for this host and path":        {`[{css: .stock, hosts: [shop.example], paths: [/a/*]}, {css: .t}]`, `"Yes"`},
		"null where it must be named":          {`{css: .none, required: null}`, `null`},
	} {
		values, lacks := rules(t, "  v: "+c.rule).Values([]byte(shop), "https://shop.example/a/b")
		if have := string(values["v"]); have != c.want || len(lacks) > 0 {
			t.Errorf("%s: %s is %s, want %s; lacks %v", name, c.rule, have, c.want, lacks)
		}
	}
}

func TestWhichValuesAreNumbers(t *testing.T) {
	r := rules(t, "  price: {as: number}\n  pages: [{css: b, as: integer}, {css: i, as: number}]\n  all: {css: b, as: number, list: true}\n  mixed: [{css: b, as: number}, {css: i}]\n  sku: {}\n")
	if have := r.Numbers(); !slices.Equal(have, []string{"pages", "price"}) {
		t.Errorf("numbers are %v", have)
	}
}

// TestWhatValuesAreReadAs: a thing as a whole is no text, whatever else there may be in its place; a cluster that was told so refuses it.
func TestWhatValuesAreReadAs(t *testing.T) {
	r := rules(t, "  price: {as: number}\n  pages: [{css: b, as: integer}, {css: i, as: number}]\n  mixed: [{css: b, as: number}, {css: i}, {css: i, as: number}]\n"+
		"  thing: [{jsonld: Boat, as: json}, {css: h1}]\n  other: [{css: h1}, {jsonld: Boat, as: json}, {css: b, as: date}]\n  sku: {}\n")
	want := map[string]string{"price": "number", "pages": "number", "mixed": "text", "thing": "json", "other": "json", "sku": "text"}
	if have := r.Kinds(); !maps.Equal(have, want) {
		t.Errorf("they are read as %v, want %v", have, want)
	}
}

// TestAThingIsReadByWhoeverReadsLines: one page that says a number that no double holds, or a thing thousands of levels deep, has
// the file of all pages refused by DuckDB, polars and others.
func TestAThingIsReadByWhoeverReadsLines(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat(`[`, levels) + strings.Repeat(`]`, levels) }
	for said, want := range map[string]string{
		`1e400`:                    `"1e400"`,
		`-1e400`:                   `"-1e400"`,
		`1e-400`:                   `1e-400`,
		`1.50`:                     `1.50`,
		`9007199254740993`:         `9007199254740993`,
		`18446744073709551615`:     `18446744073709551615`,
		`18446744073709551616`:     `"18446744073709551616"`,
		`-9223372036854775809`:     `"-9223372036854775809"`,
		`[{"a":[1e999,2]},null]`:   `[{"a":["1e999",2]},null]`,
		deep(mostDepth - 1):        deep(mostDepth - 1),
		deep(mostDepth + 4000):     strings.Repeat(`[`, mostDepth-1) + `null` + strings.Repeat(`]`, mostDepth-1),
		`{"b":{"c":true},"a":"x"}`: `{"a":"x","b":{"c":true}}`,
	} {
		body := `<script type="application/ld+json">{"@type":"Boat","v":` + said + `}</script>`
		values, _ := rules(t, "  v: {jsonld: Boat, as: json}").Values([]byte(body), "https://shop.example/")
		if have := string(values["v"]); have != `{"@type":"Boat","v":`+want+`}` {
			t.Errorf("of %.60s stands there %.200s", said, have)
		}
	}
	body := `<p>1.5e308万</p><p>12</p>`
	values, _ := rules(t, "  v: {css: p, as: number, list: true}").Values([]byte(body), "https://shop.example/")
	if have := string(values["v"]); have != `[12]` {
		t.Errorf("beside a number that no double holds stands %s", have)
	}
}

// TestWhatPagesSayToMachinesIsFoundByName: a name alone is enough where a page says it as JSON-LD, microdata or OpenGraph, and the
// first of them that does counts.
func TestWhatPagesSayToMachinesIsFoundByName(t *testing.T) {
	r := rules(t, "  price: {as: number}\n  sku: {}\n  reviewBody: {}\n  image: {as: url}\n  published_time: {as: date}\n  robots: {}\n  nothing: {}\n  name: {list: true}\n")
	values, _ := r.Values([]byte(shop), "https://shop.example/a/b")
	want := map[string]string{"price": `29.9`, "sku": `"K-9"`, "reviewBody": `"Boils well"`, "image": `"https://shop.example/k.jpg"`,
		"published_time": `"2026-11-23T09:30:00+08:00"`, "robots": `"all"`, "name": `["page","Steel kettle","Iced tea","Mast","Lipton","Ann"]`}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if string(values[name]) != want[name] {
			t.Errorf("%s is %s, want %s", name, values[name], want[name])
		}
	}
	if len(values) != len(want) {
		t.Errorf("values: %v", values)
	}
}

// TestAddressesAreThoseOfLinks: what a page refers to is written as the address at which the crawl knows it, with its fragment.
func TestAddressesAreThoseOfLinks(t *testing.T) {
	r := rules(t, "  v: {css: a, as: url, list: true}\n")
	for href, want := range map[string]string{
		"http://中文.com/帆船":         "http://xn--fiq228c.com/%E5%B8%86%E8%88%B9",
		"//BÜCHER.example/a b":     "https://xn--bcher-kva.example/a%20b",
		"HTTPS://me:pw@B.Example":  "https://b.example/",
		" ../x?q=茶#ends here ":     "https://shop.example/x?q=%E8%8C%B6#ends%20here",
		"#a%20b":                   "https://shop.example/goods/#a%20b",
		`\\b.example\c`:            "https://b.example/c",
		"mailto:me@b.example":      "",
		"http://[::1":              "",
		"/page#":                   "https://shop.example/page",
		"https://b.example:443/#%": "https://b.example/",
	} {
		body := `<base href="/goods/"><a href="` + href + `">x</a>`
		if values, _ := r.Values([]byte(body), "https://shop.example/a/b"); want == "" && len(values) > 0 || want != "" && string(values["v"]) != `["`+want+`"]` {
			t.Errorf("%s is %s, want %s", href, values["v"], want)
		}
	}
}

// TestWhatIsLackingIsNamed: only a rule that holds for the page can ask for something.
func TestWhatIsLackingIsNamed(t *testing.T) {
	r := rules(t, "  b: {css: .none, required: drop}\n  a: [{css: .none}, {meta: none, required: drop}]\n  here: {css: .t, required: drop}\n  there: {css: .none, required: drop, hosts: [b.example]}\n")
	if _, lacks := r.Values([]byte(shop), "https://shop.example/"); strings.Join(lacks, " ") != "a b" {
		t.Errorf("lacks %v, want a and b", lacks)
	}
	only := rules(t, "  v: {css: .t, hosts: [b.example]}\n")
	if only.Wants("https://shop.example/") || !only.Wants("https://b.example/") {
		t.Error("a rule holds for the wrong hosts")
	}
	if values, lacks := only.Values([]byte(shop), "https://shop.example/"); values != nil || lacks != nil {
		t.Errorf("a page that no rule is for has %v, %v", values, lacks)
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"1,299.50": 1299.5, "1.299,50": 1299.5, "1 299,50 €": 1299.5, "￥１，２９９": 1299, "12.5万": 125000, "3 亿": 3e8, "-4.5": -4.5,
		"−3": -3, "1.299.000": 1299000, "1,5": 1.5, "1,299": 1299, "$0.99": .99, "1'000": 1000, "2.5e3": 2500, "about 7 of 9": 7, "CHF 1’250.-": 1250, "1,234,567": 1234567, "no. 12,": 12,
		"19.99 24.99": 19.99, "1,299 1,099": 1299, "5 12": 5, "1 234 567": 1234567, "1 2345": 1, "2026 123": 2026, "10\u202f000": 10000,
		"$.99": .99, "$ .50": .5, "-.25": -.25, "from –.5 up": -.5, "US$-.75": -.75, ".5万": 5000, ".5e3": 500, "No.12": 12, "p. .5": .5, "...7": 7,
		"1.299,-": 1299, "1.299,– €": 1299, "1.234.567,—": 1234567, "1,299.-": 1299, "-1.299,-": -1299, "12,-": 12, "1.5,-": 1.5,
		"1.5k": 1500, "12K views": 12000, "$.5k": 500, "5 k": 5, "3km": 3, "1500Kč": 1500, "2k €": 2000, "2kg": 2, "SKU-1234": 1234, "at US$-5": -5, "12,34,567": 1234567,
		"1.5万亿": 1.5e12, "3千万元": 3e7, "2百亿": 2e10, "500万千瓦": 5e6, "12.98-15.98万": 129800, "￥12 — 15 万": 120000, "３～５万": 30000, "12至15亿": 12e8, "12-15k": 12000,
		"5000-1万": 5000, "12.98万-15.98万元": 129800, "100-200元": 100, "3-5 个": 3} {
		if have, ok := numberOf(text); !ok || have != want {
			t.Errorf("%q is %v, %v; want %v", text, have, ok, want)
		}
	}
	for _, text := range []string{"", "none", "-", "..", "1e999", "12.9.2024", "v1.2.3", "1,2,3"} {
		if have, ok := numberOf(text); ok {
			t.Errorf("%q is %v, want no number", text, have)
		}
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"the 23rd of November 2026": "2026-11-23", "2026-11-23": "2026-11-23", "2026-11-23T09:30:00Z": "2026-11-23T09:30:00Z", "2026-11-23 09:30": "2026-11-23T09:30:00", "23 November 2026": "2026-11-23",
		"November 3, 2026": "2026-11-03", "2026年1月3日": "2026-01-03", "发布时间：2026年11月23日 09:30": "2026-11-23T09:30:00", "2026/1/3": "2026-01-03",
		"23.11.2026": "2026-11-23", "11/23/2026": "2026-11-23", "23/11/2026": "2026-11-23", "Mon, 23 Nov 2026 09:30:00 GMT": "2026-11-23T09:30:00Z",
		"Updated 2026-11-23 by Ann": "2026-11-23", "Sept. 3, 2026": "2026-09-03", "20261123": "2026-11-23", "2026-11-23T09:30:00.123+08:00": "2026-11-23T09:30:00+08:00", "5/5/2026": "2026-05-05",
		"Mon, 23 Nov 2026 09:30:00 EST": "2026-11-23T09:30:00", "Mon, 23 Nov 2026 09:30:00 CET": "2026-11-23T09:30:00", "Mon, 23 Nov 2026 09:30:00 UTC": "2026-11-23T09:30:00Z",
		"2026-11-23 10:00 PM": "2026-11-23T22:00:00", "2026-11-23 12:30 AM": "2026-11-23T00:30:00", "2026-11-23 12:30 pm": "2026-11-23T12:30:00", "on 2026-11-23 03:05:10 PM.": "2026-11-23T15:05:10",
		"2026-11-23 10:00\u202fp.m. EST": "2026-11-23T22:00:00", "2026-11-23 10:00 PM +08:00": "2026-11-23T22:00:00+08:00", "2026-11-23 10:00 amber": "2026-11-23T10:00:00",
		"Nov 23, 2026 10:05 pm": "2026-11-23T22:05:00", "Posted Nov. 23rd, 2026 at 9:05 a.m. by Ann": "2026-11-23T09:05:00", "23 Nov 2026 10:00 PM": "2026-11-23T22:00:00", "23 Nov. 2026, 10:00": "2026-11-23T10:00:00",
		"2026年11月23日 22时05分": "2026-11-23T22:05:00", "2026-11-23 下午3:05": "2026-11-23T15:05:00", "2026年11月23日上午９：０５": "2026-11-23T09:05:00", "2026 年 11 月 23 日 下午3点半": "2026-11-23T15:30:00",
		"2026年11月23日 5点建议": "2026-11-23", "2026-11-23 晚上12:00": "2026-11-23", "23.11.2026 15:05": "2026-11-23T15:05:00", "11/23/2026 3:05 PM": "2026-11-23T15:05:00",
		"2026-11-23 10:00 - 11:30 PM": "2026-11-23", "2026-11-23 10:00 AM - 1:30 PM": "2026-11-23T10:00:00", "2026-11-23 10:00-11:30": "2026-11-23T10:00:00", "2026-11-23T10:00-05:00 or so": "2026-11-23T10:00:00-05:00",
		"2026-11-23 10:00:00 +0800": "2026-11-23T10:00:00+08:00", "2026-11-23 25:00": "2026-11-23", "2026/11/23 9:30 left": "2026-11-23T09:30:00",
		"14:30, 12 May 2024": "2024-05-12T14:30:00", "Updated 2:30 pm on Sunday, May 12, 2024": "2024-05-12T14:30:00", "10:00 until 11:30 12 May 2024": "2024-05-12", "9:05 12.05.2024": "2024-05-12T09:05:00", "下午3:05 2024-05-12": "2024-05-12T15:05:00",
		"10:00-11:30, 12 May 2024": "2024-05-12", "10:00 – 11:30, 12 May 2024": "2024-05-12", "from 10:00 to 11:30 12 May 2024": "2024-05-12", "8:00, 12 May 2024 at 14:30": "2024-05-12T14:30:00", "25:30, 12 May 2024": "2024-05-12",
		"2026年11月03日 星期二 上午9时05分": "2026-11-03T09:05:00", "2026年11月3日（星期二）10:20": "2026-11-03T10:20:00", "2026-11-03 周二 10:20": "2026-11-03T10:20:00", "2026年11月3号": "2026-11-03",
		"2026-11-03 中午12:30": "2026-11-03T12:30:00", "2026年11月3日 晚8点": "2026-11-03T20:00:00", "2026年11月3日傍晚6:30": "2026-11-03T18:30:00", "2026年11月3日 清晨5:30": "2026-11-03T05:30:00", "2026-11-03 中午11:30": "2026-11-03T11:30:00",
		"二〇二六年十一月三日": "2026-11-03", "二○二六年十一月二十三日": "2026-11-23", "二零二六年十月廿三日": "2026-10-23", "2026年十一月三十日 9:05": "2026-11-30T09:05:00",
		"民國115年11月3日": "2026-11-03", "中華民國一一五年十一月三日": "2026-11-03", "民国一百一十五年一月十日": "2026-01-10",
		"12. März 2021": "2021-03-12", "3. Jan. 2021 um 9:05 Uhr": "2021-01-03T09:05:00", "Veröffentlicht am 1. Oktober 2021": "2021-10-01", "le 1er août 2021 à 14h30": "2021-08-01T14:30:00",
		"12 de marzo de 2021": "2021-03-12", "lundi 5 avril 2021": "2021-04-05", "12 de enero del 2021 a las 9.05": "2021-01-12T09:05:00", "20 déc. 2021": "2021-12-20",
		"12 Mar '21": "2021-03-12", "March 12th, ’99": "1999-03-12", "Mon, 05 Apr 21 10:00:00 GMT": "2021-04-05T10:00:00Z", "Monday, 05-Apr-21 10:00:00 GMT": "2021-04-05T10:00:00Z",
	} {
		if have, ok := dateOf(text); !ok || have != want {
			t.Errorf("%q is %q, %v; want %q", text, have, ok, want)
		}
	}
	for _, text := range []string{"", "yesterday", "二〇二六年十三月三日", "2026年11月31日", "民國年1月1日", "11/12/2026", "2026-13-45", "31.02.2026", "12345", "12 Mar '45", "Tue, 05 Apr 21 10:00:00 GMT", "05/04/21", "12 Mar 21", "mar. 12 2021", "12 März"} {
		if have, ok := dateOf(text); ok {
			t.Errorf("%q is %q, want no date", text, have)
		}
	}
}

// TestWrongRulesAreShownAtTheirPlace: with file, line and column.
func TestWrongRulesAreShownAtTheirPlace(t *testing.T) {
	for yaml, want := range map[string]string{
		"  v: {css: 'a[b'}":             "x.yaml:2:12: extract.v.css: is \"a[b\", which is no CSS selector",
		"  v: '>'":                      "x.yaml:2:6: extract.v",
		"  v: {csss: a}":                "x.yaml:2:7: extract.v.csss: unknown key; did you mean \"css\"?",
		"  v: {css: a, meta: b}":        "extract.v.meta: says where the value stands, and so does css",
		"  v: {attr: href}":             "extract.v.attr: is an attribute of what css finds, and css is not given",
		"  v: {css: a, as: json}":       "extract.v.as: json is a thing of jsonld or microdata",
		"  v: {css: a, as: nubmer}":     "extract.v.as: unknown word \"nubmer\"; did you mean \"number\"?",
		"  v: {css: a, match: '('}":     "extract.v.match: is \"(\", which is no regular expression",
		"  v: {css: a, required: keep}": "extract.v.required",
		"  v: []":                       "extract.v: has no rule",
		"  v: [{css: a}, {css: 'b['}]":  "x.yaml:2:23: extract.v[1].css",
		"  v: {css: a, hosts: [' ']}":   "extract.v.hosts: pattern 1 is empty",
		"  v: {css: a, list: perhaps}":  "extract.v.list",
		"  v:\n    css: a\n    list:":   "x.yaml:4",
	} {
		var file struct {
			Extract Rules `yaml:"extract"`
		}
		err := strict.Decode("x.yaml", []byte("extract:\n"+yaml+"\n"), &file)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n have %v\n want %s", yaml, err, want)
		}
	}
}

// TestHostilePages: whatever a page is, values are taken from it or not, and nothing takes long or breaks.
func TestHostilePages(t *testing.T) {
	r := rules(t, "  price: {as: number}\n  a: {css: 'div div a', list: true}\n  b: {microdata: x, list: true}\n  c: {jsonld: A.b, as: json}\n")
	deep := strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)
	for name, body := range map[string]string{
		"nothing":           "",
		"deep":              strings.Repeat("<div>", 100_000) + "<a>x",
		"many":              strings.Repeat("<div><div><a>x</a></div></div>", 20_000),
		"scopes":            strings.Repeat("<div itemscope itemprop=x>", 400),
		"properties":        "<div itemscope>" + strings.Repeat("<b itemprop=x>1</b>", 20_000) + "</div>",
		"deep JSON":         `<script type="application/ld+json">` + deep + `</script>`,
		"no UTF-8":          "<p class=price>\xff\xfe</p>",
		"a long text":       "<div><div><a>" + strings.Repeat("x", 1<<20) + "</a></div></div>",
		"JSON of all kinds": `<script type="application/ld+json">[null,1,"a",[[]],{"@type":null,"price":{"price":{}}},{"@type":"A","b":[1e999]}]</script>`,
	} {
		values, _ := r.Values([]byte(body), "https://a.example/")
		size := 0
		for key, v := range values {
			if size += len(v); !json.Valid(v) {
				t.Errorf("%s: %s is no JSON: %.100s", name, key, v)
			}
		}
		if size > mostItems*20+mostValue+mostJSON {
			t.Errorf("%s: the values have %d bytes", name, size)
		}
	}
}

// TestTextsInTextsAreReadWithinBounds: elements that stand in each other, and each of which is asked for.
func TestTextsInTextsAreReadWithinBounds(t *testing.T) {
	nested := "<div itemscope>" + strings.Repeat("<span itemprop=x>", 300) + strings.Repeat("<i></i>", 20_000)
	p := open([]byte(nested), "https://a.example/")
	if p.of(microdata); p.nodes > mostNodes+500 {
		t.Errorf("%d nodes were looked at, want %d at the most", p.nodes, mostNodes)
	}
}

// TestLongTextsAreReadWithinBounds: the same text stands in each of many elements.
func TestLongTextsAreReadWithinBounds(t *testing.T) {
	nested := strings.Repeat("<div>", 300) + strings.Repeat("word ", 1<<17) + strings.Repeat("</div>", 300)
	for _, rule := range []string{"{css: div, match: 'Price ([0-9]+)'}", "{css: div, as: date}", "{css: div, as: number}"} {
		r := rules(t, "  v: "+rule+"\n")["v"][0]
		p := open([]byte(nested), "https://a.example/")
		read := 0
		for raw := range r.candidates(p, "v") {
			if r.read(p, raw); p.nodes < mostNodes {
				read += len(plain(raw))
			}
		}
		if read == 0 || read > mostNodes*asLongAs {
			t.Errorf("%s: %d bytes were read", rule, read)
		}
	}
}

// BenchmarkValues is what a kept page costs: a tree of all of it, and four rules.
func BenchmarkValues(b *testing.B) {
	var file struct {
		Extract Rules `yaml:"extract"`
	}
	if err := strict.Decode("x.yaml", []byte("extract: {price: {css: .price, as: number}, author: {css: '[rel=author]'}, published: {meta: 'article:published_time', as: date}, sku: {}}"), &file); err != nil {
		b.Fatal(err)
	}
	body := []byte(shop + strings.Repeat("<div><p>Some words of an <a href=/x>ordinary</a> page, and then some more of them.</p></div>\n", 450))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if values, _ := file.Extract.Values(body, "https://shop.example/a"); len(values) != 4 {
			b.Fatal(values)
		}
	}
}
