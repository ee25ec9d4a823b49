"""zeroing.py REPEATS PREDICTIONS: runs ./plain and records ./recorded of bench/zeroing.c, and prints Kendall's tau of each measure of
glimpse rank, over the functions of each program, with what their true zeroing gains; and how far off the gains are. Appends the predictions of the
function that rank says first to the file PREDICTIONS; script.sh describes its lines."""
import csv, io, itertools, shutil, subprocess, sys

REPEATS, PREDICTIONS = int(sys.argv[1]), sys.argv[2]
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
    return {row["what"]: {m: float(row[m]) if row[m] else None for m in MEASURES} for row in rows}

# What glimpse whatif says of the run without what a function runs itself: its row and None, or None and why it refuses.
def replayed_without(function):
    command = ["glimpse", "whatif", "--speed", f"own({function})=inf", "--format=csv", "best"]
    got = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if got.returncode == 0:
        return {name: int(value) for name, value in next(csv.DictReader(io.StringIO(got.stdout))).items()}, None
    errors = [line.split(": error: ", 1)[1] for line in got.stderr.splitlines() if ": error: " in line]
    if not errors:
        sys.exit(f"zeroing: glimpse whatif ended with status {got.returncode}: {got.stderr}")
    return None, errors[0]

# times: recorded, replayed, predicted, and the ends of the range, or None where it is refused
def log_prediction(name, kind, times, truth, reason=None):
    values = ["-" if t is None else f"{t:.0f}" for t in times or [None] * 5]
    line = ["zeroing", name, kind, "said" if times else "refused", *values, str(truth), "-", (reason or "-").replace("\t", " ")]
    with open(PREDICTIONS, "a") as file:
        print(*line, sep="\t", file=file)

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
    none = dict.fromkeys(MEASURES)
    for m in MEASURES:
        taus[m].append(tau([rows.get(f, none)[m] or 0 for f in FUNCTIONS], truth, whole / 100))
    zeroing = [rows.get(f, none)["logical_zeroing"] for f in FUNCTIONS]
    first = max(range(len(FUNCTIONS)), key=lambda i: zeroing[i] or 0)
    name = f"{shape} without {FUNCTIONS[first]}()"
    if zeroing[first] is None:
        misses["zeroing"].append(None)
        log_prediction(f"{name}, by rank", "zeroing", None, without[first], "glimpse rank names no gain")
    else:
        misses["zeroing"].append(abs(zeroing[first] - truth[first]) / whole)
        log_prediction(f"{name}, by rank", "zeroing", [whole, None, whole - zeroing[first], None, None], without[first])
    said_of, reason = replayed_without(FUNCTIONS[first])
    if reason:
        misses["replay"].append(None)
        log_prediction(name, "speed", None, without[first], reason)
    else:
        misses["replay"].append(abs(said_of["without_cost"] - said_of["predicted"] - truth[first]) / whole)
        around = said_of["recorded"] - took  # what is around what the program measures
        log_prediction(name, "speed", [said_of[key] - around for key in ("recorded", "replayed", "predicted", "low", "high")],
                       without[first])
    said_gains = ["-" if z is None else f"{z / 1e6:.2f}" for z in zeroing]
    print(f"# {shape}: " + ", ".join(f"{f} {t / 1e6:.2f} is, {z} said" for f, t, z in zip(FUNCTIONS, truth, said_gains)) +
          f" of {whole / 1e6:.1f} ms", file=sys.stderr)
for m in MEASURES:
    print(f"rank {m}: Kendall's tau with true zeroing\t{sum(taus[m]) / len(taus[m]):.2f}\t-\t" +
          "mean of ten programs; " + " ".join(f"{t:.2f}" for t in taus[m]))
for way, name in ("zeroing", "logical zeroing"), ("replay", "whatif"):
    named = [100 * m for m in misses[way] if m is not None]
    print(f"gain of what rank says first, by {name}: off by, % of the run\t{max(named):.1f}" if named else
          f"gain of what rank says first, by {name}: off by, % of the run\t-", "<= 10",
          f"the worst of ten programs, {len(misses[way]) - len(named)} refused; " +
          " ".join("-" if m is None else f"{100 * m:.1f}" for m in misses[way]), sep="\t")
