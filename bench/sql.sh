# Rows: intervals by queries, beside glimpse stats of the same events: DuckDB and Spark, each with two processors, and Spark
# with ten times as many events. EVENTS: ten million. The Python packages duckdb and pyspark are those of tests/sql.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse bench/merge
work_directory sql
glimpse=$build/glimpse
events=${EVENTS:-10000000}
export PYTHONPATH="$build/tests/sql/python${PYTHONPATH:+:$PYTHONPATH}"
python3 -c 'import duckdb, pyspark' 2>/dev/null || {
	echo "not there: the Python packages duckdb and pyspark; make check-sql installs them" >&2
	exit 77
}

cat >"$work/ask.py" <<'P'
"""ask.py ENGINE QUERY: runs the statements of a file; prints the seconds of the last one, and its rows."""
import sys
import time

engine, path = sys.argv[1:]
*views, query = [statement for statement in open(path).read().split(";\n") if statement.strip()]
if engine == "duckdb":
    import duckdb
    session = duckdb.connect(config={"threads": 2})

    def ask(statement):
        return session.execute(statement).fetchall()
else:
    from pyspark.sql import SparkSession
    session = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
               .config("spark.driver.memory", "6g").config("spark.sql.shuffle.partitions", "16").getOrCreate())
    session.sparkContext.setLogLevel("ERROR")

    def ask(statement):
        return session.sql(statement).collect()
for view in views:
    ask(view)
began = time.monotonic()
rows = [tuple(row) for row in ask(query)]
print("%.3f" % (time.monotonic() - began), *(",".join(str(value) for value in row[:4]) for row in rows))
P

# of EVENTS ENGINE...: sets ours, duckdb and spark, in seconds; all say the same
of() {
	count=$1
	shift
	rm -rf "$work/logs" "$work/data"
	"$build/bench/merge" "$count" 16 "$work/logs" && "$glimpse" export --format=parquet -o "$work/data" "$work/logs" || exit 2
	began=$(date +%s%N)
	wanted=$("$glimpse" stats --format=csv "$work/logs" | awk -F, 'NR > 1 { print $1 "," $2 "," $3 "," $4 }')
	ours=$(echo "$began $(date +%s%N)" | awk '{ print ($2 - $1) / 1e9 }')
	for engine; do
		"$glimpse" sql --data "$work/data" --dialect "$engine" stats >"$work/query" || exit 2
		said=$(timeout "${LIMIT:-3000}" python3 "$work/ask.py" "$engine" "$work/query" 2>"$work/said") || {
			cat "$work/said" >&2
			exit 2
		}
		[ "${said#* }" = "$wanted" ] || {
			echo "$engine says $said, glimpse stats $wanted" >&2
			exit 2
		}
		eval "$engine=\${said%% *}"
	done
}

# row NAME SECONDS OF: million events a second, and how many times as long as glimpse stats
row() {
	awk -v name="$1" -v s="$2" -v ours="$ours" -v n="$3" 'BEGIN {
		printf "%s, million events/s\t%.2f\t-\t%.1f times the time of glimpse stats (%.2f s)\n", name, n / s / 1e6, s / ours, ours
	}'
}

of "$events" duckdb spark
row 'intervals by DuckDB' "$duckdb" "$events"
row 'intervals by Spark, local[2]' "$spark" "$events"
small=$spark
of $((events * 10)) spark
row 'intervals by Spark, local[2], of ten times as many' "$spark" $((events * 10))
awk -v a="$small" -v b="$spark" 'BEGIN { printf "intervals by Spark: time of ten times as many events\t%.1f\t<= 13\t%.1f and %.1f s\n", b / a, b, a }'
