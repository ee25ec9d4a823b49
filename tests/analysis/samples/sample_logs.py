"""Writes recipes of logs with samples. A function has many addresses, as a sample is of an instruction, and of callers
the call.
"""
import random, sys

SPEC = '''glimpse runs
event Node(uint at, uint up, code where) = (stack "at", caller "up");
event Tick(uint path) = (kind "sample", stack "path");
event On(int n); event Off(int n); event Other(int n, uint path) = (stack "path");
event B(code function); event E(code function);
interval Running [ i:On -> o:Off ] where i.thread == o.thread = rectangle (kind "state", label "running");
interval Call [ b:B -> e:E ] nested where b.thread == e.thread && b.function == e.function = rectangle (kind "call");
end
'''
FIRST = 1 << 31


class Log:
    """Recipes of a process: its threads' events, and frames with the names of their functions."""

    def __init__(self):
        self.threads, self.frames, self.names, self.late = {}, {}, {}, False

    def address(self, function, line):
        address = 0x10000 + 0x1000 * (ord(function[0]) - ord("a")) + line
        self.names[address] = function
        return address

    def frame(self, up, address):
        return self.frames.setdefault((up, address), FIRST + len(self.frames))

    def stack(self, *path):
        """The number of a stack, given as (function, line), from the outermost inwards; "cut": of address 0."""
        number = 0
        for f in path:
            number = self.frame(number, 0 if f == "cut" else self.address(*f))
        return number

    def add(self, thread, time, text):
        self.threads.setdefault(thread, []).append((time, text))

    def sample(self, thread, time, *path):
        self.add(thread, time, f"Tick path={self.stack(*path)}")

    def write(self, frames_at=0, logger=9):
        print("spec runs.spec <<\n" + SPEC + ">>")
        print("process clock=2 first=1000000000/1000000000/0 newest=9000000000/9000000000/0")
        for (up, address), number in self.frames.items():
            self.add(logger, frames_at, f"Node at={number} up={up} where={address}")
        for thread in sorted(self.threads):
            print(f"log {thread} clock=2 pair=1000000000/1000000000/0 name=thread{thread}")
            for time, text in sorted(self.threads[thread], key=lambda e: e[0]):
                print(1000000000 + time, text)
        print("file objects")
        for address, name in self.names.items():
            print(f'text "1000000000 {address:x} {name}\\n"')


def shares():
    """Two threads, five functions: of thread 0 all runs, of thread 1 the half. 100 samples each, of 10 us that ran."""
    log = Log()
    log.add(0, 0, "On n=0")
    for i in range(100):
        inner = ["beta"] * 50 + ["gamma"] * 30 + ["delta"] * 20
        log.sample(0, 10000 * (i + 1), ("main", i % 3), (inner[i], i % 7))
        log.add(0, 10000 * i + 5000, f"Other n={i} path={FIRST}")
    log.add(0, 1000007, "Off n=0")
    log.add(1, 0, "On n=0")
    for i in range(100):
        path = [("main", 1), ("epsilon", 4)] if i < 60 else [("main", 1)]
        log.sample(1, 20000 * i + 10000, *path)
        log.add(1, 20000 * i + 10000, "Off n=0")
        log.add(1, 20000 * i + 20000, "On n=0")
    log.add(1, 2000005, "Off n=0")
    log.write(frames_at=3)


def recursion():
    """b calls itself; a stack that is cut off; one that is not known at all; a loop of callers."""
    log = Log()
    main, b, c = ("main", 1), ("b", 1), ("c", 1)
    for i, path in enumerate([[main, b], [main, b, b], [main, b, ("b", 2), b], [main, ("b", 3)], ["cut", b, c], ["cut", b],
                              [main, b]]):
        log.sample(0, 1000 * (i + 1), *path)
    log.add(0, 8000, f"Tick path={FIRST + 999}")  # no frame has this number
    log.add(0, 9000, "Tick path=0")
    log.add(0, 10000, f"Tick path={FIRST + 500}")
    for number, up, name in ((500, 501, "f"), (501, 500, "g")):
        log.add(9, 0, f"Node at={FIRST + number} up={FIRST + up} where={log.address(name, 0)}")
    log.add(0, 10500, "Other n=0 path=0")
    log.write(frames_at=20000)


def logged():
    """Thread 0 logs calls, and has samples, too; thread 1 has samples alone."""
    log = Log()
    for time, event in ((0, "B"), (5000, "E")):
        log.add(0, time, f"{event} function={log.address('logged', 0)}")
    for thread in 0, 1:
        for i in range(4):
            log.sample(thread, 1000 * i + 500, ("main", 1), ("sampled", i))
    log.add(1, 5000, "Other n=0 path=0")
    log.write()


def mixed():
    """Thread 0 logs calls of a function, of which thread 1 has samples."""
    log = Log()
    for time, event in ((0, "B"), (5000, "E")):
        log.add(0, time, f"{event} function={log.address('shared', 0)}")
    main, shared = ("main", 1), ("shared", 2)
    for i, path in enumerate([[main, shared], [main, shared], [main], [main, ("inner", 1)], [main, ("inner", 2)]]):
        log.sample(1, 1000 * i + 1000, *path)
    log.add(1, 0, "Other n=0 path=0")
    log.write()


def rand(seed):
    random.seed(seed)
    log = Log()
    functions = [n * 2 for n in "abcdef"]
    for thread in range(4):
        path, time, on = [], random.randrange(100), random.randrange(2)
        for _ in range(random.choice([1, 2, 400])):
            time += random.choice([0, 1, 10, 1000]) * random.randrange(3)
            kind = random.randrange(20)
            if kind < 3:
                log.add(thread, time, "Off n=0" if on else "On n=0")
                on = not on
                continue
            if kind < 5:
                log.add(thread, time, "Other n=0 path=0")
                continue
            path = path[:random.randrange(len(path) + 1)]
            while len(path) < 8 and random.randrange(3):
                path.append((random.choice(functions), random.randrange(3)))
            cut = ["cut"] if random.randrange(8) == 0 else []
            if random.randrange(30) == 0:
                log.add(thread, time, f"Tick path={random.choice([0, 77])}")
            else:
                log.sample(thread, time, *cut, *path)
    if random.randrange(2):
        log.add(3, 0, f"B function={log.address('aa', 0)}")
    log.write(frames_at=random.randrange(5000), logger=random.randrange(5))


globals()[sys.argv[1]](*sys.argv[2:])
