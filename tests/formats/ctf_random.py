#!/usr/bin/env python3
"""
Random traces as CTF, and what babeltrace2 reads in them.

    ctf_random.py make SEED RECIPE TRUTH    writes a recipe for mklog, and what is in its trace
    ctf_random.py read DIRECTORY TRUTH      compares the trace with what libbabeltrace2 reads in the directory
    ctf_random.py dump DIRECTORY            prints what libbabeltrace2 reads, one event a line
"""
import json
import math
import random
import struct
import sys

ORIGIN_REAL = 1700000000123456789
LIMITS = {"int": (-2**31, 2**31 - 1), "uint": (0, 2**32 - 1), "long": (-2**63, 2**63 - 1),
          "ulong": (0, 2**64 - 1), "address": (0, 2**64 - 1)}
# Words of TSDL, names with underscores, and those of the fields that hold bytes.
NAMES = ["stream", "struct", "integer", "floating_point", "trace", "clock", "env", "variant", "typealias", "enum_",
         "_x", "__y", "z", "length", "bytes", "length_", "timestamp", "id", "callsite", "signed", "void", "seq"]


def text_make(r):
    if r.random() < 0.2:
        return bytes(range(r.randrange(2), 256))
    alphabet = r.choice([b"abc", bytes(range(256)), b"\x00a", "é€😀".encode(), b"\\\"\n\t\x1b"])
    return bytes(r.choice(alphabet) for _ in range(r.choice([0, 1, 3, 4, 5, 17, 300])))


def value_make(r, kind):
    if kind == "string":
        return text_make(r)
    if kind == "double":
        # mklog writes numbers as the C library reads them: the shortest form that reads back the same.
        return r.choice([0.0, -0.0, 0.1, 5e-324, 1.7976931348623157e308, -1.5e300, float("inf"), float("-inf"),
                         float("nan"), struct.unpack("<d", struct.pack("<Q", r.randrange(2**63 - 2**53)))[0]])
    low, high = LIMITS[kind]
    return r.choice([low, high, 0, 1, r.randint(low, high)])


def word(kind, value):
    if kind == "string":
        return '"' + "".join("\\x%02x" % b for b in value) + '"'
    return repr(value) if kind == "double" else str(value)


def plain(value):
    """As the truth has it: JSON holds neither bytes nor NaN."""
    if isinstance(value, bytes):
        return "bytes " + value.hex()
    if isinstance(value, float):
        return "double nan" if math.isnan(value) else "double " + struct.pack(">d", value).hex()
    return value


def make(seed, recipe, truth):
    r = random.Random(seed)
    types = {}
    for i in range(r.choice([1, 4, 12])):
        names = r.sample(NAMES, r.randrange(8))
        types["Event%d" % i] = [(n, r.choice([*LIMITS, "double", "string", "string"])) for n in names]
    out = open(recipe, "w")
    spec = "glimpse random\n// \"quoted\", back\\slash, caf\u00e9\n" + "".join(
        "event %s%s;\n" % (name, "(" + ", ".join("%s %s" % (k, n) for n, k in attributes) + ")" if attributes else "")
        for name, attributes in types.items()) + "interval Next [ a:Event0 -> b:Event0 ];\nend\n"
    print("spec random.spec <<\n" + spec + ">>\nprocess program=\"de mo\\\"\" pid=77", file=out)
    origin = r.choice([1, 10**12, 2**32 - 5000])
    threads = {}
    for number in sorted(r.sample(range(20), r.randint(1, 4))):
        name = r.choice(["main", "wor ker", "tab\\t", "\\\\", "\u00e9"])
        print('log %d name="%s" tid=%d pid=77 pair=%d/%d/%d' %
              (number, name, 2**40 + number, origin, origin, ORIGIN_REAL), file=out)
        events, lost, time = [], 0, origin
        for _ in range(r.choice([0, 3, 400] if threads else [3, 400])):
            if r.random() < 0.02:
                n = r.choice([1, 1000, 2**40])
                print("note lost %d" % n, file=out)
                lost += n
            name = r.choice(list(types))
            values = {n: value_make(r, k) for n, k in types[name]}
            print(time, name, *("%s=%s" % (n, word(k, values[n])) for n, k in types[name]), file=out)
            events.append([time, name, {n: plain(v) for n, v in values.items()}])
            time += r.choice([0, 1, 1000, 2**31, 2**32 - 1, 2**32, 2**40])
        if events or lost:
            threads[number] = {"events": events, "lost": lost}
    json.dump({"spec": spec, "origin": origin, "threads": threads}, open(truth, "w"))


def field(f):
    name = type(f).__name__
    if name.startswith("_Structure"):
        return bytes(int(b) for b in f["bytes"])
    if name.startswith("_String"):
        # babeltrace2 2.0 leaves an older text in a string that is empty; the length is right.
        return str(f).encode("utf-8", "surrogateescape")[:len(f)]
    return float(f) if "Real" in name else int(f)


def messages(directory):
    sys.path.append("/usr/lib/python3/dist-packages")
    import bt2
    for m in bt2.TraceCollectionMessageIterator(directory):
        if type(m) is bt2._EventMessageConst:
            yield "event", int(m.event.packet.context_field["thread"]), m
        elif type(m) is bt2._DiscardedEventsMessageConst:
            yield "lost", None, m


def items(spec):
    return [line for line in spec.split("\n") if line.startswith(("event", "interval", "//"))]


def read(directory, truth):
    truth = json.load(open(truth))
    first = min((t["events"][0][0] for t in truth["threads"].values() if t["events"]), default=0)
    threads, lost, before, spec = {}, 0, 0, None
    for what, thread, m in messages(directory):
        if what == "lost":
            lost += m.count
            continue
        clock = m.default_clock_snapshot
        assert clock.ns_from_origin >= before, "the stream is not in the order of time"
        before = clock.ns_from_origin
        assert clock.ns_from_origin == clock.value + ORIGIN_REAL - truth["origin"], "the clock's offset"
        spec = str(m.event.stream.trace.environment["glimpse_specification"])
        attributes = {n: plain(field(f)) for n, f in m.event.payload_field.items()}
        threads.setdefault(str(thread), []).append([clock.value, m.event.name, attributes])
    wanted = {n: t["events"] for n, t in truth["threads"].items() if t["events"]}
    assert threads.keys() == wanted.keys(), (threads.keys(), wanted.keys())
    for n in wanted:
        for a, b in zip(threads[n], wanted[n]):
            assert a == b, "thread %s: %s, not %s" % (n, a, b)
        assert len(threads[n]) == len(wanted[n])
    assert lost == sum(t["lost"] for t in truth["threads"].values()), "%d lost" % lost
    assert spec is None or items(spec) == items(truth["spec"]), "the specification is another text"


def dump(directory):
    for what, thread, m in messages(directory):
        if what == "event":
            print(m.default_clock_snapshot.ns_from_origin, thread, m.event.name,
                  *("%s=%s" % (n, field(f)) for n, f in m.event.payload_field.items()))
        else:
            print("lost", m.count, m.beginning_default_clock_snapshot.ns_from_origin,
                  m.end_default_clock_snapshot.ns_from_origin)


{"make": make, "read": read, "dump": dump}[sys.argv[1]](*sys.argv[2:])
