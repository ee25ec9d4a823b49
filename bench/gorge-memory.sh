# What memory gorge takes for two intervals of many instances: see gorge-view.js. A row for bench/run.
# GORGE_EVENTS: 100 million.

. "${src:?set by bench/run}/bench/script.sh"
need_programs gorge bench/merge
need_tools "gorge's memory" nodejs node
work_directory gorge-memory
unset DISPLAY WAYLAND_DISPLAY
"$build/bench/merge" "${GORGE_EVENTS:-100000000}" 16 "$work/run" || exit 0
cat >"$work/two.spec" <<'END'
glimpse bench
event Send(int to, int seq);
event Recv(int to, int seq);
interval Transit [ s:Send -> r:Recv ] Match;
interval Arrival [ r:Recv <- s:Send ] Match;
end
END
node "$src/bench/gorge-view.js" memory "$build/gorge" "$work/run" "$(cat "$work"/run/log.* | wc -c)" "$work/two.spec"
