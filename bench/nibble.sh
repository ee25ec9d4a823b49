# How long nibble takes on a run of many events: one series, then ten at once; and of intervals, once their instances
# are found, which bench/series tells apart. Rows for bench/run.
#
# NIBBLE_EVENTS (100 million) and NIBBLE_THREADS (16) tell the size; the times to reach are for 100 million
# and are scaled with it.

. "${src:?set by bench/run}/bench/script.sh"
events=${NIBBLE_EVENTS:-100000000} threads=${NIBBLE_THREADS:-16}
run=$BENCH_DIR/nibble

LC_ALL=C
export LC_ALL
need_programs nibble bench/merge bench/series
"$build/bench/merge" "$events" "$threads" "$run" || exit 0
trap 'rm -rf "$run"' EXIT

# row NAME SECONDS ARGUMENT...: the best of three, of the whole command, drawn as a script
row() {
	name=$1 seconds=$2 best=
	shift 2
	for _ in 1 2 3; do
		begun=$(date +%s%N)
		"$build/nibble" "$run" "$@" --dump >/dev/null || exit 0
		best=$(echo "$(($(date +%s%N) - begun)) $best" | awk '{ print NF < 2 || $1 < $2 ? $1 : $2 }')
	done
	awk -v name="$name" -v best="$best" -v seconds="$seconds" -v events="$events" -v threads="$threads" 'BEGIN {
		target = seconds == "-" ? "-" : sprintf("<=%g", seconds * events / 1e8)
		printf "nibble, %s, s\t%.2f\t%s\t%g million events, %d threads\n", name, best / 1e9, target, events / 1e6, threads
	}'
}

row 'count(E)' 2 'count(Send)'
row 'count(E) per thread' 2 'count(Send) per thread'
row 'rate(E) per attribute' 2 'rate(Send) per to'
row 'count(E) per attribute' 2 'count(Send) per to'
row 'count(E) - count(E)' 2 'count(Send) - count(Recv)'
row 'rate(E)' 2 'rate(Send)'
row 'rate(E[where ...])' 2 'rate(Send[where to == 3 && seq > 1000])'
row 'smooth(rate(E), ...)' 2 'smooth(rate(Send), 5 ms)'
row 'value(E.attr)' 2 'value(Send.seq)'
row 'value(E.attr) * 2' 2 'value(Send.seq) * 2'
row 'mean(E.attr)' 2 'mean(Send.seq)'
row 'max(E.attr) per thread' 2 'max(Send.seq) per thread'
row 'p99(E.attr)' 2 'p99(Send.seq)'
row 'mean(E.attr) per attribute' 2 'mean(Send.seq) per to'
row 'p99(E.attr) per attribute' 2 'p99(Send.seq) per to'
row 'hist(E.attr)' 2 'hist(Send.seq)'
row 'cdf(E.attr)' 2 'cdf(Send.to)'
row 'heat(E.attr)' 2 'heat(Send.seq)'
row 'ten series' 4 'count(Send)' 'count(Recv)' 'rate(Send)' 'rate(Recv) per thread' 'mean(Send.seq)' \
	'min(Send.seq)' 'max(Recv.seq)' 'p50(Send.seq)' 'p99(Send.seq)' 'hist(Recv.seq)'
"$build/bench/series" "$run" "$src/bench/series.spec"
