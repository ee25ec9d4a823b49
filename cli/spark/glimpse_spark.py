"""The job of `glimpse spark-submit`: finds the instances of intervals in tables that `glimpse export --format=parquet` wrote.

usage: glimpse_spark.py [--slice NANOSECONDS] GLIMPSE PLAN DATA OUT

Rows that must meet become one partition, each partition a trace in a temporary directory, and `glimpse match` finds the
instances in it. PLAN is what `glimpse spark-submit --plan` prints; the job removes the file. OUT appears when it is whole.
"""
import argparse
import array
import decimal
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession, functions as F, types as T
from pyspark.sql.utils import AnalysisException

ROWS_OF_PARTITION = 1 << 20
MOST_PARTITIONS = 20000
LONGEST = 1 << 61       # ns: what a log can hold
WORD = 1 << 64


class Refusal(Exception):
    """What is wrong with the tables or the options; nothing is written."""


def say(message):
    print(f"glimpse spark-submit: {message}", file=sys.stderr, flush=True)


def count(n, word):
    return f"{n:,} {word}" + ("" if n == 1 else "s")


# ---- the tables ----

def read(spark, data, name):
    """A table: files below its directory, whose partitions by host and slice are no columns of ours."""
    path = f"{data}/{name}"
    try:
        return spark.read.option("recursiveFileLookup", "true").option("pathGlobFilter", "*.parquet").parquet(path)
    except AnalysisException as e:
        raise Refusal(f"{path}: {str(e).splitlines()[0]}; export the tables again") from None


def columns_check(data, table, frame):
    """A table of another specification has other columns."""
    wanted = {"time": "bigint", "thread": "bigint", "seq": "bigint"}
    wanted.update((c["column"], c["type"].lower()) for c in table["columns"])
    if dict(frame.dtypes) != wanted:
        raise Refusal(f"{data}/events/{table['table']} has the columns {dict(frame.dtypes)}, but event "
                      f"{table['event']} of the specification has {wanted}")


def tables_open(spark, plan, data):
    trace = read(spark, data, "trace").collect()
    if len(trace) != 1:
        raise Refusal(f"{data}/trace has {count(len(trace), 'row')} instead of one: a file is missing or duplicated")
    if trace[0].schema.lower() != plan["schema"]:
        raise Refusal(f"{data} has events of another specification: its schema is {trace[0].schema}, but -s "
                      f"has {plan['schema']}")
    events = {}
    for table in plan["tables"]:
        events[table["event"]] = read(spark, data, "events/" + table["table"])
        columns_check(data, table, events[table["event"]])
    return trace[0], events


def threads_read(spark, plan, data):
    threads = read(spark, data, "threads")
    rows = sorted(threads.collect(), key=lambda t: t.thread)
    if len({t.thread for t in rows}) < len(rows):
        raise Refusal(f"{data}/threads has duplicate threads")
    for interval in plan["intervals"]:
        for thread in rows if interval["asks_owner"] else ():
            try:
                thread.owner.decode()
            except UnicodeDecodeError:
                raise Refusal(f"{interval['interval']} uses the owner of threads, but the owner of thread {thread.thread} "
                              "is not valid UTF-8, which the trace of a partition cannot store") from None
    return threads, rows


def processes_read(spark, data):
    rows = sorted(read(spark, data, "processes").collect(), key=lambda p: p.process)
    if [p.process for p in rows] != list(range(len(rows))):
        raise Refusal(f"{data}/processes has missing or duplicate processes")
    return rows


# ---- whether each event is there, and once ----

def files_of(frame):
    return ", ".join(r[0] for r in frame.select(F.input_file_name()).distinct().sort(F.input_file_name()).take(4))


def difference(rows, thread):
    """Says what is wrong with the rows of a thread."""
    own = rows.where(F.col("thread") == thread.thread)
    twice = own.groupBy("seq").count().where("count > 1").agg(F.count("*"), F.min("seq")).collect()[0]
    if twice[0]:
        files = files_of(own.where(F.col("seq") == twice[1]))
        return f"{count(twice[0], 'event')} of thread {thread.thread} twice, from number {twice[1]} on: {files}"
    expected = rows.sparkSession.range(thread.events).withColumnRenamed("id", "seq")
    lacks = expected.join(own, "seq", "left_anti").agg(F.count("*"), F.min("seq")).collect()[0]
    if lacks[0]:
        return (f"lost {count(lacks[0], 'event')} of the {thread.events:,} of thread {thread.thread}, from number "
                f"{lacks[1]} on: a file is missing")
    return f"more than the {count(thread.events, 'event')} of thread {thread.thread}"


def sums(n):
    """What the numbers from 0 to n - 1, their squares and their cubes add up to, as Spark's 64 bits have it."""
    def signed(x):
        x %= WORD
        return x - WORD if x >= WORD // 2 else x
    return n, signed(n * (n - 1) // 2), signed((n - 1) * n * (2 * n - 1) // 6), signed((n * (n - 1) // 2) ** 2)


def events_check(data, events, threads):
    """
    Partitions that are missing or there twice show in the numbers of each thread's events. Their sums tell without a sort
    of all of them. Returns the number of rows of each event.
    """
    rows = None
    for event, frame in events.items():
        part = frame.select("thread", "seq", "time", F.lit(event).alias("event"))
        rows = part if rows is None else rows.union(part)
    if rows is None:
        return {}
    found = rows.groupBy("thread", "event").agg(
        F.count("*").alias("n"), F.sum("seq"), F.sum(F.expr("seq * seq")), F.sum(F.expr("seq * seq * seq")),
        F.min("time"), F.max("time")).collect()
    numbers, totals = dict.fromkeys(events, 0), {}
    for thread, event, n, one, two, three, first, last in found:
        if first < 0 or last >= LONGEST:
            raise Refusal(f"{data}/events: event {event} has times from {first} to {last} ns; the trace of a partition can store "
                          f"0 to {LONGEST}")
        numbers[event] += n
        a = totals.get(thread, (0, 0, 0, 0))
        totals[thread] = (a[0] + n, a[1] + one, a[2] + two, a[3] + three)
    known = {t.thread for t in threads}
    for thread in totals:
        if thread not in known:
            raise Refusal(f"{data}/threads lacks thread {thread}, which has events")
    for thread in threads:
        own, wanted = totals.get(thread.thread, (0, 0, 0, 0)), sums(thread.events)
        if any((a - b) % WORD for a, b in zip(own, wanted)):
            raise Refusal(f"{data}/events has {difference(rows, thread)}")
    return numbers


# ---- rows as JSON lines ----

def value_sql(column):
    name = f"e.`{column['column']}`"
    if column["type"] == "BINARY":
        return f"""'{{"base64":"', translate(base64({name}), '\\r\\n', ''), '"}}'"""
    if column["type"] == "DOUBLE":
        return (f"""CASE WHEN isnan({name}) THEN '"nan"' WHEN {name} = double('inf') THEN '"inf"' """
                f"""WHEN {name} = double('-inf') THEN '"-inf"' ELSE string({name}) END""")
    return f"string({name})"


def line_sql(table):
    """An event as `glimpse import --format=jsonl` reads it."""
    parts = ["""'{"time":'""", "string(e.time)", """',"thread":'""", "string(e.thread)",
             f"""',"event":"{table['event']}","attributes":{{'"""]
    for i, column in enumerate(table["columns"]):
        parts += [f"""'{"," if i else ""}"{column['attribute']}":'""", value_sql(column)]
    return f"concat({', '.join(parts)}, '}}}}')"


def header(plan, threads, processes):
    """The first lines of each part's own trace: all threads, so that they keep their numbers, and an event at time 0."""
    first = {"glimpse": {
        "version": 1, "specification": plan["specification"], "origin": 0, "duration": 0,
        "processes": [{"path": f"run/{p.process:08}" if p.process else "run", "program": p.program, "pid": p.pid}
                      for p in processes],
        "threads": [{"thread": t.thread, "name": t.owner.decode("utf-8", "replace"), "process": t.process, "tid": t.tid} for t in threads]}}
    origin = {"time": 0, "thread": threads[0].thread, "event": plan["origin"], "attributes": {}}
    return json.dumps(first) + "\n" + json.dumps(origin) + "\n"


# ---- which rows meet ----

def key_hash(place, parts):
    return f"pmod(xxhash64({', '.join(place['keys'])}), {parts})"


def by_keys(event, parts):
    """A row that is an anchor by one key and a partner by another is in the partitions of both, and an anchor in one."""
    places = event["places"]
    if len(places) == 1:
        return f"array({key_hash(places[0], parts)})", str(places[0]["anchor"]).lower()
    hashes = [key_hash(p, parts) for p in places]
    anchor = next(h for h, p in zip(hashes, places) if p["anchor"])
    return f"array_distinct(array({', '.join(hashes)}))", f"part = {anchor}"


def by_time(event, interval, length):
    """A row is an anchor in its own slice, and a partner also in those from which it is within reach."""
    own, reach = f"e.time div {length}", interval["reach"]
    low, high = own, own
    if any(not p["anchor"] for p in event["places"]) and interval["backwards"]:
        high = f"(e.time + {reach}) div {length}"
    elif any(not p["anchor"] for p in event["places"]):
        low = f"greatest(e.time - {reach}, 0) div {length}"
    anchor = f"part = {own}" if any(p["anchor"] for p in event["places"]) else "false"
    return f"sequence({low}, {high})", anchor


class Parting:
    """How the rows of an interval are parted: in how many parts, and each row in which."""

    def __init__(self, interval, rows, duration, parallelism, length):
        self.interval = interval
        self.parts = 1
        if interval["by"] == "keys":
            self.parts = max(parallelism, -(-rows // ROWS_OF_PARTITION))
        elif interval["by"] == "time":
            self.length = length or max(10 * interval["reach"] + 1, duration * ROWS_OF_PARTITION // max(rows, 1), 1)
            self.parts = duration // self.length + 1

    def of(self, event):
        if self.interval["by"] == "keys":
            return by_keys(event, self.parts)
        if self.interval["by"] == "time":
            return by_time(event, self.interval, self.length)
        return "array(0L)", "true"

    def describe(self):
        if self.interval["by"] == "keys":
            return f"{count(self.parts, 'partition')} by keys"
        if self.interval["by"] == "time":
            return f"{count(self.parts, 'slice')} of {self.length / 1e9:g} s, {self.interval['reach'] / 1e9:g} s of overlap"
        return ("one partition, on one machine: its condition has no equality between the events, and no bound on the time "
                "between them that determines each anchor's partner")


def rows_of(events, tables, threads, interval, parting):
    """The rows of an interval: part, whether it is an anchor there, time, thread, seq, and the event as a line."""
    all_rows = None
    for event in interval["events"]:
        rows = events[event["event"]].alias("e")
        if event["asks_thread"]:
            rows = rows.join(F.broadcast(threads.select("thread", "owner", "process").alias("t")),
                             F.expr("e.thread = t.thread"))
        parts, anchor = parting.of(event)
        rows = rows.select("*", F.explode(F.expr(parts)).alias("part"))
        rows = rows.selectExpr("part", f"{anchor} AS anchor", "e.time AS time", "e.thread AS thread", "e.seq AS seq",
                               f"{line_sql(tables[event['event']])} AS line")
        all_rows = rows if all_rows is None else all_rows.union(rows)
    return (all_rows.repartition(min(parting.parts, MOST_PARTITIONS), "part")
            .sortWithinPartitions("part", "time", "thread", "seq"))


# ---- a partition on a worker ----

def own_glimpse(glimpse):
    found = glimpse if os.access(glimpse, os.X_OK) else shutil.which("glimpse")
    if not found:
        raise RuntimeError(f"Glimpse is not installed on {socket.gethostname()}: neither {glimpse} nor glimpse in PATH")
    return found


def failed(what, status, errors):
    errors.seek(0)
    said = errors.read().decode("utf-8", "replace").strip()
    return RuntimeError(f"glimpse {what} on {socket.gethostname()} ended with status {status}: {said}")


class Places:
    """What the events of a part's own trace were: by thread, in their order."""

    def __init__(self, first):
        self.of = {first: (array.array("q", [-1]), array.array("q", [0]), bytearray(1))}

    def add(self, thread, seq, time, anchor):
        seqs, times, anchors = self.of.setdefault(thread, (array.array("q"), array.array("q"), bytearray()))
        seqs.append(seq)
        times.append(time)
        anchors.append(anchor)

    def get(self, thread, number, time):
        seqs, times, _ = self.of[thread]
        if times[number] != time:
            raise RuntimeError(f"event {number} of thread {thread} is at {time} instead of {times[number]} ns")
        return time, thread, seqs[number]

    def is_anchor(self, thread, number):
        return self.of[thread][2][number]


def part_import(glimpse, head, first, rows, run):
    """Makes the trace of a part, in its directory."""
    places = Places(first)
    with tempfile.TemporaryFile() as errors:
        command = subprocess.Popen([glimpse, "import", "--format=jsonl", "/dev/stdin", "-o", run],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            with command.stdin as lines:
                lines.write(head.encode())
                for _, anchor, time, thread, seq, line in rows:
                    if line is None:
                        raise RuntimeError(f"event {seq} of thread {thread} lacks attributes: its file has other columns")
                    places.add(thread, seq, time, anchor)
                    lines.write(line.encode() + b"\n")
        except BrokenPipeError:
            pass
        status = command.wait()
        if status:
            raise failed("import", status, errors)
    return places


def metric_value(kind, digits):
    if not digits:
        return None
    if kind == "DOUBLE":
        return float(digits)
    return int(digits) if kind == "BIGINT" else decimal.Decimal(digits)


def part_match(glimpse, interval, places, run):
    """The instances in the trace of a part, with the numbers that their events have in the whole trace."""
    kinds = [m["type"] for m in interval["metrics"]]
    with tempfile.TemporaryFile() as errors:
        command = subprocess.Popen([glimpse, "match", run, "--interval", interval["interval"], "--unmatched", "--metrics",
                                    "--format=csv"], stdout=subprocess.PIPE, stderr=errors, text=True)
        with command.stdout as lines:
            next(lines, None)
            for line in lines:
                _, thread, number, time, *partner, duration, metrics = line.rstrip("\n").split(",", 8)
                if not places.is_anchor(int(thread), int(number)):
                    continue
                anchor = places.get(int(thread), int(number), int(time))
                if not partner[0]:
                    yield anchor + (None,) * (4 + len(kinds))
                    continue
                digits = [m.partition("=")[2] for m in metrics.split(";")] if kinds else []
                yield (anchor + places.get(int(partner[0]), int(partner[1]), int(partner[2])) + (int(duration),) +
                       tuple(map(metric_value, kinds, digits)))
        status = command.wait()
        if status:
            raise failed("match", status, errors)


def matcher(glimpse, interval, head, first):
    """Returns what finds the instances of the parts in a partition."""
    def run(rows):
        own = own_glimpse(glimpse)
        # Spark removes these directories even if the process is killed.
        folder = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None
        for _, part in itertools.groupby(rows, lambda row: row[0]):
            with tempfile.TemporaryDirectory(prefix="glimpse-", dir=folder) as directory:
                places = part_import(own, head.value, first, part, directory + "/run")
                yield from part_match(own, interval, places, directory + "/run")
    return run


# ---- the result ----

def result_type(interval):
    fields = [T.StructField(f"{end}_{name}", T.LongType()) for end in ("anchor", "partner")
              for name in ("time", "thread", "seq")] + [T.StructField("duration", T.LongType())]
    kinds = {"BIGINT": T.LongType(), "DOUBLE": T.DoubleType()}
    for metric in interval["metrics"]:
        fields.append(T.StructField(metric["column"], kinds.get(metric["type"]) or T.DecimalType(21, 0)))
    return T.StructType(fields)


class Output:
    """A directory that appears when it is complete."""

    def __init__(self, spark, path):
        java = spark._jvm
        configuration = spark._jsc.hadoopConfiguration()
        self.path = java.org.apache.hadoop.fs.Path(path)
        self.files = self.path.getFileSystem(configuration)
        # Another job may write to the same place at this time.
        self.name = f"{path.rstrip('/')}.part-{spark.sparkContext.applicationId}"
        self.part = java.org.apache.hadoop.fs.Path(self.name)
        if self.files.exists(self.path):
            raise Refusal(f"{path} already exists; give a new directory with -o")
        left = self.files.globStatus(self.path.suffix(".part-*")) or []
        for status in left:
            say(f"{status.getPath()} belongs to an unfinished job; remove it unless that job is still running")
        self.files.mkdirs(self.part)

    def commit(self):
        if self.files.exists(self.path) or not self.files.rename(self.part, self.path):
            raise Refusal(f"{self.part} cannot be renamed to {self.path}")

    def discard(self):
        self.files.delete(self.part, True)


def intervals_match(spark, options, plan, output):
    trace, events = tables_open(spark, plan, options.data)
    threads, thread_rows = threads_read(spark, plan, options.data)
    processes = processes_read(spark, options.data)
    numbers = events_check(options.data, events, thread_rows)
    tables = {t["event"]: t for t in plan["tables"]}
    if not thread_rows:
        raise Refusal(f"{options.data} has no threads")
    head = spark.sparkContext.broadcast(header(plan, thread_rows, processes))
    for interval in plan["intervals"]:
        rows = sum(numbers[e["event"]] for e in interval["events"])
        parting = Parting(interval, rows, trace.duration, spark.sparkContext.defaultParallelism, options.slice)
        say(f"{interval['interval']}: {count(rows, 'event')} in {parting.describe()}")
        found = rows_of(events, tables, threads, interval, parting).rdd.mapPartitions(
            matcher(options.glimpse, interval, head, thread_rows[0].thread))
        spark.createDataFrame(found, result_type(interval), verifySchema=False).write.parquet(
            f"{output.name}/{interval['table']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--slice", type=int, default=0)
    for name in "glimpse", "plan", "data", "out":
        parser.add_argument(name)
    options = parser.parse_args()
    with open(options.plan, encoding="utf-8") as file:
        plan = json.load(file)
    os.unlink(options.plan)
    spark = SparkSession.builder.config("spark.sql.ansi.enabled", "false").getOrCreate()
    try:
        output = Output(spark, options.out)
        try:
            intervals_match(spark, options, plan, output)
            output.commit()
        except BaseException:
            output.discard()
            raise
    except Refusal as e:
        say(f"error: {e}")
        return 2
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
