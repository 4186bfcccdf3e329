package measure

import "html/template"

// SVG is the chart as a picture for a page that has a style sheet for it: the classes are those of a report.
func (c *Chart) SVG() template.HTML {
	c.paint()
	return template.HTML(c.svg())
}
