"""zeroing.py REPEATS: runs ./plain and records ./recorded of bench/zeroing.c, and prints Kendall's tau of each measure of
glimpse rank, over the functions of each program, with what their true zeroing gains; and how far off the gains are."""
import csv, io, itertools, shutil, subprocess, sys

REPEATS = int(sys.argv[1])
SHAPES = "fork_join hot_lock two_locks pipeline ping_pong barriers beside bounded unequal serial".split()
FUNCTIONS = "abcdef"
MEASURES = "share cpu npt critical_path logical_zeroing slack whatif".split()

def said(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

# Other programs make runs longer, never shorter: of each way to run it the shortest, all ways in turn.
def fastest(shape):
    ways = [[shape]] + [[shape, f] for f in FUNCTIONS]
    rounds = [[int(said(["./plain", *way])) for way in ways] for _ in range(REPEATS)]
    return [min(times) for times in zip(*rounds)]

# The run of those recorded whose program says the shortest time.
def record(shape):
    best = None
    for _ in range(REPEATS):
        shutil.rmtree("run", ignore_errors=True)
        took = int(said(["glimpse", "record", "-q", "--probes", "functions,threads,scheduler", "-o", "run", "--",
                         "./recorded", shape]))
        if best is None or took < best:
            best = took
            shutil.rmtree("best", ignore_errors=True)
            shutil.move("run", "best")
    return best

def rank():
    rows = csv.DictReader(io.StringIO(said(["glimpse", "rank", "--by", "function", "--top", "all", "--format=csv", "best"])))
    return {row["what"]: {m: float(row[m] or 0) for m in MEASURES} for row in rows}

# How much shorter the run is without what a function runs itself, as it is replayed.
def replayed_gain(function):
    row = next(csv.DictReader(io.StringIO(said(["glimpse", "whatif", "--anyway", "--speed", f"own({function})=inf",
                                                "--format=csv", "best"]))))
    return float(row["replayed"]) - float(row["predicted"])

# Kendall's tau-b: pairs that differ by less than a hundredth of the run are ties of the truth.
def tau(measure, truth, tie):
    agree = disagree = only_measure = only_truth = 0
    for i, j in itertools.combinations(range(len(truth)), 2):
        a = measure[i] - measure[j]
        b = truth[i] - truth[j] if abs(truth[i] - truth[j]) > tie else 0
        if a * b > 0: agree += 1
        elif a * b < 0: disagree += 1
        elif b: only_measure += 1
        elif a: only_truth += 1
    of = ((agree + disagree + only_measure) * (agree + disagree + only_truth)) ** 0.5
    return (agree - disagree) / of if of else 1

taus = {m: [] for m in MEASURES}
misses = {"zeroing": [], "replay": []}
for shape in SHAPES:
    whole, *without = fastest(shape)
    truth = [whole - w for w in without]
    took = record(shape)
    rows = rank()
    none = dict.fromkeys(MEASURES, 0)
    for m in MEASURES:
        taus[m].append(tau([rows.get(f, none)[m] for f in FUNCTIONS], truth, whole / 100))
    zeroing = [rows.get(f, none)["logical_zeroing"] for f in FUNCTIONS]
    first = max(range(len(FUNCTIONS)), key=zeroing.__getitem__)
    misses["zeroing"].append(abs(zeroing[first] - truth[first]) / whole)
    misses["replay"].append(abs(replayed_gain(FUNCTIONS[first]) - truth[first]) / whole)
    print(f"# {shape}: " + ", ".join(f"{f} {t / 1e6:.2f} is, {z / 1e6:.2f} said" for f, t, z in zip(FUNCTIONS, truth, zeroing)) +
          f" of {whole / 1e6:.1f} ms", file=sys.stderr)
for m in MEASURES:
    print(f"rank {m}: Kendall's tau with true zeroing\t{sum(taus[m]) / len(taus[m]):.2f}\t-\t" +
          "mean of ten programs; " + " ".join(f"{t:.2f}" for t in taus[m]))
for way, name in ("zeroing", "logical zeroing"), ("replay", "whatif"):
    print(f"gain of what rank says first, by {name}: off by, % of the run\t{100 * max(misses[way]):.1f}\t<= 10\t" +
          "the worst of ten programs; " + " ".join(f"{100 * m:.1f}" for m in misses[way]))
