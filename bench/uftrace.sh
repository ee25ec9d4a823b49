# One row, without a target: our event beside a function call that uftrace records, its two arguments included.
# One call is two of its records, entry and exit.

. "${src:?set by bench/run}/bench/script.sh"
need_tools uftrace uftrace uftrace
work_directory uftrace

cat >"$work/loop.c" <<'C'
#include "bench/peer.h"

__attribute__((noinline)) void tick(int a, int b)
{
	__asm__ __volatile__("" : : "r"(a), "r"(b));
}

__attribute__((no_instrument_function)) void peer_loop(long n)
{
	for (long i = 0; i < n; i++)
		tick((int)i, (int)(i * 2));
}
C
compile() {
	${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" "$@"
}
# Only tick() is instrumented.
compile -pg -c -o "$work/loop.o" "$work/loop.c" &&
	compile -o "$work/peer" "$work/loop.o" "$src/bench/peer.c" "$src/bench/measure.c" \
		"$src/tests/runtime/probe.c" "$build/.libs/libglimpse.a" -lpthread >&2 || exit 2
uftrace record --no-libcall --no-pager -b 8M -d "$work/data" -A 'tick@arg1,arg2' "$work/peer" uftrace - \
	>"$work/row" 2>"$work/said"
if [ ! -s "$work/row" ]; then
	echo "bench: no row for uftrace: it failed: $(tail -n 1 "$work/said")" >&2
elif grep -qi lost "$work/said"; then
	echo "bench: no row for uftrace: it lost records: $(grep -i lost "$work/said" | head -n 1)" >&2
else
	cat "$work/row"
fi
