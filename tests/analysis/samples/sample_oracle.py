"""What samples of call stacks in a log stand for, found from its events one by one: for tests of those who read samples."""
import csv, subprocess


def lines(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def attributes(e):
    return dict(a.split("=", 1) for a in e["attributes"].split(";") if a)


class Samples:
    """The events of a log that sample_logs.py writes: threads, each with (time, event, attributes)."""

    def __init__(self, directory):
        events = list(csv.DictReader(lines("glimpse", "events", "--format=csv", directory)))
        self.nodes = {a["at"]: a for a in (attributes(e) for e in events if e["event"] == "Node")}
        self.threads = {}
        for e in events:
            self.threads.setdefault(e["thread"], []).append((int(e["time"]), e["event"], attributes(e)))

    def stack(self, number):
        """The functions from the outermost inwards; the first is None: what is outside of them is not known."""
        functions = []
        while number != "0" and number in self.nodes and self.nodes[number]["where"] != "0x0":
            functions.insert(0, self.nodes[number]["where"])
            number = self.nodes[number]["up"]
        return functions if number == "0" and functions else [None, *functions]

    def stretches(self, log):
        """(from, to, stack) of each sample that stands for some time; what follows the last is its, too."""
        ticks = [(time, self.stack(a["path"])) for time, what, a in log if what == "Tick"]
        found, since = [], log[0][0]
        for i, (time, functions) in enumerate(ticks):
            until = time if i + 1 < len(ticks) else log[-1][0]
            if until > since:
                found.append((since, until, functions))
                since = until
        return found[:-1] + [(since, None, functions) for since, _, functions in found[-1:]]


def ran(log, parts, since, to):
    """For how long the thread ran."""
    switches = [(time, what == "On") for time, what, _ in log if what in ("On", "Off")]
    on, total = True, 0
    if switches and switches[0][1] and (parts[0][1] is None or switches[0][0] < parts[0][1]):
        on = False
    for time, becomes in switches + [(to, False)]:
        time = min(max(time, since), to)
        total += on * (time - since)
        since, on = time, becomes
    return total
