package page

import (
	"regexp"
	"slices"
	"strings"
)

// What is no text in parts that are: lines that a break alone parts from it.

const (
	mostEndLines = 6   // lines at the end of a text that are looked at for what does not belong to it
	endBytes     = 900 // and how many bytes they have at most
)

// endLines leaves out the lines at the end of the main text that are the site's: who edited it, the other pages of it, what one may scan,
// and a notice with all below it that says who answers for the text. And it leaves out the line above a post that says who changed it.
func (r *reading) endLines(c []candidate) {
	last, left := -1, 0
	for k := 0; k < len(r.prose.runs); k++ {
		if !c[r.prose.runs[k].part].keep {
			continue
		}
		if r.changedLine(k) {
			k++
		}
		if u := &r.prose.runs[k]; !u.off {
			last, left = k, left+int(u.to-u.from)
		}
	}
	end := int32(0)
	if last >= 0 {
		end = r.prose.runs[last].to
	}
	cut, said := end, end
	for range mostEndLines {
		from := int32(strings.LastIndexByte(r.page.prose[:max(0, said-1)], '\n') + 1)
		line := r.page.prose[from:said]
		if int(end-from) > min(endBytes, left/3) || left-int(end-from) < fewBytes {
			break
		}
		if r.lists.disclaims(line) || cut == said && r.isEndLine(line) {
			cut = from
		}
		said = from
	}
	for k := last; k >= 0 && r.prose.runs[k].to > cut; k-- {
		r.leaveLine(k, max(cut, r.prose.runs[k].from), r.prose.runs[k].to)
	}
}

// isEndLine says of the line at the end of a text that it is the site's.
func (r *reading) isEndLine(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" || len(line) > bylineBytes {
		return line == ""
	}
	bracketed := strings.HasPrefix(line, "(") || strings.HasPrefix(line, "（") || strings.HasPrefix(line, "【")
	return r.lists.houseLine(line) && (bracketed || !r.lists.ambiguous.begins(line)) && !(endsSentence(line) && !bracketed) ||
		holds(line, "页", "頁") && otherPages.MatchString(line) || holds(line, "关注", "關注") && asksToScan.MatchString(line)
}

// holds says whether one of two words stands in a line.
func holds(line, word, other string) bool {
	return strings.Contains(line, word) || strings.Contains(line, other)
}

// otherPages is a line of links to the other pages of a text.
var otherPages = regexp.MustCompile(`^(?:[\s\d./\[\]()（）【】<>«»‹›…·|-]|共|第|[页頁]|(?:首|上一?|下一?|尾|末|前一|[后後]一|最[后後]一?)[页頁]|全文|余下|[阅閱][读讀]|[查浏瀏][看览覽])*[上下尾末]一?[页頁](?:[\s\d./\[\]()（）【】<>«»‹›…·|-]|共|第|[页頁]|(?:首|上一?|下一?|尾|末)[页頁]|全文|余下|[阅閱][读讀])*$`)

// asksToScan is a line that asks readers to follow somebody by a picture.
var asksToScan = regexp.MustCompile(`(?:扫|掃|长按|識別|识别)[^。，]{0,24}(?:关注|關注)`)

// changedLine leaves out the line above a post that says who changed it last, and says whether that is a run of its own now.
func (r *reading) changedLine(k int) bool {
	u := &r.prose.runs[k]
	if !strings.HasPrefix(r.page.prose[u.from:], "本") || u.from > 0 && r.page.prose[u.from-1] != '\n' {
		return false
	}
	line, _, more := strings.Cut(Cut(r.page.prose[u.from:], bylineBytes), "\n")
	end := u.from + int32(len(line))
	if !more || !postChanged.MatchString(line) {
		return false
	}
	within := u.to > end
	r.leaveLine(k, u.from, min(u.to, end))
	return within
}

// leaveLine leaves out what a run has at its beginning or at its end, which is a run of its own from then on.
func (r *reading) leaveLine(k int, from, to int32) {
	u := &r.prose.runs[k]
	line := *u
	line.from, line.to, line.off = from, to, true
	switch {
	case from == u.from && to == u.to:
		*u = line
	case from == u.from:
		u.from = to + 1 // behind the line break
		r.prose.runs = slices.Insert(r.prose.runs, k, line)
	default:
		u.to = from - 1
		r.prose.runs = slices.Insert(r.prose.runs, k+1, line)
	}
}

var postChanged = regexp.MustCompile(`^本[帖贴文]最[后後].{1,60}(?:编辑|編輯|修改)\s*$`)
