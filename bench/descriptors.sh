# Two rows: what the threads probe adds to a byte that is written to a pipe and read, and to reading a page of a cached file.

. "${src:?set by bench/run}/bench/script.sh"
probe=$build/.libs/libglimpse-threads.so
[ -e "$probe" ] || { echo "bench: no rows for descriptors: $probe is not built" >&2; exit 0; }
work_directory descriptors

${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" -o "$work/descriptors" "$src/bench/descriptors.c" "$src/bench/measure.c" \
	"$src/tests/runtime/probe.c" "$build/.libs/libglimpse.a" -ldl -lpthread >&2 || exit 2
head -c 65536 /dev/zero >"$work/file"
for _ in 1 2 3 4 5; do
	GLIMPSE_DIR=$work/run LD_PRELOAD=$probe "$work/descriptors" "$work/file" >>"$work/said" || exit 2
	rm -rf "$work/run"
done

# added COLUMN: the median of what was added to what is in the column, and both times
added() {
	awk -v at="$1" '{ print $(at + 1) - $at, $at, $(at + 1) }' "$work/said" | sort -n | sed -n 3p
}
added 1 | awk '{ printf "write to and read from a pipe, added by the threads probe, ns\t%.0f\t-\t%.0f ns beside %.0f ns\n", $1, $3, $2 }'
added 3 | awk '{ printf "pread of a cached page, added by the threads probe, ns\t%.1f\t-\t%.0f ns beside %.0f ns\n", $1, $3, $2 }'
