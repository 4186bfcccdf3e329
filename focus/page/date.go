package page

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// changed is in what says when a page was last changed.
var changed = regexp.MustCompile(`(?i)^\W*(?:updated?|modified|edited|aktualisiert|(?:zuletzt )?(?:geändert|bearbeitet)|mis à jour|modifiée?|actualizado|modificado|更新|(?:编辑|修改)于)|last[ -](?:updated?|modified|edited|changed)|最[后後近](?:修改|修订|更新|编辑|更改)|推荐文章于`)

// published stands before the day on which it was written.
var published = regexp.MustCompile(`(?i)\b(?:published|posted|veröffentlicht|erschienen)\b|publiée? le|publicado|发布|发表`)

// publishedAt stands before that day in Chinese, behind the source and what else a line may say.
var publishedAt = []string{"发布时间", "发布日期", "发布于", "发表时间", "发表日期", "发表于"}

// saysPublished tells whether one of these stands in a line.
func saysPublished(line string) bool {
	return strings.Contains(line, publishedAt[0][:len("发")]) && slices.ContainsFunc(publishedAt, func(words string) bool { return strings.Contains(line, words) })
}

// justChanged is in what stands right before the day on which a page was changed.
var justChanged = regexp.MustCompile(`(?i)(?:\b(?:updated|modified|edited|changed|revised)|(?:更新|编辑|修改)(?:于|时间|日期)?)[\s:：]*(?:\b(?:on|at)\s*)?$`)

// justSeen is in what stands right before the day on which somebody was last there, or first.
var justSeen = regexp.MustCompile(`(?i)(?:\b(?:last (?:visit|visited|seen|active|login|online|activity)|joined|registered)|(?:登录|登錄|访问|活动|注册|上线)(?:于|时间)?)[\s:：]*$`)

// behind says whether the line that is being read ends so.
func (r *reading) behind(words *regexp.Regexp) bool {
	line := r.prose.buf[max(0, len(r.prose.buf)-len("最后更新时间：on ")):]
	return words.Match(line[bytes.LastIndexByte(line, '\n')+1:])
}

// longAgo is how long ago something was, where the day itself stands elsewhere.
var longAgo = regexp.MustCompile(`(?i)^\W*(?:(?:about|over|almost|less than) )?(?:\d+ (?:second|minute|min|hour|day|week|month|year)s?(?: ago)?|(?:half )?an? (?:second|minute|min|hour|day|week|month|year) ago|less than a minute|half a minute)\W*$` +
	`|^\s*(?:\d+|半)\s?个?(?:秒|分|分钟|小时|天|周|星期|月|年)\s?前\s*$|^\s*(?:yesterday|昨天|前天|刚刚)`)

// isLongAgo says whether the element whose tag was read says how long ago the page was written.
func (r *reading) isLongAgo() bool {
	return longAgo.MatchString(r.following()) && !r.behind(justChanged) && !r.behind(justSeen)
}

// whenWritten is the day that a line says the page was written, or nothing where it says alone when it was changed.
func whenWritten(line string) string {
	day := asDate(line)
	if day == "" || !changed.MatchString(line) {
		return day
	}
	at := published.FindStringIndex(line)
	if at == nil {
		return ""
	}
	line = line[at[1]:]
	if at = changed.FindStringIndex(line); at != nil {
		line = line[:at[0]]
	}
	return asDate(line)
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

const month = `(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?`

// clock is a time of day, as it follows a day, be it that of the week between. Only behind seconds is a zone told from the end of a span
// of hours. Before AM and PM programs write a narrow blank.
const clock = `[T\s]*(?:[(（]?(?:星期|周|週|礼拜|禮拜)[一二三四五六日天][)）]?\s*)?(?:[,•·|]|\s[-–]\s)?\s*(?:\bat\s+)?(凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|晚)?\s*(\d{1,2})\s?[:：时時点點]\s?(\d\d)` +
	`(?:[:：分](\d\d)(?:\.\d+)?(?:\s?(Z|GMT|UTC|[+-]\d\d:?\d\d))?)?(?:[\s\x{a0}\x{202f}]?([ap])\.?m\b)?`

// dates are the ways to write a day: with the year first, in English with the month's name, in figures between slashes
// or hyphens, and with the day first between dots.
var dates = regexp.MustCompile(`(?i)(?:\b((?:19|20)\d\d)\s?(?:[-/.]|年)\s?(\d{1,2})\s?(?:[-/.]|月)\s?(\d{1,2})\b?日?` +
	`|\b` + month + `\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b|\b(\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?` + month + `,?[\s-]+((?:19|20)\d\d)\b` +
	`|\b(\d{1,2})[/-](\d{1,2})[/-]((?:19|20)\d\d)\b|\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b)(?:` + clock + `)?`)

// clockDates are as computers write them by themselves, with the year behind the time: in letters, logs and archives.
var clockDates = regexp.MustCompile(`(?i)\b` + month + `\s+(\d{1,2})\s+(\d\d):(\d\d)(?::(\d\d))?\s+(?:[a-z]{3,5}\s+)?((?:19|20)\d\d)\b`)

// yearFirst is a day as libraries write it: 2024 Jan 3.
var yearFirst = regexp.MustCompile(`(?i)\b((?:19|20)\d\d)[\s-]` + month + `[\s-](\d{1,2})\b`)

// standardDates are the forms of a date that the standard for dates knows, and pages use.
var standardDates = []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339, "2006-01-02T15:04", "2006-01-02T15:04Z07:00"}

// asDate is a date as the standard for dates has it, or nothing where there is none in a text.
func asDate(s string) string {
	if len(s) >= len(time.DateOnly) && s[4] == '-' && s[7] == '-' {
		for _, layout := range standardDates {
			if _, err := time.Parse(layout, s); err == nil && hasYear(s[:4]) {
				return s
			}
		}
	}
	return findDate(s)
}

// findDate is the first day that a text names, with the time where one follows.
func findDate(s string) string {
	if hasNumerals(s) {
		s = PlainDays(s)
	}
	if !hasYear(s) && !hasShortYear(s) {
		return ""
	}
	s = PlainMonths(s)
	m := dates.FindStringSubmatch(s)
	if m == nil {
		if m = yearFirst.FindStringSubmatch(s); m != nil {
			return dayAndTime(m[1], monthNumber(m[2]), m[3], "")
		}
		if m = clockDates.FindStringSubmatch(s); m == nil {
			return ""
		}
		return dayAndTime(m[6], monthNumber(m[1]), m[2], timeOfDay("", m[3], m[4], m[5], ""))
	}
	year, mon, day := m[1], m[2], m[3]
	switch {
	case m[4] != "":
		year, mon, day = m[6], monthNumber(m[4]), m[5]
	case m[8] != "":
		year, mon, day = m[9], monthNumber(m[8]), m[7]
	case m[10] != "":
		year, mon, day = m[12], m[10], m[11]
		if number(mon) > 12 {
			mon, day = day, mon
		} else if number(day) <= 12 && number(day) != number(mon) {
			mon, day = byWeekday(s, year, mon, day)
		}
	case m[13] != "":
		year, mon, day = m[15], m[14], m[13]
	}
	return dayAndTime(year, mon, day, timeOfDay(m[16]+m[21], m[17], m[18], m[19], m[20]))
}

// byWeekday tells month and day apart in figures that could be either of two days, by the day of the week before them; without one they are
// none.
func byWeekday(s, year, a, b string) (mon, day string) {
	named := weekdayBefore.FindStringSubmatch(s[:dates.FindStringIndex(s)[0]])
	if named == nil {
		return "", ""
	}
	is := func(mon, day string) bool {
		at := time.Date(number(year), time.Month(number(mon)), number(day), 0, 0, 0, 0, time.UTC)
		return strings.EqualFold(at.Weekday().String()[:3], named[1])
	}
	switch first, second := is(a, b), is(b, a); {
	case first && !second:
		return a, b
	case second && !first:
		return b, a
	}
	return "", ""
}

var weekdayBefore = regexp.MustCompile(`(?i)\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s*$`)

// dayAndTime is a day of the calendar with a time, or nothing where there is no such day.
func dayAndTime(year, mon, day, clock string) string {
	if n := number(mon); n < 1 || n > 12 {
		return ""
	}
	if n := number(day); n < 1 || time.Date(number(year), time.Month(number(mon)), n, 0, 0, 0, 0, time.UTC).Day() != n {
		return "" // February has no 30th
	}
	return fmt.Sprintf("%s-%02d-%02d", year, number(mon), number(day)) + clock
}

// timeOfDay is a time as it follows a day, or nothing where there is no such time.
func timeOfDay(half, hour, minute, second, zone string) string {
	h := number(hour)
	switch strings.ToLower(half) {
	case "a", "凌晨":
		h %= 12
	case "p":
		h = h%12 + 12
	case "中午", "下午", "傍晚", "晚上", "晚":
		if h == 12 && strings.HasPrefix(half, "晚") {
			return "" // it is the next day
		}
		if 0 < h && h < 12 && (half != "中午" || h < 3) {
			h += 12
		}
	}
	if minute == "" || number(hour) > 23 || number(minute) > 59 || number(second) > 59 {
		return ""
	}
	clock := fmt.Sprintf("T%02d:%s", h, minute)
	if second != "" {
		if zone = strings.ToUpper(zone); zone == "GMT" || zone == "UTC" {
			zone = "Z"
		}
		clock += ":" + second + zone
	}
	if len(zone) == len("+0800") {
		clock = clock[:len(clock)-2] + ":" + zone[3:]
	}
	return clock
}

// beginsDate says at a glance whether a text may begin with a day: with a figure, or the name of a month or of a day of the week, and
// with a year soon behind.
func beginsDate(s string) bool {
	if s = s[:min(len(s), len("Wednesday, September 30th, 2026"))]; len(s) < 8 || !hasYear(s) {
		return false
	}
	return isDigit(s[0]) || isLetter(s[0]) && strings.Contains(" jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun ", " "+strings.ToLower(s[:3])+" ")
}

// hasYear says at a glance whether a text may name a year of these two centuries.
func hasYear[Text string | []byte](s Text) bool {
	for i := 0; i+4 <= len(s); i++ {
		if (s[i] == '2' && s[i+1] == '0' || s[i] == '1' && s[i+1] == '9') && isDigit(s[i+2]) && isDigit(s[i+3]) {
			return true
		}
	}
	return false
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func monthNumber(s string) string {
	return strconv.Itoa(slices.Index(months, strings.ToLower(s[:3])) + 1)
}

// inAddress is a day in the path of an address.
var inAddress = regexp.MustCompile(`/((?:19|20)\d\d)[-/_]?(0[1-9]|1[0-2])[-/_]?(0[1-9]|[12]\d|3[01])(?:/|[-_.]|$|\D)`)

func addressDate(address string) string {
	if m := inAddress.FindStringSubmatch(address); m != nil {
		return m[1] + "-" + m[2] + "-" + m[3]
	}
	return ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
