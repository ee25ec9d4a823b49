# Four rows: what the threads probe adds to a contended wait by futex() with its wake-up, and to a lock that is free; the
# same wait beside perf trace and uftrace.

. "${src:?set by bench/run}/bench/script.sh"
probe=$build/.libs/libglimpse-threads.so
[ -e "$probe" ] || { echo "bench: no rows for futexes: $probe is not built" >&2; exit 0; }
need_programs glimpse
work_directory futex

${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" -o "$work/futex" "$src/bench/futex.c" "$src/bench/measure.c" \
	"$src/tests/runtime/probe.c" "$build/.libs/libglimpse.a" -ldl -lpthread >&2 || exit 2
for _ in 1 2 3 4 5; do
	GLIMPSE_DIR=$work/run LD_PRELOAD=$probe "$work/futex" >>"$work/said" || exit 2
	rm -rf "$work/run"
done

# added COLUMN: the median of what was added to what is in the column, and both times
added() {
	awk -v at="$1" '{ print $(at + 1) - $at, $at, $(at + 1) }' "$work/said" | sort -n | sed -n 3p
}
added 1 | awk '{ printf "wait by futex() and its wake-up, added by the threads probe, ns\t%.0f\t<=100\t%.0f ns beside %.0f ns\n", $1, $3, $2 }'
added 3 | awk '{ printf "free lock on a futex, added by the threads probe, ns\t%.1f\t<=0.5\t%.1f ns beside %.1f ns\n", $1, $3, $2 }'

# Whole commands, with as many waits: what each adds to a wait.
waits=40000
repeats=5
command_ns() {
	fastest took_ns "$@" "$work/futex" $((waits / 2))
}
ours() {
	rm -rf "$work/run"
	"$build/glimpse" record -q -o "$work/run" --probes threads -- "$@"
}
plain=$(command_ns)
own=$(command_ns ours)
# beside NAME COMMAND...: the row
beside() {
	local name=$1 theirs
	shift
	theirs=$(command_ns "$@") || return
	echo "$plain $own $theirs $waits" | awk -v name="$name" '{
		printf "recording of waits by futex(), added by glimpse record / by %s\t%.2f\t-\t%.0f ns and %.0f ns a wait\n",
			name, ($2 - $1) / ($3 - $1), ($2 - $1) / $4, ($3 - $1) / $4 }'
}
if perf trace -s -e futex true >/dev/null 2>&1; then
	perf_trace() {
		perf trace -s -e futex -o "$work/perf" "$@"
	}
	beside 'perf trace' perf_trace
else
	echo "bench: no row for perf trace: apt install linux-perf, and run as root" >&2
fi
if command -v uftrace >/dev/null; then
	with_uftrace() {
		uftrace record --force --no-pager -b 8M -d "$work/data" "$@"
	}
	beside uftrace with_uftrace
else
	echo "bench: no row for uftrace's waits: apt install uftrace" >&2
fi
