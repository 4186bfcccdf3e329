package strict

import (
	"strings"
	"unicode/utf8"
)

// Nearest is the known word that was probably meant: the one the fewest slips of the hand away, at most one for every
// three letters. It is empty when none is near.
func Nearest(word string, known []string) string {
	best, distance := "", utf8.RuneCountInString(word)/3+1
	for _, k := range known {
		if d := slips(strings.ToLower(word), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// slips is the number of letters to insert, drop, change or swap with their neighbour to make a into b; - and _ are
// the same letter.
func slips(a, b string) int {
	x, y := []rune(strings.ReplaceAll(a, "_", "-")), []rune(strings.ReplaceAll(b, "_", "-"))
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := rows[i-1][j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
