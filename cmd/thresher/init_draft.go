package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// draft is a crawl file that is being made.
type draft struct {
	initFlags
	name, file string
	words      []topic.Term
	corpus     crawlfile.CorpusConfig
	pages      ownPages // that are at hand
	judge      string   // that belongs to the strategy; empty if any does
	content    string   // the content rule to write
	cancelled  bool
	out, errs  io.Writer
}

// mostWords is how many words are proposed beside those that were stated.
const mostWords = 12

// notWhole says of a word what is wrong with it.
const notWhole = " is no address; want a whole one, such as https://www.example.org/"

// fromFlags works out what the flags say.
func (d *draft) fromFlags() error {
	stated, err := statedTerms(d.terms)
	if err != nil {
		return usageError{"--terms " + d.terms + ": " + err.Error(), initExample}
	}
	for _, e := range d.examples {
		if _, err := os.Stat(e); !isWebAddress(e) && err != nil {
			return usageError{fmt.Sprintf("--example %s: there is no such file, and it is no address that begins with http:// or https://", e), initExample}
		}
	}
	if !slices.Contains(topic.Language("").Words(), d.language) {
		return usageError{fmt.Sprintf("--language %s: want zh, en or auto; %s", d.language, topic.Language("").Else()), initExample}
	}
	if _, ok := topic.ThresholdOf(d.find); !ok {
		return usageError{fmt.Sprintf("--find %s: want %s", d.find, strings.Join(findings(), ", ")), initExample + " --find more"}
	}
	if d.contact != "" && !crawlfile.IsContact(d.contact) {
		return usageError{fmt.Sprintf("--contact is %q, want an e-mail address, or a web address that begins with http:// or https://", d.contact), initExample}
	}
	if wrong := notAddresses(d.seeds); len(d.seeds) > 0 && wrong != "" {
		return usageError{"--seed: " + wrong + notWhole, initExample + " --seed https://www.example.org/"}
	}
	if wrong := notAddresses(d.directories); len(d.directories) > 0 && wrong != "" {
		return usageError{"--directory: " + wrong + notWhole, initExample + " --directory https://www.example.org/"}
	}
	for _, host := range d.private {
		if !crawlfile.IsPrivate(host) {
			return usageError{fmt.Sprintf("--private is %q, want %s", host, crawlfile.WantPrivate), initExample + " --private 127.0.0.1"}
		}
	}
	if _, err := topic.AboutTerms(&topic.Spec{About: d.about}); err != nil {
		return usageError{"--" + err.Error(), initExample}
	}
	return d.propose(stated)
}

// statedTerms are the words of a list with commas, of either kind; word:0.5 has a weight.
func statedTerms(list string) ([]topic.Term, error) {
	var terms []topic.Term
	for _, part := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",，、;；\n", r) }) {
		t := topic.Term{Term: page.OneLine(part), Weight: 1}
		if i := strings.LastIndexAny(t.Term, ":："); i >= 0 {
			_, size := utf8.DecodeRuneInString(t.Term[i:])
			weight, err := strconv.ParseFloat(strings.TrimSpace(t.Term[i+size:]), 64)
			if err != nil || i == 0 {
				return nil, fmt.Errorf("%q is no word with a weight; want word, or word:0.5", t.Term)
			}
			if !(0 < weight && weight <= 1000 || -1000 <= weight && weight < 0) {
				return nil, fmt.Errorf("the weight of %q is %v, want more than 0 and at most 1000, or less than 0 and at least -1000 for a word that speaks against a page", t.Term[:i], weight)
			}
			t.Term, t.Weight = strings.TrimSpace(t.Term[:i]), weight
		}
		same := func(o topic.Term) bool { return strings.EqualFold(o.Term, t.Term) }
		if t.Term != "" && !slices.ContainsFunc(terms, same) {
			terms = append(terms, t)
		}
	}
	return terms, nil
}

// propose puts the topic into words: those that were stated, and those that can be taken from what was shown.
func (d *draft) propose(stated []topic.Term) error {
	spec := topic.Spec{Terms: stated, About: d.about}
	d.pages = ownPages{}
	for _, e := range d.examples {
		if isWebAddress(e) {
			continue
		}
		p, err := study.ReadSpecimen(e)
		if err != nil {
			return err
		}
		d.pages.examples = append(d.pages.examples, p)
	}
	if err := d.fetchExamples(); err != nil {
		return err
	}
	spec.Examples = study.Docs(d.pages.examples)
	if err := d.readLabelled(&spec); err != nil {
		return err
	}
	if topic.TraitsOf(d.judge).Pages && len(d.seeds) == 0 { // pages of the topic are what it begins with
		for _, e := range d.examples {
			if isWebAddress(e) {
				d.seeds = append(d.seeds, e)
			}
		}
	}
	if d.bySeeds() && len(stated)+len(spec.Examples)+len(spec.Relevant) == 0 && d.about == "" {
		return nil // the start pages say it, and are not read here
	}
	words, err := topic.Propose(spec, len(stated)+mostWords)
	if err != nil {
		return err
	}
	d.words = words
	d.language = languageOf(d.language, words, spec.Examples, spec.Relevant)
	if len(words) == 0 && len(d.examples) == 0 && !d.bySeeds() {
		return usageError{"none of this has a word that says what is looked for", initExample}
	}
	if len(words) > 0 { // stop words alone are refused here, and not by the crawl
		if _, err := topic.New(topic.Spec{Terms: words}); err != nil {
			return usageError{err.Error(), initExample}
		}
	}
	return nil
}

// readLabelled reads labelled pages: a folder with relevant/ and other/, or a list of labels.
func (d *draft) readLabelled(spec *topic.Spec) error {
	if d.labelled == "" {
		return nil
	}
	d.corpus = crawlfile.CorpusConfig{Relevant: filepath.Join(d.labelled, "relevant"), Other: filepath.Join(d.labelled, "other")}
	for _, list := range []string{d.labelled, filepath.Join(d.labelled, "labels.tsv")} {
		if info, err := os.Stat(list); err == nil && !info.IsDir() {
			d.corpus = crawlfile.CorpusConfig{Relevant: list}
		}
	}
	if _, err := os.Stat(d.corpus.Relevant); err != nil {
		return usageError{fmt.Sprintf("--labelled %s: want a folder with relevant/ and other/, or with labels.tsv", d.labelled), initExample}
	}
	if _, err := os.Stat(d.corpus.Other); err != nil {
		d.corpus.Other = ""
	}
	corpus, err := study.ReadCorpus(d.corpus.Relevant, d.corpus.Other)
	if err != nil {
		return fmt.Errorf("--labelled: %w", err)
	}
	if len(corpus.Relevant) == 0 {
		return usageError{fmt.Sprintf("--labelled %s: it labels no page as relevant", d.labelled), initExample}
	}
	d.pages.labelled = corpus
	spec.Relevant, spec.Other = study.Docs(corpus.Relevant), study.Docs(corpus.Other)
	return nil
}

// fetchExamples fetches the example pages that are addresses, where that was allowed.
func (d *draft) fetchExamples() error {
	var requests []probe.Request
	for _, e := range d.examples {
		if isWebAddress(e) {
			requests = append(requests, probe.Request{URL: e})
		}
	}
	if !d.fetch || len(requests) == 0 {
		return nil
	}
	config := focus.Default()
	config.Name, config.File = d.name, d.file
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "thresher", Weight: 1}} // a prober has a topic, and nothing is judged by this one
	config.Polite.Contact = d.contact
	if err := config.Override(); err != nil { // what the environment says counts here too
		return err
	}
	config.Fetch.Private = append(config.Fetch.Private, d.private...)
	prober, err := probe.New(config, ground.Options{})
	if err != nil {
		return err
	}
	defer prober.Close()
	return prober.Go(context.Background(), requests, func(v *probe.Answer) {
		if v.Doc == nil {
			fmt.Fprintf(d.errs, "%s: %v; it is kept as an example, and its words are not known yet\n", v.Request.URL, v.Err)
			return
		}
		d.pages.examples = append(d.pages.examples, study.Specimen{Address: v.Request.URL, Doc: v.Doc})
	})
}

// languageOf is the language of a topic, where nobody said it: that of its words, or of its pages.
func languageOf(said string, words []topic.Term, pages ...[]*text.Doc) string {
	if said != "auto" {
		return said
	}
	han, latin := 0, 0
	for _, t := range words {
		switch {
		case strings.ContainsFunc(t.Term, func(r rune) bool { return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Latin) }):
			return "auto" // another language, of which nothing is known
		case strings.ContainsFunc(t.Term, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
			han++
		default:
			latin++
		}
	}
	for _, docs := range pages {
		for _, d := range docs {
			if len(words) == 0 && (d.Language == "zh" || d.Language == "en") {
				return d.Language
			}
		}
	}
	switch {
	case han > 2*latin: // Chinese takes names such as NBA along
		return "zh"
	case latin > 0 && han == 0:
		return "en"
	}
	return "auto"
}

// remark warns of a word that is not looked for, or that stands on pages about anything.
func remark(word string, unsought bool) string {
	if unsought {
		return "   it is not looked for; 不会单独查找"
	}
	if topic.Common(word) {
		return "   common: it stands on pages about anything; 常见词，到处都有"
	}
	if utf8.RuneCountInString(word) == 1 && text.HasChinese(word) {
		return "   found only where it is a word by itself, and in no longer one: name those, too; 单字只在独立成词时才找到，含它的词也要写出来"
	}
	return ""
}

// compose writes the crawl file, and holds it to what a crawl file may say.
func (d *draft) compose() ([]byte, error) {
	say := func(en, zh string) string {
		if d.language == "zh" {
			en = zh
		}
		return strings.ReplaceAll("# "+strings.ReplaceAll(en, "\n", "\n# ")+"\n", "# \n", "#\n")
	}
	var b bytes.Buffer
	b.WriteString(say(d.name+": made by thresher init.\n\n  thresher check "+shell.Word(d.file)+"     this file with every default filled in\n  "+d.next()+"\n\nAll keys, their defaults and what they mean: thresher check --keys",
		d.name+"：由 thresher init 生成。\n\n  thresher check "+shell.Word(d.file)+"     查看补全默认值后的配置\n  "+d.next()+"\n\n所有配置项及说明：thresher check --keys"))
	b.WriteString("\nname: " + strict.Flow(d.name) + "\n\n")
	if d.bySeeds() && len(d.words) == 0 && len(d.examples) == 0 {
		b.WriteString(say("What is looked for: pages like the start pages, whose centre moves with what is found. threshold says how near to it a\npage that is kept must be (0 to 1).",
			"要找什么：与起始页相近的网页；主题中心随抓取的网页移动，threshold 是与中心相近程度的下限（0 到 1）。"))
	} else {
		b.WriteString(say("What is looked for: words and phrases, and what each counts. A page is kept when its main text, menus and\nadvertisements left out, has enough of them: find says how much is enough, balanced, more (fewer pages of the topic are\nmissed, and more others kept) or surer (the other way round). A number in its place: threshold, from 0 to 1.",
			"要找什么：词和短语，以及各自的权重。网页正文（不含导航和广告）与这些词足够相关才会保留。\nfind 说明保留多少：balanced 适中，more 宁多勿漏，surer 宁缺毋滥；也可以改写 threshold，即相关度的下限（0 到 1）。"))
	}
	d.composeTopic(&b)
	b.WriteString("\n" + say("Where it begins. thresher seeds finds start pages and adds them here, and their sites below.", "从哪里开始。thresher seeds 会找到起始页并写在这里，站点权重写在下面的 sites 里。"))
	list(&b, "seeds", d.seeds)
	b.WriteString("\n" + say("Where thresher seeds looks: search engines, and pages of links.", "thresher seeds 到哪里找：搜索引擎和导航页。"))
	optional(&b, "engines", d.engines, "searxng=https://search.example.org")
	optional(&b, "directories", d.directories, "https://www.example.org/links")
	b.WriteString("\n" + say("Which link is followed next; more are in configs/strategies.", "下一个抓哪条链接；更多策略见 configs/strategies。"))
	b.WriteString("strategy: " + strict.Flow(d.strategy) + "\n\n")
	b.WriteString(say("When it ends.", "抓多少页结束。") + "budget: {pages: 3000}\n\n")
	b.WriteString(say("How hosts are treated: robots.txt is obeyed, and a host is visited once a second. The live web is not crawled without\na contact that the people who run the hosts can write to.",
		"礼貌抓取：遵守 robots.txt，每个主机每秒最多一次。没有联系方式就不抓取真实网站。"))
	contact := "# polite: {contact: you@example.org}"
	if d.contact != "" {
		contact = "polite: {contact: " + strict.Flow(d.contact) + "}"
	}
	b.WriteString(contact + "\n\n")
	if len(d.private) > 0 {
		b.WriteString(say("What is not public and may be visited all the same.", "可以访问的内网主机或地址。") + "fetch: {private: " + strict.Flow(d.private) + "}\n\n")
	}
	b.WriteString(say("In which forms kept pages are written, into runs/"+d.name+".", "保留的网页写成什么格式，写到 runs/"+d.name+"。") + "sinks: [jsonl, warc]\n")
	return b.Bytes(), d.checkTopic(b.Bytes())
}

func (d *draft) composeTopic(b *bytes.Buffer) {
	fmt.Fprintf(b, "topic:\n  language: %s\n", d.language)
	if d.about != "" {
		fmt.Fprintf(b, "  # %s\n", page.OneLine(d.about))
	}
	if len(d.words) > 0 {
		b.WriteString("  terms:\n")
	}
	for _, t := range d.words {
		fmt.Fprintf(b, "    - %s\n", strict.Flow(crawlfile.TermConfig{Term: t.Term, Weight: round(t.Weight)}))
	}
	if len(d.examples) > 0 {
		b.WriteString("  examples:\n")
	}
	for _, e := range d.examples {
		fmt.Fprintf(b, "    - %s\n", strict.Flow(filepath.ToSlash(e)))
	}
	if d.corpus.Relevant != "" {
		fmt.Fprintf(b, "  corpus: %s\n", strict.Flow(d.corpus))
	}
	fmt.Fprintf(b, "  content: %s\n", d.content)
	if d.worded() {
		fmt.Fprintf(b, "  find: %s\n", d.find)
	} else {
		b.WriteString("  threshold: 0.3\n")
	}
}

// worded tells whether a word can say how much is kept: the judge is the one that these words are for.
func (d *draft) worded() bool { return cmp.Or(d.judge, topic.DefaultJudge) == topic.DefaultJudge }

// round is a weight as a person would write it.
func round(weight float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(weight, 'g', 3, 64), 64) // it was written by the line itself
	return rounded
}

// list is a list with dashes, or an empty one.
func list(b *bytes.Buffer, key string, items []string) {
	if len(items) == 0 {
		b.WriteString(key + ": []\n")
		return
	}
	b.WriteString(key + ":\n")
	for _, item := range items {
		b.WriteString("  - " + strict.Flow(item) + "\n")
	}
}

// optional is a list, or how it would be written.
func optional(b *bytes.Buffer, key string, items []string, example string) {
	if len(items) == 0 {
		fmt.Fprintf(b, "# %s: [%s]\n", key, example)
		return
	}
	list(b, key, items)
}
