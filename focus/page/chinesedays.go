package page

import (
	"fmt"
	"regexp"
	"strings"
)

// Days in figures, in Chinese numerals, and by the years of the republic; and the day of the week behind one.
var (
	chineseDays = regexp.MustCompile(`(?:民[国國] ?([\d〇○零一二三四五六七八九十百]{1,6})|([\d〇○零一二三四五六七八九]{4})) ?年 ?` +
		`([\d〇○零一二三四五六七八九十]{1,3}) ?月 ?([\d〇○零一二三四五六七八九十廿]{1,3}) ?[日号號] ?`)
	weekday = regexp.MustCompile(`(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}),? ?\(?(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]\)? ?`)
)

// ofRepublic is the year before the first of the republic.
const ofRepublic = 1911

// PlainDays is a text with the days of Chinese pages in figures, without that of the week.
func PlainDays(s string) string {
	s = chineseDays.ReplaceAllStringFunc(s, func(found string) string {
		m := chineseDays.FindStringSubmatch(found)
		year := numeral(m[2])
		if m[1] != "" {
			year = ofRepublic + numeral(m[1])
		}
		return fmt.Sprintf("%d-%d-%d ", year, numeral(m[3]), numeral(m[4]))
	})
	return weekday.ReplaceAllString(s, "$1 ")
}

// hasNumerals says at a glance whether a text may name a year in Chinese numerals, or one of the republic.
func hasNumerals(s string) bool {
	return strings.Contains(s, "年") && (strings.ContainsAny(s, "〇○零一二三四五六七八九") || strings.Contains(s, "民"))
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
