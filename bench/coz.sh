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

# The times of the program and of the changed one, ns: medians of runs that take turns.
truth() {
	with_it=''
	for _ in $(seq "$truths"); do
		run "$rounds" '' >>"$work/whole"
		run "$rounds" "$part" >>"$work/half"
	done
	printf '%.0f %.0f\n' "$(median <"$work/whole")" "$(median <"$work/half")"
	rm "$work/whole" "$work/half"
}

# What glimpse predicts: see ask_whatif
ours() {
	with_it="$build/glimpse record -q -o $work/run --"
	rm -rf "$work/run"
	run "$rounds" '' >"$work/said" || { cat "$work/errors" >&2; exit 2; }
	ask_whatif --speed "$part=2" "$work/run"
}

# The change that coz predicts, % of the run, and its experiments: the time between two visits of the progress point, over all
# experiments, as its viewer computes it
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

# row PROGRAM PART ROUNDS [COZ-OPTION...]: the lines of $work/misses are errors, of ours and of coz. Both predict changes, so
# their times are relative to the median of the plain runs.
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
	truth >"$work/times"
	read -r whole half <"$work/times"
	began=$(date +%s%N)
	ours
	our_time=$(seconds "$began")
	began=$(date +%s%N) their=$(theirs) their_time=$(seconds "$began")
	log_prediction "$program, $part twice as fast" "$half" 0 \
		"$(echo "${answer:-1 1 1}" | awk -v whole="$whole" '{ printf "%.9f", whole / $3 }')" \
		"$(echo "${their:--}" | awk -v whole="$whole" '{ if ($1 == "-") print; else printf "%.0f", whole * (1 + $1 / 100) }')"
	if [ -z "$their" ]; then
		echo "bench: $program is not compared with coz: coz has no experiment" >&2
		tail -n 3 "$work/errors" >&2
	fi
	tail -n 1 "$PREDICTIONS" | awk -F '\t' -v name="$program $part" -v runs=$((2 * experiments)) -v experiments="${their#* }" \
		-v our_time="$our_time" -v their_time="$their_time" -v whole="$whole" -v misses="$work/misses" '
		function change(t) { return 100 * (t / whole - 1) }
		function error(t) { t = change(t) - change($10); return t < 0 ? -t : t }
		{
			coz = "no answer"
			if ($11 != "-")
				coz = sprintf("%+.1f %% in %s s, %d runs, %d experiments", change($11), their_time, runs, experiments)
			limit = $11 == "-" ? "-" : sprintf("<= %.1f", error($11))
			printf "coz %s: error, %% of the run (coz: %s)\t", name, $11 == "-" ? "-" : sprintf("%.1f", error($11))
			if ($4 == "refused")
				printf "-\t%s\t%+.1f %% it is, refused: %s; coz: %s\n", limit, change($10), $12, coz
			else
				printf "%.1f\t%s\t%+.1f %% it is, %+.1f %% predicted in %s s; coz: %s\n",
					error($7), limit, change($10), change($7), our_time, coz
			if ($11 != "-")
				print $4 == "refused" ? "-" : error($7), error($11) >>misses
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
# A refusal is not better.
[ ! -s "$work/misses" ] || awk '{ better += $1 != "-" && $1 < $2 }
	END { printf "beside coz: smaller error in, of ten\t%.1f\t>= 9\t%d of %d\n", 10 * better / NR, better, NR }' "$work/misses"
