# Rows: what glimpse whatif and the first finding of glimpse why predict from samples, with the default probes, and how
# far that is from the program whose limiting function really is twice as fast.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory whatif-samples
export LC_ALL=C

# took COMMAND...: ns, by the wall
took() {
	began=$(date +%s%N)
	"$@" || exit 2
	echo $(($(date +%s%N) - began))
}

# predicted PROGRAM FUNCTION MACRO: both gains, and the real one, three times. They are compared in % of the run.
predicted() {
	${CC:-cc} -std=gnu11 -O1 -D_GNU_SOURCE -o "$work/slow" "$src/tests/analysis/why/which_code.c" -lpthread &&
		${CC:-cc} -std=gnu11 -O1 -D_GNU_SOURCE "-D$3=2" -o "$work/fast" "$src/tests/analysis/why/which_code.c" -lpthread || exit 2
	rm -f "$work/whatif" "$work/why"
	for _ in 1 2 3; do
		rm -rf "$work/run"
		"$build/glimpse" record -q -o "$work/run" -- "$work/slow" "$1" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
		slow=$(took "$work/slow" "$1") fast=$(took "$work/fast" "$1")
		ask_whatif --speed "$2=2" "$work/run"
		echo "$slow $fast ${answer:-- $refusal}" >>"$work/whatif"
		"$build/glimpse" why "$work/run" | sed -n '/^1\./,/^2\./p' |
			sed -n "s/.*if $2.* ran twice as fast, the run would be \([-0-9.]*\) % shorter\(.*\)/\1 \2/p" | head -n 1 |
			awk -v slow="$slow" -v fast="$fast" '
				function run(gain) { return sprintf("%.0f", slow * (1 - gain / 100)) }
				{
					# 25.0 (20 to 30 %)
					ranged = $2 ~ /^\([-0-9]+$/ && $3 == "to"
					print slow, fast, slow, slow, slow, run($1), ranged ? run($4) : "-", ranged ? run(substr($2, 2)) : "-"
					said = 1
				}
				END { if (!said) print slow, fast, "- the first finding names no gain" }' >>"$work/why"
	done
	row whatif "$1 with $2 twice as fast" "glimpse whatif of $1 with $2 twice as fast, from samples"
	row why "$1 by its first finding" "the first finding of $1, from samples"
}

# row FILE NAME TITLE: the median of three; a refusal counts as the largest error
row() {
	awk '{ off = $3 == "-" ? 1000 : 100 * ($6 / $5 - $2 / $1); printf "%.6f %s\n", off < 0 ? -off : off, $0 }' "$work/$1" |
		sort -n | sed -n 2p >"$work/chosen"
	read -r off slow fast rest <"$work/chosen"
	# shellcheck disable=SC2034 # for log_prediction
	case $rest in
	-*) kind=speed answer='' refusal=${rest#- } scale=1 ;;
	*) kind=speed answer=$rest scale=$(echo "$slow $rest" | awk '{ printf "%.9f", $1 / $4 }') ;;
	esac
	log_prediction "$2" "$fast" 0 "$scale"
	tail -n 1 "$PREDICTIONS" | awk -F '\t' -v title="$3" -v off="$off" -v slow="$slow" '
		$4 == "refused" { printf "%s: off by, %% of the run\t-\t<= 5\trefused: %s\n", title, $12; next }
		{ printf "%s: off by, %% of the run\t%.1f\t<= 5\t%.1f %% shorter predicted, %.1f %% it is; median of three\n",
			title, off, 100 * (1 - $7 / slow), 100 * (1 - $10 / slow) }'
}
predicted pipeline transform_item TRANSFORM_SPEED
predicted lock update_table UPDATE_SPEED
predicted serial sort_run SORT_SPEED
predicted imbalance share_of_work SHARE_SPEED
