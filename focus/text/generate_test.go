package text

import (
	"math/rand/v2"
	"strings"
	"sync"
)

// generated is text of about n bytes that reads like Chinese to a cutter: words of the dictionary, common ones more
// often, with grammar, Latin names, punctuation, traditional characters, terms and what tempts a cut to go wrong.
func generated(seed uint64, n int, terms []string) string {
	list, err := dictionaryWords()
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for b.Len() < n {
		switch k := r.IntN(20); {
		case k < 4:
			b.WriteString(pick(r, strings.Fields("的 了 是 在 和 有 不 我 他 人 中 大 上 为 这 个 们 到 说 就 也 对 年 学 生")))
		case k < 6 && len(terms) > 0:
			b.WriteString(pick(r, terms))
		case k < 7:
			b.WriteString(pick(r, strings.Fields("大学生活 产品和服务 发展中国家 北京东城区 汽车市场 最美的人 上海证券交易所 火车站 地球 世界杯决赛")))
		case k < 8:
			b.WriteString(pick(r, strings.Fields("NBA iPhone15 C++ 5G running ＫＴＶ 2019 office-hours 卡拉OK 4S店 ノート Привет")))
		case k < 9:
			b.WriteString(pick(r, strings.Fields("體育 學生 籃球 經濟 電腦 國家 發展 著名 乾隆")))
		case k < 12:
			b.WriteString(pick(r, []string{"，", "。", " ", "！", "·", "\n", "、", "-", "\xFF", "\x00"}))
		default:
			b.WriteString(pick(r, list.words).word)
		}
	}
	return b.String()
}

var dictionaryWords = sync.OnceValues(embeddedWords)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
