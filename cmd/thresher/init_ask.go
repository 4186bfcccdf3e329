package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// asker asks for one line; begin stands in it to begin with.
type asker interface {
	ask(prompt, begin string) (string, error)
}

// interview asks for everything, in both languages, until each answer can be used. What is left empty is left out.
func (d *draft) interview(a asker) error {
	fmt.Fprintf(d.out, "A new topic: %s. Ctrl-C ends without writing anything.\n新主题：%s。按 Ctrl-C 随时退出，不写任何文件。\n\n", d.name, d.name)
	for _, question := range []func(asker) error{d.askAbout, d.askExamples, d.askTerms, d.askSeeds, d.askContact, d.askFetch, d.askStrategy, d.askFind, d.askConsent} {
		if err := question(a); err != nil {
			return err
		}
	}
	if d.cancelled {
		return errCancelled
	}
	return nil
}

// until asks until an answer can be used; use says what is wrong with one that cannot.
func (d *draft) until(a asker, about, begin string, use func(string) string) error {
	fmt.Fprintln(d.out, about)
	for {
		said, err := a.ask("> ", begin)
		if err != nil {
			return err
		}
		wrong := use(said)
		if wrong == "" {
			return nil
		}
		fmt.Fprintln(d.out, "  "+wrong)
		begin = said
	}
}

func (d *draft) askAbout(a asker) error {
	return d.until(a, "What are you looking for? A sentence, or nothing.\n要找什么？说一句话，也可以留空。", "", func(said string) string {
		d.about = said
		return ""
	})
}

func (d *draft) askExamples(a asker) error {
	return d.until(a, "Pages that are of the topic: files or addresses, with spaces between them, or nothing.\n属于这个主题的网页：文件或网址，用空格分开，也可以留空。", "", func(said string) string {
		d.examples = strings.Fields(said)
		for _, e := range d.examples {
			if _, err := os.Stat(e); !isWebAddress(e) && err != nil {
				return fmt.Sprintf("there is no file %s, and it is no address that begins with http:// or https://; 没有这个文件，也不是网址", e)
			}
		}
		return ""
	})
}

// askTerms proposes what can be taken from the sentence and the files, to be changed at will.
func (d *draft) askTerms(a asker) error {
	proposed := ""
	if d.about != "" || len(d.examples) > 0 {
		if err := d.propose(nil); err == nil {
			proposed = joined(d.words)
		}
	}
	return d.until(a, "Words and phrases of the topic, with commas; word:0.5 gives one a weight.\n主题的词和短语，用逗号分开；“词:0.5” 表示权重。", proposed, func(said string) string {
		stated, err := statedTerms(said)
		if err != nil {
			return err.Error()
		}
		if len(stated) == 0 {
			if len(d.examples) > 0 {
				d.words = nil
				return ""
			}
			return "at least one word is needed; 至少需要一个词"
		}
		if _, err := topic.New(topic.Spec{Terms: stated}); err != nil {
			return err.Error()
		}
		d.words, d.language = stated, languageOf("auto", stated)
		d.showTerms()
		return ""
	})
}

// joined are terms as a person writes them.
func joined(terms []topic.Term) string {
	var list []string
	for _, t := range terms {
		word := t.Term
		if w := round(t.Weight); w != 1 {
			word += fmt.Sprintf(":%g", w)
		}
		list = append(list, word)
	}
	return strings.Join(list, ", ")
}

func (d *draft) askSeeds(a asker) error {
	return d.until(a, "Start pages that you know, with spaces between them, or nothing: thresher seeds finds some.\n已知的起始页，用空格分开；可以留空，由 thresher seeds 去找。", "", func(said string) string {
		d.seeds = strings.Fields(said)
		if wrong := notAddresses(d.seeds); len(d.seeds) > 0 && wrong != "" {
			return wrong + " is no address; want https://www.example.org/; 不是完整的网址"
		}
		return ""
	})
}

func (d *draft) askContact(a asker) error {
	return d.until(a, "An e-mail or web address that hosts can write to; the live web is not crawled without it.\n联系方式（邮箱或网址），抓取真实网站必须提供。", "", func(said string) string {
		config := focus.Default()
		if err := config.Override(crawlfile.Override{Key: "polite.contact", Value: said}); err != nil || said != "" && !strings.Contains(said, "@") && !isWebAddress(said) {
			return "want an e-mail address, or a web address; 需要邮箱或网址"
		}
		d.contact = said
		return ""
	})
}

// askFetch asks for leave to fetch example pages for their words.
func (d *draft) askFetch(a asker) error {
	if d.contact == "" || len(d.words) > 0 || !slices.ContainsFunc(d.examples, isWebAddress) {
		return nil
	}
	return d.until(a, "Fetch the example pages now, to take words from them? y/n\n现在下载这些示例网页并提取词语吗？y/n", "n", func(said string) string {
		if d.fetch = strings.HasPrefix(strings.ToLower(said), "y"); !d.fetch {
			return ""
		}
		if err := d.propose(nil); err != nil {
			return err.Error()
		}
		d.showTerms()
		return ""
	})
}

func (d *draft) askStrategy(a asker) error {
	crawl := focus.Default()
	crawl.File = d.file
	known := crawl.Strategies()
	err := d.until(a, "The strategy (configs/README.md tells them apart).\n抓取策略（说明见 configs/README.md）。", d.strategy, func(said string) string {
		if d.strategy = said; slices.Contains(known, said) {
			return ""
		}
		return "unknown; known are 可选：" + strings.Join(known, ", ")
	})
	if err != nil {
		return err
	}
	return d.readStrategy() // judge and content rule are those of the one that was chosen
}

// askFind asks how much is to be kept, where a word can say it.
func (d *draft) askFind(a asker) error {
	if !d.worded() {
		return nil
	}
	return d.until(a, "How much is to be kept: more (fewer pages of the topic are missed), balanced, or surer (fewer others get in).\n保留多少：more 宁多勿漏，balanced 适中，surer 宁缺毋滥。", cmp.Or(d.find, balanced), func(said string) string {
		if d.find = said; slices.Contains(findings(), said) {
			return ""
		}
		return "unknown; known are 可选：" + strings.Join(findings(), ", ")
	})
}

func (d *draft) askConsent(a asker) error {
	return d.until(a, "Write "+d.file+"? y/n\n写入 "+d.file+"？y/n", "y", func(said string) string {
		switch {
		case strings.HasPrefix(strings.ToLower(said), "y"), said == "是":
			return ""
		case strings.HasPrefix(strings.ToLower(said), "n"), said == "否":
			d.cancelled = true
			return ""
		}
		return "y/n"
	})
}
