package page

import "strings"

// standardWords is what the package knows about the habits of authors, as data. Words are in lower case. A crawl file may add to
// some of the lists; nothing is ever taken away.
var standardWords = Words{
	// Words in class, id and role that say what a part of a page is for. A class is cut into words at everything that is
	// no letter and where a capital follows a small letter: "topNavBar" is top, nav, bar.
	Hints: map[string][]string{
		"navigation": listed(`nav, navi, navbar, navigation, navigator, menu, submenu, topmenu, topnav, subnav, mainnav, sitenav, crumb, crumbs,
			breadcrumb, breadcrumbs, toolbar, topbar, pagination, pager, pages, paging, login, search, searchbox, share,
			sitemap, friendlink, friendlinks, daohang, caidan, mianbaoxie`),
		"advertisement": listed(`ad, ads, adv, advert, advertisement, advertising, adbox, adsense, adsbygoogle, sponsor, sponsored,
			guanggao, tuiguang, tanx, doubleclick`),
		"footer":   listed(`footer, foot, copyright, contentinfo, banquan, disclaimer, legal`),
		"main":     listed(`main, content, article, articlebody, post, entry, story, maintext, zhengwen, neirong, artibody, detail`),
		"comments": listed(`comment, comments, commentlist, commentform, commentarea, commenttext, disqus, respond, replies, pinglun, liuyan, gentie, guestbook, cmt, cmts, duoshuo, changyan, valine, gitalk`),
		"extra": listed(`banner, promo, promotion, toc, editsection, headerlink, noprint, hatnote, dablink, ambox, ombox,
			printfooter, navbox, bio, authorbox, button, buttons, btn, rating, ratings, vote, votes, social, sharing, sharebar, sharedaddy, addthis, jiathis, bdshare, bdsharebuttonbox,
			fenxiang, widget, profile, avatar, favatar, userinfo, postprofile, jump, paywall, donate, donation, tooltip, tooltiptext, catlinks, mulu, zan, dashang, ewm, qrcode, erweima`),
		"asking":  listed(`cookie, cookies, cookiebanner, cookiebar, cookieconsent, cookienotice, consent, gdpr, newsletter, subscribe, subscription, signup, popup, modal, dismissible, dismissable`),
		"sidebar": listed(`sidebar`),
		"byline": listed(`byline, author, authors, authi, dateline, timestamp, date, time, meta, postmeta, metadata, pubtime, pubdate, published, laiyuan, submitted, editor, zuozhe, shijian,
			views, tags, tag, categories, info, infos, source, breadcrumb, jianjie, keywords, hits, attribution, poster, postinfo, keyinfo, affiliation, affiliations, pubhistory`),
		"signature": listed(`signature, sign`),
		"numbers":   listed(`gutter, lineno, linenos, linenodiv, linenr, linenum, linenums, linenumber, linenumbers, numbering, lnt, ln`),
		"answers":   listed(`answer, answers, huida`),
		"caption":   listed(`caption, figcaption, credit, credits`),
		"author":    listed(`author, authors, authi, byline, zuozhe, writer`),
		"date":      listed(`date, time, published, pubdate, pubtime, publishtime, timestamp, dateline, shijian, riqi, datetime, posted, postdate`),
		"changed":   listed(`modified, updated, dtmodified, lastmod, edited, changed`),
		"related":   listed(`related, relate, relation, relevant, similar, recommend, recommended, xiangguan, xgxw, xgyd, tuijian, readmore`),
	},

	// Words on a block's heading or on an anchor that announce links to more of the same.
	Special: listed(`相关链接, 相关主题, 相关新闻, 相关报道, 相关阅读, 相关文章, 相关专题, 相关内容, 相关资讯, 相关推荐, 更多信息, 更多内容, 延伸阅读, 推荐阅读,
		扩展阅读, 猜你喜欢, 您可能感兴趣, 你可能喜欢, 大家都在看, 热点推荐, 参考资料, 参见, related, see also, more on, more about, further reading, read more, you may also like,
		recommended, similar articles, similar content, references`),

	// Words in an anchor that links to related pages never have; those behind a "=" are meant only if they are all of it.
	Stop: listed(`友情链接, 首页, 主页, 返回, 登录, 注册, 退出, 设为首页, 加入收藏, 收藏本站, 联系我们, 关于我们, 网站地图, 版权声明, 隐私, 帮助, 客服, 招聘, 广告服务, 免责声明, 意见反馈, 下一页, 上一页,
		下载客户端, 手机版, 投稿, 举报, 打印本页, 关闭窗口, 公网安备, icp备, icp证, 经营许可证, =home, =home page, =login, log in, sign in, sign up, =register, =logout,
		contact us, =contact, about us, =about, =privacy, privacy policy, terms of, =sitemap, site map, =help, =feedback, =careers, =advertise, =subscribe, copyright,
		=next, =previous, next page, previous page, back to top`),

	// Hosts that serve advertisements and counters; their subdomains are meant too.
	Advertisers: listed(`doubleclick.net, googlesyndication.com, googleadservices.com, google-analytics.com, adservice.google.com, amazon-adsystem.com,
		adnxs.com, criteo.com, taboola.com, outbrain.com, pubmatic.com, rubiconproject.com, openx.net, adsrvr.org, moatads.com, scorecardresearch.com,
		quantserve.com, zedo.com, advertising.com, adform.net, smartadserver.com, media.net, revcontent.com, mgid.com, popads.net,
		tanx.com, alimama.com, mmstat.com, cnzz.com, allyes.com, mediav.com, adsame.com, pos.baidu.com, cpro.baidu.com, cbjs.baidu.com,
		hm.baidu.com, e.baidu.com, union.baidu.com, duomeng.cn, miaozhen.com, admaster.com.cn, irs01.com, irs01.net, gridsumdissector.com,
		sax.sina.com.cn, ads.sina.com.cn, adbox.sina.com.cn, saxn.sina.com.cn, sax.sina.cn, images.sohu.com.ad, ad.qq.com, gdt.qq.com, l.qq.com,
		ipinyou.com, yigao.com, adchina.com, vamaker.com, 51yes.com, linezing.com, 360.cn.ad, lianmeng.360.cn, union.sogou.com`),

	// How a heading begins under which readers speak, and one under which a site speaks of other things than the
	// text; those behind a "=" are meant only if they are all of it.
	Readers: listed(`comments, comment, leave a comment, leave a reply, reader comments, responses, replies, discussion, join the discussion, post a comment, add a comment, your comment, =your answer, thoughts, customer reviews, customer review, user reviews, write a review, write a product review, leave a review, leave a product review, add a review, =商品评价, =用户评价, =买家评价, =顾客评价, =累计评价, =全部评价,
		评论, 网友评论, 发表评论, 最新评论, 热门评论, 全部评论, 精彩评论, 留言, 网友留言, 我要评论, 发表留言, 文章评论, 用户评论, 读者评论, 条评论, 跟帖`),
	Elsewhere: listed(`most read, most popular, most viewed, popular posts, recent posts, latest news, latest posts, latest articles, top stories, =trending, about us, about the author, =author information, =author biography, =author biographies, =cite this article, =how to cite, =how to cite this article, =rights and permissions, newsletter,
		subscribe, follow us, share this, share on, =categories, =archives, =tags, tag cloud, blogroll, =search, navigation, navigation menu, =who is online, more stories, more news, more from, you might also like,
		customers also, customers who, people also, =advertisement, =contents, table of contents, on this page, 热门文章, 热门推荐, 热门标签, =热门, 最新文章, 最新资讯, 最新发布, 最近文章, 近期文章, 排行榜, 点击排行, 阅读排行, 热点新闻, 图片新闻,
		精彩推荐, 编辑推荐, 为您推荐, 推荐文章, 推荐内容, 热点内容, 相关热词, 相关搜索, 相关标签, 看了又看, 关于我们, 关于作者, 作者简介, =引用本文, 标签云, 文章分类, 分类目录, 友情链接, =归档, =目录, =导航, 分享到, 扫一扫, 关注我们, 上一篇, 下一篇`),

	// How the list of what is attached to a text begins.
	Attached: listed(`附件, 相关附件, 附件下载, 下载附件, attachments, attached files`),

	// How a line begins that is not the text's own, where it is short and stands by itself.
	Lines: listed(`written by, posted by, posted on, posted in, published:, published on, published by, last updated, last modified, last edited, updated:, share this, share on, share:, filed under, tags:, tagged, categories:,
		category:, advertisement, (editor, editor:, photo:, image:, image credit, credit:, source:, read more, read also, see also:, click here, continue reading, previous message:, previous message (, next message:, next message (, messages sorted by:, index(es):, prev by date:, next by date:, previous by date:, prev by thread:, previous by thread:, next by thread:, previous post:, next post:, previous article:, next article:, sign up, subscribe, follow us, print this, email this, this post may contain affiliate, this post contains affiliate, this article may contain affiliate, this article contains affiliate, this page may contain affiliate, this page contains affiliate, affiliate disclosure,
		作者：, 作者:, 来源：, 来源:, 文/, 文／, 编辑：, 编辑:, 责任编辑, 责编, 编辑：, 记者：, 发布时间, 发布日期, 发布于, 发表于, 时间：, 日期：, 更新时间, 最后更新, 浏览：, 浏览次数, 点击：, 点击次数, 点击数, 阅读：, 阅读量, 字号, 字体：,
		分享到, 分享：, 标签：, 标签:, 关键词：, 关键字：, 分类：, 本文来源, 本文转载, 本文系转载, 转载自, 如有侵权, 稿源, 原标题, 原文链接, 本文链接, 转载请, 版权声明, 版权所有, 上一篇, 下一篇, 打印, 收藏, 我要评论, 相关阅读, 相关新闻, 相关链接, 点击进入, 扫描二维码, 关注微信, 声明：, 免责声明`),

	// Those of all these that a text uses itself, and how a sentence may begin that no site says of itself.
	Ambiguous: listed(`comment, comments, responses, replies, discussion, thoughts, navigation, newsletter, 评论, 留言, 排行榜,
		written by, posted by, posted on, posted in, published on, published by, last updated, last modified, last edited, filed under, tagged,
		记者：, 作者：, 作者:, 编辑：, 编辑:, 来源：, 来源:, 时间：, 日期：, 标签：, 标签:, 分类：, 发布时间, 发布日期, 发布于, 发表于, 最后更新, 声明：, 字号, 阅读量, 点击数, 打印, 收藏, 版权所有, 版权声明`),

	// How a line of rights begins, or one that says what the author does not answer for. In Chinese up to four characters
	// stand before it.
	Notices: listed(`仅代表作者本人, 仅代表作者本人观点, 仅代表作者个人观点, 仅代表作者观点, 仅代表个人观点, 版权所有, 版权声明, 免责声明, 特别声明, 郑重声明, 声明：, 声明:, ©, copyright ©, copyright (c), copyright 1, copyright 2, copyright by, copyright:, all rights reserved, disclaimer:`),

	// When a block of links counts as related.
	Rules: Rules{
		Width:      10,  // columns an anchor takes at least; a Chinese character takes two
		Similarity: 0.1, // between anchor and title, above which a link needs no special word
		Share:      0.5, // of a block's links that have to be good
		Tidy:       0.4, // of a block's links that have to share one shape of address
		InSite:     0,   // of a block's links that have to stay on the page's own site; a hint at most: portals have many hosts
	},

	// Parameters of a query, and parts of a path behind a semicolon, that are no part of what is asked for. A name that
	// ends in * means all that begin so.
	Tracking: listed(`utm_*, fbclid, gclid, gclsrc, dclid, msclkid, yclid, mc_cid, mc_eid, igshid, _ga, _gl, _hsenc, _hsmi, mkt_tok, wickedid, twclid, ttclid,
		spm, scm, from_source, vd_source, share_source, share_medium, share_token, bd_vid, hmsr, hmpl, hmcu, hmkw, hmci, wt.*, ref_src, ref_url,
		oly_anon_id, oly_enc_id, vero_id, rb_clickid, s_cid, ml_subscriber, ml_subscriber_hash, _openstat`),
	Sessions: listed(`jsessionid, phpsessid, aspsessionid*, sessionid, session_id, sessid, cfid, cftoken, zenid, osCsid`),

	// Names that some sites use for sessions and others for pages: they count as sessions where the value looks drawn by lot.
	Random: listed(`sid, s, session, token`),

	// Endings of files that hold no page.
	Binary: listed(`7z, aac, apk, avi, bin, bmp, bz2, cab, css, deb, dmg, doc, docx, eot, eps, exe, flac, flv, gif, gz, ico, img, iso, jar, jpe, jpeg,
		jpg, js, m3u8, m4a, m4v, mid, mkv, mov, mp2, mp3, mp4, mpeg, mpg, msi, odp, ods, odt, ogg, ogv, otf, pdf, png, ppt, pptx, ps, psd, rar, rm,
		rmvb, rpm, rtf, swf, svg, tar, tgz, tif, tiff, torrent, ttf, wasm, wav, webm, webp, wma, wmv, woff, woff2, xls, xlsx, xz, z, zip`),
}

// listed cuts a list at its commas; a word may have spaces in it.
func listed(words string) []string {
	list := strings.Split(words, ",")
	for i, w := range list {
		list[i] = strings.TrimSpace(w)
	}
	return list
}
