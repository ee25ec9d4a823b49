"""why-live.py GLIMPSE PLANTS WORK: the rows of why-live.sh."""
import json, os, statistics, subprocess, sys, time

glimpse, plants, work = sys.argv[1:]
os.chdir(work)
PAIRS = int(os.environ.get("WHY_LIVE_PAIRS", 7))
SECONDS = float(os.environ.get("WHY_LIVE_SECONDS", 5))
PAIRED = ["hot_lock", "balanced_share", "balanced_locks"]

def table():
    for line in open(os.path.join(plants, "plants.txt")):
        words = line.split("#")[0].split()
        if words:
            yield words[0], (words[1:2] or ["-"])[0], words[2].split("|") if len(words) > 2 else []

def build(name, probes):
    flags = ["-finstrument-functions"] if "functions" in probes else []
    subprocess.run(os.environ.get("CC", "cc").split() + ["-std=gnu11", "-O1", "-g", "-D_GNU_SOURCE", *flags, "-o", name,
                   os.path.join(plants, name + ".c"), "-lpthread"], check=True)

def alone(name, size):
    began = time.monotonic()
    subprocess.run(["./" + name, str(size)], stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began

def size_of(name):
    """With which it takes as long as is wanted."""
    return max(2, round(2 * SECONDS / alone(name, 2)))

def searched(name, size):
    subprocess.run(["rm", "-rf", "run"], check=True)
    said = subprocess.run([glimpse, "why", "-q", "--json", "-o", "run", "--", "./" + name, str(size)],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
    return json.loads(said.stdout[said.stdout.index('{\n"live"'):])["live"]

def pairs(name):
    size, ratios, costs = size_of(name), [], []
    for i in range(PAIRS):
        live = searched(name, size) if i % 2 else None
        bare = alone(name, size)
        live = live or searched(name, size)
        ratios.append(live["duration"] / 1e9 / bare)
        costs.append(live["observed"])
    print("%s, searched while it runs / alone\t%.3f\t<= 1.05\t%d pairs of %.1f s, %.3f to %.3f; events observed %.3f %%" %
          (name, statistics.median(ratios), PAIRS, bare, min(ratios), max(ratios), 100 * statistics.median(costs)), flush=True)

def found():
    right, missed = 0, []
    # What recording costs is kept under a limit here.
    programs = [p for p in table() if p[2] and p[2] != ["Recording"]]
    for name, probes, hypotheses in programs:
        build(name, probes)
        live = searched(name, size_of(name))
        if any(f["hypothesis"] in hypotheses for f in live["found"]):
            right += 1
        else:
            missed.append(name)
    print("planted, found while the program runs\t%.2f\t>= 0.9\t%d of %d first runs of %.0f s%s" %
          (right / len(programs), right, len(programs), SECONDS, "; missed: " + ", ".join(missed) if missed else ""))

for name, probes, _ in table():
    if name in PAIRED:
        build(name, probes)
        pairs(name)
found()
