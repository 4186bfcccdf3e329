package charset_test

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Decode believes bytes before words: this header lies.
func ExampleDecode() {
	utf8, name := charset.Decode([]byte("\xd6\xd0\xb9\xfa\xb5\xc4\xb4\xf3\xd1\xa7"), "text/html; charset=utf-8")
	fmt.Println(string(utf8), name)
	// Output: 中国的大学 gb18030
}
