# Rows: programs that are searched while they run (glimpse why -- PROGRAM) beside themselves alone, in pairs; and how
# often what is planted in a program of five seconds is found while it runs, in the first run of each.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
[ -e "$build/.libs/libglimpse-threads.so" ] || { echo "bench: no rows for why-live: no libglimpse-threads.so" >&2; exit 0; }
command -v python3 >/dev/null || { echo "bench: no rows for why-live: apt install python3" >&2; exit 0; }
work_directory why-live
exec python3 "$src/bench/why-live.py" "$build/glimpse" "$src/tests/why" "$work"
