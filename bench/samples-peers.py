"""samples-peers.py NAME RATIO PERF.data PERF.data RUN: prints rows: how far shares of functions by glimpse's samples are from
those by perf's, beside how far two runs of perf are from each other; and how many of perf's ten greatest are in glimpse's.
samples-peers.py --exact RUN RUN...: the same of exact calls, by the probe functions, and samples.
samples-peers.py --tables PERF.data RUN: both tables, for people.

Names are made equal: an address without a symbol is called by the beginning of its entry in .eh_frame_hdr, and of the names that
symbol tables have for one address the first stands for all. Time in the kernel counts for the function that called it."""
import collections, csv, io, math, os, re, struct, subprocess, sys

def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace").stdout

# sections and segments of an ELF file of 64 bits
class Module:
    def __init__(self, path):
        self.path = path
        self.short = re.sub(r"(\.so(\.\d+)?).*", r"\1", os.path.basename(path))
        with open(path, "rb") as f:
            self.bytes = f.read()
        phoff, phentsize, phnum = *struct.unpack_from("<Q", self.bytes, 32), *struct.unpack_from("<HH", self.bytes, 54)
        heads = [struct.unpack_from("<IIQQQQQQ", self.bytes, phoff + i * phentsize) for i in range(phnum)]
        self.loads = [h for h in heads if h[0] == 1]
        hdr = next((h for h in heads if h[0] == 0x6474e550), None)
        self.starts = self.unwind_starts(hdr[2], hdr[3]) if hdr else []

    def unwind_starts(self, offset, address):
        if self.bytes[offset + 1] != 0x1b or self.bytes[offset + 2] != 3 or self.bytes[offset + 3] != 0x3b:
            return []
        n = struct.unpack_from("<I", self.bytes, offset + 8)[0]
        return [address + struct.unpack_from("<i", self.bytes, offset + 12 + 8 * i)[0] for i in range(n)]

    def address(self, offset):
        for _, _, at, virtual, _, size, _, _ in self.loads:
            if at <= offset < at + size:
                return virtual + offset - at
        return None

    def name(self, offset):
        at = self.address(offset)
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if at is not None and self.starts[middle] <= at else (low, middle)
        return f"{self.short}:fn_{self.starts[low - 1]:x}" if low else f"{self.short}:?"

    # its file and its separate debug file
    def files(self):
        build_id = re.search(r"Build ID: (\w+)", said("readelf", "-n", self.path))
        debug = build_id and f"/usr/lib/debug/.build-id/{build_id[1][:2]}/{build_id[1][2:]}.debug"
        return [self.path] + ([debug] if debug and os.path.exists(debug) else [])

modules = {}

def module(path):
    if path not in modules:
        modules[path] = Module(path) if os.path.isfile(path) else None
    return modules[path]

# names of one address: each leads to another, at last to the one that stands for all
alias = {}

def first_name(name):
    while alias.get(name, name) != name:
        name = alias[name]
    return name

def read_aliases(path):
    for file in module(path).files():
        at = {}
        for line in said("readelf", "-Ws", file).splitlines():
            part = line.split()
            if len(part) < 8 or part[3] not in ("FUNC", "IFUNC") or part[6] == "UND":
                continue
            name = part[7].split("@")[0]
            one, other = sorted((first_name(at.setdefault(part[1], name)), first_name(name)))
            alias[other] = one

FRAME = re.compile(r"^\s+([0-9a-f]+) (.*?) \((.*)\)$")

# how many samples each function has by perf; the innermost frame that is the program's counts
def by_perf(data):
    count, wants = collections.Counter(), False
    for line in said("perf", "script", "-i", data, "--no-inline", "-F", "comm,pid,tid,ip,sym,symoff,dso").splitlines():
        frame = FRAME.match(line)
        if not frame:
            wants = True
        elif wants and not frame[3].startswith("[kernel"):
            wants = False
            count[perf_name(int(frame[1], 16), frame[2], frame[3])] += 1
    return count

# perf prints an address as the place in the module's file
def perf_name(place, name, path):
    found = module(path)
    if name != "[unknown]":
        return re.sub(r"(@@?[A-Z].*)?\+0x[0-9a-f]+$", "", name)
    return found.name(place) if found else os.path.basename(path) + ":?"

def profile(run):
    return list(csv.DictReader(io.StringIO(said("glimpse", "profile", "--format=csv", run))))

def by_glimpse(run):
    return collections.Counter({row["function"]: int(row["samples"]) for row in profile(run) if row["samples"] not in ("", "0")})

# perf leaves out the parameters of functions of C++; the file of a library may have a longer version than its name
def plain_name(name):
    if ":fn_" in name:
        return re.sub(r"(\.so(\.\d+)?)[^:]*", r"\1", name)
    name = re.sub(r"\(anonymous namespace\)", "{anonymous}", name)
    depth = 0
    for at, c in enumerate(name):
        depth += (c == "<") - (c == ">")
        if c == "(" and depth == 0 and at and not name[:at].endswith("operator"):
            return name[:at]
    return name

def equal_names(count):
    equal = collections.Counter()
    for name, n in count.items():
        equal[plain_name(first_name(name))] += n
    return equal

def shares(count):
    n = sum(count.values())
    return {name: k / n for name, k in count.items()}

def total_variation(a, b):
    return sum(abs(a.get(name, 0) - b.get(name, 0)) for name in a.keys() | b.keys()) / 2

# what sampling error makes of it, if the shares are those and one side has n samples
def chance(share, n):
    return sum(math.sqrt(2 * p * (1 - p) / (math.pi * n)) for p in share.values()) / 2

def tables(data, run):
    perf, glimpse = [by_perf(d) for d in data], by_glimpse(run)
    for path, found in modules.items():
        if found:
            read_aliases(path)
    return [equal_names(p) for p in perf], equal_names(glimpse)

# of an instrumented program; of several runs the one in the middle
def beside_exact(calls, runs):
    exact = shares({row["function"]: int(row["cpu_total"]) for row in profile(calls) if row["calls"]})
    rows = []
    for count in map(by_glimpse, runs):
        n = sum(count.values())
        rows.append((total_variation(exact, shares(count)), chance(exact, n), n))
    apart, expected, n = sorted(rows, key=lambda row: row[0] / row[1])[len(rows) // 2]
    print(f"samples beside exact calls: total variation / what chance makes of it\t{apart / expected:.2f}\t<= 2\t"
          f"{100 * apart:.2f} % and {100 * expected:.2f} %; {n} samples; the middle one of {len(rows)} runs")

def main():
    if sys.argv[1] == "--exact":
        return beside_exact(sys.argv[2], sys.argv[3:])
    if sys.argv[1] == "--tables":
        (perf,), glimpse = tables(sys.argv[2:3], sys.argv[3])
        p, g = shares(perf), shares(glimpse)
        print(f"{sum(perf.values())} samples by perf, {sum(glimpse.values())} by glimpse")
        for name in sorted(p.keys() | g.keys(), key=lambda f: -abs(p.get(f, 0) - g.get(f, 0)))[:25]:
            print(f"{100 * p.get(name, 0):7.2f} {100 * g.get(name, 0):7.2f} {name}")
        return
    name, most = sys.argv[1:3]
    perf, glimpse = tables(sys.argv[3:5], sys.argv[5])
    one, other, ours = shares(perf[0]), shares(perf[1]), shares(glimpse)
    theirs = total_variation(one, other)
    apart = (total_variation(one, ours) + total_variation(other, ours)) / 2
    print(f"samples of {name}: total variation to perf's / of two runs of perf\t{apart / theirs:.2f}\t<= {most}\t"
          f"{100 * apart:.1f} % and {100 * theirs:.1f} %; {sum(glimpse.values())} samples, perf {sum(perf[0].values())}")
    both = shares(perf[0] + perf[1])
    ten = [f for f in sorted(both, key=lambda f: -both[f])[:10] if both[f] > 0.01]
    nth = sorted(ours.values(), reverse=True)[:10][-1]
    # the tenth place is a tie of functions whose shares differ by less than chance
    found = [f for f in ten if ours.get(f, 0) >= min(nth, both[f]) - 3 * math.sqrt(both[f] / sum(glimpse.values())) and f in ours]
    print(f"samples of {name}: of perf's ten greatest over 1 %, found, %\t{100 * len(found) / len(ten):.0f}\t>= 100\t"
          f"{len(found)} of {len(ten)}" + "".join(f"; not {f}" for f in ten if f not in found))

main()
