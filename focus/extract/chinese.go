package extract

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What Chinese pages write in ways of their own: what multiplies a number, and days.

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

// Days in figures, in Chinese numerals, and by the years of the republic; and the day of the week behind one.
var (
	chinese = regexp.MustCompile(`(?:民[国國] ?([\d〇○零一二三四五六七八九十百]{1,6})|([\d〇○零一二三四五六七八九]{4})) ?年 ?` +
		`([\d〇○零一二三四五六七八九十]{1,3}) ?月 ?([\d〇○零一二三四五六七八九十廿]{1,3}) ?[日号號] ?`)
	weekday = regexp.MustCompile(`(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}),? ?\(?(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]\)? ?`)
)

// ofRepublic is the year before the first of the republic.
const ofRepublic = 1911

// plainDays is a text with the days of Chinese pages in figures, without that of the week.
func plainDays(s string) string {
	s = chinese.ReplaceAllStringFunc(s, func(found string) string {
		m := chinese.FindStringSubmatch(found)
		year := numeral(m[2])
		if m[1] != "" {
			year = ofRepublic + numeral(m[1])
		}
		return fmt.Sprintf("%d-%d-%d ", year, numeral(m[3]), numeral(m[4]))
	})
	return weekday.ReplaceAllString(s, "$1 ")
}

// numeral reads a small number in figures or Chinese numerals: 12, 十二, 一二, 二十三, 廿三, 一百一十五.
func numeral(s string) int {
	n, digit := 0, 0
	for _, r := range s {
		switch r {
		case '百', '十', '廿':
			n += max(digit, 1) * map[rune]int{'百': 100, '十': 10, '廿': 20}[r]
			digit = 0
		case '○', '零':
			digit *= 10
		default:
			value := strings.IndexRune("0123456789", r)
			if value < 0 {
				value = strings.Index("〇一二三四五六七八九", string(r)) / len("〇")
			}
			digit = digit*10 + value
		}
	}
	return n + digit
}
