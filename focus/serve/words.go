package serve

import (
	"net/http"
	"strings"
)

// words are the words of our pages in one language.
type words struct{ Language string }

// wordsFor are those in the language that a browser asks for first of the two there are.
func wordsFor(r *http.Request) words {
	for part := range strings.SplitSeq(strings.ToLower(r.Header.Get("Accept-Language")), ",") {
		switch tag := strings.TrimSpace(part); {
		case strings.HasPrefix(tag, "zh"):
			return words{"zh"}
		case strings.HasPrefix(tag, "en"):
			return words{"en"}
		}
	}
	return words{"en"}
}

// T is what something is called.
func (w words) T(key string) string {
	pair, ok := said[key]
	switch {
	case !ok:
		return key
	case w.Language == "zh":
		return pair[1]
	}
	return pair[0]
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
	"seed": {"start page", "起始页"}, "data": {"Values", "字段"},
}
