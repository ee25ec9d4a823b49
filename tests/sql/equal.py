"""equal.py ENGINE (SEED CASES | DIRECTORY...): compares the SQL of `glimpse sql` with `glimpse match`, instance by instance.

ENGINE is duckdb, postgresql or spark. Random cases have the numbers SEED, SEED + 1, ...; otherwise each DIRECTORY is a
trace. Prints what was equal, refused and different as comments of TAP, and fails if something is different or more than
$LIMIT intervals of a hundred are refused. SEED=N CASES=1 repeats case N; with KEEP=1 its files are left. $DIFFERENCES is
how many differences are printed. It uses the command "glimpse" and $BUILD/tests; psql finds the server by its environment.
"""
import collections
import csv
import decimal
import io
import json
import math
import multiprocessing.pool
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import engines

REFUSED = 3  # the exit status of glimpse sql
KEYS = ["anchor_thread", "anchor_seq", "anchor_time", "partner_thread", "partner_seq", "partner_time", "duration"]
SHOWN = 4  # rows of a difference


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def checked(*command):
    result = run(*command)
    if result.returncode:
        raise RuntimeError("%s: exit %d: %s" % (" ".join(command), result.returncode, result.stderr.strip()))
    return result.stdout


# ---- cases ----

class Case:
    """A trace, its tables, what `glimpse match` says of its intervals, and their queries."""

    def __init__(self, name, trace, work, dialect):
        self.name, self.trace = name, trace
        self.data = os.path.join(work, "data")
        self.matches = matches_of(trace)
        self.queries, self.refusals = {}, {}
        checked("glimpse", "export", "--format=" + engines.EXPORT[dialect], "-o", self.data, trace)
        if os.path.isdir(self.data):
            self.tables = checked("glimpse", "sql", "--dialect", dialect, "--data", self.data, "tables")
        self.specification = os.path.join(work, "all.spec")
        with open(self.specification, "w") as spec:
            spec.write(specification_of(trace))
        for interval in self.matches:
            said = run("glimpse", "sql", "-s", self.specification, "--dialect", dialect, interval)
            if said.returncode == 0:
                self.queries[interval] = said.stdout
            elif said.returncode == REFUSED:
                self.refusals[interval] = said.stderr.strip()
            else:
                raise RuntimeError("glimpse sql %s: exit %d: %s" % (interval, said.returncode, said.stderr.strip()))

    def asks(self, table):
        return any(table in query for query in self.queries.values())


def specification_of(trace):
    """The text of the specification of all logs of a trace, as the first line of its JSON lines has it."""
    with subprocess.Popen(["glimpse", "export", "--format=jsonl", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as export:
        head = json.loads(export.stdout.readline())
        export.kill()
    return head["glimpse"]["specification"]


def matches_of(trace):
    """The rows of each interval, as a bag: two instances over intervals may begin and end at the same events."""
    stats = csv.DictReader(io.StringIO(checked("glimpse", "stats", "--format=csv", trace)))
    found = {row["interval"]: collections.Counter() for row in stats}
    for row in csv.DictReader(io.StringIO(checked("glimpse", "match", "-u", "-m", "--format=csv", trace))):
        metrics = dict(pair.split("=") for pair in row["metrics"].split(";") if pair)
        found[row["interval"]][tuple(number(row[key]) for key in KEYS) +
                               tuple(number(text) for text in metrics.values())] += 1
    return found


def number(value):
    """A number such that two are equal if they are the same, bit by bit; the sign and payload of a NaN do not count."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        value = int(value) if re.fullmatch("-?[1-9][0-9]*|0", value) else float(value)
    if isinstance(value, decimal.Decimal):
        return int(value) if value == int(value) else str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        if value == 0 and math.copysign(1, value) < 0:
            return "-0"
        return int(value) if value.is_integer() else value
    return value


def rows_of(columns, rows):
    """What a query answered, in the form of matches_of()."""
    at = {name: i for i, name in enumerate(columns)}
    metrics = range(len(KEYS), len(columns))  # in the order of the specification
    found = collections.Counter()
    for row in rows:
        keys = tuple(number(row[at[key]]) for key in KEYS)
        values = () if keys[3] is None else tuple(number(row[i]) for i in metrics)
        if keys[3] is None and any(row[i] is not None for i in metrics):
            values = ("metrics without a partner",)
        found[keys + values] += 1
    return found


def random_case(seed, work, dialect):
    recipe = os.path.join(work, "recipe")
    with open(recipe, "w") as out:
        out.write(checked(os.path.join(os.environ["BUILD"], "tests/sql/random_case"), str(seed)))
    checked(os.path.join(os.environ["BUILD"], "tests/trace/mklog"), recipe, os.path.join(work, "run"))
    return Case("SEED=%d CASES=1" % seed, os.path.join(work, "run"), work, dialect)


# ---- comparison ----

class Counts:
    def __init__(self):
        self.lock = threading.Lock()
        self.cases = self.equal = self.instances = 0
        self.refused, self.different = collections.Counter(), []

    def total(self):
        return self.equal + sum(self.refused.values()) + len(self.different)


def construct(refusal):
    """What a message of a refusal says, without what is of this case alone."""
    errors = [line for line in refusal.splitlines() if " error: " in line]
    text = re.sub(r"^.*? error: (\w+: )?", "", errors[0] if errors else "no reason")
    return re.sub(r"(equality|with the condition).*?(\. Who|, so)", r"\1 ...\2", text)


def difference(case, interval, expected, found):
    lines = ["%s, interval %s" % (case.name, interval)]
    for title, more, less in (("only match finds", expected, found), ("only the query finds", found, expected)):
        rows = sorted((more - less).items(), key=str)
        lines += ["  %s: %s%s" % (title, row, " x %d" % n if n > 1 else "") for row, n in rows[:SHOWN]]
        lines += ["  and %d more" % (len(rows) - SHOWN)] if len(rows) > SHOWN else []
    return lines


def statement_of(case, interval):
    with open(case.specification, errors="replace") as spec:
        found = re.search(r"interval\s+%s\b.*?;" % interval, spec.read(), re.S)
    return ["  " + line for line in found.group(0).splitlines()] if found else []


def compare(engine, case, counts):
    engine.load(case)
    for interval, expected in case.matches.items():
        if interval in case.refusals:
            with counts.lock:
                counts.refused[construct(case.refusals[interval])] += 1
            continue
        try:
            found = rows_of(*engine.query(case.queries[interval]))
            said = difference(case, interval, expected, found) if found != expected else []
        except engines.Refused as refused:
            with counts.lock:
                counts.refused[str(refused).strip()] += 1
            continue
        except Exception as error:
            said = ["%s, interval %s: %s" % (case.name, interval, line) for line in str(error).splitlines()[:8]]
        with counts.lock:
            if said:
                counts.different.append(said + statement_of(case, interval))
            else:
                counts.equal += 1
                counts.instances += sum(expected.values())
    with counts.lock:
        counts.cases += 1


def compare_all(engine, makers, counts):
    """Makes cases beside the engine's work. Each maker is a function of a folder and a dialect."""
    top = tempfile.mkdtemp(dir=".")

    def one(numbered):
        i, make = numbered
        work = os.path.abspath(os.path.join(top, str(i)))
        os.mkdir(work)
        case = None
        try:
            case = make(work, engine.dialect)
            compare(engine.session(), case, counts)
        except Exception as error:
            with counts.lock:
                counts.different.append([case.name if case else "case %d" % i, "  %s" % error])
        if not os.environ.get("KEEP"):
            shutil.rmtree(work)

    with multiprocessing.pool.ThreadPool(engine.threads) as pool:
        for _ in pool.imap(one, enumerate(makers), chunksize=1):
            pass
    return top


def makers_of(arguments):
    if len(arguments) == 2 and all(a.isdigit() for a in arguments):
        seed, cases = map(int, arguments)
        return [lambda work, dialect, i=i: random_case(seed + i, work, dialect) for i in range(cases)]
    return [lambda work, dialect, run=run: Case(run, os.path.abspath(run), work, dialect) for run in arguments]


def main():
    began = time.monotonic()
    counts = Counts()
    makers = makers_of(sys.argv[2:])
    engine = engines.start(sys.argv[1])
    compare_all(engine, makers, counts)
    engine.stop()
    report(counts, time.monotonic() - began)
    limit = int(os.environ.get("LIMIT", 100))
    sys.exit(bool(counts.different) or 100 * sum(counts.refused.values()) > limit * counts.total())


def report(counts, seconds):
    refused = sum(counts.refused.values())
    print("# %d cases, %d intervals: %d equal with %d instances, %d refused, %d different; %.1f s" % (
        counts.cases, counts.total(), counts.equal, counts.instances, refused, len(counts.different), seconds))
    for reason, n in counts.refused.most_common():
        print("# refused %d: %s" % (n, reason))
    for lines in counts.different[:int(os.environ.get("DIFFERENCES", 5))]:
        print("".join("# %s\n" % line for line in lines), end="")


if __name__ == "__main__":
    main()
