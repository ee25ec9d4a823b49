# Rows: glimpse whatif of a million events and of ten times as many, its memory, a sweep and a causal profile.

. "${src:?set by bench/run}/bench/script.sh"
need_tools 'glimpse whatif' time /usr/bin/time
need_programs glimpse glimpsec
work_directory whatif-speed

cp "$src/bench/locks-table.spec" "$work/held.spec"
(cd "$work" && "$build/glimpsec" held.spec 2>/dev/null) &&
	${CC:-cc} -O2 -o "$work/made" "$src/bench/locks-table.c" "$work/held_glimpse.c" -I"$work" -I"$build" -I"$src/runtime" \
		-L"$build/.libs" -lglimpse -Wl,-rpath,"$build/.libs" -lpthread || exit 2
# cpu COMMAND...: seconds of processor time, and KiB
cpu() {
	/usr/bin/time -o "$work/time" -f '%U %S %M' "$@" >/dev/null 2>&1 || exit 2
	awk '{ print $1 + $2, $3 }' "$work/time"
}
GLIMPSE_DIR=$work/small "$work/made" 1000000 && GLIMPSE_DIR=$work/large "$work/made" 10000000 || exit 2
small=$(cpu "$build/glimpse" whatif --anyway "$work/small")
large=$(cpu "$build/glimpse" whatif --anyway "$work/large")
sweep=$(cpu "$build/glimpse" whatif --anyway --sweep LockHold=1..20 "$work/small")
best=$(cpu "$build/glimpse" whatif --anyway --sweep best "$work/small")
logs=$(du -sk "$work/small" | cut -f1)
echo "$small $large $sweep $logs $best" | awk '{
	printf "glimpse whatif, 1 million events, s\t%.2f\t<= 1\tprocessor time, with the trace read: two replays without changes, one with\n", $1
	printf "glimpse whatif, memory, times the logs\t%.1f\t<= 3\t1 million events\n", $2 / $7
	printf "glimpse whatif, ten times the trace, times\t%.1f\t<= 13\tprocessor time\n", $3 / $1
	printf "glimpse whatif --sweep, 20 points, 1 million events, s\t%.2f\t<= 5\tprocessor time\n", $5
	printf "glimpse whatif --sweep best, 1 million events, s\t%.2f\t<= 5\tprocessor time: 30 candidates, all factors of the best 10\n", $8 }'
