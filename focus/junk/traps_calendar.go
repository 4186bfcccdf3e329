package junk

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What paths and parameters of calendars are called: a word of its own is no part of another (today, update, candidate), but
// may be one of several that are written in one (startDate).
var (
	calendarWord = regexp.MustCompile(`calend|kalend|日历|日程|(?:^|[^a-z])(?:cal|event|schedule|agenda|month|week|day|date|rili)s?(?:$|[^a-z])`)
	joint        = regexp.MustCompile(`([a-z])([A-Z])`)
)

// calendar finds dates that only a calendar has: far in the future, or at all too many on a host that asks for them by
// a calendar's words, or by parameters of year and month. An archive of old days is no calendar.
func (w *TrapWatch) calendar(a *parts, segments []string) string {
	now := w.now().Year()
	d := dateOf(segments, a.query, mostYear)
	if d.how == noDate {
		return ""
	}
	own := d.how == named || calendarWord.MatchString(strings.ToLower(joint.ReplaceAllString(a.path+"?"+a.query, "$1 $2")))
	if !own && d.year > now+lastYear {
		d = dateOf(segments, a.query, now+lastYear)
	}
	switch {
	case !own && d.how <= likely:
		return ""
	case d.year > now+farFuture:
		return fmt.Sprintf("calendar: year %d", d.year)
	case !own:
		return ""
	}
	pattern := Mask(a.path)
	day := kindOf("date", a.host, pattern, d.text)
	if w.met(day) > 0 {
		return ""
	}
	if a.add(day); w.full(a, mostDates+perKept*w.met(a.pattern(queryKeys(a.query)).kept), kindOf("dates", a.host, pattern)) {
		return fmt.Sprintf("calendar: more than %d dates", mostDates)
	}
	return ""
}

// date is one that an address names.
type date struct {
	year int
	text string // all of it
	how  reading
}

// reading is how far what looks like a date is one.
type reading int

const (
	noDate  reading = iota
	likely          // beside a calendar's word; numbers of articles and of pages look like it, too
	written         // as nothing but dates are
	named           // by parameters of a year and a month
)

// dateOf finds the date of an address, the one that is a date most likely. A year is at most last.
func dateOf(segments []string, query string, last int) (found date) {
	take := func(d date) {
		if d.how > found.how && d.year <= last {
			found = d
		}
	}
	for i, s := range segments {
		take(dated(s))
		take(inPath(segments[i:]))
	}
	year, month, day := "", "", ""
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		key, value, _ := strings.Cut(strings.ToLower(part), "=")
		take(dated(value))
		switch key {
		case "year", "yr", "y", "nian":
			year = value
		case "month", "mon", "m", "yue", "week":
			month = value
		case "day", "d", "ri":
			day = value
		}
	}
	if y := yearOf(year); y > 0 && (number(month, 53) || month != "" && !strings.ContainsAny(month, "0123456789")) {
		take(date{y, year + "-" + month + "-" + day, named})
	}
	return found
}

// dashes are those of dates such as 2031-05 and 2031-5-17; what follows a day is no part of it.
var dashes = regexp.MustCompile(`^\d{4}[-_](\d\d?)(?:[-_](\d\d?)(?:\D.*)?)?$`)

// dated reads such dates, and those such as 20310517.
func dated(s string) date {
	if len(s) == 8 && number(s[4:6], 12) && number(s[6:], 31) {
		if y := yearOf(s[:4]); y > 0 {
			return date{y, s, likely}
		}
	}
	if len(s) < 6 || s[4] != '-' && s[4] != '_' {
		return date{}
	}
	m := dashes.FindStringSubmatch(s)
	if m == nil || !number(m[1], 12) || m[2] != "" && !number(m[2], 31) {
		return date{}
	}
	return date{yearOf(s[:4]), s[:5] + m[1] + "-" + m[2], written}
}

// inPath reads the date that a path begins with: a year, a month and perhaps a day. One whose month has two digits, and that a day or
// nothing follows, is nothing else.
func inPath(segments []string) date {
	if len(segments) < 2 || yearOf(segments[0]) == 0 || !number(segments[1], 12) {
		return date{}
	}
	d := date{yearOf(segments[0]), segments[0] + "-" + segments[1], likely}
	day := len(segments) > 2 && number(segments[2], 31)
	if day {
		d.text += "-" + segments[2]
	}
	if len(segments[1]) == 2 && (day || len(segments) == 2) {
		d.how = written
	}
	return d
}

// yearOf is the year that a text is; 0 if it is none.
func yearOf(s string) int {
	if len(s) != 4 || s[0] == '0' || !allNumbers([]string{s}) {
		return 0
	}
	y, _ := strconv.Atoi(s)
	return y
}

// number tells whether a text is a number from 1, of two digits at most.
func number(s string, most int) bool {
	if s == "" || len(s) > 2 || !allNumbers([]string{s}) {
		return false
	}
	n, _ := strconv.Atoi(s)
	return n >= 1 && n <= most
}
