# Three rows on 100 million events of the memory probe: the time of glimpse memory, and its memory beside the logs'; and
# how soon gorge has the flame graph of a window.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory blocks

${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$build/probes/memory" -I"$src/runtime" -o "$work/blocks" "$src/bench/blocks.c" \
	"$build/probes/memory/memory_glimpse.c" "$build/.libs/libglimpse.a" -lpthread || exit 2
GLIMPSE_DIR=$work/run "$work/blocks" 100 && "$build/glimpse" memory "$work/run" >/dev/null || exit 2
for _ in 1 2 3; do
	command time -f '%e %M' "$build/glimpse" memory "$work/run" 2>&1 >/dev/null | tail -n 1
done | sort -n | awk -v logs="$(du -sb "$work/run" | awk '{ print $1 }')" '{ time[NR] = $1; memory[NR] = $2 } END {
	printf "glimpse memory: 100 million events, s\t%.2f\t<= 5\t\n", time[2]
	printf "its memory / the logs\t%.2f\t<= 2\t%.0f of %.0f MB\n", memory[2] * 1024 / logs, memory[2] / 976.6, logs / 1e6
}'
if [ -x "$build/gorge" ] && command -v node >/dev/null; then
	node "$src/bench/gorge-view.js" takes "$build/gorge" "$work/run"
fi
