"""otf2_counts.py PRINTED STATS WARNINGS [states]: what otf2-print says of an archive is what glimpse stats says of the trace.

Regions are balanced and nest, times do not step back, each message that is sent arrives; each interval has as many
instances as there are regions, messages and instances that export says it left out; with `states` these, which
lie in no other, last as long.
"""
import collections
import csv
import re
import sys

printed, stats, warnings = sys.argv[1:4]
with_states = sys.argv[4:] == ["states"]
line_form = re.compile(r"^([A-Z_]+)\s+(\d+)\s+(\d+)\s+(.*)$")
open_regions = collections.defaultdict(list)
last = {}
counts, lasted = collections.Counter(), collections.Counter()
sent, received = collections.Counter(), collections.Counter()
held = collections.Counter()
for line in open(printed, errors="surrogateescape"):
    m = line_form.match(line)
    if not m:
        continue
    kind, place, time, rest = m[1], int(m[2]), int(m[3]), m[4]
    assert time >= last.get(place, 0), line
    last[place] = time
    if kind in ("ENTER", "LEAVE"):
        region = re.search(r'Region: "(.*)" <\d+>', rest)[1]
    if kind == "ENTER":
        open_regions[place].append((region, time))
    elif kind == "LEAVE":
        name, since = open_regions[place].pop()
        assert name == region, (name, line)
        counts[name] += 1
        lasted[name] += time - since
    elif kind == "MPI_SEND":
        m = re.search(r'Receiver: (\d+) .*Communicator: "(.*)" <\d+>, Tag: (\d+)', rest)
        sent[place, int(m[1]), m[2], int(m[3])] += 1
    elif kind == "MPI_RECV":
        m = re.search(r'Sender: (\d+) .*Communicator: "(.*)" <\d+>, Tag: (\d+)', rest)
        received[int(m[1]), place, m[2], int(m[3])] += 1
    elif kind in ("THREAD_ACQUIRE_LOCK", "THREAD_RELEASE_LOCK"):
        m = re.search(r"Lock: (\d+), Acquisition Order: (\d+)", rest)
        held[place, m[1], m[2]] += 1 if kind == "THREAD_ACQUIRE_LOCK" else -1
assert not any(open_regions.values()), open_regions
assert sent == received and (not sent or max(sent.values()) == 1), (sent - received, received - sent)
assert not any(held.values()), held
messages = collections.Counter()
for (_, _, interval, _), n in sent.items():
    messages[interval] += n
left = collections.Counter()
for line in open(warnings):
    m = re.search(r"instances of (\S+) that .*: (\d+) left out", line)
    if m:
        left[m[1]] += int(m[2])
states = {"Running": "running", "Ready": "ready", "Blocked": "blocked"}
seen = 0
for row in csv.DictReader(open(stats)):
    name, n = row["interval"], int(row["count"])
    if name in states:
        # running is shown where no other region is open
        if name != "Running" and with_states:
            assert lasted[states[name]] == int(row["total"]), (row, lasted)
        seen += n
    elif name not in ("Call", "Hold", "LockHold", "Thing"):
        assert counts[name] + messages[name] + left[name] == n, (row, counts[name], messages[name], left[name])
        if not messages[name] and not left[name] and n:
            assert lasted[name] == int(row["total"]), (row, lasted[name])
        seen += n
    elif name in ("Hold", "LockHold"):
        assert len([h for h in held]) == n or name == "Hold", (row, len(held))
assert seen or not with_states, "nothing was compared"
