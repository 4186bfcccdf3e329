package serve

import (
	"net/http"
	"strings"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// words are the words of our pages in one language: those of the search pages, and those about runs.
type words struct{ watch.Words }

// wordsFor are those in the language that a browser asks for first of the two there are.
func wordsFor(r *http.Request) words {
	for part := range strings.SplitSeq(strings.ToLower(r.Header.Get("Accept-Language")), ",") {
		switch tag := strings.TrimSpace(part); {
		case strings.HasPrefix(tag, "zh"):
			return words{watch.Words{Language: "zh"}}
		case strings.HasPrefix(tag, "en"):
			return words{watch.Words{Language: "en"}}
		}
	}
	return words{watch.Words{Language: "en"}}
}

// T is what something is called.
func (w words) T(key string) string {
	pair, ok := said[key]
	if !ok {
		pair, ok = saidOfAsking[key]
	}
	switch {
	case !ok:
		return w.Words.T(key)
	case w.Language == "zh":
		return pair[1]
	}
	return pair[0]
}

// Note is what is to be said of a query.
func (w words) Note(n index.Note) string {
	if in, ok := notes[n.Format]; ok && w.Language == "zh" {
		n.Format = in
	}
	return n.String()
}

// notes are the words on queries in Chinese, by those in English.
var notes = map[string]string{
	"the query was cut after %d characters":                                                 "查询过长，只取前 %d 个字",
	"of %d words and phrases the first %d count":                                            "共 %d 个词语和短语，只取前 %d 个",
	"of %d values the first %d count":                                                       "共 %d 个字段条件，只取前 %d 个",
	"the first %d words count":                                                              "只取前 %d 个词",
	"a quotation mark is open: the phrase was taken to the end":                             "引号没有闭合：短语取到末尾",
	"%s asks for more or less than a word, and all values of %s are numbers":                "%s 与文字比大小，而 %s 的值都是数字",
	"%s: has nothing behind it, and was left out":                                           "%s: 后面没有内容，已忽略",
	"%s:%s was left out: it wants a date such as 2024-05-31, 2024-05 or 2024":               "已忽略 %s:%s：请写日期，如 2024-05-31、2024-05 或 2024",
	"-%s: was left out: dates cannot be excluded":                                           "已忽略 -%s:：日期不能排除",
	"time was up after %v: this is what was found by then":                                  "搜索超过 %v，只显示此前找到的结果",
	"%d results are being indexed anew after a second look: they have no text for a moment": "第二次筛选后正在更新索引，有 %d 条结果暂时没有正文",
	"-%s has no words, and was left out":                                                    "-%s 不含词语，已忽略",
	"no page has all of the words: these have some":                                         "没有网页含有全部词语，以下网页含有其中一部分",
	"pages that have all of the words: %d; behind them stand those that have some":          "含有全部词语的网页有 %d 个，其后是含有其中一部分的",
	"the folder of %s is gone: its pages are not searched until it is back":                 "%s 的文件夹已不在，恢复后才能搜索其网页",
	"the harvest of %s was written anew: its pages are not searched until they are indexed": "%s 的采集结果已重写，重新建立索引后才能搜索其网页",
	"no page has “%s”":                                                                      "没有网页含有“%s”",
}

// said are our words in English and Chinese.
var said = map[string][2]string{
	"search": {"Search", "搜索"}, "pages": {"pages", "个网页"}, "found": {"found", "条结果"}, "nothing": {"Nothing was found.", "没有找到。"},
	"best": {"Best", "最相关"}, "date": {"Latest", "最新"}, "site": {"Site", "网站"}, "lang": {"Language", "语言"}, "year": {"Year", "年份"},
	"kind": {"Kind", "类型"}, "hub": {"list of links", "导航页"}, "text": {"text", "正文页"}, "zh": {"Chinese", "中文"}, "en": {"English", "英文"},
	"next": {"Next", "下一页"}, "before": {"Previous", "上一页"}, "like": {"More like this", "相似网页"}, "why": {"Why is this here?", "为何收录"},
	"copy": {"Kept copy", "网页快照"}, "nocopy": {"No copy of this page was kept.", "没有保存快照。"}, "relevance": {"relevance", "相关度"},
	"same": {"nearly the same", "个相近网页"}, "more": {"more from this site", "条来自该网站"}, "trail": {"How the crawl came here", "抓取路径"},
	"tree": {"What its link promised", "链接得分"}, "terms": {"Words of the topic on it", "命中的主题词"}, "live": {"The page itself", "原网页"},
	"fetched": {"fetched", "抓取于"}, "liketitle": {"Pages like", "相似网页："}, "narrow": {"Narrow down", "筛选"}, "searched": {"searched", "可搜索"},
	"placeholder": {"words, \"a phrase\", -not, site:example.com", "词语、“短语”、-排除、site:example.com"}, "intro": {"Search what was harvested.", "搜索采集到的网页。"},
	"meant": {"Did you mean", "您是不是要找："}, "meant?": {"?", ""},
	"making": {"The index of %s is being made", "正在为 %s 建立索引"}, "making-read": {"Pages read so far: %d", "已读取 %d 个网页"}, "making-indexed": {"Pages indexed: %d of %d", "已索引 %d / %d 个网页"},
	"making-then": {"Of a large harvest that takes minutes, and once. Then this page searches it.", "采集结果较大时需要几分钟，仅此一次，完成后即可在本页搜索。"},
	"seed":        {"start page", "起始页"}, "data": {"Values", "字段"},
}
