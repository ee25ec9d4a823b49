#!/bin/sh
# figures.sh MESSAGES SLOW PGZ: draws the gallery's pictures from two runs of examples/messages, of which the second
# had a late thread, and one of examples/pgz. Each picture is one command; README.md shows them.
set -eu
messages=$1 slow=$2 pgz=$3
draw() {
	out=$1
	shift
	nibble --size 800x400 "$@" -o "$out"
}

draw count.png "$messages" 'count(Sendmsg)' 'count(Recvmsg)' 'count(Sendmsg) - count(Recvmsg)'
draw open.png "$messages" 'open(Transit)' 'smooth(open(Transit), 2 ms)'
draw quantiles.png "$messages" 'p50(Transit.time)' 'p99(Transit.time)' --log y
draw points.png "$messages" 'time(Transit)' 'smooth(time(Transit), 2 ms)'
draw histogram.png "$pgz" 'hist(Compress.time)'
draw distribution.png "$messages" 'cdf(Transit3.time)' 'cdf(Transit4.time)' 'cdf(Transit.time)' --log x
draw heat.png "$pgz" 'heat(Life.time)'
draw families.png "$messages" 'count(Recvmsg) per thread'
nibble --size 1200x600 "$pgz" 'busy(Compress) per thread' --grid -o grid.png
draw compare.png "$messages" "$slow" 'count(Recvmsg)' --align Recvmsg
nibble --size 800x700 "$pgz" 'mean(Compress.mb_per_s)' 'open(Queued)' 'rate(WriteEnd)' -o panels.png
gorge "$messages" --width 800 --track 'open(Transit)' --track 'p99(Transit.time)' --threads 0-3 --intervals Transit -o tracks.png
