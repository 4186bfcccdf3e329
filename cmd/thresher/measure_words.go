package main

// measureChinese are the words of the report of measure in Chinese.
var measureChinese = map[string]string{
	"judge": "判定者", "pages fetched": "已抓取网页", "of them no page": "其中不是网页", "precision of the crawl": "爬取的查准率",
	"Harvest": "收获", "Drift": "漂移", "Agreement": "一致程度", "Notes": "说明", "to know": "须知",
	"judged": "已判定", "relevant": "相关", "harvest": "收获率", "drift": "漂移率", "harvest of the last #": "最近 # 页收获率", "drift grew by": "漂移增长",
	"harvest of the last # pages": "最近 # 页的收获率", "drift of the last # pages": "最近 # 页的漂移率",
	"the crawl's own": "爬虫自己的", "independent": "独立的", "the crawl's own judge": "爬虫自己的判定", "independent judge": "独立判定",
	"seen by both": "双方都见过的网页", "relevant to the other": "独立判定为相关", "not relevant to it": "判定为不相关", "relevant to the crawl": "爬虫判定为相关",
}
