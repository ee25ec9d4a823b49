"""analyses.py ENGINE WHAT RUN DATA [ARGUMENT...]: compares an analysis as a query with the command of the same name.

ENGINE is duckdb, postgresql or spark. RUN is a trace; DATA has its tables, a directory of Parquet files, of which PostgreSQL
needs the specification alone: its server has the tables. WHAT is threads, locks, profile, stats (with --by), or lines: these it writes to
the file ARGUMENT. "glimpse" is on the path; psql finds its server by the environment. Exits with 1 after what differs.
"""
import collections
import csv
import decimal
import io
import os
import subprocess
import sys


def glimpse(*arguments):
    return subprocess.run(["glimpse", *arguments], stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout


# ---- engines: each runs statements, and returns the columns and rows of the last one ----

def duckdb_query(text):
    import duckdb
    result = duckdb.connect(config={"threads": 2}).execute(text)
    return [column[0] for column in result.description], result.fetchall()


def spark_query(text):
    from pyspark.sql import SparkSession
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.driver.host": "127.0.0.1",
                "spark.driver.bindAddress": "127.0.0.1", "spark.sql.warehouse.dir": os.path.abspath("warehouse"),
                "spark.log.level": "ERROR"}
    builder = SparkSession.builder.master("local[2]").appName("glimpse")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    for statement in text.rstrip().rstrip(";").split(";\n"):
        frame = spark.sql(statement)
    return frame.columns, [tuple(row) for row in frame.collect()]


def postgresql_query(text):
    said = subprocess.run(["psql", "-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1"], input=text, text=True,
                          stdout=subprocess.PIPE, timeout=120, check=True).stdout
    rows = list(csv.reader(io.StringIO(said)))
    return rows[0], [[value if value != "" else None for value in row] for row in rows[1:]]


ENGINES = {"duckdb": duckdb_query, "spark": spark_query, "postgresql": postgresql_query}


def ask(engine, data, *arguments):
    tables = ["-s", data + "/specification.spec"] if engine == "postgresql" else ["--data", data]
    columns, rows = ENGINES[engine](glimpse("sql", "--dialect", engine, *tables, *arguments))
    return [dict(zip(columns, row)) for row in rows]


# ---- the same rows as bags ----

def number(value):
    """Empty fields are NULL; whole numbers are the same whatever engines make of them."""
    if value is None or value == "":
        return None
    if isinstance(value, (str, bytes, bytearray)):
        text = bytes(value).decode() if not isinstance(value, str) else value
        try:
            value = decimal.Decimal(text)
        except decimal.InvalidOperation:
            return text
    if isinstance(value, float):
        value = decimal.Decimal(repr(value))
    return int(value) if value == int(value) else float(value)


def bag(rows, columns):
    """Columns: pairs of names, in the table of the command and in the query; or one name for both."""
    return collections.Counter(tuple(number(row[column]) for column in columns) for row in rows)


def compare(expected, found):
    for title, rows in (("only glimpse", expected - found), ("only the query", found - expected)):
        for row, n in list(rows.items())[:5]:
            print("%s: %s%s" % (title, row, " x %d" % n if n > 1 else ""))
    if not expected:
        print("there are no rows")
    return bool(expected) and expected == found


def table(*arguments):
    return list(csv.DictReader(io.StringIO(glimpse(*arguments))))


def threads(engine, run, data, *arguments):
    columns = ["thread", "name", "running", "ready", "blocked"]
    return compare(bag(table("threads", "--format=csv", run), columns),
                   bag(ask(engine, data, *arguments, "threads"), columns))


LOCKS = ["kind", "acquisitions", "contended", "wait_total", "wait_max", "wait_mean", "hold_total", "hold_max", "hold_mean",
         "waits_open", "holds_open", "waits_in_vain"]


def locks(engine, run, data, *arguments):
    return compare(bag(table("locks", "--format=csv", run), LOCKS), bag(ask(engine, data, *arguments, "locks"), LOCKS))


def profile(engine, run, data, *arguments):
    """Functions are addresses in the query, of which one name may have several: what they add up to is compared."""
    expected = bag(table("profile", "--format=csv", run), ["calls", "unfinished", "real_total", "own_total"])
    rows = ask(engine, data, *arguments, "profile")
    if any(row["self"] is None for row in rows):
        print("calls of a thread do not end in the order of a stack")
        return False
    return compare(expected, bag(rows, ["calls", "unfinished", "total", "self"]))


STATS = ["interval", "count", "unmatched", "min", "mean", "p50", "p90", "p99", "max", "total"]


def stats(engine, run, data, *by):
    options = [option for expression in by for option in ("--by", expression)]
    columns = STATS[:1] + list(by) + STATS[1:]
    return compare(bag(table("stats", "--format=csv", *options, run), columns),
                   bag(ask(engine, data, *options, "stats"), columns))


def lines(engine, run, data, to, *arguments):
    rows = ask(engine, data, *arguments)
    with open(to, "w") as out:
        for row in rows:
            print(row["line"], file=out)
    return True


if __name__ == "__main__":
    sys.exit(not globals()[sys.argv[2]](sys.argv[1], *sys.argv[3:]))
