# How gorge opens a run of many events and how fast it answers. Rows for bench/run.
#
# GORGE_EVENTS (100 million) and GORGE_THREADS (16) tell the size. What asks is node; frames are measured where there
# are a chromium and its driver.

. "${src:?set by bench/run}/bench/script.sh"
events=${GORGE_EVENTS:-100000000} threads=${GORGE_THREADS:-16}
run=$BENCH_DIR/gorge-view
trap 'rm -rf "$run"' EXIT
need_programs gorge bench/merge
need_tools "gorge's view" nodejs node
if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
	BROWSING=$(cd "$src" && pwd)/tests/viewers
	export BROWSING
else
	echo "gorge-view.sh: frames are left out, as there is no browser (apt install chromium chromium-driver)" >&2
fi
unset DISPLAY WAYLAND_DISPLAY

"$build/bench/merge" "$events" "$threads" "$run" || exit 0
node "$src/bench/gorge-view.js" view "$build/gorge" "$run" "$(cat "$run"/log.* | wc -c)"
rm -rf "$run"
"$build/bench/merge" 1000000 "$threads" "$run" || exit 0
node "$src/bench/gorge-view.js" redefine "$build/gorge" "$run"
rm -rf "$run"
"$build/bench/merge" $((events / 10)) 1500 "$run" || exit 0
node "$src/bench/gorge-view.js" crowd "$build/gorge" "$run"
