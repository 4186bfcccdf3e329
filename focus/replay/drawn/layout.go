package drawn

// frame is what stands before, between and behind the parts of something.
type frame struct{ open, item, close string } // %s in item is the part; in open, where there is one, the heading

// layout is a manner of writing pages.
type layout struct {
	doctype string
	menu    frame
	body    frame // around text and lists
	text    frame
	list    frame
	related frame
	ads     frame
	foot    string // %s is the site's name
}

// The manners: of today, of the years of div, of the years of tables.
var layouts = []layout{
	{
		doctype: "<!DOCTYPE html>\n<html lang=\"%s\">\n",
		menu:    frame{"<header><nav class=\"menu\"><ul>\n", "<li>%s</li>\n", "</ul></nav></header>\n"},
		body:    frame{"<main>\n", "", "</main>\n"},
		text:    frame{"<article>\n<h1>%s</h1>\n", "<p>%s</p>\n", "</article>\n"},
		list:    frame{"<section class=\"list\"><h2>%s</h2><ul>\n", "<li>%s</li>\n", "</ul></section>\n"},
		related: frame{"<aside class=\"related\"><h3>%s</h3><ul>\n", "<li>%s</li>\n", "</ul></aside>\n"},
		ads:     frame{"<div class=\"ad-banner\"><span>%s</span>\n", "%s\n", "</div>\n"},
		foot:    "<footer><p>© 2026 %s</p></footer>\n",
	},
	{
		doctype: "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n<html xml:lang=\"%s\">\n",
		menu:    frame{"<div id=\"nav\" class=\"navbar\">\n", "<span>%s</span> | \n", "</div>\n"},
		body:    frame{"<div id=\"content\">\n", "", "</div>\n"},
		text:    frame{"<div class=\"text\">\n<h1>%s</h1>\n", "<p>%s</p>\n", "</div>\n"},
		list:    frame{"<div class=\"box\"><h2>%s</h2>\n", "<div class=\"item\">%s</div>\n", "</div>\n"},
		related: frame{"<div class=\"box rel\"><h4>%s</h4>\n", "<div class=\"item\">%s</div>\n", "</div>\n"},
		ads:     frame{"<div class=\"gg\"><b>%s</b>\n", "<em>%s</em>\n", "</div>\n"},
		foot:    "<div class=\"footer\">&copy; 2026 %s</div>\n",
	},
	{
		doctype: "<html lang=%s>\n",
		menu:    frame{"<table width=760 border=0><tr>\n", "<td bgcolor=#eeeecc><font size=2>%s</font></td>\n", "</tr></table>\n"},
		body:    frame{"<table width=760><tr><td width=580 valign=top>\n", "", "</td></tr></table>\n"},
		text:    frame{"<center><h2>%s</h2></center>\n", "<p>%s\n", "<hr>\n"},
		list:    frame{"<p><b>%s</b>\n<ul>\n", "<li>%s\n", "</ul>\n"},
		related: frame{"<table width=100%%><tr><th>%s</th></tr>\n", "<tr><td>%s</td></tr>\n", "</table>\n"},
		ads:     frame{"</td><td width=180 valign=top bgcolor=yellow><font color=red>%s</font><br>\n", "%s<br>\n", ""},
		foot:    "<address>%s, webmaster</address>\n",
	},
}
