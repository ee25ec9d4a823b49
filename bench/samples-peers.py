"""samples-peers.py NAME RATIO PERF.data... RUN...: prints rows of as many recordings by each: how far shares of functions by
glimpse's samples are from those by perf's, beside how far runs of perf are from each other; and how many of perf's ten greatest
are in glimpse's.
samples-peers.py --exact RUN RUN...: the same of exact calls, by the probe functions, and samples.
samples-peers.py --tables PERF.data... RUN...: both tables, for people.

A function is its module and the address where it begins: names may be several. Of a sample of perf its symbol begins there; of
one of glimpse that address is found with the symbol tables, and by both with .eh_frame_hdr for code without symbols. A name by
glimpse that no symbol there has is another function. Inlined functions count for those around them, and time in the kernel for
the function that called it."""
import bisect, collections, csv, io, itertools, math, os, re, struct, subprocess, sys

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
        self.begins = None

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

    # where the code at an address begins by the tables for unwinding
    def unwind_start(self, address):
        i = bisect.bisect(self.starts, address)
        return self.starts[i - 1] if i else address

    # where the function at an address begins
    def start(self, address):
        i = bisect.bisect(self.symbol_starts(), address)
        # the symbol that begins last may be one within the function
        for at in reversed(self.symbol_starts()[max(i - 4, 0):i]):
            if address < self.ends[at]:
                return at
        return self.unwind_start(address)

    # where functions with symbols begin; one of an unknown size goes on to what begins next, such as .plt
    def symbol_starts(self):
        if self.begins is None:
            self.ends, self.names = {}, collections.defaultdict(set)
            for line in "".join(said("readelf", "-Ws", file) for file in self.files()).splitlines():
                part = line.split()
                if len(part) >= 8 and part[3] in ("FUNC", "IFUNC") and part[6] != "UND":
                    at, size = int(part[1], 16), int(part[2], 0)
                    self.ends[at] = max(self.ends.get(at, 0), at + size)
                    self.names[at].add(part[7].split("@")[0])
            self.begins = sorted(self.ends)
            others = sorted({*self.begins, *self.starts})
            for at in self.begins:
                if self.ends[at] == at:
                    self.ends[at] = next(iter(others[bisect.bisect(others, at):]), at)
        return self.begins

    # for people
    def name(self, start):
        self.symbol_starts()
        return min(self.names[start]) if start in self.names else f"{self.short}:fn_{start:x}"

    # whether a function may be called so; names of C++ are printed in another form
    def is_name(self, start, name):
        return start not in self.names or name in self.names[start] or any(n.startswith("_Z") for n in self.names[start])

    # its file and its separate debug file
    def files(self):
        build_id = re.search(r"Build ID: (\w+)", said("readelf", "-n", self.path))
        debug = build_id and f"/usr/lib/debug/.build-id/{build_id[1][:2]}/{build_id[1][2:]}.debug"
        return [self.path] + ([debug] if debug and os.path.exists(debug) else [])

modules = {}

def module(path):
    path = os.path.realpath(path)
    if path not in modules:
        modules[path] = Module(path) if os.path.isfile(path) else None
    return modules[path]

# tools of 64 bits print such addresses with a sign, or without
def is_kernel(address):
    return address < 0 or address >> 63

FRAME = re.compile(r"^\s+([0-9a-f]+) (.*?)(?:\+0x([0-9a-f]+))? \((.*)\)$")

# how many samples each function has by perf; the innermost frame that is the program's counts
def by_perf(data):
    count, wants = collections.Counter(), False
    for line in said("perf", "script", "-i", data, "--no-inline", "-F", "comm,pid,tid,ip,sym,symoff,dso").splitlines():
        frame = FRAME.match(line)
        if not frame:
            wants = True
        elif wants and not is_kernel(int(frame[1], 16)):
            wants = False
            count[perf_function(int(frame[1], 16), *frame.groups()[1:])] += 1
    return count

# perf prints an address as the place in the module's file; its symbols of entries of the PLT are names that it makes
def perf_function(place, name, offset, path):
    found = module(path)
    address = found.address(place) if found else None
    if address is None:
        return os.path.basename(path), 0
    if offset and not name.endswith("@plt"):
        return found.path, address - int(offset, 16)
    return found.path, found.unwind_start(address)

def profile(run):
    return list(csv.DictReader(io.StringIO(said("glimpse", "profile", "--format=csv", run))))

def by_name(run):
    return collections.Counter({row["function"]: int(row["samples"]) for row in profile(run) if row["samples"] not in ("", "0")})

# what the run's process had mapped: from, to, what is added to addresses in the file, and the file
def mappings(run):
    with open(os.path.join(run, ".recorder", "modules.of")) as f:
        parts = [line.rstrip("\n").split(" ", 7) for line in f]
    return [(int(p[4], 16), int(p[5], 16), int(p[3], 16), p[7]) for p in parts]

# the names of frames by their numbers, as people see them
def frame_names(run):
    frame = re.compile(r"number=(\d+);.*address=(.*?)(?: \(.*|\+0x[0-9a-f]+)?$")
    rows = csv.reader(io.StringIO(said("glimpse", "events", "--format=csv", "--event", "SampleFrame", run)))
    return dict(found.groups() for found in map(frame.search, (row[-1] for row in rows)) if found)

# the same as by_perf(), of a run with one process
def by_glimpse(run):
    count, frames, stacks = collections.Counter(), {}, []
    for event in csv.DictReader(io.StringIO(said("glimpse", "export", "--format=csv", run))):
        if event["event"] == "SampleFrame":
            frames[event["SampleFrame.number"]] = event["SampleFrame.parent"], int(event["SampleFrame.address"])
        elif event["event"] == "Sample":
            stacks.append(event["Sample.stack"])
    mapped, names = mappings(run), frame_names(run)
    for stack, n in collections.Counter(stacks).items():
        while stack in frames and is_kernel(frames[stack][1]):
            stack = frames[stack][0]
        if stack in frames:
            count[glimpse_function(frames[stack][1], names[stack], mapped)] += n
    return count

def glimpse_function(address, name, mapped):
    for begin, end, added, path in mapped:
        found = module(path)
        if begin <= address < end and found:
            start = found.start(address - added)
            return found.path, start if found.is_name(start, name) else name
    return "[vdso]", 0

def shares(count):
    n = sum(count.values())
    return {name: k / n for name, k in count.items()}

def total_variation(a, b):
    return sum(abs(a.get(name, 0) - b.get(name, 0)) for name in a.keys() | b.keys()) / 2

# what sampling error makes of it, if the shares are those and one side has n samples
def chance(share, n):
    return sum(math.sqrt(2 * p * (1 - p) / (math.pi * n)) for p in share.values()) / 2

# for people
def name_of(function):
    path, start = function
    return start if isinstance(start, str) else module(path).name(start) if module(path) else path

# of an instrumented program; of several runs the one in the middle
def beside_exact(calls, runs):
    exact = shares({row["function"]: int(row["cpu_total"]) for row in profile(calls) if row["calls"]})
    rows = []
    for count in map(by_name, runs):
        n = sum(count.values())
        rows.append((total_variation(exact, shares(count)), chance(exact, n), n))
    apart, expected, n = sorted(rows, key=lambda row: row[0] / row[1])[len(rows) // 2]
    print(f"samples beside exact calls: total variation / what chance makes of it\t{apart / expected:.2f}\t<= 2\t"
          f"{100 * apart:.2f} % and {100 * expected:.2f} %; {n} samples; the middle one of {len(rows)} runs")

def mean(values):
    values = list(values)
    return sum(values) / len(values)

# how far the functions of recordings by both are from each other, beside those by perf
def beside_perf(name, most, perf, glimpse):
    theirs = mean(total_variation(shares(a), shares(b)) for a, b in itertools.combinations(perf, 2))
    apart = mean(total_variation(shares(a), shares(b)) for a in perf for b in glimpse)
    perf, glimpse = sum(perf, collections.Counter()), sum(glimpse, collections.Counter())
    print(f"samples of {name}: total variation to perf's / of two runs of perf\t{apart / theirs:.2f}\t<= {most}\t"
          f"{100 * apart:.1f} % and {100 * theirs:.1f} %; {sum(glimpse.values())} samples, perf {sum(perf.values())}")
    ours, theirs = shares(glimpse), shares(perf)
    ten = [f for f in sorted(theirs, key=lambda f: -theirs[f])[:10] if theirs[f] > 0.01]
    nth = sorted(ours.values(), reverse=True)[:10][-1]
    # the tenth place is a tie of functions whose shares differ by less than chance
    found = [f for f in ten if ours.get(f, 0) >= min(nth, theirs[f]) - 3 * math.sqrt(theirs[f] / sum(glimpse.values())) and f in ours]
    print(f"samples of {name}: of perf's ten greatest over 1 %, found, %\t{100 * len(found) / len(ten):.0f}\t>= 100\t"
          f"{len(found)} of {len(ten)}" + "".join(f"; not {name_of(f)}" for f in ten if f not in found))

def tables(perf, glimpse):
    perf, glimpse = sum(perf, collections.Counter()), sum(glimpse, collections.Counter())
    p, g = shares(perf), shares(glimpse)
    print(f"{sum(perf.values())} samples by perf, {sum(glimpse.values())} by glimpse")
    for f in sorted(p.keys() | g.keys(), key=lambda f: -abs(p.get(f, 0) - g.get(f, 0)))[:25]:
        print(f"{100 * p.get(f, 0):7.2f} {100 * g.get(f, 0):7.2f} {name_of(f)}")

def main():
    if sys.argv[1] == "--exact":
        return beside_exact(sys.argv[2], sys.argv[3:])
    first = 2 if sys.argv[1] == "--tables" else 3
    runs, half = sys.argv[first:], (len(sys.argv) - first) // 2
    perf, glimpse = list(map(by_perf, runs[:half])), list(map(by_glimpse, runs[half:]))
    if first == 2:
        return tables(perf, glimpse)
    beside_perf(*sys.argv[1:3], perf, glimpse)

main()
