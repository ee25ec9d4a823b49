# Three rows: what the threads probe adds to a mutex that is taken and released, logged (--full) and counted, beside a
# bare loop, and beside what LTTng-UST's wrapper of the same functions adds. Starts a session daemon of its own and ends it.

. "${src:?set by bench/run}/bench/script.sh"
probe=$build/.libs/libglimpse-threads.so
[ -e "$probe" ] || { echo "bench: no rows for locks: $probe is not built" >&2; exit 0; }
work_directory locks

${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" -o "$work/locks" "$src/bench/locks.c" "$src/bench/measure.c" \
	"$src/tests/runtime/probe.c" "$build/.libs/libglimpse.a" -ldl -lpthread >&2 || exit 2

# added FILE...: the median of what was added, of runs of locks, with the bare loop and the pairs
added() {
	awk '{ print $3 - $2, $0 }' "$@" | sort -n | awk '{ line[NR] = $0 } END { print line[int((NR + 1) / 2)] }'
}

for _ in 1 2 3 4 5; do
	GLIMPSE_FULL=yes GLIMPSE_DIR=$work/run LD_PRELOAD=$probe "$work/locks" >>"$work/ours" || exit 2
	rm -rf "$work/run"
	GLIMPSE_DIR=$work/run LD_PRELOAD=$probe "$work/locks" >>"$work/counted" || exit 2
	rm -rf "$work/run"
done
ours=$(added "$work/ours")
echo "$ours" | awk '{ printf "lock and unlock, with the threads probe, added / bare loop\t%.3g\t<= 3.5\t" \
	"%.1f ns beside %.1f ns; a bare loop is %.1f ns\n", $1 / $2, $4, $3, $2 }'
added "$work/counted" | awk '{ printf "lock and unlock, counted by the threads probe, added / bare loop\t%.3g\t<= 1\t" \
	"%.1f ns; a bare loop is %.1f ns\n", $1 / $2, $1, $2 }'

wrapper=$(ls /usr/lib/*/liblttng-ust-pthread-wrapper.so /usr/lib*/liblttng-ust-pthread-wrapper.so 2>/dev/null | head -n 1)
[ -n "$wrapper" ] || { echo "bench: no row for LTTng-UST's locks: apt install liblttng-ust-ctl5 liblttng-ust1" >&2; exit 0; }
need_tools "LTTng-UST's locks" lttng-tools lttng lttng-sessiond
mkdir "$work/home" || exit 2
LTTNG_HOME=$work/home
HOME=$work/home
export LTTNG_HOME HOME
lttng-sessiond --no-kernel --daemonize --pidfile "$work/pid" >/dev/null 2>&1
trap 'kill "$(cat "$work/pid")"; rm -rf "$work"' EXIT
{
	lttng create locks --output "$work/trace" &&
		lttng enable-channel -u --buffers-uid --subbuf-size=4M --num-subbuf=8 locks &&
		lttng enable-event -u -c locks 'lttng_ust_pthread:*' && lttng start
} >/dev/null || exit 2
for _ in 1 2 3 4 5; do
	LD_PRELOAD=$wrapper "$work/locks" >>"$work/theirs" || exit 2
done
lttng stop >"$work/stopped" 2>&1
lttng destroy >/dev/null
echo "$ours $(added "$work/theirs")" |
	awk '{ printf "lock and unlock, added by the threads probe / by LTTng-UST'"'"'s wrapper\t%.3g\t<= 0.25\t" \
		"%.1f ns and %.1f ns\n", $1 / $5, $1, $5 }'
grep -i discarded "$work/stopped" | sed 's/^/bench: LTTng-UST'"'"'s locks: /' >&2
exit 0
