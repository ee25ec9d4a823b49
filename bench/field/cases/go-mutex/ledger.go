// Four goroutines compute while they hold a sync.Mutex: one for all, or one for each ("split").
package main

import (
	"fmt"
	"os"
	"sync"
)

//go:noinline
func spin(x uint64, n int) uint64 {
	for i := 0; i < n; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

type account struct {
	mutex   sync.Mutex
	balance uint64
}

//go:noinline
func book(a *account) {
	a.mutex.Lock()
	a.balance = spin(a.balance|1, 1000000)
	a.mutex.Unlock()
}

//go:noinline
func prepare(i int) uint64 { return spin(uint64(i)|1, 100000) | 1 }

func main() {
	accounts := make([]account, 4)
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		a := &accounts[0]
		if len(os.Args) > 1 {
			a = &accounts[i]
		}
		all.Add(1)
		go func() {
			var sum uint64
			for k := 0; k < 75; k++ {
				sum += prepare(k)
				book(a)
			}
			_ = sum
			all.Done()
		}()
	}
	all.Wait()
	fmt.Println("done")
}
