package text_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/text"
)

// A Cutter turns Chinese and English alike into the words that are counted. It keeps names and the topic's own terms
// whole, in whichever spelling they come.
func Example() {
	cutter, err := text.NewCutter(text.Options{Terms: []string{"世界杯 决赛", "office hours"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []string{"世界盃決賽的門票", "Professors' office-hours", "他在4S店用iPhone15付款"} {
		for _, token := range cutter.Cut(nil, s) {
			fmt.Print(token.Term, "|")
		}
		fmt.Println()
	}
	for _, m := range cutter.Find(nil, "看世界杯·决赛直播") {
		fmt.Println("found", m.Key)
	}
	// Output:
	// 世界杯 决赛|门票|
	// professor|offic hour|
	// 4s店|iphone15|付款|
	// found 世界杯 决赛
}

func ExampleDetect() {
	fmt.Println(text.Detect("The pages of one topic", "zh-CN"))
	// Output: en
}
