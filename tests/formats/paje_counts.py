"""paje_counts.py DUMP STATS WARNINGS EVENTS: pj_dump has as many states, links and events as the trace, and states last as long."""
import collections
import csv
import re
import sys

dump, stats, warnings, events = sys.argv[1:5]
counts, lasted, variables = collections.Counter(), collections.Counter(), {}
values = collections.Counter()
for line in open(dump, errors="surrogateescape"):
    f = line.rstrip("\n").split(", ")
    if f[0] in ("State", "Link"):
        counts[f[0], f[2]] += 1
        lasted[f[0], f[2]] += round(float(f[5]) * 1e9)
        if f[0] == "State" and f[2] == "State":
            counts["value", f[7]] += 1
            lasted["value", f[7]] += round(float(f[5]) * 1e9)
    elif f[0] == "Event":
        counts["Event", f[2]] += 1
left = collections.Counter()
for line in open(warnings):
    m = re.search(r"instances of (\S+) that .*: (\d+) left out", line)
    if m:
        left[m[1]] += int(m[2])
states = {"Running": "running", "Ready": "ready", "Blocked": "blocked"}
for row in csv.DictReader(open(stats)):
    name, n = row["interval"], int(row["count"])
    keys = [("value", states[name])] if name in states else [("State", name), ("Link", name)]
    found = sum(counts[k] for k in keys)
    if name == "Thing":
        continue
    assert found + left[name] == n, (row, found, left[name])
    if n and not left[name]:
        time = sum(lasted[k] for k in keys)
        assert abs(time - int(row["total"])) <= n, (row, time)
logged = collections.Counter(row["event"] for row in csv.DictReader(open(events)))
assert logged == collections.Counter({k[1]: n for k, n in counts.items() if k[0] == "Event"}), logged
