"""spark_compare.py RUN OUT [INTERVAL...]: fails where the tables of `glimpse spark-submit` differ from `glimpse match`, bit by bit.

Prints how many instances were compared.
"""
import csv
import math
import os
import struct
import subprocess
import sys

import duckdb


def bits(value):
    """A value as what can be compared: a double as its bits, but all NaN as one."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack(">d", value)
    return value if value is None else int(value)


def table(path):
    """The rows of a table, and which columns are doubles."""
    rows = duckdb.sql(f"SELECT * FROM read_parquet('{path}/*.parquet')")
    return [tuple(map(bits, row)) for row in rows.fetchall()], [str(t) == "DOUBLE" for t in rows.types]


def number(digits, real):
    return None if digits == "" else bits(float(digits) if real else int(digits))


def expected_row(line, doubles):
    _, *ends, metrics = line
    ends = [number(ends[i], False) for i in (2, 0, 1, 5, 3, 4, 6)]
    values = [m.partition("=")[2] for m in metrics.split(";")] if metrics else [""] * (len(doubles) - 7)
    return tuple(ends + list(map(number, values, doubles[7:])))


def order(row):
    return [(v is None, isinstance(v, bytes), isinstance(v, str), v or 0 if isinstance(v, int) else v or b"") for v in row[:7]]


def main(run, out, *intervals):
    command = ["glimpse", "match", run, "--unmatched", "--metrics", "--format=csv"]
    command += [f"--interval={i}" for i in intervals]
    lines = list(csv.reader(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[1:]))
    expected = {}
    for line in lines:
        expected.setdefault(line[0], []).append(line)
    compared = different = 0
    for interval in sorted(expected.keys() | set(os.listdir(out)) - {"_SUCCESS"}):
        rows, doubles = table(f"{out}/{interval}")
        wanted = [expected_row(line, doubles) for line in expected.get(interval, [])]
        compared += len(wanted)
        if sorted(rows, key=order) != sorted(wanted, key=order):
            different += 1
            print(f"{interval}: {len(rows)} rows, expected {len(wanted)}; not expected: {list(set(rows) - set(wanted))[:3]}, "
                  f"missing: {list(set(wanted) - set(rows))[:3]}")
    print(f"{compared} instances compared")
    return different or not compared


sys.exit(main(*sys.argv[1:]) != 0)
