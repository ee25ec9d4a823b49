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

# predicted PROGRAM FUNCTION MACRO: both gains, and the real one, each in % of the run; three times
predicted() {
	${CC:-cc} -std=gnu11 -O1 -D_GNU_SOURCE -o "$work/slow" "$src/tests/analysis/why/which_code.c" -lpthread &&
		${CC:-cc} -std=gnu11 -O1 -D_GNU_SOURCE "-D$3=2" -o "$work/fast" "$src/tests/analysis/why/which_code.c" -lpthread || exit 2
	rm -f "$work/whatif" "$work/why"
	for _ in 1 2 3; do
		rm -rf "$work/run"
		"$build/glimpse" record -q -o "$work/run" -- "$work/slow" "$1" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
		real=$(echo "$(took "$work/slow" "$1") $(took "$work/fast" "$1")" | awk '{ print 100 * (1 - $2 / $1) }')
		"$build/glimpse" whatif --anyway --speed "$2=2" --format=csv "$work/run" 2>"$work/errors" |
			awk -F, -v real="$real" 'NR == 2 { print 100 * (1 - $4 / $3), real }' >>"$work/whatif"
		"$build/glimpse" why "$work/run" | sed -n '/^1\./,/^2\./p' |
			sed -n "s/.*$2 twice as fast[^0-9]*\([0-9.]*\) % shorter.*/\1 $real/p" | head -n 1 >>"$work/why"
	done
	row whatif "$1" "glimpse whatif of $1 with $2 twice as fast, from samples"
	row why "$1" "the first finding of $1, from samples"
}

# row FILE PROGRAM NAME: the median of three; a finding that says no gain gives no row
row() {
	awk '{ off = $1 - $2; print off < 0 ? -off : off, $0 }' "$work/$1" | sort -n | awk -v name="$3" '{ line[NR] = $0 }
		END {
			if (!NR)
				exit
			split(line[int((NR + 1) / 2)], is, " ")
			printf "%s: off by, %% of the run\t%.1f\t<= 5\t%.1f %% shorter predicted, %.1f %% it is; median of %d\n", name, is[1], is[2], is[3], NR
		}'
	[ -s "$work/$1" ] || echo "bench: no row for $3: it says no gain" >&2
}
predicted pipeline transform_item TRANSFORM_SPEED
predicted lock update_table UPDATE_SPEED
predicted serial sort_run SORT_SPEED
predicted imbalance share_of_work SHARE_SPEED
