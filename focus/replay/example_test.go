package replay_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/thresher-crawler/thresher/focus/replay"
)

// Example crawls nothing: it shows that a web in a box answers an ordinary http.Client.
func Example() {
	web, err := replay.Open("../../testdata/webs/small")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer web.Close()
	topic := web.Topics()[0]
	fmt.Println(web.Name(), topic.Name, topic.Seeds)

	client := &http.Client{Transport: web}
	resp, err := client.Get(topic.Seeds[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	page, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.Status, bytes.Count(page, []byte("<a ")) > 10)

	recorded, ok := web.Has(topic.Seeds[0] + "index.html") // an old address
	label, _ := web.Labels(recorded)
	fmt.Println(ok, recorded, label)
	// Output:
	// small sailing [http://daily.example/]
	// 200 OK true
	// true http://daily.example/ general	home	en
}
