package serve

// saidOfAsking are the words of the pages on which the web is asked, in English and Chinese.
var saidOfAsking = map[string][2]string{
	"ask": {"Ask the web", "问网络"}, "ask-question": {"Question", "问题"}, "ask-of": {"Begin at what is known of", "从这个采集结果出发"},
	"ask-pages": {"Pages at most", "最多抓取网页"}, "ask-seconds": {"Seconds at most", "最多用时（秒）"},
	"ask-about": {"A small crawl looks for answers at this moment: it begins at the harvested pages that answer best, at their sites and at links that wait. What it finds can be searched afterwards.",
		"现在就为这个问题做一次小规模抓取：从已采集的最佳网页、其所在网站和等待中的链接出发。找到的网页之后可以搜索。"},
	"ask-busy": {"Another question is being asked:", "正在寻找另一个问题的答案："}, "ask-before": {"Asked before", "之前的问题"}, "ask-new": {"found", "个新网页"},
	"asking-asking": {"asking", "寻找中"}, "asking-answered": {"done", "已完成"}, "asking-stopped": {"stopped", "已停止"}, "asking-failed": {"failed", "失败"},
	"ask-asking":   {"Up to %d pages are fetched, for up to %d seconds; answers appear as they are judged.", "最多抓取 %d 个网页，用时不超过 %d 秒；判定后的答案随时显示。"},
	"ask-answered": {"%d pages were fetched for it in all; %d answers are new.", "共为它抓取 %d 个网页，其中 %d 个是新答案。"},
	"ask-stopped":  {"It was stopped after %d pages; %d answers are new.", "抓取 %d 个网页后停止，其中 %d 个是新答案。"},
	"ask-failed":   {"It could not be asked.", "无法寻找答案。"}, "ask-over": {"There is nothing more to be found.", "没有更多可找的网页。"},
	"ask-search": {"Search these answers", "在这些答案中搜索"}, "ask-again": {"Ask again, and look further", "再问一次，继续寻找"},
	"ask-known": {"The harvest had", "采集结果中已有"}, "ask-found": {"Found now", "刚刚找到"}, "ask-reading": {"The harvest is being read.", "正在读取采集结果。"},
	"done-stopasking": {"It stops when what is in flight is finished.", "正在进行的访问完成后停止。"},
	"ask-this":        {"Ask the web for it", "到网上寻找"}, "ask-missing": {"Not what you look for?", "没有想要的结果？"}, "ask-only": {"Only the answers in", "仅限答案集"}, "ask-all": {"search everything", "搜索全部"},
}
