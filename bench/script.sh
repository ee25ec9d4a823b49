# What the scripts of the bench share; they read it with `.`. bench/run says what the environment has.

: "${BENCH_DIR:?set by bench/run}" "${PREDICTIONS:?}" "${build:?}" "${src:?}"

# need_tools ROW PACKAGES TOOL...: without one of the tools there is no such row, and the script ends.
need_tools() {
	row=$1 packages=$2
	shift 2
	for tool; do
		command -v "$tool" >/dev/null && continue
		echo "bench: no row for $row: apt install $packages" >&2
		exit 0
	done
}

# need_programs PROGRAM...: of the build; without one of them the script ends.
need_programs() {
	for program; do
		[ -x "$build/$program" ] && continue
		echo "bench: ${0##*/} is left out, as $program is not built" >&2
		exit 0
	done
}

# work_directory NAME: a directory $work, which is gone when the script ends.
work_directory() {
	work=$BENCH_DIR/$1
	mkdir "$work" || exit 2
	trap 'rm -rf "$work"' EXIT
}

# memory_of PID SECONDS: the most memory that a process has for itself, kB; it is looked at that often until it ends.
memory_of() {
	most=0
	while now=$(awk '$1 == "RssAnon:" { print $2 }' "/proc/$1/status" 2>/dev/null) && [ -n "$now" ]; do
		[ "$now" -gt "$most" ] && most=$now
		sleep "$2"
	done
	echo "$most"
}

# took_ns COMMAND...: how long it takes; nobody sees what it prints.
took_ns() {
	began=$(date +%s%N)
	"$@" >/dev/null || exit 2
	echo $(($(date +%s%N) - began))
}

# fastest COMMAND...: the shortest of $repeats runs, ns; other programs make them longer, never shorter
fastest() {
	for i in $(seq "$repeats"); do
		"$@" || exit 2
	done | sort -n | head -n 1
}

# record_fastest DIRECTORY PROGRAM...: keeps the one of $repeats runs, recorded with $probes, whose program says the shortest
# time, and sets said to that.
record_fastest() {
	to=$1
	shift
	for i in $(seq "$repeats"); do
		"$build/glimpse" record -q --probes "$probes" -o "$work/run.$i" -- "$@" >"$work/said" 2>/dev/null || exit 2
		echo "$(cat "$work/said") $work/run.$i"
	done | sort -n >"$work/list"
	rm -rf "$to"
	# shellcheck disable=SC2034 # for the script
	read -r said best <"$work/list"
	mv "$best" "$to"
	rm -rf "$work"/run.*
}

# ---- predictions ----
#
# $PREDICTIONS has a line for each prediction, with tabs: source (the script), name, kind of change, state (said or refused),
# then in ns the recorded, replayed and predicted run, the ends of the range, the truth (what the changed program took) and
# the prediction of another tool, and last the reason of a refusal. "-" is unknown. accuracy.py reads these lines.

source=${0##*/} source=${source%.sh}
predictions_before=$(wc -l <"$PREDICTIONS")

# ask_whatif --KIND=... [OPTION...] DIRECTORY: sets kind, and answer to the six times of glimpse whatif's CSV (ns). If it refuses,
# answer is empty and refusal is the reason.
ask_whatif() {
	kind=${1#--} answer='' refusal=''
	kind=${kind%%=*}
	if "$build/glimpse" whatif --format=csv "$@" >"$work/answer" 2>"$work/no_answer"; then
		answer=$(sed -n '2s/,/ /gp' "$work/answer")
		return
	fi
	refusal=$(sed -n 's/^glimpse whatif: error: //p' "$work/no_answer" | head -n 1)
	[ "$refusal" ] || { cat "$work/no_answer" >&2; exit 2; }
}

# log_prediction NAME TRUTH [AROUND [SCALE [OTHER]]]: logs $kind with $answer or $refusal. The answer's times are of processes;
# AROUND is what the truth does not contain (ns), and SCALE what one recorded ns was in the run beside the truth.
log_prediction() {
	[ "$answer$refusal" ] || { echo "bench: $1: there is no answer and no reason" >&2; exit 2; }
	echo "${answer:--}" | awk -v OFS='\t' -v source="$source" -v name="$1" -v kind="$kind" -v truth="$2" \
		-v around="${3:-0}" -v scale="${4:-1}" -v other="${5:--}" -v reason="$refusal" '
		function time(t) { return t == "-" ? t : sprintf("%.0f", scale * (t - around)) }
		NF == 6 { print source, name, kind, "said", time($1), time($2), time($4), time($5), time($6), truth, other, "-" }
		NF != 6 { gsub("\t", " ", reason); print source, name, kind, "refused", "-", "-", "-", "-", "-", truth, other, reason }' \
		>>"$PREDICTIONS"
}

# prediction_row NAME [DETAIL]: the row of the prediction that was logged last
prediction_row() {
	tail -n 1 "$PREDICTIONS" | awk -F '\t' -v name="$1" -v detail="$2" '
		$4 == "refused" { printf "%s: off by, %%\t-\t<= 10\trefused: %s\n", name, $12; next }
		{
			off = 100 * ($7 / $10 - 1)
			printf "%s: off by, %%\t%.1f\t<= 10\t%+.1f %%: %.1f ms predicted (%.1f to %.1f), %.1f ms it is%s\n",
				name, off < 0 ? -off : off, off, $7 / 1e6, $8 / 1e6, $9 / 1e6, $10 / 1e6, detail
		}'
}

# sum_rows NAME [KIND]: rows on the predictions that this script logged, or on those of a kind
sum_rows() {
	tail -n "+$((predictions_before + 1))" "$PREDICTIONS" | awk -F '\t' -v kind="$2" '
		kind != "" && $3 != kind { next }
		$4 == "refused" { print $4, 0, 0; next }
		{ off = 100 * ($7 / $10 - 1); print $4, (off < 0 ? -off : off), ($10 >= $8 && $10 <= $9) }' |
		sort -k 2n | awk -v name="$1" '
		$1 == "refused" { refused++; next }
		{ miss[++n] = $2; held += $3 }
		END {
			if (n) {
				median = n % 2 ? miss[(n + 1) / 2] : (miss[n / 2] + miss[n / 2 + 1]) / 2
				printf "%s: off by, of all in the median, %%\t%.1f\t<= 5\t\n", name, median
				printf "%s: off by, of all at worst, %%\t%.1f\t<= 10\t\n", name, miss[n]
				printf "%s: the range holds the truth, %%\t%.0f\t>= 90\t%d of %d\n", name, 100 * held / n, held, n
			}
			printf "%s: refused\t%d\t-\tof %d\n", name, refused, refused + n
		}'
}
