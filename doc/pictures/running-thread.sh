#!/bin/sh
# running-thread.sh CURVE PICTURE: draws what bench/running_thread.sh wrote to $RUNNING_THREAD_CURVE: the measured times as points,
# the predicted ones as lines with their ranges, over the load.
set -eu
points=$(mktemp)
trap 'rm -f "$points"' EXIT

# nibble has no measured times: they become a curve without a range, and its script is changed where it speaks of predictions.
awk -F, 'NR == 1 { print "what,factor,predicted,low,high"; next }
	{
		load = $2 / 1000
		predicted[$1] = predicted[$1] sprintf("\"predicted, %d threads\",%g,%s,%s,%s\n", $1, load, $4, $5, $6)
		measured[$1] = measured[$1] sprintf("\"measured, %d threads\",%g,%s,%s,%s\n", $1, load, $3, $3, $3)
	}
	END { for (n = 1; n <= 64; n++) printf "%s%s", predicted[n], measured[n] }' "$1" >"$points"
# shellcheck disable=SC2094 # nibble only looks at the name
nibble --sweep "$points" --dump -o "$2" |
	sed -e "s/'times as fast'/'load, thousands'/; s/predicted time (/time (/" \
		-e "s/{\/:Bold\*1.1 predicted times}/{\/:Bold*1.1 RunningThread: recorded at a load of 10,000, predicted, and measured}/" \
		-e "/title 'measured/s/with lines linecolor/with points pointtype 7 pointsize 1.2 linecolor/" |
	gnuplot >"$2"
