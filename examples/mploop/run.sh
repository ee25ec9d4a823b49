#!/bin/sh
# run.sh [-p THREADS] [-n ITERATIONS] [-c CHUNK] [-s STEPS] [-r ROUNDS] [DIRECTORY]
#
# Runs mploop with each schedule on an idle machine, on one whose first processor has other work to
# do (one process, or two), and on that one with threads that may leave their processors. Of all rounds it keeps the one
# in the middle, as DIRECTORY/CONDITION-SCHEDULE, draws it, and prints a table. The other work is
# started here and ends with this script, however that ends.
set -eu
threads=4 iterations=400 chunk=25 steps=100000 rounds=5
while getopts p:n:c:s:r: option; do
	case $option in
	p) threads=$OPTARG ;;
	n) iterations=$OPTARG ;;
	c) chunk=$OPTARG ;;
	s) steps=$OPTARG ;;
	r) rounds=$OPTARG ;;
	*) sed -n '2s/# /usage: /p' "$0" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
out=${1:-results}
mkdir "$out"
PATH=$PATH:.

# Threads that wait sleep, so that they take no processor from those that work.
export OMP_WAIT_POLICY=passive

# load_start N: so many processes that compute on the first processor until the script is no more
load_pids=
load_start() {
	first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
	for _ in $(seq "$1"); do
		taskset -c "$first" sh -c 'while kill -0 "$1" 2>/dev/null; do
			i=0
			while [ $i -lt 50000 ]; do i=$((i + 1)); done
		done' load $$ &
		load_pids="$load_pids $!"
	done
}
load_stop() {
	[ -z "$load_pids" ] || kill $load_pids 2>/dev/null || true
	load_pids=
}
trap load_stop EXIT
trap 'exit 1' HUP INT TERM

# durations INTERVAL RUN: of its instances, in nanoseconds
durations() {
	glimpse match --interval "$1" --format=csv "$2" 2>/dev/null | tail -n +2 | cut -d, -f8
}

# measure CONDITION SCHEDULE: the middle one of all rounds is kept under that name
measure() {
	round=1
	while [ $round -le "$rounds" ]; do
		GLIMPSE_DIR=$out/round.$round mploop "$2" "$threads" "$iterations" "$chunk" "$steps" || break
		echo "$(durations Loop "$out/round.$round") $round"
		round=$((round + 1))
	done | sort -n | sed -n "$(((rounds + 1) / 2))s/.* //p" >"$out/middle"
	[ -s "$out/middle" ] || {
		echo "run.sh: mploop $2 failed; is it built, and are glimpse, gorge and nibble in the PATH?" >&2
		exit 1
	}
	mv "$out/round.$(cat "$out/middle")" "$out/$1-$2"
	rm -rf "$out/middle" "$out"/round.*
}

each_schedule() {
	for schedule in static interleave dynamic guided; do
		measure "$1" $schedule
	done
}

export OMP_PROC_BIND=close
each_schedule idle
load_start 1
each_schedule medium
load_stop
load_start 2
each_schedule loaded
export OMP_PROC_BIND=false
each_schedule free
load_stop

# row RUN: elapsed time, iterations of each thread, and how long all of them waited at the loop's end
row() {
	elapsed=$(durations Loop "$out/$1" | awk '{ printf "%.1f", $1 / 1e6 }')
	waited=$(durations Wait "$out/$1" | awk '{ sum += $1 } END { printf "%.1f", sum / 1e6 }')
	shares=$(glimpse events --event event_y --format=csv "$out/$1" 2>/dev/null | awk -F, -v threads="$threads" '
		NR > 1 { n[$2]++ }
		END { for (i = 0; i < threads; i++) printf "%5d", n[i] }')
	printf '%-18s %9s ms %11s ms %s\n' "$1" "$elapsed" "$waited" "$shares"
}

printf '%-18s %12s %14s   %s\n' run elapsed waited 'iterations of each thread'
for condition in idle medium loaded free; do
	for schedule in static interleave dynamic guided; do
		run=$condition-$schedule
		glimpse check "$out/$run" >/dev/null 2>&1 || { glimpse check "$out/$run" >&2; exit 1; }
		gorge "$out/$run" --events event_y,done --intervals Wait --title "mploop, $schedule, $condition" \
			-o "$out/$run-space.png" 2>/dev/null
		nibble "$out/$run" 'count(event_y) per thread' --title "mploop, $schedule, $condition" --size 900x400 \
			-o "$out/$run-count.png" 2>/dev/null
		row "$run"
	done
done
