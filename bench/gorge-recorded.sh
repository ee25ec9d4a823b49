# How soon gorge shows a recorded program of some 14 million events, and how fast it answers. Rows for bench/run.
# GORGE_YIELDS: those of each of its eight threads (450,000).

. "${src:?set by bench/run}/bench/script.sh"
need_programs gorge glimpse
need_tools "gorge's view of a recorded program" nodejs node
work_directory gorge-recorded
if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
	BROWSING=$(cd "$src" && pwd)/tests/viewers
	export BROWSING
fi
unset DISPLAY WAYLAND_DISPLAY
${CC:-cc} -O2 -D_GNU_SOURCE -o "$work/turns" "$src/bench/turns.c" -lpthread || exit 2
"$build/glimpse" record -q -o "$work/run" -- "$work/turns" "${GORGE_YIELDS:-450000}" || exit 2
node "$src/bench/gorge-view.js" recorded "$build/gorge" "$work/run"
