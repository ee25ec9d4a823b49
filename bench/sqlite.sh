# One row: all messages of 16 threads matched beside SQLite, which joins the same events by the same two attributes,
# over an index that is there already. Ours starts from the logs.

. "${src:?set by bench/run}/bench/script.sh"
need_tools SQLite sqlite3 sqlite3
events=2000000
work_directory sqlite
"$build/bench/merge" $events 16 "$work/logs" || exit 2

# place in the stream, time, attributes
"$build/glimpse" events --format=csv "$work/logs" | sed 's/to=//; s/;seq=/,/' |
	awk -F, -v OFS=, -v send="$work/send.csv" -v recv="$work/recv.csv" '
		NR > 1 { print NR, $1, $5, $6 >($4 == "Send" ? send : recv) }' || exit 2
sqlite3 "$work/events.db" <<SQL || exit 2
create table send (place integer, time integer, source integer, seq integer);
create table recv (place integer, time integer, source integer, seq integer);
.import --csv $work/send.csv send
.import --csv $work/recv.csv recv
create index message on recv (source, seq, place, time);
analyze;
SQL

# the first later one of each, as the interval's: how many have one, and how long they took together
query='select count(took), sum(took) from (select (select r.time from recv r where r.source = s.source
	and r.seq = s.seq and r.place > s.place order by r.place limit 1) - s.time as took from send s)'

# seconds COMMAND...: wall time, the best of three.
seconds() {
	for _ in 1 2 3; do
		began=$(date +%s%N)
		"$@" >"$work/answer" || exit 2
		echo "$began $(date +%s%N)"
	done | awk '{ took = ($2 - $1) / 1e9; best = NR == 1 || took < best ? took : best } END { print best }'
}

theirs=$(seconds sqlite3 -csv "$work/events.db" "$query") || exit 2
wanted=$(cut -d, -f1 "$work/answer")
ours=$(seconds "$build/glimpse" stats --format=csv "$work/logs") || exit 2
if ! grep -q "^Transit,$wanted," "$work/answer"; then
	echo "bench: no row for SQLite: it finds $wanted messages, but not glimpse stats" >&2
	exit 2
fi
awk -v ours="$ours" -v theirs="$theirs" -v n="$events" -v found="$wanted" 'BEGIN {
	printf "read, match and statistics / the indexed join in SQLite\t%.3f\t<=0.2\t%.3f and %.3f us an event, %d messages\n",
		ours / theirs, 1e6 * ours / n, 1e6 * theirs / n, found
}'
