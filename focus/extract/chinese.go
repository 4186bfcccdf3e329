package extract

import (
	"regexp"
	"strconv"
)

// What multiplies a number on Chinese pages.

// multiplied is what multiplies the number before it, the smaller first, as they are counted: of 万千瓦 that is 万, for 千瓦 is a unit.
const multiplied = `[百千]?[万萬]?[亿億]|[百千]?[万萬]|[百千]`

// times is what a mark multiplies the number before it by.
var times = map[rune]float64{'k': 1e3, 'K': 1e3, '百': 1e2, '千': 1e3, '万': 1e4, '萬': 1e4, '亿': 1e8, '億': 1e8}

func timesAll(marks string) float64 {
	x := 1.0
	for _, mark := range marks {
		x *= times[mark]
	}
	return x
}

// spanned is what follows the lower of two numbers of which the upper alone says what multiplies both, as in 12.98-15.98万.
var spanned = regexp.MustCompile(`^ ?(?:[-−–—~〜至到]|--) ?[¥$]? ?([0-9](?:[0-9.,]*[0-9])?)\s*(?:(` + multiplied + `)|([kK])(?:[^\pL\pN]|$))`)

// ofSpan is what multiplies a number that is the lower one of such a span: of 5000-1万 it is nothing.
func ofSpan(lower float64, behind string) float64 {
	m := spanned.FindStringSubmatch(behind)
	if m == nil {
		return 1
	}
	if upper, err := strconv.ParseFloat(ungrouped(m[1]), 64); err != nil || upper < lower {
		return 1
	}
	return timesAll(m[2] + m[3])
}
