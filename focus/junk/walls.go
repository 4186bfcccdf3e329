package junk

import (
	"bytes"
	"net/http"
	"strings"
)

// wallMarks are words in the source of pages that are put before, or in the place of, the page that was asked for. They
// are looked for in small pages only: a page about such a thing is long, the thing itself is short.
var wallMarks = []struct{ mark, kind string }{
	{"/cdn-cgi/challenge-platform/", "bot wall: Cloudflare"},
	{"cf-browser-verification", "bot wall: Cloudflare"},
	{"<title>Attention Required! | Cloudflare</title>", "bot wall: Cloudflare"},
	{"<title>Just a moment...</title>", "bot wall: Cloudflare"},
	{"_Incapsula_Resource", "bot wall: Imperva"},
	{"captcha-delivery.com", "bot wall: DataDome"},
	{"px-captcha", "bot wall: PerimeterX"},
	{"window.awsWafCookieDomainList", "bot wall: AWS WAF"},
	{"ddos-guard.net", "bot wall: DDoS-Guard"},
	{"anubis_challenge", "bot wall: Anubis"},
	{"acw_sc__v2", "bot wall: Aliyun"},
	{"aliyun_waf_aa", "bot wall: Aliyun"},
	{"<title>安全验证</title>", "bot wall"},
	{"<title>百度安全验证</title>", "bot wall: Baidu"},
	{"<title>验证码</title>", "bot wall"},
	{"<title>访问验证</title>", "bot wall"},
	{"sedoparking.com", "parked domain"},
	{"parkingcrew.net", "parked domain"},
	{"bodis.com", "parked domain"},
	{"hugedomains.com/domain_profile", "parked domain"},
	{"dan.com/buy-domain", "parked domain"},
	{"This domain is for sale", "parked domain"},
	{"The domain has expired", "parked domain"},
	{"该域名可出售", "parked domain"},
	{"域名出售", "parked domain"},
	{"本域名正在出售", "parked domain"},
	{"<title>Too Many Requests</title>", Busy},
	{"<title>429 Too Many Requests</title>", Busy},
	{"<title>502 Bad Gateway</title>", Busy},
	{"<title>503 Service Unavailable</title>", Busy},
	{"<title>503 Service Temporarily Unavailable</title>", Busy},
	{"<title>504 Gateway Time-out</title>", Busy},
	{"<title>Database Error</title>", Busy},
	{"<h1>Error establishing a database connection</h1>", Busy},
	{"<title>访问过于频繁</title>", Busy},
	{"<title>请求过于频繁</title>", Busy},
	{"Welcome to nginx!</title>", "server's own page"},
	{"Apache2 Ubuntu Default Page", "server's own page"},
	{"<title>IIS Windows Server</title>", "server's own page"},
	{"<title>没有找到站点</title>", "server's own page"},
}

// Busy is the kind of what a host says with a status of success in the place of the one that says to come back later.
const Busy = "the host is busy"

// smallPage is how many words a wall has at most.
const smallPage = 350

// busyPage is how many words a page has fewer of that says in its title that a host is busy; one with more is about that.
const busyPage = 60

// wallBytes is how far into a page marks are looked for.
const wallBytes = 64 << 10

// Wall answers what stands in the place of a page: a bot wall, a parked domain, a server's own page, that a host is busy; nothing if it is a
// page. Such pages say nothing about their address: they are not to be judged, and nothing is to be learned from them.
func Wall(header http.Header, body []byte) string {
	if strings.EqualFold(header.Get("Cf-Mitigated"), "challenge") {
		return "bot wall: Cloudflare"
	}
	if !IsHTML(header) || !fewerWords(body, smallPage) {
		return ""
	}
	head := body[:min(len(body), wallBytes)]
	for _, w := range wallMarks {
		if bytes.Contains(head, []byte(w.mark)) && (w.kind != Busy || fewerWords(body, busyPage)) {
			return w.kind
		}
	}
	return ""
}

// Listing tells by its title a page that a server has made of a folder. Its links are as good as any, and nobody has written it.
func Listing(title string) bool { return strings.HasPrefix(title, "Index of /") }
