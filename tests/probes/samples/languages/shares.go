// Five functions of known shares in three threads. Prints what each took by the threads' own clocks, in ns. The
// argument: how many rounds.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"
)

const functions = 5

var names = [functions]string{"half", "quarter", "sixth", "twelfth", "hundredth"}

func now() int64 {
	const threadClock = 3
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

//go:noinline
func half(n uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i++ {
		x = (x*1664525 + 1013904223) ^ x>>13
	}
	return x
}

//go:noinline
func quarter(n uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i++ {
		x = (x*1664525 + 1013904223) ^ x>>12
	}
	return x
}

//go:noinline
func sixth(n uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i++ {
		x = (x*1664525 + 1013904223) ^ x>>11
	}
	return x
}

//go:noinline
func twelfth(n uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i++ {
		x = (x*1664525 + 1013904223) ^ x>>10
	}
	return x
}

//go:noinline
func hundredth(n uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i++ {
		x = (x*1664525 + 1013904223) ^ x>>9
	}
	return x
}

func work(thread uint32, rounds int, result chan<- [functions]int64) {
	var took [functions]int64
	var sink uint64
	// rounds of one sequence would be met at the same places in each run
	random := uint32(os.Getpid())*2654435761 + thread
	runtime.LockOSThread()
	for i := 0; i < rounds; i++ {
		random = random*1664525 + 1013904223
		unit := uint64(50 + random/(1<<25)%100)
		var times [functions + 1]int64
		times[0] = now()
		sink += half(5000 * unit)
		times[1] = now()
		sink += quarter(2500 * unit)
		times[2] = now()
		sink += sixth(1600 * unit)
		times[3] = now()
		sink += twelfth(800 * unit)
		times[4] = now()
		sink += hundredth(100 * unit)
		times[5] = now()
		for k := range took {
			took[k] += times[k+1] - times[k]
		}
	}
	runtime.KeepAlive(sink)
	result <- took
}

func main() {
	rounds := 100
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	runtime.GOMAXPROCS(4)
	result := make(chan [functions]int64)
	for i := uint32(0); i < 3; i++ {
		go work(i, rounds, result)
	}
	var all [functions]int64
	for i := 0; i < 3; i++ {
		took := <-result
		for k := range all {
			all[k] += took[k]
		}
	}
	for k, name := range names {
		fmt.Println(name, all[k])
	}
}
