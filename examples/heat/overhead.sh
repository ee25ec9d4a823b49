#!/bin/sh
# overhead.sh [-r ROUNDS] PLAIN LOGGED: what logging costs heat. PLAIN was built without the events.
# Both run in turn, on a large plate and on a small one, which has many more events in a second.
# Printed are the shortest times, for whatever disturbs adds to them.
set -eu
rounds=15
[ "${1:-}" != -r ] || { rounds=$2; shift 2; }
plain=$1 logged=$2
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

# seconds PROGRAM SIZE STEPS: of one run
seconds() {
	rm -rf "$runs/log"
	GLIMPSE_DIR=$runs/log "$1" cells 2 "$2" "$3" "$3" | sed 's/.*, \(.*\) s$/\1/'
}

shortest() {
	sort -n "$runs/$1" | head -n 1
}

# compare NAME SIZE STEPS
compare() {
	round=0
	while [ $round -lt "$rounds" ]; do
		round=$((round + 1))
		seconds "$plain" "$2" "$3" >>"$runs/$1.plain"
		seconds "$logged" "$2" "$3" >>"$runs/$1.logged"
	done
	events=$(glimpse events --format=csv "$runs/log" 2>/dev/null | wc -l)
	awk -v name="$1" -v plain="$(shortest "$1.plain")" -v logged="$(shortest "$1.logged")" -v events=$((events - 1)) '
		BEGIN {
			printf "%s plate: plain %.3f s, logged %.3f s (%+.1f %%); %d events, %.0f in a millisecond\n",
				name, plain, logged, 100 * (logged / plain - 1), events, events / logged / 1000
		}'
}

compare large 2000 100
compare small 500 2000
