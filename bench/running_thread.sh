# Rows: the prediction test of Charles' thesis (figure 5.7). One run at the least load is recorded with the default probes;
# its function is predicted one to five times as slow, and the program really runs with one to five times the load.
# RUNNING_THREAD_CURVE=FILE in the environment: the curve, as CSV.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory running_thread
export LC_ALL=C
repeats=${RUNNING_THREAD_REPEATS:-9} curve=${RUNNING_THREAD_CURVE:-/dev/null}
${CC:-cc} -O1 -g -o "$work/running_thread" "$src/bench/running_thread.c" -lpthread -lm || exit 2

median() {
	sort -n | awk '{ x[NR] = $1 } END { if (!NR) exit 2; print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}
# really THREADS LOAD: the median, ns
really() {
	for _ in $(seq "$repeats"); do
		"$work/running_thread" "$@" || exit 2
	done | median
}
# record_median THREADS LOAD: into $work/run, of three runs the one that is neither the fastest nor the slowest
record_median() {
	for i in 1 2 3; do
		"$build/glimpse" record -q -o "$work/run.$i" -- "$work/running_thread" "$@" >"$work/said" 2>>"$work/errors" || exit 2
		echo "$(cat "$work/said") $i"
	done | sort -n | sed -n 2p >"$work/chosen"
	rm -rf "$work/run"
	mv "$work/run.$(cut -d' ' -f2 "$work/chosen")" "$work/run"
	rm -rf "$work"/run.[123]
}
# row THREADS TIMES
row() {
	is=$(really "$1" $((10000 * $2)))
	ask_whatif --speed "RunningThread=$(awk -v k="$2" 'BEGIN { printf "%.17g", 1 / k }')" "$work/run"
	# what is around what the program measures
	log_prediction "RunningThread in $1 threads, load ${2}0000" "$is" $((${answer%% *} - $(cut -d' ' -f1 "$work/chosen")))
	prediction_row "RunningThread in $1 threads, load ${2}0000"
	tail -n 1 "$PREDICTIONS" | awk -F '\t' -v OFS=, -v threads="$1" -v load="${2}0000" '
		$4 == "said" { print threads, load, $10, $7, $8, $9 }' >>"$curve"
}
echo 'threads,load,real,predicted,low,high' >"$curve"
for threads in 2 4; do
	record_median "$threads" 10000
	for times in 1 2 3 4 5; do
		row "$threads" "$times"
	done
done
