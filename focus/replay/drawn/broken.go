package drawn

import "strings"

// upper are the tags that some editors shout.
var upper = strings.NewReplacer("<a href", "<A HREF", "</a>", "</A>", "<p>", "<P>", "</p>", "</P>", "<div", "<DIV", "</div>", "</DIV>", "<li>", "<LI>")

// broken breaks a page's HTML in one or two of the ways that are found in the open.
func broken(d *dice, page string) string {
	ways := []func(string) string{
		func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "</li>", ""), "</p>", "") },
		func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "=\"", "="), "\">", ">") }, // quotes lost
		upper.Replace,
		func(s string) string { return strings.TrimSuffix(s, "</body>\n</html>\n") },
		func(s string) string { return strings.Replace(s, "</p>", "</p></div></td>", 1) },
		func(s string) string { return strings.Replace(s, "<p>", "<p><b><i><font color=red>", 1) },
		func(s string) string { return strings.Replace(s, "</body>", "<!-- counter </body>", 1) },
		func(s string) string { return strings.Replace(s, "<h1>", "&nbsp &copy 2026 &nosuch; <h1>", 1) },
		func(s string) string { return replaceLast(s, "</a>", "") },
		func(s string) string { return strings.Replace(s, "<body>", "<body><body bgcolor=white></head><p", 1) },
		func(s string) string {
			return strings.Replace(s, "<head>", "<head><script>if (1 < 2) document.write('<a href=\"/script\">x</a>')</script>", 1)
		},
	}
	for _, way := range some(d, ways, d.between(1, 2)) {
		page = way(page)
	}
	return page
}

func replaceLast(s, old, new string) string {
	if i := strings.LastIndex(s, old); i >= 0 {
		return s[:i] + new + s[i+len(old):]
	}
	return s
}
