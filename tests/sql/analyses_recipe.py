"""analyses_recipe.py SEED: a recipe of a random trace for tests of analyses as queries.

Threads are in states, hold and wait for locks that are destroyed and made again at the same addresses, and call functions, some
of which never return; times tie, within threads and between them. Notes have strings of any bytes and numbers at their limits.
"""
import random
import sys

SPEC = """glimpse sums
event In(int processor);
event Out;
event Ready;
event Get(object lock);
event Free(object lock);
event Busy(object lock);
event End(object lock, int result) = (errno "result");
event Drop(object lock) = (ends "lock");
event Take(object semaphore) = (takes "semaphore");
event Many(object lock, uint takings) = (takes "lock", counts "takings");
event Wait(object semaphore);
event Got(object semaphore);
event Pause;
event Resume;
event Born(object self);
event Died(object self);
event Join(object self);
event Joined(object self);
event Enter(code function);
event Leave(code function);
event Note(string text, double real, ulong big, long small);
interval Running [ i:In -> o:Out ] = rectangle (kind "state", label "running");
interval Runnable [ r:Ready -> i:In ] = rectangle (kind "state", label "ready");
interval Blocked [ o:Out -> r:Ready ] = rectangle (kind "state", label "blocked");
interval Hold [ g:Get -> f:Free ] nested where g.thread == f.thread && g.lock == f.lock = rectangle (kind "hold");
interval Contended [ e:End <- b:Busy ] where e.thread == b.thread && e.lock == b.lock && e.result != 11
	= rectangle (kind "wait");
interval SemWait [ g:Got <- w:Wait ] where g.thread == w.thread && g.semaphore == w.semaphore = rectangle (kind "wait");
interval Rest [ r:Resume <- p:Pause ] = rectangle (kind "wait", label "rest");
interval Nap [ r:Resume <- p:Pause ] where r.thread == p.thread && r.time - p.time < 50 = rectangle (kind "wait");
interval Life [ b:Born -> d:Died ] = rectangle (kind "life");
interval JoinWait [ j:Joined <- w:Join ] where j.thread == w.thread && j.self == w.self = rectangle (kind "wait");
interval Call [ e:Enter -> l:Leave ] nested where e.thread == l.thread && e.function == l.function = rectangle (kind "call");
end sums."""
THREADS, EVENTS = 3, 250
PLAIN = ["In processor=1", "Out", "Ready", "Pause", "Resume"]
LOCKED = ["Get lock=", "Free lock=", "Busy lock=", "Drop lock=", "Take semaphore=", "Wait semaphore=", "Got semaphore=",
          "Join self=", "Joined self="]
OBJECTS = {"lock=": [0, 4096, 8192], "semaphore=": [2**63, 12288], "self=": [1, 2, 3]}
STRINGS = ['"abc"', '""', r'"a,b=\"c\";"', r'"\x00\xff\n"', r'"\\' + "é'" + '"']
REALS = ["0", "-0", "nan", "1.5", "inf", "-inf", "0.1", "5e-324", "-2.2250738585072014e-308", "1e22", "123456789.125"]


def note():
    return "Note text=%s real=%s big=%d small=%d" % (
        random.choice(STRINGS), random.choice(REALS), random.choice([0, 7, 2**63, 2**64 - 1]),
        random.choice([-2**63, -1, 0, 2**63 - 1]))


def event(stack):
    kind = random.randrange(10)
    if kind < 3:
        return random.choice(PLAIN)
    if kind < 6:
        one = random.choice(LOCKED)
        return one + str(random.choice(OBJECTS[one.split()[1]]))
    if kind == 6:
        return "End lock=%d result=%d" % (random.choice([4096, 8192]), random.choice([0, 0, 11, 110, 130]))
    if kind == 7:
        return note() if random.random() < 0.7 else "Many lock=%d takings=%d" % (random.choice([4096, 8192]), random.choice([1, 7, 3000]))
    if len(stack) < 6 and random.random() < 0.5 or not stack:
        stack.append(random.choice([16, 32, 2**63 + 1]))
        return "Enter function=%d" % stack[-1]
    return "Leave function=%d" % stack.pop()


random.seed(int(sys.argv[1]))
for process in range(2):
    print("directory p%d\nspec sums.spec <<\n%s\n>>\nprocess program=p%d pid=%d" % (process, SPEC, process, 11 + process))
    for thread in range(THREADS):
        print("log %d name=\"t%d\" tid=%d" % (thread, thread % 2, 100 + thread))
        time, stack = 100, []
        events = ["Born self=%d" % (thread + 1)] + [event(stack) for _ in range(EVENTS)]
        events += ["Died self=%d" % (thread + 1)] if thread else []
        for one in events:
            time += random.choice([0, 1, 3, 20])
            print(time, one)
