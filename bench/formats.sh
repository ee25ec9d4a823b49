# Rows: ten million events to each format of other tools, and back. Two promises are beside a peer: CTF beside what
# babeltrace2 needs to read the same, Perfetto's format and Chrome's beside `gzip -1` of the same bytes.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse bench/merge
work_directory formats
glimpse=$build/glimpse
events=${EVENTS:-10000000}

# seconds COMMAND...: wall time; its output is left out.
seconds() {
	began=$(date +%s%N)
	"$@" >/dev/null 2>"$work/said" || { cat "$work/said" >&2; return 1; }
	echo "$began $(date +%s%N)" | awk '{ print ($2 - $1) / 1e9 }'
}

# speed NAME SECONDS TARGET DETAIL
speed() {
	awk -v name="$1" -v n="$events" -v s="$2" -v target="$3" -v detail="$4" 'BEGIN {
		printf "%s, million events/s\t%.2f\t%s\t%s\n", name, n / s / 1e6, target, detail
	}'
}

# ratio NAME SECONDS PEER TARGET DETAIL
ratio() {
	awk -v name="$1" -v ours="$2" -v theirs="$3" -v target="$4" -v detail="$5" 'BEGIN {
		printf "%s\t%.2f\t%s\t%s; %.2f and %.2f s\n", name, ours / theirs, target, detail, ours, theirs
	}'
}

# is_there COMMAND FORMAT
is_there() {
	"$glimpse" "$1" --format=list | grep -q "^$2 "
}

# duckdb_copy EXPORTED: seconds and bytes in which DuckDB, with one thread, writes the same rows from its memory as Parquet
duckdb_copy() {
	PYTHONPATH=$build/python-packages python3 - "$1/events" "$work/copied" <<-'P'
		import duckdb, os, sys, time
		duckdb.sql("SET threads = 1")
		seconds = size = 0
		for table in os.listdir(sys.argv[1]):
		    duckdb.sql("CREATE OR REPLACE TABLE t AS SELECT * FROM read_parquet('%s/%s/*/*/*.parquet', hive_partitioning = false)" %
		               (sys.argv[1], table))
		    began = time.monotonic()
		    duckdb.sql("COPY t TO '%s' (FORMAT parquet)" % sys.argv[2])
		    seconds, size = seconds + time.monotonic() - began, size + os.path.getsize(sys.argv[2])
		    os.remove(sys.argv[2])
		print(seconds, size)
	P
}

"$build/bench/merge" "$events" 16 "$work/logs" || exit 2
for format in perfetto chrome fxt ctf otf2 paje csv jsonl logfmt sqlite avro parquet postgresql otlp; do
	is_there export "$format" || continue
	target=-
	[ "$format" != ctf ] || target='>= 5'
	taken=$(seconds "$glimpse" export --format="$format" "$work/logs" -o "$work/out") || continue
	bytes=$(du -sb "$work/out" | cut -f1)
	speed "export to $format" "$taken" "$target" "$(awk -v b="$bytes" -v n="$events" 'BEGIN { printf "%.1f", b / n }') bytes an event"
	case $format in
	perfetto | chrome)
		zipped=$(seconds gzip -1 -c "$work/out") && ratio "export to $format / gzip -1 of it" "$taken" "$zipped" '<= 1' "$bytes bytes"
		;;
	parquet)
		copied=$(duckdb_copy "$work/out" 2>/dev/null) && ratio "export to parquet / DuckDB's COPY of the rows" "$taken" "${copied% *}" - "$bytes and ${copied#* } bytes"
		;;
	esac
	if is_there import "$format"; then
		taken=$(seconds "$glimpse" import --format="$format" "$work/out" -o "$work/back") && speed "import of $format" "$taken" "$target" ''
		if [ "$format" = ctf ] && command -v babeltrace2 >/dev/null; then
			theirs=$(seconds babeltrace2 "$work/out" -o dummy) && ratio "import of ctf / babeltrace2 reading it" "$taken" "$theirs" '<= 0.2' ''
		fi
	fi
	rm -rf "$work/out" "$work/back"
done
