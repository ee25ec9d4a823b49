# Rows: glimpse whatif beside coz, on programs in which one part really can do half of its work: by how much the
# predicted change of the run time misses that of the changed program. One recorded run for glimpse; for coz, experiments
# on the part's line at 0 and 50 %, which is what it needs for the same answer.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
need_tools 'predictions beside coz' coz-profiler coz
work_directory coz
export LC_ALL=C
truths=${COZ_TRUTHS:-9} experiments=${COZ_EXPERIMENTS:-3} size=${COZ_SIZE:-100} longer=3

# coz 0.2 reads no debug information of version 5, and none of GNU's extensions.
build() {
	${CC:-cc} -std=gnu11 -O1 -gdwarf-4 -gstrict-dwarf -fno-omit-frame-pointer "$@" || exit 2
}

# run ROUNDS PART: the program says how long it took, ns; $with_it is what it runs under
run() {
	if [ "$program" = pbzip2 ]; then
		head -c "$(($1 * 100000))" "$work/input" >"$work/blocks"
		HALVED=$2 LD_PRELOAD=$work/digest.so $with_it pbzip2 -k -f -q -b1 -p2 "$work/blocks" 2>>"$work/errors"
	else
		$with_it "$work/$program" "$1" $2 2>>"$work/errors"
	fi
}

median() {
	sort -n | awk '{ x[NR] = $1 } END { if (!NR) exit 2; print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}

# The change of the time, in % of the run: of the changed program, by medians of runs that take turns.
truth() {
	with_it=''
	for _ in $(seq "$truths"); do
		run "$rounds" '' >>"$work/whole"
		run "$rounds" "$part" >>"$work/half"
	done
	echo "$(median <"$work/whole") $(median <"$work/half")" | awk '{ print 100 * ($2 / $1 - 1) }'
	rm "$work/whole" "$work/half"
}

# ... as glimpse predicts it
ours() {
	with_it="$build/glimpse record -q -o $work/run --"
	rm -rf "$work/run"
	run "$rounds" '' >"$work/said" || return 1
	"$build/glimpse" whatif --anyway --format=csv --speed "$part=2" "$work/run" 2>>"$work/errors" |
		awk -F, 'NR == 2 && $3 > 0 { print 100 * ($4 / $3 - 1) }'
}

# ... as coz does: the time between two visits of the progress point, over all experiments, as its viewer computes it
theirs() {
	rm -f "$work/profile.coz"
	for _ in $(seq "$experiments"); do
		for speedup in 0 50; do
			with_it="coz run -o $work/profile.coz --fixed-line $line --fixed-speedup $speedup $scope ---"
			run $((longer * rounds)) '' >"$work/said" || return 1
		done
	done
	[ -e "$work/profile.coz" ] || return 1
	awk -F '[\t=]' '$1 == "experiment" { at = $5; duration[at] += $7; count[at]++ }
		$1 == "throughput-point" { visits[at] += $5 }
		END {
			if (visits["0.00"] < 5 || visits["0.50"] < 5)
				exit 1
			print 100 * (duration["0.50"] / visits["0.50"] / (duration["0.00"] / visits["0.00"]) - 1),
				count["0.00"] + count["0.50"]
		}' "$work/profile.coz"
}

seconds() {
	echo "$1 $(date +%s%N)" | awk '{ printf "%.1f", ($2 - $1) / 1e9 }'
}

# row PROGRAM PART ROUNDS [COZ-OPTION...]: the lines of $work/misses are errors, of ours and of coz
row() {
	program=$1 part=$2 rounds=$(($3 * size / 100)) file=$1.c
	shift 3
	scope=$*
	if [ "$program" = pbzip2 ]; then
		line=digest.c:$(grep -n 'for (unsigned i' "$src/bench/coz/digest.c" | cut -d: -f1)
	else
		line=$file:$(grep -n "^PART($part," "$src/bench/coz/$file" | cut -d: -f1)
	fi
	: >"$work/errors"
	is=$(truth)
	began=$(date +%s%N) our=$(ours) our_time=$(seconds "$began")
	began=$(date +%s%N) their=$(theirs) their_time=$(seconds "$began")
	if [ -z "$is" ] || [ -z "$our" ] || [ -z "$their" ]; then
		echo "bench: no row for $program beside coz: ${our:+coz has no experiment}${our:-glimpse has no answer}" >&2
		tail -n 3 "$work/errors" >&2
		return
	fi
	echo "$is $our $their $our_time $their_time" | awk -v name="$program $part" -v runs=$((2 * experiments)) -v misses="$work/misses" '
		function size(x) { return x < 0 ? -x : x }
		{
			printf "coz %s: error, %% of the run (coz: %.1f)\t%.1f\t<= %.1f\t%+.1f %% it is, %+.1f %% predicted in %s s; coz: %+.1f %% in %s s, %d runs, %d experiments\n",
				name, size($3 - $1), size($2 - $1), size($3 - $1), $1, $2, $5, $3, $6, runs, $4
			print size($2 - $1), size($3 - $1) >>misses
		}'
}

for program in toy producer_consumer lock_test stage serial barrier second_half; do
	build -o "$work/$program" "$src/bench/coz/$program.c" -lpthread
done
row toy a 40
row toy b 40
row producer_consumer produce 3000
row producer_consumer slow_path 3000
row lock_test inside 2000
row stage slow_stage 800
row serial prepare 80
row barrier long_share 500
row second_half locked 80
if command -v pbzip2 >/dev/null; then
	build -fPIC -shared -o "$work/digest.so" "$src/bench/coz/digest.c" -ldl
	sh "$src/examples/pgz/make-input" "$work/input" 30 || exit 2
	row pbzip2 digest 80 --binary-scope %digest%
else
	echo 'bench: no row for pbzip2 beside coz: apt install pbzip2' >&2
fi
awk '{ rows++; better += $1 < $2 }
	END { if (rows) printf "beside coz: smaller error in, of ten\t%d\t>= 8\tof %d\n", better, rows }' "$work/misses"
