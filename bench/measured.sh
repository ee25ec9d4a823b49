# Rows: thirty runs of a program whose pieces of work have random lengths, beside thirty replays of one recorded run with
# lengths drawn from the recorded ones (--time 'piece=measured').

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory measured
export LC_ALL=C
runs=30
${CC:-cc} -O1 -g -o "$work/plain" "$src/bench/measured.c" -lpthread &&
	${CC:-cc} -O1 -g -finstrument-functions -o "$work/recorded" "$src/bench/measured.c" -lpthread || exit 2

for seed in $(seq "$runs"); do
	"$work/plain" "$seed" || exit 2
done | sort -n >"$work/real"
"$build/glimpse" record -q --probes functions,threads,scheduler -o "$work/run" -- "$work/recorded" 1000 >"$work/said" || exit 2
"$build/glimpse" whatif --anyway --format=json --time 'piece=measured' --replays "$runs" "$work/run" >"$work/predicted" || exit 2
recorded=$(sed -n 's/^ *"recorded": \([0-9]*\),*$/\1/p' "$work/predicted")
# what is around what the program measures is in the replays, too
sed -n '/"replays": \[/,/\]/s/^ *\([0-9]*\),*$/\1/p' "$work/predicted" |
	awk -v around="$((recorded - $(cat "$work/said")))" '$1 { print $1 - around }' | sort -n >"$work/drawn"

# row QUANTILE NAME TARGET
row() {
	awk -v q="$1" -v name="$2" -v target="$3" '
		FNR == 1 { file++ }
		{ x[file, FNR] = $1; n[file] = FNR }
		function quantile(file,	at, low) {
			at = 1 + q * (n[file] - 1)
			low = int(at)
			return low == n[file] ? x[file, low] : x[file, low] + (at - low) * (x[file, low + 1] - x[file, low])
		}
		END {
			is = quantile(1)
			said = quantile(2)
			off = 100 * (said / is - 1)
			printf "measured lengths of pieces: %s off by, %%\t%.1f\t<= %s\t%.1f ms in %d replays, %.1f ms in %d runs\n",
				name, off < 0 ? -off : off, target, said / 1e6, n[2], is / 1e6, n[1]
		}' "$work/real" "$work/drawn"
}
row 0.5 median 5
row 0.9 p90 10
