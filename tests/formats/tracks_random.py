#!/usr/bin/env python3
"""tracks_random.py SEED RECIPE TRUTH: a random trace for the exports to viewers of slices, and what is true of it.

RECIPE is for mklog. TRUTH is JSON: of each thread its label and its events, [time, name, {attribute: value}], with
strings as hexadecimal digits and doubles as their bits.
"""
import json
import random
import struct
import sys

SPECIFICATION = """glimpse tracks
/* "quoted" \\ and so on */
event Begin(long id, object lock, code at, int step);
event End(long id, double cost, string text);
event Take(object lock);
event Free(object lock);
event New(object block);
event Gone(object block);
event Post(long number);
event Got(long number);
event On(uint processor);
event Off();
event Odd(int i, uint u, long l, ulong ul, double d, string s, address a, code c, object o, code32 c32);
event Wide(%s, string s);
interval Work [ b:Begin -> e:End ] { b.id == e.id && b.thread == e.thread } = rectangle (kind "work")
	metric cost = e.cost metric twice = b.step * 2 metric rate = 1 / e.cost;
interval Hold [ t:Take -> f:Free ] nested { t.lock == f.lock && t.thread == f.thread } = rectangle (kind "hold");
interval Alive [ n:New -> g:Gone ] { n.block == g.block && n.thread == g.thread } = rectangle (kind "life");
interval Message [ p:Post -> g:Got ] Match number = line (kind "cause");
interval Running [ i:On -> o:Off ] = rectangle (kind "state", label "running");
""" % ", ".join("int a%d" % i for i in range(20))

TYPES = {"i": "int", "u": "uint", "l": "long", "ul": "ulong", "d": "double", "s": "string", "a": "address", "c": "code",
         "o": "object", "c32": "code32"}
BITS = {"int": (32, True), "uint": (32, False), "long": (64, True), "ulong": (64, False), "address": (64, False),
        "code": (64, False), "object": (64, False), "code32": (32, False)}
DOUBLES = [0.0, -0.0, 1.5, 0.1, 1e300, -1e-300, 5e-324, float("inf"), float("-inf"), float("nan"), 2.0 ** 53 + 2]
NAMES = ["main", "w\"or\\ker", "n\u00e4me <b>", "worker"]


def integer(chance, type):
    bits, signed = BITS[type]
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return chance.choice([least, most, 0, 1, most // 2, chance.randint(least, most), chance.randint(0, 100)])


def string(chance):
    sort = chance.randrange(4)
    if sort == 0:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(20)))
    if sort == 1:
        return "\u20ac\U0001f600\u202e\x01\t\n\"\\</script>".encode()[:chance.randrange(30)]
    return b"x" * chance.choice([0, 1, 7, 8, 9, 1000])


def quoted(value):
    return '"' + "".join("\\x%02x" % b for b in value) + '"'


def double_text(value):
    return repr(value) if value == value else "nan"


class Thread:
    def __init__(self, number):
        self.number, self.time, self.open, self.held, self.alive, self.on = number, 1000, [], [], [], False
        self.lines, self.events = [], []

    def add(self, name, **values):
        words, truth = [], {}
        for key, value in values.items():
            if isinstance(value, bytes):
                words.append("%s=%s" % (key, quoted(value)))
                truth[key] = value.hex()
            elif isinstance(value, float):
                words.append("%s=%s" % (key, double_text(value)))
                truth[key] = "nan" if value != value else struct.pack("<d", value).hex()
            else:
                words.append("%s=%d" % (key, value))
                truth[key] = value
        self.lines.append("%d %s %s" % (self.time, name, " ".join(words)))
        self.events.append([self.time, name, truth])


def step(chance, t, numbers):
    t.time += chance.choice([0, 0, 1, chance.randint(1, 100), 100000])
    what = chance.randrange(13)
    if what < 2:
        numbers["id"] += 1
        t.open.append(numbers["id"])
        t.add("Begin", id=numbers["id"], lock=0x7000 + 8 * chance.randrange(5), at=0x400000 + chance.randrange(5),
              step=chance.randrange(10))
    elif what < 4 and t.open:
        t.add("End", id=t.open.pop(chance.choice([-1, -1, 0])), cost=chance.choice(DOUBLES), text=string(chance))
    elif what == 4:
        t.held.append(0x8000 + 8 * chance.randrange(3))
        t.add("Take", lock=t.held[-1])
    elif what == 5 and t.held:
        t.add("Free", lock=t.held.pop())
    elif what == 6:
        numbers["block"] += 16
        t.alive.append(numbers["block"])
        t.add("New", block=t.alive[-1])
    elif what == 7 and t.alive:
        t.add("Gone", block=t.alive.pop(chance.randrange(len(t.alive))))
    elif what == 8:
        numbers["post"] += 1
        t.add("Post", number=numbers["post"])
        numbers["posted"].append(numbers["post"])
    elif what == 9 and numbers["posted"]:
        t.add("Got", number=numbers["posted"].pop(0))
    elif what == 10:
        if t.on:
            t.add("Off")
        else:
            t.add("On", processor=chance.randrange(4))
        t.on = not t.on
    elif what == 11:
        t.add("Odd", **{name: chance.choice(DOUBLES) if type == "double" else string(chance) if type == "string" else
                        integer(chance, type) for name, type in TYPES.items()})
    else:
        t.add("Wide", **{"a%d" % i: i for i in range(20)}, s=string(chance))


def main(seed, recipe, truth):
    chance = random.Random(seed)
    numbers = {"id": 0, "block": 0x10000, "post": 0, "posted": []}
    threads = [Thread(i) for i in range(len(NAMES))]
    for _ in range(chance.choice([3, 100, 1000])):
        step(chance, chance.choice(threads), numbers)
    threads = [t for t in threads if t.lines] or threads[:1]
    if not threads[0].lines:
        threads[0].add("Off")
    with open(recipe, "w") as out:
        out.write("spec tracks.spec <<\n%send\n>>\nprocess program=\"prog\" pid=99\n" % SPECIFICATION)
        for t in threads:
            out.write("log %d name=%s pid=99 tid=%d\n%s\n" % (t.number, quoted(NAMES[t.number].encode()), 99 + t.number,
                                                              "\n".join(t.lines)))
    origin = min(t.events[0][0] for t in threads)
    json.dump({"specification": SPECIFICATION, "origin": origin, "threads": [
        {"number": t.number, "name": NAMES[t.number], "tid": 99 + t.number,
         "events": [[time - origin, name, values] for time, name, values in t.events]} for t in threads]},
        open(truth, "w"))


main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
