package junk

import (
	"fmt"
	"strconv"
	"strings"
)

// calendarWords are the words of paths and parameters that calendars have.
var calendarWords = []string{"calendar", "event", "schedule", "agenda", "month", "week", "day", "date", "rili", "日历", "日程"}

// calendar finds dates that only a calendar has: far in the future, or at all too many on a host that asks for them by
// a calendar's words. An archive of old days is no calendar.
func (w *TrapWatch) calendar(a *parts, segments []string) string {
	year, ok := yearOf(segments, a.query)
	if !ok {
		return ""
	}
	if year > w.now().Year()+farFuture {
		return fmt.Sprintf("calendar: year %d", year)
	}
	text := strings.ToLower(a.path + "?" + a.query)
	for _, word := range calendarWords {
		if strings.Contains(text, word) {
			if w.count("calendar", a.host, Mask(a.path)) > mostDates {
				return fmt.Sprintf("calendar: more than %d dates", mostDates)
			}
			return ""
		}
	}
	return ""
}

// yearOf finds the year of a date: a segment of a year followed by a month, a text such as 2031-05, or parameters of
// year and month.
func yearOf(segments []string, query string) (year int, ok bool) {
	for i, s := range segments {
		if y, ok := dashed(s); ok {
			return y, true
		}
		if i+1 < len(segments) && isMonth(segments[i+1]) {
			if y, ok := isYear(s); ok {
				return y, true
			}
		}
	}
	var asked int
	month := false
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		key, value, _ := strings.Cut(strings.ToLower(part), "=")
		if y, ok := dashed(value); ok {
			return y, true
		}
		switch key {
		case "year", "yr", "y", "nian":
			asked, _ = isYear(value)
		case "month", "mon", "m", "yue", "week":
			month = true
		}
	}
	return asked, asked != 0 && month
}

// dashed reads dates such as 2031-05, 2031-5-17 and 20310517.
func dashed(s string) (year int, ok bool) {
	if len(s) == 8 && allNumbers([]string{s}) && isMonth(s[4:6]) {
		return isYear(s[:4])
	}
	if len(s) < 6 || s[4] != '-' && s[4] != '_' {
		return 0, false
	}
	month, _, _ := strings.Cut(strings.ReplaceAll(s[5:], "_", "-"), "-")
	if !isMonth(month) {
		return 0, false
	}
	return isYear(s[:4])
}

func isYear(s string) (int, bool) {
	y, err := strconv.Atoi(s)
	return y, err == nil && len(s) == 4 && y >= 1000
}

func isMonth(s string) bool {
	m, err := strconv.Atoi(s)
	return err == nil && len(s) <= 2 && m >= 1 && m <= 12
}
