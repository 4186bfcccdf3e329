package learn

import (
	"runtime"
	"sync"
)

// Each does work for every number below n, on all processors. What the work writes must be its own.
func Each(n int, work func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
