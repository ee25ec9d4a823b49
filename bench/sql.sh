# Rows: intervals by queries, beside glimpse stats of the same events: DuckDB and Spark, each with two processors, and Spark
# with ten times as many events. Of these a cluster of a master and two workers finds all instances, which are compared with
# those of glimpse match. EVENTS: ten million. The Python packages duckdb and pyspark are those of tests/sql.

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

cat >"$work/same.py" <<'P'
"""same.py MASTER QUERY CSV: asks a cluster for all instances, and reads those of glimpse match. Of both it prints how many there
are, and the sum of the hashes of their rows; then the seconds that the cluster took."""
import sys
import time
from pyspark.sql import SparkSession

master, query, csv = sys.argv[1:]
session = (SparkSession.builder.master(master).config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
           .config("spark.executor.memory", "4g").config("spark.executor.cores", "1").config("spark.sql.shuffle.partitions", "32")
           .getOrCreate())
session.sparkContext.setLogLevel("ERROR")
*views, query = [statement for statement in open(query).read().split(";\n") if statement.strip()]
for view in views:
    session.sql(view)
columns = ["anchor_thread", "anchor_seq", "anchor_time", "partner_thread", "partner_seq", "partner_time", "duration"]


def sums(rows):
    hashed = "xxhash64(%s)" % ", ".join("coalesce(CAST(%s AS BIGINT), -1)" % c for c in columns)
    return rows.selectExpr("count(*)", "sum(CAST(%s AS DECIMAL(38, 0)))" % hashed).collect()[0]


matched = session.read.csv(csv, header=True)
expected = sums(matched)
began = time.monotonic()
found = sums(session.sql(query))
print(*found, *expected, "%.1f" % (time.monotonic() - began))
P

# cluster COMMAND...: runs a command with the URL of a master as its last argument
cluster() {
	spark=$build/tests/sql/python/pyspark
	export SPARK_LOCAL_IP=127.0.0.1 SPARK_HOME="$spark" SPARK_LOCAL_DIRS="$work"
	setsid "$spark/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 0 --webui-port 0 \
		>"$work/master" 2>&1 &
	members=$!
	while ! url=$(grep -o 'spark://[0-9.:]*' "$work/master"); do sleep 0.2; done
	for i in 1 2; do
		setsid "$spark/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --port 0 --webui-port 0 \
			--cores 1 --memory 5g --work-dir "$work/worker$i" "$url" >"$work/worker$i.log" 2>&1 &
		members="$members $!"
	done
	"$@" "$(echo "$url" | head -n 1)"
	status=$?
	for i in $members; do kill -9 "-$i"; done
	return "$status"
}
same() {
	timeout "${LIMIT:-3000}" python3 "$work/same.py" "$1" "$work/query" "$work/instances.csv" 2>"$work/said"
}

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
"$glimpse" match -u --format=csv "$work/logs" >"$work/instances.csv" &&
	"$glimpse" sql --data "$work/data" --dialect spark "$(sed -n '2s/,.*//p' "$work/instances.csv")" >"$work/query" || exit 2
said=$(cluster same) || {
	cat "$work/said" >&2
	exit 2
}
echo "$said" | awk '{
	printf "intervals in a cluster: as glimpse match finds them, %%\t%d\t>= 100\t%d and %d instances, whose hashes %s; %s s\n",
		$2 == $4 && $1 == $3 ? 100 : 0, $1, $3, $2 == $4 ? "are equal" : "differ", $5
	exit $2 != $4
}'
