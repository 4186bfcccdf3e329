package junk

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// logsOut is how addresses and the words of links say that they end a session.
var (
	logsOutAddress = regexp.MustCompile(`(?i)(?:^|[^a-z]|do|user|member)(?:log|sign)[-_]?(?:out|off)(?:[^a-z]|$)|(?:^|[^a-z])(?:abmelden|ausloggen|deconnexion|se-deconnecter|cerrar-sesion|esci)(?:[^a-z]|$)|(?i:end[-_]?session)`)
	logsOutWords   = regexp.MustCompile(`(?i)^[\s\p{P}\p{S}]*(?:(?:log|sign)[ -]?(?:out|off)|abmelden|ausloggen|se déconnecter|déconnexion|cerrar sesión|esci|退出(?:登录|登陆)?|登出|注销|安全退出)[\s\p{P}\p{S}]*$`)
)

// LogsOut tells of a link that ends the session of whoever follows it.
func LogsOut(l *page.Link) bool {
	if logsOutWords.MatchString(strings.TrimSpace(l.Anchor)) {
		return true
	}
	u, err := url.Parse(l.URL)
	if err != nil {
		return false
	}
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		query = u.RawQuery
	}
	return logsOutAddress.MatchString(u.Path) || logsOutAddress.MatchString(query)
}
