package watch

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
)

// Words are what a run is told in: English, or Chinese where the language is zh.
type Words struct{ Language string }

// T is what something is called; a key that has no words is said as it is.
func (w Words) T(key string) string {
	pair, ok := said[key]
	if !ok {
		return key
	}
	return w.pick(pair[0], pair[1])
}

func (w Words) pick(english, chinese string) string {
	if w.Language == "zh" {
		return chinese
	}
	return english
}

// said are the words in English and Chinese.
var said = map[string][2]string{
	"runs": {"Runs", "抓取任务"}, "allruns": {"All runs", "全部任务"}, "searchit": {"Search", "搜索"}, "state": {"State", "状态"},
	"state-running": {"running", "进行中"}, "state-paused": {"paused", "已暂停"}, "state-stopping": {"stopping", "正在停止"},
	"state-finished": {"finished", "已完成"}, "state-interrupted": {"interrupted", "已中断"}, "state-died": {"ended without a word", "意外终止"},
	"noruns": {"There is no run here yet.", "这里还没有任务。"}, "name": {"Name", "名称"}, "strategy": {"Strategy", "策略"}, "started": {"Started", "开始"}, "ended": {"Ended", "结束"},
	"machines": {"Machines", "机器"}, "topic": {"Topic", "主题"}, "folder": {"Folder", "目录"}, "because": {"Ended because", "结束原因"},
	"livehere": {"Live: this page follows the run.", "实时：本页随任务更新。"}, "lost": {"The server does not answer: what is shown is as it was.", "服务器没有应答：显示的是此前的状态。"},
	"elsewhere": {"%d more visits were made by machines whose folders are not here: what they found is not shown. Bring their folders below this one.", "另有 %d 次访问由其他机器完成，其目录不在此处，所得未显示。请将其目录放到本目录之下。"}, "unread": {"lines of the log cannot be read: thresher repair says which", "行日志无法读取：thresher repair 会指出是哪些"},
	"pagesfetched": {"pages fetched", "已抓取网页"}, "relevantpages": {"relevant pages", "相关网页数"}, "everyrelevant": {"every page relevant", "每页都相关"},
	"fetchedpages": {"Pages", "网页数"}, "relevantn": {"Relevant", "相关"}, "keptn": {"Kept", "保存"}, "aftersecond": {"after the second look", "复判后"}, "harvest": {"Harvest", "收获率"}, "recent": {"last 500", "最近 500 页"},
	"waitingn": {"Waiting", "等待"}, "rate": {"Pages/s", "页/秒"}, "left": {"Time left", "剩余时间"}, "bytes": {"Received", "已接收"}, "failedn": {"Errors", "错误"},
	"puton": {"Put off", "推迟"}, "budget": {"Budget", "预算"}, "busyn": {"Under way", "正在抓取"}, "limits": {"What limits it now", "当前的瓶颈"},
	"limit-over": {"Nothing: it has ended.", "无：任务已结束。"}, "limit-store": {"Redis does not answer: the machines wait for it.", "Redis 没有响应：各机器正在等待。"}, "limit-paused": {"It is paused.", "任务已暂停。"}, "limit-nothing": {"Nothing waits any more.", "没有等待的链接。"},
	"limit-answers": {"Answers: all of the %d visits that there may be at a time are under way.", "等待应答：允许的 %d 个并发访问都在进行。"},
	"limit-hosts":   {"Manners: the links that wait are on %d hosts, each of which is asked once in %s.", "礼貌间隔：等待的链接分布在 %d 台主机上，每台每 %s 访问一次。"},
	"limit-machine": {"This machine: pages are read and judged as fast as they come.", "本机：网页随到随处理。"},
	"curve":         {"Harvest", "收获"}, "precision": {"By the %d labelled pages, %s %% of what is kept is relevant, and %s %% of what is relevant is kept.", "按 %d 个已标注网页：保存的网页中 %s%% 相关，相关的网页中 %s%% 已保存。"},
	"noprecision": {"Label at least 10 of its pages (`thresher label`) and the judge's precision stands here.", "标注至少 10 个网页（`thresher label`）后，这里显示判断的准确率。"},
	"nobreadth":   {"What another strategy would have had is known after `thresher crawl --compare breadth`.", "用 `thresher crawl --compare breadth` 可得知其他策略的收获。"},
	"finds":       {"Latest finds", "最新收获"}, "best1": {"Best finds", "最佳收获"}, "near": {"Near misses", "擦肩而过"}, "nonefound": {"None yet.", "还没有。"},
	"notitle": {"(no title)", "（无标题）"}, "noword": {"it has none of the topic's words", "没有主题词"}, "comma": {", ", "、"},
	"speaks": {"it speaks of %s", "提到 %s"}, "speaksmore": {"it speaks of %s and %d more of the topic's words", "提到 %s 等，另有 %d 个主题词"},
	"itsays": {"%s: relevance %.2f", "%s：相关度 %.2f"}, "ittakes": {", where it takes %.2f", "（阈值 %.2f）"}, "looktakes": {" (the second look takes %.2f)", "（复审阈值 %.2f）"}, "isstart": {"; it is a start page", "；它是起始页"},
	"byanchor": {"; found by the link “%s” on “%s”", "；由“%[2]s”上的链接“%[1]s”发现"}, "bypage": {"; found on “%s”", "；发现于“%s”"},
	"byanchoralone": {"; found by the link “%s”, %d links from its start page", "；由链接“%s”发现，距起始页 %d 步"}, "bysteps": {"; %d links from its start page", "；距起始页 %d 步"},
	"waiting": {"What waits", "等待的链接"}, "band": {"Score", "得分"}, "linksn": {"Links", "链接数"}, "sitesn": {"Sites", "网站"}, "ofsites": {"sites", "个网站"},
	"hosts": {"Hosts", "主机"}, "host": {"Host", "主机"}, "yield": {"Yield", "收获率"}, "status429": {"429", "429"}, "lastsaid": {"Last trouble", "最近的问题"}, "lastasked": {"Last asked", "最近访问"}, "down": {"given up", "已放弃"},
	"morehosts": {"These are the %d hosts that gave most; `thresher list sites --run %s` lists all of which a page was judged.", "这里是收获最多的 %d 台主机；`thresher list sites --run %s` 列出所有判定过网页的主机。"},
	"rests":     {"Pause", "间歇"}, "restsuntil": {"until %s", "至 %s"}, "restsfor": {"%s, until %s", "%s，至 %s"},
	"others":  {"(others, together)", "（其余合计）"},
	"refused": {"Refused", "被拒绝"}, "example": {"for example", "例如"}, "ofpages": {"of them fetched", "其中已抓取"},
	"words": {"Words of the topic", "主题词"}, "word": {"Word", "词"}, "weight": {"Weight", "权重"}, "onpages": {"On pages", "出现网页"}, "onkept": {"On kept ones", "出现于保存网页"}, "late": {"Of late", "近期"}, "share": {"In all", "总体"},
	"rises": {"rises", "上升"}, "falls": {"falls", "下降"},
	"picks": {"What chose the links", "链接由谁选出"}, "by": {"Chosen by", "选择者"},
	"audit": {"Audit", "抽检"}, "auditsays": {"Somebody answered for %[1]d pages that were drawn by lot from the %[2]d that were judged; the intervals are 95 %% ones.", "从 %[2]d 个已判定的网页中随机抽取了 %[1]d 个，由人判断；区间的置信度为 95%%。"},
	"estimate": {"Estimate", "估计"}, "from": {"From", "下限"}, "to": {"To", "上限"}, "auditprecision": {"precision", "准确率"}, "auditrecall": {"recall of what was fetched", "已抓取网页的召回率"},
	"auditmissed": {"relevant pages fetched and not kept", "已抓取但未保留的相关网页"},
	"remains":     {"What is not in the harvest", "未收录的部分"}, "remainssays": {"Relevant pages that are not kept, by the second look, the course of the crawl and an audit where there is one; the intervals are 95 % ones.", "根据复判、爬取过程以及抽检（如有）估计的未保留相关网页数；区间的置信度为 95%。"},
	"remainsunknown": {"How many wait, or are left on the web, its course does not tell.", "有多少在等待或仍留在网上，爬取过程不足以判断。"}, "remainswaiting": {"relevant pages that wait", "等待中的相关网页"}, "remainsleft": {"relevant pages left on the web, those that wait among them", "仍留在网上的相关网页（含等待中的）"},
	"bestkept": {"The best of what is kept", "保留的最佳网页"}, "keptfrom": {"Pages from %.2f on are kept; kept.jsonl has them all.", "相关度不低于 %.2f 的网页会保留，全部在 kept.jsonl 中。"},
	"nearsays":  {"Pages that were not kept, the nearest first. If they are of the topic, the threshold is too high: `thresher winnow --threshold` cuts anew.", "未保留的网页，最接近的在前。如果它们属于主题，说明阈值偏高：可用 `thresher winnow --threshold` 重新划分。"},
	"listsleft": {"Left out, because they only list others: %d.", "另有 %d 个网页只罗列其他网页的内容，未收入。"},
	"movedin":   {"What the second look took in", "复判收入的网页"}, "movedout": {"What the second look took out", "复判剔除的网页"}, "bothlooks": {"second look %.2f, first look %.2f", "复判 %.2f，初判 %.2f"}, "important": {", importance %.2f", "，重要度 %.2f"},
	"go-search": {"Search the harvest, or look at this page with its buttons", "搜索采集结果，或在浏览器中打开本页"}, "go-label": {"Teach a judge what belongs to the topic", "标注网页，教会判断"}, "go-winnow": {"Decide anew what is kept, without a fetch", "重新判定保留哪些网页，无需再次抓取"},
	"go-suggest": {"Find better words for the topic", "寻找更好的主题词"}, "go-export": {"Hand the harvest on", "导出采集结果"}, "go-why": {"Ask why a page is here, or is not", "询问某网页为何收录或未收录"}, "go-more": {"Go on crawling", "继续抓取"},
	"steer": {"Steer", "操控"}, "pause": {"Pause", "暂停"}, "resume": {"Resume", "继续"}, "stop": {"Stop", "停止"}, "inject": {"Add start pages", "添加起始页"},
	"addresses": {"Addresses", "网址"}, "injectdo": {"Add", "添加"}, "blockhost": {"Block a host", "屏蔽主机"}, "block": {"Block", "屏蔽"}, "unblock": {"Ask again", "重新访问"}, "isblocked": {"blocked", "已屏蔽"}, "blocksays": {"Links to it that wait are refused for good when their turn comes: %d.", "轮到时，等待中的 %d 个链接将被拒绝，无法恢复。"}, "raise": {"Raise the budget", "增加预算"}, "raiseby": {"More pages", "增加页数"}, "raisedo": {"Raise", "增加"},
	"done-pause": {"It pauses within a second.", "将在一秒内暂停。"}, "done-resume": {"It goes on.", "任务继续。"}, "done-stop": {"It stops when what is in flight is finished.", "正在进行的访问完成后停止。"},
	"done-inject": {"%d addresses will be visited before everything else.", "%d 个网址将最先访问。"}, "done-inject-one": {"1 address will be visited before everything else.", "1 个网址将最先访问。"}, "done-block": {"The host is asked no more.", "不再访问该主机。"}, "done-unblock": {"The host is asked again.", "重新访问该主机。"},
	"done-inject-later":      {"%d addresses will be visited before everything else when the crawl is started again.", "再次启动抓取后，%d 个网址将最先访问。"},
	"done-inject-later-one":  {"1 address will be visited before everything else when the crawl is started again.", "再次启动抓取后，1 个网址将最先访问。"},
	"done-inject-usedup":     {"%d addresses will be visited when the crawl is started again with a larger budget.", "增加预算并再次启动抓取后，将访问 %d 个网址。"},
	"done-inject-usedup-one": {"1 address will be visited when the crawl is started again with a larger budget.", "增加预算并再次启动抓取后，将访问 1 个网址。"},
	"done-block-later":       {"The host is asked no more when the crawl is started again.", "再次启动抓取后不再访问该主机。"},
	"done-unblock-later":     {"The host is asked again when the crawl is started again.", "再次启动抓取后重新访问该主机。"},
	"done-raise-later":       {"The budget is raised: it will be so when the crawl is started again.", "预算已增加，再次启动抓取后生效。"},
	"done-raise":             {"The budget is raised.", "预算已增加。"}, "goon": {"How to go on", "后续操作"}, "readonly": {"This server only shows.", "本服务器只供查看。"},
	"done-label": {"The label is written down.", "已记下标注。"}, "done-winnow": {"The second look was taken: %d pages are kept.", "已复判：保留 %d 个网页。"}, "done-winnow-one": {"The second look was taken: 1 page is kept.", "已复判：保留 1 个网页。"}, "done-unsent": {"The second look was taken: %d pages are kept. A cluster does not have them yet: winnow again when it answers.", "已复判：保留 %d 个网页。集群尚未收到：待其恢复后请再次复判。"}, "done-train": {"A judge was trained, with F1 %d %% on labels it had not seen: judge.model in the run folder.", "已训练判断器，在未见过的标注上 F1 为 %d%%：见任务目录中的 judge.model。"}, "done-take": {"The crawl file says so now.", "已写入抓取文件。"},
	"label": {"Label", "标注"}, "thisrun": {"The run", "任务页"}, "from-telling": {"Most telling", "最有价值"}, "from-near": {"Near misses", "擦肩而过"}, "from-finds": {"Latest finds", "最新收获"},
	"isitrelevant": {"Is it relevant?", "是否相关？"}, "yes": {"Relevant (y)", "相关 (y)"}, "no": {"Not relevant (n)", "不相关 (n)"}, "skip": {"Skip (s)", "跳过 (s)"},
	"nolabels": {"No page is left to ask about.", "没有可标注的网页了。"}, "labelof": {"Label: %s", "标注：%s"}, "judged": {"judged", "判定"}, "decided": {"Words that decided", "起决定作用的词"}, "nowords": {"It has none of the topic's words.", "没有主题词。"}, "times": {"Times", "次数"}, "added": {"Added", "贡献"},
	"keptcopy": {"Kept copy", "网页快照"}, "maintext": {"Main text", "正文"},
	"incopy":     {"What is typed goes to the copy now. Move the mouse off it, or leave it with Tab, and y, n and s say again what the page is.", "现在按键归快照。把鼠标移出快照，或按 Tab 离开它，y、n、s 就又能用来回答。"},
	"nocopynear": {"The text is what the run has of it: of pages that were not kept, it stores those whole whose values are wanted (extract in the crawl file).", "本任务只存有这一页的正文：未保留的网页，只有在抓取文件中用 extract 提取值时才整页存下。"},
	"nocopykept": {"The text is what is at hand of it: the run stores no whole pages (a sink warc does), this server does not search the run (thresher serve searches those that are named), or the page is not in its index yet.", "这里只有这一页的正文：本任务没有存整页（warc 输出会存），或者本服务器不检索本任务（thresher serve 只检索指定的任务），或者这一页还没有编入索引。"},
	"comesnext":  {"After it", "接下来"}, "labelled": {"What the labels come to", "标注的效果"}, "labelcounts": {"%d relevant, %d not.", "相关 %d 个，不相关 %d 个。"},
	"f1": {"F1 %.2f %s, macro F1 %.2f, on labels it had not seen", "在未见过的标注上：F1 %.2f %s，宏 F1 %.2f"}, "nof1": {"A judge is trained from two of each on.", "两类各有两个标注后开始训练。"}, "wouldchange": {"What would a second look change?", "复判会改变什么？"},
	"changes": {"By %d labels %d pages would come in and %d go out.", "按 %d 个标注，将收入 %d 个网页，剔除 %d 个。"}, "comein": {"Come in", "收入"}, "goout": {"Go out", "剔除"}, "stands": {"The first look would stand: %s", "初判不变：%s"},
	"dowinnow": {"Winnow", "复判"}, "dotrain": {"Train a judge", "训练判断器"}, "winnowlive": {"The crawl takes its second look when it ends.", "抓取结束时会自动复判。"}, "dosuggest": {"Which words would tell the topic better?", "哪些词能更好地描述主题？"}, "nosuggest": {"Nothing to suggest.", "没有建议。"}, "suggestions": {"Words", "词语建议"},
	"onshares": {"on %s %% of the sure pages and %s %% of the foreign ones; alone it would bring in %d and put out %d", "出现于 %s%% 的确定网页和 %s%% 的无关网页；单独可收入 %d 页，剔除 %d 页"}, "why-parts": {"add", "添加"}, "why-strays": {"against stray pages", "排除误收"}, "why-hurts": {"take out: it hurts", "删除：有害"}, "why-nowhere": {"take out: it stands on no page", "删除：未出现"}, "take": {"Take", "采用"}, "takeout": {"Take out", "删除"}, "leave": {"What is not taken is left.", "未采用的保持不变。"},
	"newtopic": {"New topic", "新主题"}, "new-terms": {"Words of the topic, with commas between them", "主题词，用逗号分隔"}, "new-about": {"Or a sentence that words are taken from", "或用一句话描述，从中取词"}, "new-auto": {"as the words are", "自动"},
	"new-seeds": {"Start pages", "起始页"}, "new-engines": {"Search engines that find start pages", "用来寻找起始页的搜索引擎"}, "new-contact": {"Contact that hosts can write to", "供网站联系的地址"}, "new-pages": {"Pages to fetch", "抓取页数"}, "new-web": {"A recorded web to crawl instead of the live one (a folder)", "改为抓取录制的网络（目录）"}, "new-begin": {"Begin the crawl", "开始抓取"},
	"seconds": {"%v s", "%v 秒"}, "minutes": {"%d min", "%d 分钟"}, "hours": {"%d h %d min", "%d 小时 %d 分钟"}, "days": {"%d days", "%d 天"}, "sidebyside": {"Side by side", "并排比较"}, "draw": {"Draw", "绘制"}, "why": {"Why is this here?", "为何收录"},
}

// Span is a time as people say it.
func (w Words) Span(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf(w.T("seconds"), math.Round(10*d.Seconds())/10)
	case d < time.Hour:
		return fmt.Sprintf(w.T("minutes"), int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf(w.T("hours"), int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf(w.T("days"), int(d.Hours()/24))
}

// Size is a number of bytes as people say it.
func (w Words) Size(n int64) string {
	for _, unit := range []struct {
		name string
		of   int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= unit.of {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.of), unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// Rate is how many pages a second there are.
func (w Words) Rate(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }

// State is how a run is called that is so.
func (w Words) State(s State) string { return w.T("state-" + string(s)) }

// sentence is one that is written in English, and what it is in Chinese. What stands in the place of a group is said as it is.
type sentence struct {
	english *regexp.Regexp
	chinese string
}

// endings are the reasons for which a crawl ends.
var endings = []sentence{
	{regexp.MustCompile(`^` + run.NothingMore + `$`), "没有更多网页可访问"},
	{regexp.MustCompile(`^` + run.StoppedByUser + `$`), "用户停止"},
	{regexp.MustCompile(`^it was told to stop$`), "收到停止命令"},
	{regexp.MustCompile(`^the budget of (\d+) pages? is used up$`), "$1 页的预算已用完"},
	{regexp.MustCompile(`^the budget of (\S+) \(bytes received\) is used up$`), "$1 的流量预算已用完"},
	{regexp.MustCompile(`^the budget of (\d+) rounds? is used up$`), "$1 轮的预算已用完"},
	{regexp.MustCompile(`^the budget of (\d+) generations? is used up$`), "$1 代的预算已用完"},
	{regexp.MustCompile(`^the time of (\S+) is over$`), "$1 的时间已到"},
	{regexp.MustCompile(`^(\d+) relevant pages? (?:was|were) found$`), "已找到 $1 个相关网页"},
	{regexp.MustCompile(`^saturated: (\S+) % of the last (\d+) pages were relevant, less than (\S+) %$`), "已饱和：最近 $2 页中只有 $1% 相关，低于 $3%"},
	{regexp.MustCompile(`(?s)^failed: (.*)$`), "出错：$1"},
}

// choosers are what chooses links beside the parts of a strategy, which are called what its file calls them.
var choosers = []sentence{
	{regexp.MustCompile(`^` + StartPage + `$`), "起始页"},
	{regexp.MustCompile(`^taken in the order of the hedge$`), "按备用排序选出"},
	{regexp.MustCompile(`^generation (\d+)$`), "第 $1 代"},
	{regexp.MustCompile(`^round (\d+)$`), "第 $1 轮"},
	{regexp.MustCompile(`^group (\d+) \((.*)\)$`), "第 $1 组（$2）"},
	{regexp.MustCompile(`^its address is like those of targets$`), "网址与目标网页相似"},
}

// Ending is the reason for which a crawl ended.
func (w Words) Ending(reason string) string { return w.told(endings, reason) }

// Chooser is what chose a link.
func (w Words) Chooser(by string) string { return w.told(choosers, by) }

func (w Words) told(all []sentence, english string) string {
	if w.Language != "zh" {
		return english
	}
	for _, s := range all {
		if s.english.MatchString(english) {
			return s.english.ReplaceAllString(english, s.chinese)
		}
	}
	return english
}
