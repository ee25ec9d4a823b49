# Rows: bytes of an event in a packed file, its index, specification and copies included; how fast it is packed and read.

. "${src:?set by bench/run}/bench/script.sh"
work_directory pack
glimpse=$build/glimpse

events() {
	"$glimpse" info --format=json "$1" | sed -n 's/.*"events": *\([0-9]*\).*/\1/p' | head -n 1
}

# seconds COMMAND...: wall time; its output is left out.
seconds() {
	began=$(date +%s%N)
	"$@" >/dev/null || exit 2
	echo "$began $(date +%s%N)" | awk '{ print ($2 - $1) / 1e9 }'
}

# row_bytes NAME TARGET RUN
row_bytes() {
	packing=$(seconds "$glimpse" pack "$3" -o "$3.glz") || exit 2
	n=$(events "$3")
	logs=$(cat "$3"/log.* | wc -c)
	awk -v name="$1" -v target="$2" -v n="$n" -v logs="$logs" -v bytes="$(wc -c <"$3.glz")" 'BEGIN {
		printf "%s\t%.2f\t%s\t%d events, %.1f bytes each in the logs\n", name, bytes / n, target, n, logs / n
	}'
}

# row_speed NAME EVENTS SECONDS DETAIL
row_speed() {
	awk -v name="$1" -v n="$2" -v s="$3" -v detail="$4" 'BEGIN {
		printf "%s, million events/s\t%.1f\t-\t%s\n", name, n / s / 1e6, detail
	}'
}

GLIMPSE_DIR=$work/ticks "$build/bench/ticks" 20000000 || exit 2
row_bytes 'bytes packed of an event with two ints' '<= 3' "$work/ticks" || exit 2
row_speed 'pack' 20000000 "$packing" "read, checked, packed, and unpacked for comparison"
reading=$(seconds "$glimpse" info "$work/ticks.glz") || exit 2
row_speed 'open a packed file' 20000000 "$reading" "all of it"
part=$(seconds "$glimpse" events --from=1ms --to=1.1ms "$work/ticks.glz") || exit 2
awk -v part="$part" -v all="$reading" 'BEGIN {
	printf "open a tenth of a millisecond of it / open all of it\t%.2f\t-\t%.0f ms\n", part / all, 1e3 * part
}'

rm -rf "$work"/ticks*
tar -cf "$work/in.tar" --exclude='*.a' /usr/include 2>/dev/null
if [ -s "$work/in.tar" ]; then
	GLIMPSE_DIR=$work/pgz "$build/pgz" -p 4 "$work/in.tar" || exit 2
	row_bytes "bytes packed of an event of pgz" '<= 5' "$work/pgz"
fi
