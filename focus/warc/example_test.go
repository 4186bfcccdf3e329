package warc_test

import (
	"bytes"
	"fmt"
	"time"

	"github.com/thresher-crawler/thresher/focus/warc"
)

// An archive is written record by record, and read back the same way.
func Example() {
	var file bytes.Buffer
	w := warc.NewWriter(&file)
	w.Write(&warc.Record{Type: "response", Target: "http://a.example/", Date: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Body: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\ngrain")})
	r, _ := warc.NewReader(&file)
	for {
		rec, err := r.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		resp, body, _ := rec.Response()
		fmt.Println(rec.Target, resp.StatusCode, string(body))
	}
	// Output:
	// http://a.example/ 200 grain
	// EOF
}
