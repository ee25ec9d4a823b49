#!/usr/bin/env python3
"""tracks_check.py FORMAT FILE TRUTH STATS: whether an export has all that tracks_random.py wrote, and what
`glimpse stats --format=csv` says of it.
"""
import base64
import csv
import json
import struct
import sys
from collections import Counter
from decimal import Decimal

from tracks_read import READERS

SYMBOLIC = ("lock", "block", "at", "c", "o", "c32")


def double(value):
    """The bits of a double."""
    number = float({"Infinity": "inf", "-Infinity": "-inf"}.get(value, value))
    return "nan" if number != number else struct.pack("<d", number).hex()


def number(value):
    if isinstance(value, str):
        return int(value, 0)
    assert isinstance(value, int) and not isinstance(value, bool), value
    return value


def values(truth, args):
    """The values of an event, in the form of the truth."""
    found = {}
    for key, expected in truth.items():
        if key in ("cost", "d"):
            found[key] = double(args[key])
            # JSON has no sign of a zero that is an integer
            if isinstance(args[key], (int, Decimal)) and args[key] == 0 and expected == double(-0.0):
                found[key] = expected
        elif key in ("text", "s"):
            assert isinstance(args[key], str)
            found[key] = (base64.b64decode(args[key + ".bytes"]) if key + ".bytes" in args else args[key].encode()).hex()
        elif key in SYMBOLIC:
            assert isinstance(args[key], str)
            found[key] = number(args[key + ".raw"])
        else:
            found[key] = number(args[key])
    return found


def check_events(found, truth, name):
    events = {}
    for track, event, category, time, args in found.instants:
        if category == "event":
            events.setdefault(name[track], []).append([time, event, args])
    for t in truth["threads"]:
        mine = events.pop(t["label"], [])
        assert len(mine) == len(t["events"]), (t["label"], len(mine), len(t["events"]))
        for (time, event, args), (true_time, true_event, true_values) in zip(mine, t["events"]):
            assert (time, event) == (true_time, true_event), (time, event, true_time, true_event)
            assert values(true_values, args) == true_values, (args, true_values)
    assert not events, events


def check_slices(found, stats):
    """Counts and sums; and slices of a track nest."""
    count, total, tracks = Counter(), Counter(), {}
    for track, name, category, start, end, args in found.slices:
        tracks.setdefault(track, []).append((start, -end))
        if category != "flow":
            count[name] += 1
            total[name] += end - start
            assert name != "Work" or {"cost", "twice", "lock", "at"} <= args.keys() and number(args["twice"]) % 2 == 0
    for at in tracks.values():
        ends = []
        for start, end in sorted(at):
            while ends and ends[-1] <= start:
                ends.pop()
            assert not ends or -end <= ends[-1], (at, start, -end)
            ends.append(-end)
    flows = Counter()
    for begin, end in found.flows.values():
        assert begin[1] <= end[1] and begin[2] == end[2]
        flows[begin[2]] += 1
    for row in stats:
        counted = flows if row["interval"] == "Message" else count
        assert counted[row["interval"]] == int(row["count"]), (row, counted)
        if counted is count and int(row["count"]):
            assert total[row["interval"]] == int(row["total"]), (row, total)


def check_counters(found):
    """A counter is how many slices are open."""
    for counter, interval in ("Work open", "Work"), ("threads running", "Running"):
        changes = Counter()
        for _, name, _, start, end, _ in found.slices:
            if name == interval:
                changes[start] += 1
                changes[end] -= 1
        expected, open_now = {}, 0
        for time in sorted(changes):
            open_now += changes[time]
            expected[time] = open_now
        assert {time: value for name, time, value in found.counters if name == counter} == expected


def main(format, path, truth, stats):
    found = READERS[format](path)
    with open(truth) as file:
        truth = json.load(file)
    with open(stats) as file:
        stats = list(csv.DictReader(file))
    same = Counter(t["name"] for t in truth["threads"])
    for t in truth["threads"]:
        t["label"] = "%s (%d)" % (t["name"], t["number"]) if same[t["name"]] > 1 else t["name"]
    assert "glimpse tracks" in found.about["specification"]
    assert all(line in found.about["specification"] for line in truth["specification"].splitlines())
    assert {(number(t["number"]), t["name"], number(t["tid"])) for t in found.threads} == \
        {(t["number"], t["name"], t["tid"]) for t in truth["threads"]}
    assert set(found.processes.values()) == {"prog"}, found.processes
    assert {t["label"] for t in truth["threads"]} <= set(found.names.values()), found.names
    check_events(found, truth, found.names)
    check_slices(found, stats)
    check_counters(found)


main(*sys.argv[1:])
