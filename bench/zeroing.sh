# Rows: how well each measure of glimpse rank orders functions, against runs in which each really takes no time.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
command -v python3 >/dev/null || { echo "bench/zeroing: python3 is not installed" >&2; exit 0; }
work_directory zeroing
${CC:-cc} -O1 -g -finstrument-functions -o "$work/recorded" "$src/bench/zeroing.c" -lpthread &&
	${CC:-cc} -O1 -g -o "$work/plain" "$src/bench/zeroing.c" -lpthread || exit 2
cd "$work" && PATH="$build:$PATH" exec python3 "$src/bench/zeroing.py" "${ZEROING_REPEATS:-25}" "$PREDICTIONS"
