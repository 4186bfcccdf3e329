package junk

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

func TestLinksThatLogOut(t *testing.T) {
	for address, anchor := range map[string]string{
		"https://a.example/logout": "", "https://a.example/user/sign_out?x=1": "", "https://a.example/wp-login.php?action=logout&n=1": "", "https://a.example/LogOff.aspx": "", "https://a.example/doLogout.action": "", "https://a.example/userlogout": "",
		"https://a.example/x1": "Log out", "https://a.example/x2": " 退出登录 ", "https://a.example/x3": "» Sign out", "https://a.example/abmelden": "", "https://a.example/endsession": "",
	} {
		l := page.LinkTo(address)
		if l.Anchor = anchor; !LogsOut(&l) {
			t.Errorf("%s %q is not taken for one", address, anchor)
		}
	}
	for address, anchor := range map[string]string{
		"https://a.example/login": "Log in", "https://a.example/blog-outlook": "Blog", "https://a.example/catalogout": "", "https://a.example/a": "How to log out of your car",
		"https://a.example/signoffice": "", "https://a.example/退出机制": "退出机制研究", "https://logout.example/": "",
	} {
		l := page.LinkTo(address)
		if l.Anchor = anchor; LogsOut(&l) {
			t.Errorf("%s %q is taken for one", address, anchor)
		}
	}
}
