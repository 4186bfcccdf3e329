package strict

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	wholeNumber = regexp.MustCompile(`^[-+]?[0-9][0-9_]*$`)
	number      = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// plainKind is the kind of a scalar without quotes, by the core schema of YAML 1.2: yes, no, on and off are text, 012 is
// twelve. Underscores between digits are allowed, as in Go.
func plainKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	if _, ok := parseFloat(s); ok {
		return Number
	}
	return Text
}

func parseFloat(s string) (float64, bool) {
	if s == "" || !strings.Contains("+-.0123456789", s[:1]) {
		return 0, false
	}
	if last := s[len(s)-1] | ' '; last == 'n' || last == 'f' {
		switch strings.ToLower(s) {
		case ".nan":
			return math.NaN(), true
		case ".inf", "+.inf":
			return math.Inf(1), true
		case "-.inf":
			return math.Inf(-1), true
		}
		return 0, false
	}
	if !number.MatchString(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, err == nil || math.IsInf(f, 0)
}

// parseInt reads a whole number, which may be written 3000, 3_000 or 3e3.
func parseInt(s string) (int64, bool) {
	if wholeNumber.MatchString(s) {
		i, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
		return i, err == nil
	}
	f, ok := parseFloat(s)
	if !ok || f != math.Trunc(f) || !(math.Abs(f) <= 1<<53) {
		return 0, false
	}
	return int64(f), true
}

// parseUint reads a whole number that is not below 0, as far as 64 bits reach.
func parseUint(s string) (uint64, bool) {
	if u, err := strconv.ParseUint(strings.ReplaceAll(s, "_", ""), 10, 64); err == nil && wholeNumber.MatchString(s) {
		return u, true
	}
	i, ok := parseInt(s)
	return uint64(i), ok && i >= 0
}

// parseDuration reads 1.5s, 250ms, 1h30m, 2d; a number alone is seconds.
func parseDuration(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if f, isNumber := parseFloat(days); isNumber {
			return seconds(f * 24 * 3600)
		}
	}
	if f, ok := parseFloat(s); ok {
		return seconds(f)
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("want a time such as 1.5s, 250ms, 10m, 2h or 1d")
	}
	return d, nil
}

func seconds(f float64) (time.Duration, error) {
	d := f * float64(time.Second)
	if !(math.Abs(d) < math.MaxInt64) {
		return 0, fmt.Errorf("want a time of at most 292 years")
	}
	return time.Duration(math.Round(d)), nil
}

// formatDuration writes a duration as a person would: 1h30m, not 1h30m0s.
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Size is a number of bytes, written 10MB, 512KB or 1.5GB (powers of 1000), 10MiB (powers of 1024), or as a number.
type Size int64

var sizeUnits = []struct {
	unit  string
	bytes int64
}{
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3},
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1},
}

// UnmarshalText reads a size; letters may be of either case.
func (s *Size) UnmarshalText(text []byte) error {
	written, factor := strings.TrimSpace(string(text)), int64(1)
	for _, u := range sizeUnits {
		if len(written) > len(u.unit) && strings.EqualFold(written[len(written)-len(u.unit):], u.unit) {
			written, factor = strings.TrimSpace(written[:len(written)-len(u.unit)]), u.bytes
			break
		}
	}
	f, ok := parseFloat(written)
	if !ok || !(math.Abs(f)*float64(factor) < 1<<62) {
		return fmt.Errorf("want a size such as 10MB, 512KB or 1.5GiB")
	}
	*s = Size(math.Round(f * float64(factor)))
	return nil
}

// MarshalText writes a size with the largest unit that leaves it whole.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String is the size with the largest unit that leaves it whole.
func (s Size) String() string {
	best, factor := "", int64(1)
	for _, u := range sizeUnits {
		if u.bytes > factor && s != 0 && int64(s)%u.bytes == 0 {
			best, factor = u.unit, u.bytes
		}
	}
	return strconv.FormatInt(int64(s)/factor, 10) + best
}

// Pace is the time between two events, written as the pause (1.5s) or as the rate (2/s, 30/m, 100/h).
type Pace time.Duration

// UnmarshalText reads a pause or a rate.
func (p *Pace) UnmarshalText(text []byte) error {
	times, per, isRate := strings.Cut(strings.TrimSpace(string(text)), "/")
	if !isRate {
		d, err := parseDuration(times)
		if err != nil {
			return fmt.Errorf("want a pause such as 1.5s or a rate such as 2/s")
		}
		*p = Pace(d)
		return nil
	}
	unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "min": time.Minute, "h": time.Hour}[strings.TrimSpace(per)]
	f, ok := parseFloat(strings.TrimSpace(times))
	if unit == 0 || !ok || !(f >= 1e-6 && f <= 1e9) {
		return fmt.Errorf("want a rate such as 2/s, 30/m or 100/h, or a pause such as 1.5s")
	}
	*p = Pace(math.Round(float64(unit) / f))
	return nil
}

// MarshalText writes the pause.
func (p Pace) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// String is the pause.
func (p Pace) String() string { return formatDuration(time.Duration(p)) }

// Duration is a time as it is written in a file: 1.5s, 250ms, 1h30m, 2d; a number alone is seconds.
type Duration time.Duration

// Duration is the time itself.
func (d Duration) Duration() time.Duration { return time.Duration(d) }

// UnmarshalText reads a time.
func (d *Duration) UnmarshalText(text []byte) error {
	t, err := parseDuration(strings.TrimSpace(string(text)))
	*d = Duration(t)
	return err
}

// MarshalText writes the time.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String is the time as a person would write it.
func (d Duration) String() string { return formatDuration(time.Duration(d)) }

// Duration is the pause.
func (p Pace) Duration() time.Duration { return time.Duration(p) }
