"""A random trace, and readers of the tables that it is exported to.

tables.py make SEED      writes random.recipe and expected.pickle
tables.py check FORMAT FILE    reads FILE, and fails where it differs from expected.pickle
tables.py zeros          prints how many doubles are -0
tables.py duckdb CSV JSONL     lets DuckDB find the same sums
"""
import csv, json, math, pickle, random, struct, sys

SPEC = r"""glimpse tables
event Send(int to, int seq, uint Seq);
event send(long l, ulong ul);
event All(int i, uint u, long l, ulong ul, double d, address a, code c, object o, string s, string t);
event Real(double d);
event threads(string name, int event);
event None;
event Never(string s, double d);
interval Transit [ a:Send -> b:Send ] where a.seq == b.to = line
	metric start = a.seq metric Half = time / 2.0 metric bad = 1 / (a.seq % 3);
interval Back [ a:Send <- b:All ] where a.thread == b.thread = line metric nan = b.d;
end tables
"""
TYPES = {"Send": "to:int seq:int Seq:uint", "send": "l:long ul:ulong",
         "All": "i:int u:uint l:long ul:ulong d:double a:ulong c:ulong o:ulong s:string t:string",
         "Real": "d:double", "threads": "name:string event:int", "None": ""}
TYPES = {e: [a.split(":") for a in t.split()] for e, t in TYPES.items()}
LIMITS = {"int": (-2**31, 2**31 - 1), "uint": (0, 2**32 - 1), "long": (-2**63, 2**63 - 1), "ulong": (0, 2**64 - 1)}


class Cut(bytes):
    """A string that was cut."""


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("d", a) == struct.pack("d", b) or math.isnan(a) and math.isnan(b)
    return type(a) == type(b) and a == b


def random_value(kind):
    if kind == "double":
        return random.choice([float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 5e-324, 1.7976931348623157e308,
                              float(random.randrange(-1000, 1000)), random.randrange(10**6) / 1000, 0.1 + 0.2,
                              1e15, -123456789012345.0, 1e-4, 9.999e-5, 1e22, 2.0**53 + 2,
                              random.random(), struct.unpack("d", random.randbytes(8))[0]])
    if kind == "string":
        return random.choice([b"", b"NULL", b"true", b"12", b"\\", b"\\x41", b"a,\"b\";c='d'", b" lead", b"a\r\nb\tc",
                              "\u00e4\u20ac\U0001f600\u202e\u0085".encode(), bytes(range(256)), b"\0", b"\xff\xfe",
                              random.randbytes(random.randrange(40)), b"plain"])
    low, high = LIMITS[kind]
    return random.choice([low, high, 0, 1, random.randint(low, high), random.randint(max(low, -99), 99)])


def word(value):
    if isinstance(value, bytes):
        return '"' + "".join("\\x%02x" % b for b in value) + '"'
    return repr(value)


def make(seed):
    random.seed(seed)
    recipe, expected = ["order little", "spec tables.spec <<", SPEC.strip(), ">>", "process program=demo pid=77 "
                             "first=1000/1000/1700000000000000000 newest=99000/99000/1700000000000098000"], {}
    for thread in (0, 3):
        recipe.append('log %d name="thr %d, é" tid=%d pid=77 pair=1000/1000/1700000000000000000' %
                      (thread, thread, 100 + thread))
        time, sequence = 1000 + thread, 0
        for _ in range(400):
            event = random.choice(list(TYPES))
            values = {a: random_value(k) for a, k in TYPES[event]}
            if event == "Send":
                values.update(to=random.randrange(60), seq=random.randrange(60))
            recipe.append("%d %s %s" % (time, event, " ".join("%s=%s" % (a, word(v)) for a, v in values.items())))
            expected[thread, sequence] = (time - 1000, event, values)
            time, sequence = time + random.choice([0, 1, 7, 300]), sequence + 1
        recipe += ["%d threads name=abcd event=1" % time, "patch -5 80"]
        expected[thread, sequence] = (time - 1000, "threads", {"name": Cut(b"abcd"), "event": 1})
    open("random.recipe", "w").write("\n".join(recipe) + "\n")
    pickle.dump(expected, open("expected.pickle", "wb"))


# ---- readers ----

def unescape(text):
    """The bytes of a text in which a backslash begins an escape."""
    result, at, data = b"", 0, text.encode()
    letters = {ord("n"): b"\n", ord("t"): b"\t", ord("r"): b"\r", ord("\\"): b"\\"}
    while at < len(data):
        if data[at] != 92:
            result, at = result + data[at:at + 1], at + 1
        elif data[at + 1] in letters:
            result, at = result + letters[data[at + 1]], at + 2
        elif data[at + 1] == ord("x"):
            result, at = result + bytes([int(data[at + 2:at + 4], 16)]), at + 4
        elif data[at + 1] == ord("u"):
            result, at = result + chr(int(data[at + 2:at + 6], 16)).encode(), at + 6
        else:
            assert data[at:] == b"\\...", data[at:]
            return Cut(result)
    return result


def from_text(kind, text):
    if kind == "double" and text.lower() not in ("nan", "inf", "-inf"):
        # the shortest, but for the smallest numbers, which have fewer than 15 digits
        assert abs(float(text)) < 2.3e-308 or len(text) <= len(repr(float(text))), text
    return {"double": float, "string": unescape}.get(kind, int)(text)


def prefix_check(row, time):
    assert int(row["realtime"]) == 1700000000000000000 + time
    assert row["pid"] == "77" and row["tid"] == str(100 + int(row["thread"])), row
    assert row["name"] == "thr %s, é" % row["thread"], row


def read_csv(path):
    data = open(path, newline="", encoding="utf-8").read()
    assert data.count("\n") == len(data.splitlines()) and "\r" not in data and data.isprintable() is False
    rows = list(csv.DictReader(data.splitlines(True), strict=True))
    assert not any(c.startswith(("None.", "Never.")) for c in rows[0])
    for row in rows:
        prefix_check(row, int(row["time"]))
        mine = {c: v for c, v in row.items() if "." in c}
        values = {a: from_text(k, mine.pop(row["event"] + "." + a)) for a, k in TYPES[row["event"]]}
        assert not any(mine.values())
        yield (int(row["thread"]), int(row["seq"])), (int(row["time"]), row["event"], values)


def read_jsonl(path):
    import base64
    lines = open(path, encoding="utf-8").read().split("\n")
    head = json.loads(lines[0])["glimpse"]
    assert head["specification"].split() == SPEC.split(), head["specification"]
    assert [(t["thread"], t["tid"], t["name"]) for t in head["threads"]] == [
        (0, 100, "thr 0, é"), (3, 103, "thr 3, é")]

    def value(kind, v):
        if kind == "double":
            return float(v)
        if isinstance(v, str):
            return v.encode()
        if isinstance(v, dict):
            data = v["text"].encode() if "text" in v else base64.b64decode(v["base64"])
            return Cut(data) if v.get("cut") else data
        return v

    assert lines.pop() == ""
    for line in lines[1:]:
        e = json.loads(line, parse_constant=lambda c: sys.exit("not JSON: " + c))
        assert list(e["attributes"]) == [a for a, k in TYPES[e["event"]]]
        yield (e["thread"], e["seq"]), (e["time"], e["event"],
                                        {a: value(k, e["attributes"][a]) for a, k in TYPES[e["event"]]})


def logfmt(line):
    """Reads a line by the grammar of kr/logfmt and go-logfmt: quoted values are those of JSON."""
    at, pairs = 0, []
    while at < len(line):
        if line[at] <= " ":
            at += 1
            continue
        end = at
        while end < len(line) and line[end] > " " and line[end] not in '="':
            end += 1
        key, at = line[at:end], end
        assert key and line[at] == "=", line[at:]
        if line[at + 1] == '"':
            value, at = json.JSONDecoder().raw_decode(line, at + 1)
            pairs.append((key, value))
        else:
            end = at + 1
            while end < len(line) and line[end] > " ":
                assert line[end] not in '="'
                end += 1
            pairs.append((key, line[at + 1:end]))
            at = end
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def read_logfmt(path):
    lines = open(path, encoding="utf-8").read().split("\n")
    head = logfmt(lines[0])
    assert head["glimpse"] == "1" and head["specification"].split() == SPEC.split()
    assert lines.pop() == ""
    fixed = ["time", "realtime", "process", "pid", "thread", "tid", "name", "seq", "event"]
    for line in lines[1:]:
        row = logfmt(line)
        assert list(row)[:9] == fixed
        prefix_check(row, int(row["time"]))
        values = {a: from_text(k, v) for (a, k), v in zip(TYPES[row["event"]], list(row.values())[9:])}
        yield (int(row["thread"]), int(row["seq"])), (int(row["time"]), row["event"], values)


def signed(kind, v):
    return v + 2**64 if kind == "ulong" and v < 0 else v


def read_sqlite(path):
    import sqlite3
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert db.execute("SELECT text FROM specification").fetchone()[0].split() == SPEC.split()
    assert db.execute("SELECT thread, name, tid, pid FROM threads").fetchall() == [
        (0, "thr 0, é", 100, 77), (3, "thr 3, é", 103, 77)]
    cut = set(db.execute("SELECT event, thread, seq, attribute FROM cut_strings"))
    for event, table in db.execute('SELECT event, "table" FROM event_types'):
        columns = db.execute('SELECT attribute, "column" FROM attributes WHERE event = ? ORDER BY position', (event,)).fetchall()
        select = "".join(', "%s"' % c for a, c in columns)
        for time, thread, seq, *values in db.execute('SELECT time, thread, seq%s FROM "%s"' % (select, table)):
            row = {}
            for (a, c), (name, kind), v in zip(columns, TYPES[event], values):
                assert a == name
                if kind == "string":
                    v = v.encode() if isinstance(v, str) else v
                    v = Cut(v) if (event, thread, seq, a) in cut else v
                elif kind == "double":
                    v = float("nan") if v is None else v
                else:
                    v = signed(kind, v)
                row[a] = v
            yield (thread, seq), (time, event, row)
    assert db.execute("SELECT count(*), sum(event = 'send') FROM events").fetchone() == db.execute(
        "SELECT sum(events), sum(events * (event = 'send')) FROM event_types").fetchone()


def avro(path):
    import fastavro
    reader = fastavro.reader(open(path, "rb"))
    return reader.writer_schema, list(reader)


def read_avro(path):
    import os
    assert open(path + "/specification").read().split() == SPEC.split()
    assert [(t["thread"], t["name"], t["tid"]) for t in avro(path + "/threads.avro")[1]] == [
        (0, "thr 0, é", 100), (3, "thr 3, é", 103)]
    assert [p["program"] for p in avro(path + "/processes.avro")[1]] == ["demo"]
    for file in os.listdir(path + "/events"):
        schema, records = avro(path + "/events/" + file)
        event = schema["name"].split(".")[-1]
        fields = [f for f in schema["fields"] if "glimpse.type" in f]
        for r in records:
            cut = r.get("cut", [])
            row = {f["glimpse.name"]: r[f["name"]] for f in fields}
            for a, k in TYPES[event]:
                row[a] = Cut(row[a]) if a in cut else signed(k, row[a])
            yield (r["thread"], r["seq"]), (r["time"], event, row)


FIXED = ["time", "thread", "seq", "host", "slice", "ctid", "tableoid", "xmin", "cmin", "xmax", "cmax"]


def distinct(names, taken):
    """The names, each with underscores until no other has it in any capitals."""
    taken, result = {t.lower() for t in taken}, []
    for name in names:
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        result.append(name)
    return result


def event_tables():
    """Of each event: its table, and the columns of its attributes."""
    tables = distinct(TYPES, ["trace", "processes", "threads"])
    return [(e, t, distinct([a for a, k in TYPES[e]], FIXED)) for e, t in zip(TYPES, tables)]


def described(rows):
    """What both exports say of the random trace's processes and threads."""
    assert rows("processes", "program, pid, rank, ended") == [("demo", 77, 0, 1)]
    assert rows("threads", "thread, name, process, pid, tid, events") == [
        (0, "thr 0, é", 0, 77, 100, 401), (3, "thr 3, é", 0, 77, 103, 401)]
    (version, real, lost, spec), = rows("trace", "version, origin_real, lost, specification")
    assert (version, real, lost) == (1, 1700000000000000000, 0) and bytes(spec).decode().split() == SPEC.split()


def uncut(expected):
    """No column says that a string was cut."""
    return {k: (t, e, {a: bytes(v) if isinstance(v, Cut) else v for a, v in values.items()})
            for k, (t, e, values) in expected.items()}


def read_parquet(path):
    import glob, pyarrow as pa, pyarrow.parquet as pq
    assert open(path + "/specification.spec").read().split() == SPEC.split()
    described(lambda table, columns: [tuple(row.values()) for row in pq.ParquetFile(
        "%s/%s/part-0.parquet" % (path, table)).read(columns.split(", ")).to_pylist()])
    kinds = {"double": pa.float64(), "string": pa.binary(), "ulong": pa.uint64()}
    for event, table, columns in event_tables():
        files, last = glob.glob("%s/events/%s/host=*/slice=*/part-0.parquet" % (path, table)), (-1, 0, 0)
        assert files, table
        for file in sorted(files, key=lambda f: int(f.split("slice=")[1].split("/")[0])):
            f = pq.ParquetFile(file)
            assert f.schema_arrow.names == FIXED[:3] + columns, f.schema_arrow
            assert f.schema_arrow.types == [pa.int64()] * 3 + [kinds.get(k, pa.int64()) for a, k in TYPES[event]]
            assert not any(field.nullable for field in f.schema_arrow)
            statistics_check(f)
            for time, thread, seq, *values in zip(*(column.to_pylist() for column in f.read().columns)):
                assert (time, thread, seq) > last
                last = time, thread, seq
                yield (thread, seq), (time, event, dict(zip([a for a, k in TYPES[event]], values)))


def statistics_check(f):
    for group in range(f.num_row_groups):
        values = f.read_row_group(group).to_pydict()
        for c, name in enumerate(values):
            s = f.metadata.row_group(group).column(c).statistics
            assert s.null_count == 0 and s.has_min_max == isinstance(values[name][0], int)
            assert not s.has_min_max or (s.min, s.max) == (min(values[name]), max(values[name])), name


def read_duckdb(path):
    import duckdb
    described(lambda table, columns: duckdb.sql("SELECT %s FROM '%s/%s/*.parquet'" % (columns, path, table)).fetchall())
    kinds = {"double": "DOUBLE", "string": "BLOB", "ulong": "UBIGINT"}
    for event, table, columns in event_tables():
        q = duckdb.sql("SELECT * FROM read_parquet('%s/events/%s/*/*/*.parquet') ORDER BY time, thread, seq" % (path, table))
        assert q.columns == FIXED[:3] + columns + ["host", "slice"]
        assert [str(t) for t in q.types] == ["BIGINT"] * 3 + [kinds.get(k, "BIGINT") for a, k in TYPES[event]] + ["VARCHAR", "BIGINT"]
        for time, thread, seq, *values in q.fetchall():
            yield (thread, seq), (time, event, dict(zip([a for a, k in TYPES[event]], values[:-2])))


def psql(query):
    import subprocess
    text = subprocess.run(["psql", "-qX", "-c", "COPY (%s) TO STDOUT" % query], check=True, timeout=60,
                          stdout=subprocess.PIPE).stdout.decode()
    return [tuple(line.split("\t")) for line in text.splitlines()]


def read_postgresql(path):
    def from_psql(kind, text):
        assert text != "\\N"
        if kind == "string":
            assert text.startswith("\\\\x")
            return bytes.fromhex(text[3:])
        return float(text) if kind == "double" else int(text)
    described(lambda table, columns: [tuple(bytes.fromhex(v[3:]) if v.startswith("\\\\x") else int(v) if v.isdigit() else v
                                            for v in row) for row in psql("SELECT %s FROM %s" % (columns, table))])
    for event, table, columns in event_tables():
        kinds = [k for a, k in TYPES[event]]
        assert psql("SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = '\"%s\"'::regclass AND attnum > 3"
                    " ORDER BY attnum" % table) == [
            ({"double": "double precision", "string": "bytea", "ulong": "numeric"}.get(k, "bigint"),) for k in kinds]
        for time, thread, seq, *values in psql("SELECT time, thread, seq%s FROM \"%s\"" % (
                "".join(', \"%s\"' % c for c in columns), table)):
            yield (int(thread), int(seq)), (int(time), event, {
                a: from_psql(k, v) for (a, k), v in zip(TYPES[event], values)})


def check(kind, path):
    expected, found = pickle.load(open("expected.pickle", "rb")), {}
    if kind in ("parquet", "duckdb", "postgresql"):
        expected = uncut(expected)
    for key, e in globals()["read_" + kind](path):
        assert key not in found, key
        found[key] = e
    assert found.keys() == expected.keys()
    for key, (time, event, values) in expected.items():
        assert found[key][:2] == (time, event), (key, found[key], time, event)
        for a, v in values.items():
            w = found[key][2][a]
            if kind == "sqlite" and same(v, -0.0):
                v = 0.0  # documented: the sign is lost
            if kind in ("parquet", "duckdb") and isinstance(v, float):
                v, w = struct.pack("d", v if v == v else float("nan")), struct.pack("d", w)  # mklog makes one NaN
            assert same(v, w), (key, event, a, v, w)


def negative_zeros():
    values = [v for _, _, values in pickle.load(open("expected.pickle", "rb")).values() for v in values.values()]
    return sum(isinstance(v, float) and same(v, -0.0) for v in values)


def duckdb_check(csv_path, jsonl_path):
    import duckdb
    events = list(pickle.load(open("expected.pickle", "rb")).values())
    column = lambda event, attribute: [v[attribute] for _, e, v in events if e == event]
    q = duckdb.sql("""SELECT count(*), sum("send.l"::HUGEINT), max("send.ul"), sum("Send.to")
        FROM read_csv('%s', types={'send.ul': 'UBIGINT'})""" % csv_path)
    assert q.fetchone() == (len(events), sum(column("send", "l")), max(column("send", "ul")), sum(column("Send", "to")))
    q = duckdb.sql("""SELECT count(*), max(time) FROM read_json('%s', format='newline_delimited',
        columns={'time': 'BIGINT', 'event': 'VARCHAR', 'attributes': 'JSON'})
        WHERE event IS NOT NULL""" % jsonl_path)
    assert q.fetchone() == (len(events), max(time for time, _, _ in events))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    elif sys.argv[1] == "check":
        check(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == "zeros":
        print(negative_zeros())
    elif sys.argv[1] == "duckdb":
        duckdb_check(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
