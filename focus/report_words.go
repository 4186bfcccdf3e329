package focus

import (
	"strings"
	"unicode"
)

// Chinese tells whether the people of this crawl read Chinese, as far as its file shows: it says so, or does not say
// otherwise and has Chinese characters in its name or its topic.
func (c *Config) Chinese() bool {
	han := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	if c.Topic.Language != "auto" {
		return c.Topic.Language == "zh"
	}
	for _, term := range c.Topic.Terms {
		if han(term.Term) {
			return true
		}
	}
	return han(c.Name) || han(c.Topic.About)
}

// reportChinese are the words of report.html in Chinese. The names of refusals stay as crawl.log has them.
var reportChinese = map[string]string{
	"strategy": "策略", "pages": "网页数", "relevant": "相关网页", "harvest": "收获率", "kept": "保存", "links waiting": "待访问链接",
	"stopped because": "停止原因", "every page relevant": "每页都相关", "pages fetched": "已抓取网页", "relevant pages": "相关网页数",
	"Harvest": "收获", "Hosts": "主机", "host": "主机", "Links turned away": "被拒绝的链接", "Pages not kept": "未保存的网页",
	"reason": "原因", "how many": "数量", "nothing more to visit": "没有更多网页可访问",
	"the budget of # pages is used up": "# 页的预算已用完", "# relevant pages were found": "已找到 # 个相关网页", stoppedByUser: "用户停止",
}
