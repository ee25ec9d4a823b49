// Three stages over channels; transform takes ten times as long as the others.
package main

import (
	"fmt"
	"os"
	"strconv"
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

//go:noinline
func parse(i int) uint64 { return spin(uint64(i)|1, 200000) | 1 }

//go:noinline
func transform(x uint64, n int) uint64 { return spin(x, n) | 1 }

//go:noinline
func emit(x uint64) uint64 { return spin(x, 200000) & 1 }

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	parsed := make(chan uint64, 4)
	transformed := make(chan uint64, 4)
	go func() {
		for i := 0; i < 150; i++ {
			parsed <- parse(i)
		}
		close(parsed)
	}()
	go func() {
		for x := range parsed {
			transformed <- transform(x, n)
		}
		close(transformed)
	}()
	var odd uint64
	for x := range transformed {
		odd += emit(x)
	}
	fmt.Println(odd)
}
