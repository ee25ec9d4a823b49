# What memory gorge takes for two intervals of many instances: see gorge-memory.js. A row for bench/run.
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
node "$src/bench/gorge-memory.js" "$build/gorge" "$work/run" "$work/two.spec" "$(cat "$work"/run/log.* | wc -c)" \
	"$((${GORGE_EVENTS:-100000000} / 1000000))"
