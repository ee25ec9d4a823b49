# Two rows: a malloc() and free() with its stack under the memory probe, beside heaptrack on the same program: what each
# adds, and what is on the disk afterwards (ours packed, theirs compressed).

. "${src:?set by bench/run}/bench/script.sh"
need_tools heaptrack heaptrack heaptrack
need_programs glimpse
work_directory memory

${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/heap" "$src/bench/heap.c" || exit 2
for _ in 1 2 3 4 5; do
	"$work/heap" "$work/bare"
	rm -rf "$work/run"
	GLIMPSE_DIR=$work/run LD_PRELOAD=$build/.libs/libglimpse-memory.so "$work/heap" "$work/ours"
	rm -f "$work/theirs.file"*
	heaptrack -o "$work/theirs.file" "$work/heap" "$work/theirs" >/dev/null 2>&1
done
median() {
	sort -n "$1" | sed -n 3p
}
size() {
	du -sb "$@" | awk '{ print $1 }'
}
"$build/glimpse" pack "$work/run" -o "$work/packed" >&2 || exit 2
echo "$(median "$work/bare") $(median "$work/ours") $(median "$work/theirs") $(size "$work/packed") $(size "$work/theirs.file"*) $(size "$work/run")" |
	awk 'NF == 6 {
	printf "malloc and free with stacks: of what heaptrack adds\t%.2f\t<= 0.5\t%.0f of %.0f ns\n", ($2 - $1) / ($3 - $1), $2 - $1, $3 - $1
	printf "the same on disk, packed: of heaptrack'"'"'s\t%.2f\t<= 1\t%.1f of %.1f MB; %.1f before packing\n", $4 / $5, $4 / 1e6, $5 / 1e6, $6 / 1e6
}'
