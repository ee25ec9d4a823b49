"""Makes random logs, and checks lines of OTLP that were exported from them.

otlp.py recipe SEED >RECIPE; otlp.py check LINES LOGS [SEED]
"""
import base64, collections, csv, json, math, os, random, subprocess, sys

SPEC = """glimpse r
event Begin(int id, string s, double d, long l, ulong u, object o);
event End(int id, code32 site);
event Send(int m);
event Receive(int m);
event Ask(int m);
event Mark(string s, double d, long l, ulong u, uint i, address a);
interval Work [ b:Begin -> e:End ] where b.thread == e.thread && b.id == e.id = rectangle (kind "work")
	metric twice = time * 2 metric real = b.d metric less = e.id - b.id;
interval Busy [ b:Begin -> e:End ] where b.thread == e.thread && b.id == e.id = rectangle (kind "state", label "busy");
interval Wait [ a:Ask -> r:Receive ] where a.thread == r.thread && a.m == r.m = rectangle (kind "wait");
interval Message [ s:Send -> r:Receive ] where s.m == r.m = line;
interval Back [ r:Receive <- s:Send ] where s.m == r.m = line;
interval Wake [ s:Send -> r:Receive ] where s.m == r.m = line (kind "cause");
end
"""
ENCLOSES = {"Work", "Wait"}
INTERVALS = ["Work", "Busy", "Wait", "Message", "Back", "Wake"]
ORIGIN = 1700000000000000000  # of the clock of the day, at tick 0


def values(r):
    """Of Mark, and of Begin."""
    text = bytes(r.randrange(256) for _ in range(r.randrange(12))) if r.random() < .5 else \
        r.choice(["", "plain", "q\"\\\n", "ü€😀", "\u202e\x01", "\ufffe"]).encode()
    return {"s": text, "d": r.choice([0.0, -0.0, 1.5, -1e308, 5e-324, .1, math.nan, math.inf, -math.inf]),
            "l": r.choice([-2**63, 2**63 - 1, 0, -1, r.randrange(-2**63, 2**63)]),
            "u": r.choice([0, 2**63 - 1, 2**63, 2**64 - 1, r.randrange(2**64)]),
            "i": r.choice([0, 2**31, 2**32 - 1])}


def logs(seed):
    """Of each thread its process and events: time, name, attributes."""
    r = random.Random(seed)
    threads = []
    for number in range(4):
        now, events = 1000 + r.randrange(50), []
        for _ in range(r.randrange(0, 120)):
            now += r.choice([0, 1, 1, 3, 17])
            name = r.choice(["Begin", "End", "Send", "Receive", "Ask", "Mark"])
            of = values(r)
            if name == "Begin":
                of = {"id": r.randrange(4), "s": of["s"], "d": of["d"], "l": of["l"], "u": of["u"], "o": 4096 * r.randrange(3)}
            elif name == "End":
                of = {"id": r.randrange(4), "site": r.randrange(2**32)}
            elif name == "Mark":
                of["a"] = of["u"]
            else:
                of = {"m": r.randrange(12)}
            events.append((now, name, of))
        threads.append((number // 2, events))
    return threads


def recipe(seed):
    def word(v):
        return '"' + "".join("\\x%02x" % b for b in v) + '"' if isinstance(v, bytes) else repr(v)
    out = []
    for number, (process, events) in enumerate(logs(seed)):
        if number % 2 == 0:
            out += [f"directory p{process}", "spec r.spec <<", SPEC.rstrip("\n"), ">>",
                    f"process program=prog{process} pid={100 + process} clock=2 first=0/0/{ORIGIN} newest=9000/9000/{ORIGIN + 9000}"]
        out.append(f"log {number % 2} clock=2 pair=0/0/{ORIGIN} name=t{number} pid={100 + process} tid={1000 + number}")
        for time, name, of in events:
            out.append(f"{time} {name} " + " ".join(f"{k}={word(v)}" for k, v in of.items()))
    return "\n".join(out) + "\n"


def value(v):
    (kind, x), = v.items()
    return {"stringValue": lambda: x, "intValue": lambda: int(x), "boolValue": lambda: x,
            "doubleValue": lambda: float(x), "bytesValue": lambda: base64.b64decode(x, validate=True)}[kind]()


def attributes(of):
    found = {a["key"]: value(a["value"]) for a in of["attributes"]}
    assert len(found) == len(of["attributes"]), "a key comes twice"
    return found


def is_exact(written, raw):
    if isinstance(raw, bytes):
        return written == raw or isinstance(written, str) and written.encode() == raw
    if isinstance(raw, float):
        return isinstance(written, float) and (math.isnan(raw) and math.isnan(written) or
                                               written == raw and math.copysign(1, written) == math.copysign(1, raw))
    return written == raw or raw > 2**63 - 1 and written == str(raw)


def schema(lines):
    """Each line is what the published schema says; it has ids as bytes, of which JSON has the digits."""
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    def of_digits(x):
        if isinstance(x, list):
            return [of_digits(i) for i in x]
        if isinstance(x, dict):
            return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in ("traceId", "spanId", "parentSpanId") else of_digits(v)
                    for k, v in x.items()}
        return x
    for line in lines:
        request = json_format.Parse(json.dumps(of_digits(line)), ExportTraceServiceRequest())
        for span in request.resource_spans[0].scope_spans[0].spans:
            assert len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8)
            assert span.end_time_unix_nano >= span.start_time_unix_nano


def table(*command):
    out = subprocess.run(["glimpse", *command], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(out.splitlines()))


def check(lines, run, seed=None):
    # Python takes -0 for a whole number
    lines = [json.loads(line, parse_int=lambda n: -0.0 if n == "-0" else int(n)) for line in open(lines)]
    if os.environ.get("SCHEMA"):
        schema(lines)
    spans, traces = [], set()
    for line in lines:
        (of,), = line["resourceSpans"],
        (scope,) = of["scopeSpans"]
        assert scope["scope"]["name"] == "glimpse"
        entries = [1 + len(s.get("events", [])) + len(s["links"]) for s in scope["spans"]]
        assert sum(entries[:-1]) < 512 and len(entries) > 0
        for s in scope["spans"]:
            s["resource"], s["of"] = attributes(of["resource"]), attributes(s)
            s["start"], s["end"] = int(s["startTimeUnixNano"]), int(s["endTimeUnixNano"])
            traces.add(s["traceId"])
            spans.append(s)
    by_id = {s["spanId"]: s for s in spans}
    assert len(by_id) == len(spans) and len(traces) == 1 and set(traces.pop()) - {"0"}
    for s in spans:
        for other in [s.get("parentSpanId")] + [l["spanId"] for l in s["links"]]:
            assert other is None or other in by_id

    # as many as glimpse stats has, and as long
    for row in table("stats", "--format=csv", run):
        mine = [s["end"] - s["start"] for s in spans if s["of"]["glimpse.interval"] == row["interval"]]
        assert len(mine) == int(row["count"]), row
        assert not mine or abs(sum(mine) - float(row["mean"]) * len(mine)) < 1 + 1e-9 * sum(mine), (row, sum(mine))
    if seed is not None:
        details(spans, by_id, logs(seed), run)


def details(spans, by_id, threads, run):
    """What each span has, as a slow reading of the logs has it."""
    first = min(e[0] for _, events in threads for e in events)
    everything = {}  # by thread and number
    for number, (_, events) in enumerate(threads):
        for seq, e in enumerate(events):
            everything[number, seq] = e
    mine = collections.defaultdict(list)
    for s in spans:
        mine[s["of"]["glimpse.interval"], s["of"]["glimpse.start.thread"], s["of"]["glimpse.end.thread"],
             s["start"] - ORIGIN, s["end"] - ORIGIN].append(s)
    ends = collections.defaultdict(list)  # of causes
    rows = table("match", "--format=csv", run)
    for row in rows:
        row["a"] = int(row["anchor_thread"]), int(row["anchor_seq"])
        row["p"] = int(row["partner_thread"]), int(row["partner_seq"])
        row["start"], row["end"] = (row["p"], row["a"]) if row["interval"] == "Back" else (row["a"], row["p"])
        key = row["interval"], row["start"][0], row["end"][0], everything[row["start"]][0], everything[row["end"]][0]
        # of several with the same ends in time: the one with the attributes
        for s in mine[key]:
            if all(is_exact(s["of"].get(f"{end}.{k}"), v) for end in ("start", "end") for k, v in everything[row[end]][2].items()):
                mine[key].remove(s)
                row["span"] = s
                break
        assert "span" in row, key
        if row["interval"] == "Wake":
            ends[row["end"]].append(row["span"]["spanId"])
    assert not any(mine.values())

    order = lambda row: (row["span"]["start"], -row["span"]["end"], INTERVALS.index(row["interval"]), row["span"]["spanId"])
    holders = sorted((r for r in rows if r["interval"] in ENCLOSES), key=order)
    def inner(thread, start, end, before=None):
        found = [r["span"]["spanId"] for r in holders if r["a"][0] == thread and r["span"]["start"] <= start and
                 r["span"]["end"] >= end and (before is None or order(r) < before)]
        return found[-1] if found else None
    for row in rows:
        s, crosses = row["span"], row["a"][0] != row["p"][0]
        at = lambda end: ORIGIN + everything[row[end]][0]
        assert s["kind"] == (1 if not crosses else 5 if row["interval"] == "Back" else 4)
        assert s["name"] == row["interval"]
        parent = inner(row["a"][0], at("a"), at("a")) if crosses else inner(row["a"][0], s["start"], s["end"], order(row))
        assert s.get("parentSpanId") == parent, (s, parent)
        links = {"partner": [], "cause": []}
        for l in s["links"]:
            links[attributes(l)["glimpse.link"]].append(l["spanId"])
        assert links["partner"] == ([inner(row["p"][0], at("p"), at("p"))] if crosses and inner(row["p"][0], at("p"), at("p")) else [])
        assert sorted(links["cause"]) == (sorted(ends[row["end"]]) if row["interval"] != "Wake" else []), s
        process = threads[row["a"][0]][0]
        assert s["resource"]["service.name"] == f"prog{process}" and s["resource"]["process.pid"] == 100 + process
        assert s["of"]["thread.id"] == 1000 + row["a"][0] and s["of"]["thread.name"] == f"t{row['a'][0]}"
        if row["interval"] == "Work":
            assert s["of"]["metric.twice"] == 2 * (s["end"] - s["start"])
            assert is_exact(s["of"]["metric.real"], everything[row["start"]][2]["d"])
        assert len(s.get("events", [])) <= 1000

    marks = collections.defaultdict(list)
    for (thread, seq), (time, name, of) in everything.items():
        if name == "Mark":
            marks[inner(thread, ORIGIN + time, ORIGIN + time)].append((ORIGIN + time, of))
    for s in spans:
        events = s.get("events", [])
        assert len(events) == len(marks[s["spanId"]]), s
        for e, (time, of) in zip(events, marks[s["spanId"]]):
            assert e["name"] == "Mark" and int(e["timeUnixNano"]) == time
            assert all(is_exact(attributes(e)[k], v) for k, v in of.items()), (e, of)
    print(len(marks[None]))


if sys.argv[1] == "recipe":
    print(recipe(int(sys.argv[2])), end="")
else:
    check(sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else None)
