package page

import (
	"strings"
	"testing"
)

// TestAHeadedTableIsOne holds that a table of words or options is one in Markdown though lists and long texts stand in its cells, if its first row
// heads the others.
func TestAHeadedTableIsOne(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("It says what becomes of it. ", 20))
	for html, want := range map[string]string{
		"<table><tr><th>Option<th>Meaning<tr><td>-a<td><p>" + long + "</p><ul><li>all<li>more, <b>too</b><li></ul><tr><td>-b<td>brief</table>": "| Option | Meaning |\n| --- | --- |\n| -a | " + long + "<br>all<br>more, **too** |\n| -b | brief |",
		"<table><thead><tr><td><th>A<th>B<tbody><tr><th>x<td><ol start=3><li>one<li>two</ol><td>" + long + "</table><ol><li>y</ol>":            "|  | A | B |\n| --- | --- | --- |\n| x | one<br>two | " + long + " |\n\n1. y",
		"<table><tr><td>-a<td>" + long + "<tr><td>-b<td>brief</table>":                                                                         "-a | " + long + "\n-b | brief",
		"<table><tr><th>a<td>b<tr><th>c<td><ul><li>d</ul></table>":                                                                             "a | b\nc\n\n- d",
		"<table><tr><th>OS<th>Intel<th>ARM<tr><td>Linux<td><img alt=yes><td><tr><td>Plan 9<td><td></table>":                                    "| OS | Intel | ARM |\n| --- | --- | --- |\n| Linux |  |  |\n| Plan 9 |  |  |",
		"<table><tr><th>a<th>b<tr><td>c<td><pre>d</pre></table>":                                                                               "a | b\nc\n\n```\nd\n```",
	} {
		if _, markdown := shown(t, html); markdown != want {
			t.Errorf("%s\nis   %q\nwant %q", html, markdown, want)
		}
	}
}
