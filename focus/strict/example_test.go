package strict_test

import (
	"fmt"
	"time"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// A struct holds its defaults, a file changes what it names, and all that is wrong with the file is told at once.
func Example() {
	type polite struct {
		Delay    strict.Pace   `yaml:"delay" check:"0s..1h"`
		Timeout  time.Duration `yaml:"timeout" check:"(0s.."`
		PerHost  int           `yaml:"per_host" check:"1..100"`
		MaxBytes strict.Size   `yaml:"max_bytes"`
	}
	p := polite{Delay: strict.Pace(time.Second), Timeout: 30 * time.Second, PerHost: 1, MaxBytes: 10e6}
	err := strict.Decode("good.yaml", []byte("delay: 2/s\n"), &p)
	fmt.Println(err)
	fmt.Print(string(strict.Encode(p)))

	fmt.Println(strict.Decode("bad.yaml", []byte("dealy: 2s\nper_host: 0\ntimeout: soon\n"), &p))
	// Output:
	// <nil>
	// delay: 500ms
	// timeout: 30s
	// per_host: 1
	// max_bytes: 10MB
	// bad.yaml:1:1: dealy: unknown key; did you mean "delay"?
	// bad.yaml:2:11: per_host: is 0, want 1 to 100
	// bad.yaml:3:10: timeout: is "soon", want a time such as 1.5s, 250ms, 10m, 2h or 1d
}

// A node is asked for its keys and places, and a part of it is decoded when it is known what it should be.
func ExampleNode() {
	n, err := strict.Parse("shark.yaml", []byte("use: context\nwith: {window: 0}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	use, _ := n.Get("use")
	with, _ := n.Get("with")
	line, column := with.At()
	fmt.Println(n.Keys(), use.Text(), line, column)
	parameters := struct {
		Window int `yaml:"window" check:"1.."`
	}{Window: 10}
	fmt.Println(with.Decode(&parameters))
	// Output:
	// [use with] context 2 7
	// [shark.yaml:2:16: with.window: is 0, want at least 1]
}
