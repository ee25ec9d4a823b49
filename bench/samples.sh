# Rows: the table of ten million samples; samples of call stacks beside those of `perf record --call-graph dwarf`, of the same
# program: their bytes, and the processor time of recording and of the first table; that of one more sample in the recorder.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse glimpsec
work_directory samples

samples=10000000
(cd "$work" && "$build/glimpsec" -Wno-unused-attribute "$src/bench/sampled.spec" &&
	${CC:-cc} -O2 -I. -I"$src/runtime" -o sampled "$src/bench/sampled.c" sampled_glimpse.c "$build/.libs/libglimpse.a" -lpthread &&
	GLIMPSE_DIR=$work/many ./sampled $samples 16) >&2 || exit 2
for _ in 1 2 3; do
	began=$(date +%s%N)
	"$build/glimpse" profile "$work/many" >"$work/output" || exit 2
	echo $(($(date +%s%N) - began))
done | sort -n | awk -v samples=$samples 'NR == 2 {
	printf "glimpse profile of ten million samples, s\t%.2f\t<= 2\t%d samples of 16 threads\n", $1 / 1e9, samples }'
rm -rf "$work/many"

# cost_us COMMAND...: processor time of the recorder in us, and how many samples it took.
cost_us() {
	rm -rf "$work/deep"
	"$build/glimpse" record -o "$work/deep" --probes threads,scheduler,samples -- "$@" >"$work/output" 2>"$work/said" || exit 2
	sed -n 's/^  cost .*; \([0-9.]*\) \([mun]*s\) in the recorder$/\1 \2/p' "$work/said" |
		awk '{ printf "%.0f ", $1 * ($2 == "ms" ? 1e3 : $2 == "us" ? 1 : 1e6) }'
	"$build/glimpse" events --format=csv "$work/deep" | grep -c ',Sample,'
}

# The difference of two runs has no begin and no end.
${CC:-cc} -O2 -o "$work/depth" "$src/bench/depth.c" -lpthread || exit 2
for _ in 1 2 3; do
	echo "$(cost_us "$work/depth" 0.5) $(cost_us "$work/depth" 3.5)"
done | awk '{ printf "%.2f %d\n", ($3 - $1) / ($4 - $2), $4 - $2 }' | sort -n |
	awk 'NR == 2 { printf "samples: the recorder, us of one more sample at a depth of 20\t%s\t<= 5\t%d samples more of two threads; median of 3\n", $1, $2 }'

need_tools 'samples' 'pigz linux-perf time' pigz perf /usr/bin/time
sh "$src/examples/pgz/make-input" "$work/input" 100 || exit 2

# used FILE COMMAND...: processor time in seconds, with that of its children
used() {
	file=$1
	shift
	/usr/bin/time -o "$file" -f '%U %S' "$@" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
	awk '{ print $1 + $2 }' "$file"
}

bare=$(used "$work/time" pigz -k -f "$work/input")
perf=$(used "$work/time" perf record -q -F 997 -e cpu-clock:u --call-graph dwarf,8192 -o "$work/perf.data" -- pigz -k -f "$work/input")
"$build/glimpse" record -o "$work/run" --probes threads,scheduler,samples -- pigz -k -f "$work/input" >"$work/output" 2>"$work/said" || exit 2
recorder=$(sed -n 's/^  cost .*; \([0-9.]*\) \([mun]*s\) in the recorder$/\1 \2/p' "$work/said" | awk '{ print $1 * ($2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 1) }')
seconds=$(sed -n 's/.* events in \([0-9.]*\) \([m]*s\) (.*/\1 \2/p' "$work/said" | awk '{ print $1 * ($2 == "ms" ? 1e-3 : 1) }')
samples=$("$build/glimpse" events --format=csv "$work/run" | grep -c ',Sample,')
theirs=$(perf script -i "$work/perf.data" -F time 2>/dev/null | grep -c :)
"$build/glimpse" record -q -o "$work/alone" --probes samples -- pigz -k -f "$work/input" >"$work/output" 2>&1 || exit 2
alone=$("$build/glimpse" events --format=csv "$work/alone" | grep -c ',Sample,')
bytes=$(cat "$work"/alone/log.* | wc -c)
table=$(used "$work/time" "$build/glimpse" profile "$work/run")
perf_table=$(used "$work/time" perf report -i "$work/perf.data" --stdio --children)

printf 'samples: the recorder, %% of one processor\t%s\t<= 3\t%s samples in %s s\n' \
	"$(echo "$recorder $seconds" | awk '{ printf "%.2f", 100 * $1 / $2 }')" "$samples" "$seconds"
printf 'samples: bytes a sample, as a part of perf record --call-graph dwarf\t%s\t<= 0.02\t%s bytes for %s samples; perf %s a sample\n' \
	"$(echo "$bytes $alone $(stat -c %s "$work/perf.data") $theirs" | awk '{ printf "%.4f", $1 / $2 / ($3 / $4) }')" "$bytes" "$alone" \
	"$(echo "$(stat -c %s "$work/perf.data") $theirs" | awk '{ printf "%.0f", $1 / $2 }')"
printf 'samples: processor time of recording, as a part of perf'"'"'s\t%s\t<= 0.25\t%s s in the recorder; perf %s s\n' \
	"$(echo "$recorder $perf $bare" | awk '{ p = $2 - $3; printf "%.2f", (p > 0 ? $1 / p : 9) }')" "$recorder" \
	"$(echo "$perf $bare" | awk '{ printf "%.2f", $1 - $2 }')"
printf 'samples: processor time of the first table, as a part of perf report'"'"'s\t%s\t<= 0.25\t%s s; perf %s s\n' \
	"$(echo "$table $perf_table" | awk '{ printf "%.3f", $1 / $2 }')" "$table" "$perf_table"
