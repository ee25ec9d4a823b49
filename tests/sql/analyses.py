"""analyses.py ENGINE RUN DATA CHECK...: compares analyses as queries with the commands of the same names.

ENGINE is duckdb, postgresql or spark. RUN is a trace; DATA has its tables, a directory of Parquet files, of which PostgreSQL
needs the specification alone: its server has the tables. A CHECK is threads, locks, profile, stats, stats:EXPRESSION,..., the same
of one interval, interval:NAME,EXPRESSION,..., or window:FROM..TO, which also makes the trace RUN.ENGINE of the events that the
query fetches, or within:FROM..TO,CHECK, of queries with --window, after that. "glimpse" is on the path; psql finds its server
by the environment. Prints a line of "ok" or "not ok" for each check, after what differs.
"""
import collections
import csv
import decimal
import io
import json
import os
import subprocess
import sys


def glimpse(*arguments):
    return subprocess.run(["glimpse", *arguments], stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout


# ---- engines: each answers a query of --data's tables, with the columns and the rows ----

class DuckDB:
    def __init__(self, data):
        import duckdb
        self.connection, self.tables = duckdb.connect(config={"threads": 2}), ["--data", data]

    def query(self, text):
        result = self.connection.execute(text)
        return [column[0] for column in result.description], result.fetchall()


class Spark:
    """The tables are there once, as each is looked at when its view is made."""

    def __init__(self, data):
        from pyspark.sql import SparkSession
        settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1",
                    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                    "spark.sql.adaptive.enabled": "false", "spark.sql.warehouse.dir": os.path.abspath("warehouse"),
                    "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}
        builder = SparkSession.builder.master("local[2]").appName("glimpse")
        for key, value in settings.items():
            builder = builder.config(key, value)
        self.spark, self.tables = builder.getOrCreate(), ["-s", data + "/specification.spec"]
        for statement in glimpse("sql", "--dialect", "spark", "--data", data, "tables").split(";\n"):
            if statement.strip():
                self.spark.sql(statement)

    def query(self, text):
        frame = self.spark.sql(text.rstrip().rstrip(";"))
        return frame.columns, [tuple(row) for row in frame.collect()]


class PostgreSQL:
    def __init__(self, data):
        self.tables = ["-s", data + "/specification.spec"]

    def query(self, text):
        said = subprocess.run(["psql", "-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1"], input=text, text=True,
                              stdout=subprocess.PIPE, timeout=120, check=True).stdout
        rows = list(csv.reader(io.StringIO(said)))
        return rows[0], [[value if value != "" else None for value in row] for row in rows[1:]]


ENGINES = {"duckdb": DuckDB, "spark": Spark, "postgresql": PostgreSQL}


class Case:
    def __init__(self, name, run, data):
        self.name, self.run, self.engine, self.options = name, run, ENGINES[name](data), []

    def ask(self, *arguments):
        columns, rows = self.engine.query(glimpse("sql", "--dialect", self.name, *self.engine.tables, *self.options, *arguments))
        return [dict(zip(columns, row)) for row in rows]

    def table(self, *arguments):
        return list(csv.DictReader(io.StringIO(glimpse(*arguments, "--format=csv", self.run))))


# ---- the same rows as bags ----

def number(value):
    """Empty fields are NULL; whole numbers are the same whatever engines make of them."""
    if value is None or value == "":
        return None
    if isinstance(value, (str, bytes, bytearray)):
        text = bytes(value).decode() if not isinstance(value, str) else value
        if text.startswith("\\x"):  # bytes, as PostgreSQL says them
            text = bytes.fromhex(text[2:]).decode()
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


# ---- checks ----

def threads(case, _):
    columns = ["thread", "name", "running", "ready", "blocked"]
    return compare(bag(case.table("threads"), columns), bag(case.ask("threads"), columns))


LOCKS = ["kind", "acquisitions", "contended", "wait_total", "wait_max", "wait_mean", "hold_total", "hold_max", "hold_mean",
         "waits_open", "holds_open", "waits_in_vain"]


def locks(case, _):
    return compare(bag(case.table("locks"), LOCKS), bag(case.ask("locks"), LOCKS))


def profile(case, _):
    """Names are addresses in the query: what they add up to is compared."""
    rows = case.ask("profile")
    names = [row["function"] for row in case.table("profile")]
    if all(name.startswith("0x") for name in names):
        # of several processes an address is one function for the command
        sums = {}
        for row in rows:
            old = sums.setdefault(row["function"], dict.fromkeys(["calls", "unfinished", "total", "self"], 0))
            for column in old:
                old[column] += int(row[column])
        rows = list(sums.values())
    return compare(bag(case.table("profile"), ["calls", "unfinished", "real_total", "own_total"]),
                   bag(rows, ["calls", "unfinished", "total", "self"]))


STATS = ["count", "unmatched", "min", "mean", "p50", "p90", "p99", "max", "total"]


def stats(case, argument, interval=None):
    by = argument.split(",") if argument else []
    options = [option for expression in by for option in ("--by", expression)]
    columns = ["interval"] + by + STATS
    expected = [row for row in case.table("stats", *options) if interval in (None, row["interval"])]
    return compare(bag(expected, columns), bag(case.ask(*options, interval or "stats"), columns))


def interval(case, argument):
    name, _, by = argument.partition(",")
    return stats(case, by, name)


def events(run, first, last):
    """The events of a time, which begins with the first of them."""
    rows = [json.loads(line) for line in glimpse("export", "--format=jsonl", run).splitlines()[1:]]
    rows = [row for row in rows if first <= row["time"] <= last]
    return [(row["time"] - rows[0]["time"], row["thread"], row["event"], row["attributes"]) for row in rows]


def window_option(times):
    return ["--window", "..".join(time + "ns" for time in times.split(".."))]


def window(case, times):
    part = "%s.%s" % (case.run, case.name)
    with open(part + ".jsonl", "w") as out:
        for row in case.ask(*window_option(times)):
            print(row["line"], file=out)
    glimpse("import", part + ".jsonl", "-o", part)
    expected, found = events(case.run, *(int(time) for time in times.split(".."))), events(part, 0, 2**63)
    for one, other in zip(expected, found):
        if one != other:
            print("expected %s, found %s" % (one, other))
            break
    return bool(expected) and expected == found


def within(case, argument):
    """A check of the queries of a window: they answer what the commands say of the trace that window() made."""
    times, _, check = argument.partition(",")
    whole, case.run, case.options = case.run, "%s.%s" % (case.run, case.name), window_option(times)
    try:
        return run_check(case, check)
    finally:
        case.run, case.options = whole, []


def run_check(case, check):
    name, _, argument = check.partition(":")
    return globals()[name](case, argument)


def main():
    case = Case(*sys.argv[1:4])
    for check in sys.argv[4:]:
        good = run_check(case, check)
        print("%s %s: %s" % ("ok" if good else "not ok", case.name, check), flush=True)


main()
