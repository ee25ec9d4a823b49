# How fast gorge answers, and in what memory, where lanes have calls within each other and states. Rows for bench/run.
# GORGE_EVENTS (100 million) and GORGE_THREADS (16) tell the size.

. "${src:?set by bench/run}/bench/script.sh"
need_programs gorge glimpsec
need_tools "gorge's lanes" nodejs node
work_directory gorge-lanes
unset DISPLAY WAYLAND_DISPLAY
(cd "$work" && "$build/glimpsec" "$src/bench/lanes.spec" &&
	${CC:-cc} -O2 -I. -I"$src/runtime" -o lanes "$src/bench/lanes.c" lanes_glimpse.c "$build/.libs/libglimpse.a" -lpthread &&
	GLIMPSE_DIR=$work/run ./lanes "${GORGE_EVENTS:-100000000}" "${GORGE_THREADS:-16}") >&2 || exit 2
node "$src/bench/gorge-view.js" lanes "$build/gorge" "$work/run" "$(cat "$work"/run/log.* | wc -c)"
