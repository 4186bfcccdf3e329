package admit

// words are the reasons as a person reads them, in English and in Chinese, by the name that crawl.log has. The English ones go
// on behind "it was refused: ".
var words = map[Refused][2]string{
	RefusedScheme:    {"its address is neither http nor https", "不是网页协议"},
	RefusedMethod:    {"a callback asked for it by another method than GET", "不是 GET 请求"},
	RefusedAddress:   {"it is not an address", "地址无效"},
	RefusedHost:      {"its host is outside scope.hosts", "不在主机范围内"},
	RefusedPath:      {"its path is outside scope.paths", "不在路径范围内"},
	RefusedDepth:     {"it is deeper than scope.depth", "超过深度"},
	RefusedType:      {"it is no page, by its ending or its media type", "不是网页类型"},
	RefusedNoFollow:  {"the page that links to it asks that it is not followed", "网页要求不跟踪该链接"},
	RefusedTrap:      {"its address is of a kind that has no end, or brings nothing", "爬虫陷阱"},
	RefusedLogout:    {"it would end the session that fetch.cookies is of", "退出登录的链接"},
	RefusedOffer:     {"the program that runs the crawl does not offer it", "程序未开放"},
	RefusedColly:     {"the program's collector does not allow it", "程序的采集器不允许"},
	RefusedBlock:     {"it stands in a block of links that are not related", "位于不相关的链接块"},
	RefusedTunnel:    {"the pages that lead to it have been irrelevant for too long", "路径上不相关的网页过多"},
	RefusedHostFull:  {"its host has had its pages (scope.per_host)", "主机的页数已用完"},
	RefusedRedirect:  {"it leads on to another address", "重定向"},
	RefusedRedirects: {"it leads from one redirect to the next", "重定向过多"},
	RefusedBlocked:   {"its host was blocked by hand (thresher block)", "主机已被手动屏蔽"},
	RefusedDown:      {"its host has failed too often in a row", "主机无法访问"},
	RefusedRobots:    {"robots.txt forbids it", "robots.txt 不允许"},
	RefusedUnasked:   {"its host's robots.txt could not be had, and nothing is fetched without it", "无法取得 robots.txt"},
	RefusedNamed:     {"a kept page calls itself by this address", "已保留的网页以此为正式网址"},
	RefusedVisited:   {"the storage of the program knows it as visited before", "程序的存储中已访问过"},
	RefusedKiller:    {"the process died over it three times in a row", "使程序崩溃"},
	RefusedSoft:      {"it is the page that its host shows where there is nothing", "内容为空的错误页"},
	RefusedScript:    {"only a script fills it, so that there is nothing to judge", "仅由脚本生成内容"},
	RefusedList:      {"it is a list of addresses: its links are followed, itself is not kept", "站点地图、订阅源或文件目录"},
	RefusedLanguage:  {"it is in a language outside scope.languages", "其他语言"},
	RefusedNoIndex:   {"it asks not to be kept", "网页要求不被收录"},
	RefusedWeak:      {"it says too little of the topic", "不相关"},
	RefusedOut:       {"it was kept at first, and the second look or a later visit took it out", "后来被剔除"},
	RefusedVeto:      {"the program that runs the crawl refused it", "被程序拒绝"},
	RefusedStatus:    {"its host answered with an error", "HTTP 状态"},
	RefusedFailed:    {"it could not be fetched", "抓取失败"},
	RefusedWall:      {"a wall stands before it", "被验证页或登录页阻挡"},
	RefusedDuplicate: {"it says what another page says", "内容重复"},
	RefusedReserved:  {"its author reserves that use of it", "网页保留了使用权"},
	RefusedLacking:   {"it lacks a value that extract requires", "缺少必需的字段"},
	RefusedPaid:      {"its host wants to be paid for it, and nothing is ever paid", "主机要求付费"},
	RefusedLicence:   {"its host asks for a licence", "主机要求许可"},
	RefusedPutOff:    {"it was put off", "推迟访问"},
}

// Sentence is a reason as a person reads it, with what somebody said: "robots.txt forbids it (line 4: Disallow: /private/)".
func (r Refused) Sentence() string { return r.in(0, " (", ")") }

// Chinese is a reason in Chinese, with what somebody said.
func (r Refused) Chinese() string { return r.in(1, "（", "）") }

func (r Refused) in(language int, open, shut string) string {
	said, known := words[r.Kind()]
	switch {
	case !known:
		return string(r)
	case r.Said() == "":
		return said[language]
	}
	return said[language] + open + r.Said() + shut
}
