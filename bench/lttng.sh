# One row: our event beside LTTng-UST's, per-user buffers, nothing discarded. Starts a session daemon of its own and ends it.

. "${src:?set by bench/run}/bench/script.sh"
need_tools LTTng-UST "liblttng-ust-dev lttng-tools" lttng lttng-sessiond lttng-gen-tp
work_directory lttng
mkdir "$work/home" || exit 2
LTTNG_HOME=$work/home
HOME=$work/home
export LTTNG_HOME HOME

cat >"$work/lttng_bench.tp" <<'TP'
TRACEPOINT_EVENT(lttng_bench, tick, TP_ARGS(int, a, int, b),
	TP_FIELDS(ctf_integer(int, a, a) ctf_integer(int, b, b)))
TP
cat >"$work/loop.c" <<'C'
#include "lttng_bench.h"
#include "bench/peer.h"
void peer_loop(long n)
{
	for (long i = 0; i < n; i++)
		tracepoint(lttng_bench, tick, (int)i, (int)(i * 2));
}
C
compile() {
	${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" -I"$work" "$@"
}
(cd "$work" && lttng-gen-tp -o lttng_bench.h -o lttng_bench.c lttng_bench.tp) >&2 &&
	compile -o "$work/peer" "$work/loop.c" "$work/lttng_bench.c" \
		"$src/bench/peer.c" "$src/bench/measure.c" "$src/tests/runtime/probe.c" \
		"$build/.libs/libglimpse.a" -llttng-ust -ldl -lpthread >&2 || exit 2

lttng-sessiond --no-kernel --daemonize --pidfile "$work/pid" >/dev/null 2>&1
trap 'kill "$(cat "$work/pid")"; rm -rf "$work"' EXIT
{
	lttng create bench --output "$work/trace" &&
		lttng enable-channel -u --buffers-uid --subbuf-size=4M --num-subbuf=8 bench &&
		lttng enable-event -u -c bench 'lttng_bench:*' && lttng start
} >/dev/null || exit 2
"$work/peer" LTTng-UST '<= 0.2' >"$work/row"
lttng stop >"$work/stopped" 2>&1
lttng destroy >/dev/null
if grep -qi discarded "$work/stopped"; then
	echo "bench: no row for LTTng-UST: it discarded events: $(grep -i discarded "$work/stopped")" >&2
else
	cat "$work/row"
fi
