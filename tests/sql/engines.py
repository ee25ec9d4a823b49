"""Engines that run the SQL of `glimpse sql` over exported tables, each in one session for many traces.

    engine = start("duckdb")
    session = engine.session()      # of the calling thread
    session.load(case)              # case.data: what `glimpse export` wrote; case.tables: the statements that open it
    columns, rows = session.query(text)
    engine.stop()
"""
import csv
import io
import os
import re
import subprocess
import threading

EXPORT = {"duckdb": "parquet", "spark": "parquet", "postgresql": "postgresql"}


class Refused(Exception):
    """An engine says that it cannot compute something; doubles of PostgreSQL become neither infinite nor too small."""


class DuckDB:
    dialect, threads = "duckdb", 1

    def __init__(self):
        import duckdb
        self.connection = duckdb.connect(config={"threads": 2})

    def session(self):
        return self

    def load(self, case):
        self.connection.execute(case.tables)

    def query(self, text):
        result = self.connection.execute(text)
        return [column[0] for column in result.description], result.fetchall()

    def stop(self):
        self.connection.close()


class PostgreSQL:
    """One psql, which answers each query as CSV between two lines."""
    dialect, threads = "postgresql", 1

    def __init__(self):
        self.psql = subprocess.Popen(["psql", "-X", "-q", "-v", "VERBOSITY=terse"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.answer("\\pset format csv\nSET client_min_messages = error; SET jit = off;")

    def answer(self, commands):
        self.psql.stdin.write(commands + "\n\\echo ^END\n")
        self.psql.stdin.flush()
        lines = []
        while True:
            line = self.psql.stdout.readline()
            if not line:
                raise RuntimeError("psql ended: " + "".join(lines))
            if line == "^END\n":
                break
            lines.append(line)
        return "".join(lines)

    def session(self):
        return self

    def load(self, case):
        said = self.answer("DROP SCHEMA IF EXISTS trace_case CASCADE; CREATE SCHEMA trace_case;\n"
                           "SET search_path = trace_case;\n\\i %s\n\\set ON_ERROR_STOP off" % case.data)
        if "ERROR" in said:
            raise RuntimeError(said)

    def query(self, text):
        said = self.answer(text.rstrip().rstrip(";") + "\n;")
        if "ERROR:  value out of range: " in said:
            raise Refused("PostgreSQL: " + said.split("ERROR:  ")[1])
        if "ERROR:" in said:
            raise RuntimeError(said)
        rows = list(csv.reader(io.StringIO(said)))
        return rows[0], [[value if value != "" else None for value in row] for row in rows[1:]]

    def stop(self):
        self.psql.kill()
        self.psql.wait()


class Spark:
    """A session for each of two threads: a query is planned longer than it runs, by one thread."""
    dialect, threads = "spark", 2

    def __init__(self):
        from pyspark.sql import SparkSession
        settings = {
            "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR",
            "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
            "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1",
            "spark.sql.adaptive.enabled": "false", "spark.sql.warehouse.dir": os.path.abspath("warehouse"),
            # Each query is another one and has few rows: compiling it takes ten times as long as running it.
            "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }
        builder = SparkSession.builder.master("local[2]").appName("glimpse")
        for key, value in settings.items():
            builder = builder.config(key, value)
        self.spark = builder.getOrCreate()
        self.local = threading.local()

    def session(self):
        if not hasattr(self.local, "session"):
            self.local.session = SparkThread(self.spark.newSession())
        return self.local.session

    def stop(self):
        self.spark.stop()


class SparkThread:
    def __init__(self, spark):
        self.spark = spark

    def load(self, case):
        for statement in case.tables.split(";\n"):
            # Spark looks into the files of each
            if statement and case.asks(re.search("`.*?`", statement).group(0)):
                self.spark.sql(statement)

    def query(self, text):
        frame = self.spark.sql(text.rstrip().rstrip(";"))
        return frame.columns, [tuple(row) for row in frame.collect()]


def start(name):
    return {"duckdb": DuckDB, "postgresql": PostgreSQL, "spark": Spark}[name]()
