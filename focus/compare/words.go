package compare

// The longer texts of a report.
const (
	meansText = "focus is the area under the recall curve, on a scale from a random crawl (0) to one that knows the labels of all pages two links " +
		"ahead (1). That one takes what is best for the next two pages, which is not always best for the whole way: a crawl can pass 1. " +
		"its 95 % interval is a bootstrap over the topics. lead is the mean of focus minus the baseline's, and p how likely a lead " +
		"of at least that is by chance (sign-flip test, corrected for the number of strategies); behind the baseline, where lead is negative, " +
		"p is near 1 and says nothing but that there is no lead. 100 pages is the recall of the first hundred pages; hosts are those of which a " +
		"relevant page was found, of all that have one; an hour are relevant pages per hour of virtual time, where manners were kept."
	keptNote = "Precision and recall are of the pages that were fetched, on the mean over the topics, by the labels; F1 at a share counts what was " +
		"not fetched by then as missed. Verdicts differ where the baseline fetched a page too and decided otherwise."
	claimsNote = "what the sources report, each on a web of its own and in a measure of its own:"
	seedsNote  = "no examples were drawn, and its judge takes no words: the start pages are its topic; --examples 5 draws some"
	tunedText  = "The winner was chosen by these figures, so they flatter it. What it is worth, the tables below say: their webs had no part in the choice."
)

// chinese is the report's words in Chinese.
var chinese = map[string]string{
	"Strategies compared":  "策略比较",
	"strategies":           "策略数",
	"topics":               "主题数",
	"baseline":             "基准",
	"Judged by":            "判定依据",
	"Tuned on":             "调参所用的网页集：",
	"Over all topics":      "所有主题",
	"Of the strategies":    "关于各策略",
	seedsNote:              "未抽取示例网页，而其判定器不用词语：以起始网页为主题；--examples 5 可抽取示例",
	"Not measured":         "未能测量",
	"Sources":              "来源",
	claimsNote:             "各来源文献所报告的结果，各用自己的网页集和自己的指标：",
	"it reports":           "其报告",
	"focus here":           "此处聚焦度",
	"what":                 "内容",
	"why":                  "原因",
	"strategy":             "策略",
	"focus":                "聚焦度",
	"95 % interval":        "95 % 置信区间",
	"area":                 "曲线下面积",
	"recall at 5 %":        "5 % 处召回率",
	"recall at 10 %":       "10 % 处召回率",
	"10 %":                 "10 %",
	"20 %":                 "20 %",
	"50 %":                 "50 %",
	"harvest at 10 %":      "10 % 处收获率",
	"100 pages":            "前 100 页召回率",
	"hosts at 20 %":        "20 % 处已找到的主机",
	"an hour at 20 %":      "20 % 处每小时相关网页数",
	"worst topic":          "最差的主题",
	"pages to 50 %":        "召回 50 % 需抓取页数",
	"to 90 %":              "召回 90 %",
	"lead":                 "领先",
	"p":                    "p 值",
	"CPU ms":               "CPU 毫秒",
	"never":                "未达到",
	"random":               "随机抓取",
	"second look":          "复审",
	"with labels":          "复审（加标注）",
	"What was kept":        "保留了什么",
	"kept":                 "保留页数",
	"precision":            "准确率",
	"recall":               "召回率",
	"F1":                   "F1",
	"F1 at 5 %":            "5 % 处 F1",
	"verdicts that differ": "不同判定数",
	"terms left out":       "去掉的词语数",
	"median":               "中位数变化",
	"worst":                "最大损失",
	"topic":                "主题",
	"term":                 "词语",
	keptNote: "准确率和召回率以已抓取的网页计，按标签计算，取各主题的平均值；某一比例处的 F1 把届时尚未抓取的相关网页算作遗漏。" +
		"不同判定数：基准策略也抓取了、但判定相反的网页数。",
	"One term left out, each in turn": "逐一去掉一个词语",
	of:                                " / ",
	"+%d −%d, ceiling %.3f":           "+%d −%d，可达上限 %.3f",
	", %d left as they were":          "，%d 次未作改动",
	"oracle, two links ahead":         "先知（预知两步之内的标签）",
	"pages fetched, % of those that can be reached": "已抓取页数占可达页数的百分比",
	"share of the relevant pages found":             "已找到的相关网页比例",
	"%d pages can be reached, %d of them relevant.": "可达网页 %d 个，其中相关网页 %d 个。",
	meansText: "聚焦度由召回率曲线下面积换算而来：随机抓取为 0，预知两步之内所有标签的先知为 1。先知只为接下来的两个网页取最优，对全程未必最优，所以抓取可以超过 1。95 % 置信区间由对各主题作自助法抽样所得。" +
		"领先是聚焦度与基准之差的平均值，p 值是仅凭偶然得到至少这样的领先的概率（符号翻转检验，按策略数作 Holm 校正）；" +
		"落后于基准（领先为负）时 p 值接近 1，只说明没有领先。前 100 页召回率：抓取一百页时的召回率；主机：已找到其相关网页的主机数，及有相关网页的主机总数；每小时相关网页数按虚拟时间计，仅在遵守访问间隔时给出。",
	tunedText: "优胜者正是依据这些数字选出的，因此它们偏于乐观。其真实水平见下面各表：那些网页集没有参与选择。",
}

// say is a word of the report in its language.
func (r *Result) say(word string) string {
	if said, ok := chinese[word]; ok && r.chinese {
		return said
	}
	return word
}

func (r *Result) sayAll(words ...string) []string {
	for i, w := range words {
		words[i] = r.say(w)
	}
	return words
}
