# What the functions probe adds to a call and its return, beside a bare loop, and beside what uftrace adds to the same
# binary; and what XRay's sleds cost, patched and not.

. "${src:?set by bench/run}/bench/script.sh"
probe=$build/.libs/libglimpse-functions.so
[ -e "$probe" ] || { echo "bench: no rows for functions: $probe is not built" >&2; exit 0; }
work_directory functions
export LC_ALL=C

echo '__attribute__((noinline)) void NAME(int a, int b) { __asm__ __volatile__("" : : "r"(a), "r"(b)); }' >"$work/call.c"

# functions NAME COMPILER FLAG...: ./NAME, of which the function `called` alone is compiled with the flags
functions() {
	name=$1 compiler=$2
	shift 2
	$compiler -O2 -DNAME=called "$@" -c -o "$work/called.o" "$work/call.c" &&
		$compiler "$@" -o "$work/$name" "$work/called.o" "$work"/of/*.o "$build/.libs/libglimpse.a" -lpthread
} >&2
mkdir "$work/of" && (cd "$work/of" && ${CC:-cc} -O2 -DNAME=plain -c -o plain.o ../call.c &&
	${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" -c "$src/bench/functions.c" "$src/bench/measure.c" \
		"$src/tests/runtime/probe.c") >&2 || exit 2

# added RUN...: the median of what was added in five runs of a command, with the bare loop and both calls
added() {
	for _ in 1 2 3 4 5; do
		rm -rf "$work/run"
		GLIMPSE_DIR=$work/run "$@" 2>"$work/said" | tail -n 1
	done | awk 'NF == 3 { print $3 - $2, $0 }' | sort -n | awk '{ line[NR] = $0 } END { print line[int((NR + 1) / 2)] }'
}
with_probe() {
	LD_PRELOAD=$probe "$@"
}

functions hooked "${CC:-cc}" -finstrument-functions || exit 2
ours=$(added with_probe "$work/hooked")
echo "$ours" | awk '{ printf "call and return, with the functions probe, added / bare loop\t%.3g\t<= 2.8\t" \
	"%.1f ns beside %.1f ns; a bare loop is %.1f ns\n", $1 / $2, $4, $3, $2 }'

if command -v uftrace >/dev/null; then
	with_uftrace() {
		rm -rf "$work/data"
		uftrace record --no-libcall --no-pager -b 8M -d "$work/data" "$@"
	}
	theirs=$(added with_uftrace "$work/hooked")
	[ -z "$theirs" ] || echo "$ours $theirs" |
		awk '{ printf "call and return, added by the functions probe / by uftrace\t%.3g\t<= 0.333\t%.1f ns and %.1f ns\n", \
			$1 / $5, $1, $5 }'
	grep -i lost "$work/said" | sed 's/^/bench: uftrace lost records: /' >&2
else
	echo "bench: no row for uftrace's functions: apt install uftrace" >&2
fi

if command -v clang >/dev/null && functions sleds clang -fxray-instrument -fxray-instruction-threshold=1 2>"$work/said"; then
	added "$work/sleds" | awk '{ printf "XRay sleds that are not patched, ns a call\t%.3g\t<= 1\t%.2f ns beside %.2f ns\n", \
		$1, $4, $3 }'
	off=$(GLIMPSE_FUNCTIONS=-called added with_probe "$work/sleds")
	echo "$off" | awk '{ printf "XRay sleds, the function switched off, ns a call\t%.3g\t<= 1\t%.2f ns beside %.2f ns\n", \
		$1, $4, $3 }'
	added with_probe "$work/sleds" | awk '{ printf "call and return through XRay, added / bare loop\t%.3g\t-\t" \
		"%.1f ns beside %.1f ns; a bare loop is %.1f ns\n", $1 / $2, $4, $3, $2 }'
else
	echo "bench: no rows for XRay: apt install clang libclang-rt-14-dev" >&2
fi
exit 0
