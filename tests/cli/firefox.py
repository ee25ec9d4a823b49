"""Checks a profile for the Firefox Profiler: firefox.py PROFILE [RUN]. First that it is in the processed format, version 60,
as src/types/profile.ts of github.com/firefox-devtools/profiler has it; then, of a run of tests/analysis/samples/sample_logs.py,
that samples and markers are those of the events, by an oracle that reads these alone.
"""
import csv
import json
import subprocess
import sys

COLOURS = "transparent purple green orange yellow lightblue blue brown magenta red lightred darkgrey grey".split()
FORMATS = "string integer decimal nanoseconds bytes".split()
profile = json.load(open(sys.argv[1]))
meta, shared, threads, libs = (profile[k] for k in ("meta", "shared", "threads", "libs"))


def table(t, *columns):
    assert set(t) == {"length", *columns}, sorted(t)
    assert all(len(t[c]) == t["length"] for c in columns), {c: len(t[c]) for c in columns}
    return t["length"]


def places(column, n, absent=None):
    assert all(x == absent or (isinstance(x, int) and 0 <= x < n) for x in column)


def numbers(column):
    assert all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in column)


def ascending(column):
    numbers(column)
    assert all(a <= b for a, b in zip(column, column[1:]))


# ---- what all threads share ----

nstrings = len(shared["stringArray"])
assert all(isinstance(s, str) for s in shared["stringArray"]) and len(set(shared["stringArray"])) == nstrings
nstacks = table(shared["stackTable"], "frame", "prefix")
nframes = table(shared["frameTable"], "address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol", "innerWindowID",
                "line", "column")
nfunctions = table(shared["funcTable"], "name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber")
nresources = table(shared["resourceTable"], "lib", "name", "host", "type")
assert table(shared["nativeSymbols"], "libIndex", "address", "name", "functionSize") == 0
nsources = table(shared["sources"], "uuid", "filename")
assert set(shared) == {"stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols", "sources", "stringArray"}
places(shared["stackTable"]["frame"], nframes, "never")
assert all(p is None or 0 <= p < i for i, p in enumerate(shared["stackTable"]["prefix"]))
places(shared["frameTable"]["func"], nfunctions, "never")
places(shared["frameTable"]["category"], len(meta["categories"]), "never")
assert set(shared["frameTable"]["subcategory"]) <= {0} and set(shared["frameTable"]["address"]) <= {-1}
assert all(x is None or x > 0 for x in shared["frameTable"]["line"])
places(shared["funcTable"]["name"], nstrings, "never")
places(shared["funcTable"]["resource"], nresources, -1)
places(shared["funcTable"]["source"], nsources)
places(shared["resourceTable"]["name"], nstrings, "never")
places(shared["resourceTable"]["lib"], len(libs))
places(shared["sources"]["filename"], nstrings, "never")
for lib in libs:
    assert set(lib) == {"arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId"}

# ---- what it says of itself ----

assert meta["preprocessedProfileVersion"] == 60 and meta["version"] > 0 and meta["interval"] > 0
assert meta["sampleUnits"] == {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "ns"}
assert isinstance(meta["product"], str) and meta["processType"] == 0 and meta["stackwalk"] in (0, 1)
assert meta["startTime"] >= 0 and meta["profilingEndTime"] >= meta["profilingStartTime"]
assert "grey" in [c["color"] for c in meta["categories"]]
for c in meta["categories"]:
    assert set(c) == {"name", "color", "subcategories"} and c["color"] in COLOURS and c["subcategories"][0] == "Other"
schemas = {s["name"]: s for s in meta["markerSchema"]}
assert len(schemas) == len(meta["markerSchema"])
for s in schemas.values():
    assert set(s) <= {"name", "tooltipLabel", "tableLabel", "chartLabel", "display", "fields", "description"}
    assert set(s["display"]) <= {"marker-chart", "marker-table"}
    keys = [f["key"] for f in s["fields"]]
    assert len(set(keys)) == len(keys) and all(f["format"] in FORMATS for f in s["fields"])

# ---- threads ----

assert threads
for t in threads:
    assert isinstance(t["pid"], str) and isinstance(t["tid"], int) and t["processType"] == "default"
    assert isinstance(t["name"], str) and isinstance(t["isMainThread"], bool) and isinstance(t["processName"], str)
    assert t["pausedRanges"] == [] and t["processStartupTime"] == 0 and t["processShutdownTime"] is None
    assert 0 <= t["registerTime"] <= t["unregisterTime"] <= meta["profilingEndTime"]
    s = dict(t["samples"])
    weighted = s.pop("weightType") == "tracing-ms"
    if not weighted:
        assert t["samples"]["weightType"] == "samples" and s.pop("weight") is None
    n = table(s, "stack", "time", *(["weight", "threadCPUDelta"] if weighted else []))
    places(s["stack"], nstacks)
    ascending(s["time"])
    assert not n or t["registerTime"] <= s["time"][0] and s["time"][-1] <= t["unregisterTime"]
    for i in range(n if weighted else 0):
        assert round(s["weight"][i] * 1e6) == s["threadCPUDelta"][i] >= 0
        since = s["time"][i - 1] if i else s["time"][0]
        assert s["threadCPUDelta"][i] <= round((s["time"][i] - since) * 1e6) + 1
    m = t["markers"]
    table(m, "data", "name", "startTime", "endTime", "phase", "category")
    places(m["name"], nstrings, "never")
    places(m["category"], len(meta["categories"]), "never")
    ascending(m["startTime"])
    numbers(m["endTime"])
    assert set(m["phase"]) <= {1} and all(a <= b for a, b in zip(m["startTime"], m["endTime"]))
    for d in m["data"]:
        formats = {f["key"]: f["format"] for f in schemas[d["type"]]["fields"]}
        for key, value in d.items():
            assert key == "type" or isinstance(value, str) == (formats[key] == "string"), (key, value)

if len(sys.argv) < 3:
    sys.exit()

# ---- the same from the events ----


def attributes(e):
    return dict(a.split("=", 1) for a in e["attributes"].split(";") if a)


said = subprocess.run(["glimpse", "events", "--format=csv", sys.argv[2]], check=True, stdout=subprocess.PIPE, text=True).stdout
events = list(csv.DictReader(said.splitlines()))
nodes = {a["at"]: a for a in (attributes(e) for e in events if e["event"] == "Node")}
logs = {}
for e in events:
    logs.setdefault(int(e["thread"]), []).append((int(e["time"]), e["event"], attributes(e)))


def stack(number):
    """The functions from the outermost inwards; in front of them what says that the rest is not known."""
    functions, seen = [], set()
    while number != "0" and number in nodes and nodes[number]["where"] != "0x0" and number not in seen:
        seen.add(number)
        functions.insert(0, nodes[number]["where"])
        number = nodes[number]["up"]
    return functions if number == "0" and functions else ["(callers not known)", *functions]


def running(log):
    """The stretches in which the thread ran, as far as its events say when they begin. Two switches in the last moment
    leave it off.
    """
    since = None
    last = max((time for time, what, _ in log if what == "Off"), default=-1)
    for time, what, _ in log:
        if what == "On":
            since = time
        elif what == "Off" and since is not None:
            yield since, time
            since = None
    if since is not None and since > last:
        yield since, log[-1][0]


def functions_of(place):
    found = []
    while place is not None:
        frame = shared["stackTable"]["frame"][place]
        found.insert(0, shared["stringArray"][shared["funcTable"]["name"][shared["frameTable"]["func"][frame]]])
        place = shared["stackTable"]["prefix"][place]
    return tuple(found)


for t, (_, log) in zip(threads, sorted(logs.items())):
    ran = list(running(log))
    want, since = {}, log[0][0]
    sampled = not any(what == "B" for _, what, _ in log)
    ticks = [(time, a) for time, what, a in log if what == "Tick" and sampled]
    for i, (time, a) in enumerate(ticks):
        until = log[-1][0] if i + 1 == len(ticks) else time
        if until > since:
            path = tuple(stack(a["path"]))
            want[path] = want.get(path, 0) + sum(max(0, min(to, until) - max(at, since)) for at, to in ran)
            since = until
    got = {}
    for place, delta in zip(t["samples"]["stack"], t["samples"].get("threadCPUDelta", [])):
        path = functions_of(place)
        got[path] = got.get(path, 0) + delta
    if ran:
        assert sum(got.values()) == sum(to - at for at, to in ran), (t["tid"], got, ran)
        if ticks:
            assert {k: v for k, v in got.items() if v and k} == {k: v for k, v in want.items() if v}, (t["tid"], got, want)
    calls = sum(what == "B" for _, what, _ in log)
    assert t["markers"]["length"] <= calls
