"""closed_runs.py CALL: prints the recipe of a log, of runs whose changed times have closed forms. Each thread's events have
times in microseconds."""
import sys

SPEC = '''glimpse runs
event SerialBegin(int n); event SerialEnd(int n);
event ParallelBegin(int n); event ParallelEnd(int n);
event Stage(int stage, int item); event Done(int stage, int item); event Next(int stage, int item);
event Ask(object desk); event Get(object desk); event Give(object desk);
event Make(int child); event Start(int child); event Exit(int child);
event Join(int child); event Joined(int child);
event Pause(int n); event Resume(int n);
interval Serial [ b:SerialBegin -> e:SerialEnd ] where b.thread == e.thread = rectangle (kind "work");
interval Parallel [ b:ParallelBegin -> e:ParallelEnd ] where b.thread == e.thread = rectangle (kind "work");
interval Item [ s:Stage -> d:Done ] where s.thread == d.thread && s.stage == 1 && d.stage == 1 = rectangle (kind "work");
interval Supply [ n:Next -> s:Stage ] where n.thread == s.thread = rectangle (kind "wait");
interval Passed [ s:Stage <- d:Done ] where s.item == d.item && s.stage == d.stage + 1 = line (kind "cause");
interval Queue [ a:Ask -> g:Get ] where a.thread == g.thread && a.desk == g.desk = rectangle (kind "wait");
interval Desk [ g:Get -> x:Give ] nested where g.thread == x.thread && g.desk == x.desk = rectangle (kind "hold");
interval Handed [ g:Get <- x:Give ] where g.desk == x.desk = line (kind "cause");
interval Life [ s:Start -> e:Exit ] = rectangle (kind "life");
interval Made [ m:Make -> s:Start ] where m.child == s.child = line (kind "cause");
interval JoinWait [ j:Join -> d:Joined ] where j.thread == d.thread && j.child == d.child = rectangle (kind "wait");
interval Ended [ d:Joined <- e:Exit ] where d.child == e.child = line (kind "cause");
interval Sleep [ p:Pause -> r:Resume ] where p.thread == r.thread = rectangle (kind "wait", label "sleep");
event Sit(object table); event Enter(object table, code at, int key); event Leave(object table);
interval SeatWait [ s:Sit -> e:Enter ] where s.thread == e.thread && s.table == e.table = rectangle (kind "wait");
interval Seat [ e:Enter -> l:Leave ] where e.thread == l.thread && e.table == l.table = rectangle (kind "hold");
interval SeatPassed [ e:Enter <- l:Leave ] where e.table == l.table = line (kind "cause");
event ReadBegin(int n); event ReadEnd(int n);
interval Read [ b:ReadBegin -> e:ReadEnd ] where b.thread == e.thread = rectangle (kind "io");
event Begun(int usable) = (processors "usable"); event Fly(int n); event Land(int n);
interval Flight [ f:Fly -> l:Land ] where f.thread == l.thread = rectangle (kind "wait");
event Try(int n) = (kind "spin"); event Deadline(long left) = (deadline "left");
event Limit(long left) = (limit "left"); event Await(int n); event Tell(int n); event Told(int n, int result) = (errno "result");
interval Awaiting [ a:Await -> t:Told ] where a.thread == t.thread = rectangle (kind "wait");
interval Telling [ t:Told <- x:Tell ] where t.n == x.n && t.result == 0 = line (kind "cause");
event On(int n); event Off(int n); event Stop(int n); event Ready(int n);
interval Running [ i:On -> o:Off ] where i.thread == o.thread = rectangle (kind "state", label "running");
interval Blocked [ s:Stop -> r:Ready ] where s.thread == r.thread = rectangle (kind "state", label "blocked");
interval Readied [ r:Ready -> i:On ] where r.thread == i.thread = rectangle (kind "state", label "ready");
end
'''

def recipe(threads, name=None):
    print('spec runs.spec <<\n' + SPEC + '>>')
    print('process clock=2 first=1000000000/1000000000/0 newest=9000000000/9000000000/0')
    for n, events in enumerate(threads):
        print(f'log {n} clock=2 pair=1000000000/1000000000/0' + (f' name={name}' if name else ''))
        for time, text in events:
            print(f'{1000000000 + int(time * 1000)} {text}')

def amdahl():
    main = [(0, 'SerialBegin n=0'), (100e3, 'SerialEnd n=0'), (100e3, 'Make child=1'), (100e3, 'Make child=2')]
    main += [(100e3, 'Join child=1'), (300001, 'Joined child=1'), (300001, 'Join child=2'), (300001, 'Joined child=2')]
    worker = lambda c: [(100e3, f'Start child={c}'), (100e3, f'ParallelBegin n={c}'),
                        (300e3, f'ParallelEnd n={c}'), (300e3, f'Exit child={c}')]
    recipe([main, worker(1), worker(2)])

# Threads think for 1 ms and hold each of the locks in turn for 2 ms, first come first served; a lock
# is handed over in 1 us.
def desks(locks, threads=4, rounds=50):
    events = [[] for _ in range(threads)]
    free = [0.0] * locks
    now = [0.0] * threads
    place = [0] * threads
    while True:
        ready = [t for t in range(threads) if place[t] < rounds * locks]
        if not ready:
            break
        arrival = lambda t: now[t] + (1000 if place[t] % locks == 0 else 0)
        t = min(ready, key=lambda t: (arrival(t), t))
        lock, ask = place[t] % locks, arrival(t)
        get = ask if ask > free[lock] else free[lock] + 1
        name = f'desk={0x1000 + lock}'
        if not events[t]:
            events[t].append((0, 'Pause n=0'))
            events[t].append((0, 'Resume n=0'))
        if get > ask:
            events[t].append((ask, 'Ask ' + name))
        events[t] += [(get, 'Get ' + name), (get + 2000, 'Give ' + name)]
        now[t] = free[lock] = get + 2000
        place[t] += 1
    recipe(events)

# Items pass through stages, each a thread of its own, which take 1, 3 and 2 ms.
def pipeline(items=50):
    takes, done, events = [1000, 3000, 2000], [0.0] * items, []
    for stage, length in enumerate(takes):
        now, list = 0.0, [(0, f'Next stage={stage} item=0')]
        for i in range(items):
            start = max(now, done[i])
            if i:
                list.append((now, f'Next stage={stage} item={i}'))
            list += [(start, f'Stage stage={stage} item={i}'), (start + length, f'Done stage={stage} item={i}')]
            now = done[i] = start + length
        events.append(list)
    recipe(events)

# Four have a table for 10 ms each, one after the other; the last at another place in the program.
def table():
    thread = lambda t: [(0, 'Sit table=0x2000'),
                        (10e3 * t, f'Enter table=0x2000 at={0x5000 if t == 3 else 0x4000} key={t}'),
                        (10e3 * (t + 1), 'Leave table=0x2000')]
    recipe([thread(t) for t in range(4)])

# Three read for 100 ms at the same time, and then compute for 10 ms.
def reading():
    recipe([[(0, f'ReadBegin n={t}'), (100e3, f'ReadEnd n={t}'), (100e3, 'SerialBegin n=0'), (110e3, 'SerialEnd n=0')]
            for t in range(3)])

# One pauses in a slice of processor time that a state without length begins; the other one is ready for long.
def sliced():
    slice = lambda n: [(10e3 * n + 1, 'Off n=0'), (10e3 * n + 1, 'Stop n=0'), (10e3 * n + 1, 'Ready n=0'),
                       (10e3 * n + 1, 'On n=0'), (10e3 * n + 8e3, 'Pause n=0'), (10e3 * n + 9e3, 'Resume n=0')]
    other = [(0, 'On n=0'), (20e3, 'Off n=0'), (20e3, 'Ready n=0'), (30e3, 'On n=0'), (50e3, 'Off n=0')]
    recipe([[(0, 'On n=0')] + [e for n in range(5) for e in slice(n)] + [(50e3, 'Off n=0')], other])

# Stamps of a release come before the lock is free, those of an acquisition after the thread has it.
def stamps(other, asks, gets, gives=None):
    mine = [(0, 'SerialBegin n=0')] + ([(1, 'Get desk=0x1000'), (gives, 'Give desk=0x1000')] if gives else [])
    mine += [(asks, 'Ask desk=0x1000'), (gets, 'Get desk=0x1000'), (gets + 0.5, 'Give desk=0x1000'), (10, 'SerialEnd n=0')]
    holds = [(time, what + ' desk=0x1000') for hold in other for time, what in zip(hold, ('Get', 'Give'))]
    recipe([mine, [(0, 'SerialBegin n=1')] + holds + [(6, 'SerialEnd n=1')]])

# One computes for 100 ms, and then joins another one, whose wait without a known cause has just ended: in time, or earlier.
def told(end=100010):
    recipe([[(0, 'SerialBegin n=0'), (0, 'Make child=1'), (100e3, 'SerialEnd n=0'), (100e3, 'Join child=1'), (100030, 'Joined child=1')],
            [(0, 'Start child=1'), (10, 'Pause n=0'), (end, 'Resume n=0'), (100020, 'Exit child=1')]])

# Two threads hold a lock for 10 ms in turn, and do nothing else; who gets it is ready for 0.1 ms first.
def serial(usable=None, turns=20):
    events = [[(0, f'Begun usable={usable}')] if usable else [] for _ in range(2)]
    events[0].append((0, 'On n=0'))
    for n in range(turns):
        start, now, other = 10100.0 * n, events[n % 2], events[1 - n % 2]
        if n:
            now += [(start - 100, 'Ready n=0'), (start, 'On n=0')]
        now += [(start, 'Get desk=0x1000'), (start + 10e3, 'Give desk=0x1000'), (start + 10e3, 'Off n=0')]
        if n == 0:
            other += [(0, 'On n=0'), (0, 'Ask desk=0x1000'), (0, 'Off n=0'), (0, 'Stop n=0')]
        if n < turns - 2:
            now[-1:] = [(start + 10e3, 'Ask desk=0x1000'), (start + 10e3, 'Off n=0'), (start + 10e3, 'Stop n=0')]
    recipe(events, 'worker')

# Two threads meet at a lock 100 times, and keep their processors while they wait; then 100 times they just miss each
# other. Once one sleeps, and is ready for 50 us before it runs.
def kept():
    a, b = [(0, 'Begun usable=2'), (0, 'On n=0')], [(0, 'Begun usable=2'), (0, 'On n=0')]
    for n in range(200):
        asks = 20 * n + (2 if n < 100 else 4.5)
        a += [(20 * n, 'Get desk=0x1000'), (20 * n, 'SerialBegin n=0'), (20 * n + 4, 'SerialEnd n=0'), (20 * n + 4, 'Give desk=0x1000')]
        b += [(asks, 'Ask desk=0x1000'), (max(asks, 20 * n + 4.5), 'Get desk=0x1000'), (max(asks, 20 * n + 4.5) + 1, 'Give desk=0x1000')]
    b += [(4000, 'Pause n=0'), (4000, 'Off n=0'), (4000, 'Stop n=0'), (4100, 'Ready n=0'), (4150, 'On n=0'), (4150, 'Resume n=0')]
    recipe([a + [(4000, 'Off n=0')], b + [(4160, 'Off n=0')]], 'worker')

# On one processor the last to come runs first, and then waits while the other one runs: not so in the replay.
def flights():
    recipe([[(0, 'Begun usable=1'), (0, 'On n=0'), (100e3, 'Off n=0')],
            [(0, 'Begun usable=1'), (0, 'Ready n=0'), (200e3, 'On n=0'), (300e3, 'Off n=0')],
            [(50e3, 'Begun usable=1'), (50e3, 'Ready n=0'), (100e3, 'On n=0'), (200e3, 'Fly n=0'), (200e3, 'Off n=0'),
             (200e3, 'Stop n=0'), (300e3, 'Ready n=0'), (300e3, 'On n=0'), (300e3, 'Land n=0'), (310e3, 'Off n=0')]], 'worker')

# One sleeps 10 ms again and again until two others have ended, the second of them after 95 ms; `until`: when it stops.
def polling(until=100, end=95e3):
    main = [(0, 'Make child=1'), (0, 'Make child=2')]
    main += [e for n in range(until // 10) for e in [(10e3 * n, 'Pause n=0'), (10e3 * n + 10e3, 'Resume n=0')]]
    main += [(until * 1e3, 'SerialBegin n=0'), (until * 1e3 + 5e3, 'SerialEnd n=0')]
    worker = lambda c, end: [(0, f'Start child={c}'), (0, f'ParallelBegin n={c}'), (end, f'ParallelEnd n={c}'), (end, f'Exit child={c}')]
    recipe([main, worker(1, 45e3), worker(2, end)])

# Two that another one polls for yield the one processor to each other each millisecond, 47 times.
def yielding():
    main = [(0, 'Make child=0'), (0, 'Make child=1')]
    main += [e for n in range(10) for e in [(10e3 * n, 'Pause n=0'), (10e3 * n + 10e3, 'Resume n=0')]]
    def worker(c):
        events = [(0, f'Start child={c}'), (0, 'Begun usable=1')] + [(0, 'Ready n=0')] * c
        for n in range(c, 94, 2):
            events += [(1e3 * n, 'On n=0'), (1e3 * n + 1e3, 'Off n=0'), (1e3 * n + 1e3, 'Ready n=0')]
        return events[:-1] + [(events[-1][0], f'Exit child={c}')]
    recipe([main, worker(0), worker(1)])

# One sleeps 1 ms again and again, and looks under a lock then for 9 us, until another one has computed for 50 ms and
# taken the lock; `often`: how many others take it after each millisecond. Then the first computes for 5 ms.
def flagged(often=0, length=50e3):
    n = int(length // 1010) + 1
    poller = [e for i in range(n) for e in [(1010 * i, 'Pause n=0'), (1010 * i + 1000, 'Resume n=0'),
              (1010 * i + 1001, 'Get desk=0x1000'), (1010 * i + 1010, 'Give desk=0x1000')]]
    end = 1010 * n
    poller += [(end, 'SerialBegin n=0'), (end + 5e3, 'SerialEnd n=0')]
    worker = [(0, 'ParallelBegin n=0'), (length, 'ParallelEnd n=0'), (length, 'Get desk=0x1000'), (length + 1, 'Give desk=0x1000')]
    other = lambda k: [(0, 'Begun usable=8')] + [e for i in range(n) for e in [(1010 * i + 400 + 20 * k, 'Get desk=0x1000'),
                       (1010 * i + 401 + 20 * k, 'Give desk=0x1000')]]
    recipe([poller, worker] + [other(k) for k in range(often)])

# One computes for 4 ms and sleeps for the rest of each 10.05 ms, ten times; `until`: it sleeps until that time.
def periodic(until, n=10, work=4e3, period=10.05e3):
    events, now = [], 0
    for i in range(n):
        left = (i + 1) * period - now - work
        events += [(now, 'SerialBegin n=0'), (now + work, 'SerialEnd n=0'), (now + work, 'Pause n=0')]
        events += [(now + work, f'Deadline left={int(left * 1e3)}')] * until + [(now + work + max(left, 1), 'Resume n=0')]
        now += work + max(left, 1)
    recipe([events])

# One waits up to 10 ms, and computes for 1 ms, again and again, until another one has computed for 50 ms and tells it to go
# on, after 1 us; then it computes for 5 ms. tell: between two waits, it tells a third one something.
def limited(limit=10e3, tell=False):
    waiter, third, now, length = [], [(0, 'SerialBegin n=2'), (1, 'SerialEnd n=2')], 0, 50e3
    while True:
        waiter += [(now, 'Await n=1'), (now, f'Limit left={int(limit * 1e3)}')]
        if now + limit > length:
            break
        now += limit
        waiter += [(now, 'Told n=1 result=110'), (now, 'SerialBegin n=0'), (now + 1e3, 'SerialEnd n=0')]
        if tell and now == limit:
            waiter += [(now + 1e3, 'Tell n=2')]
            third += [(1, 'Await n=2'), (now + 1001, 'Told n=2 result=0')]
        now += 1e3
    waiter += [(length + 1, 'Told n=1 result=0'), (length + 1, 'SerialBegin n=0'), (length + 5001, 'SerialEnd n=0')]
    recipe([waiter, [(0, 'ParallelBegin n=0'), (length, 'ParallelEnd n=0'), (length, 'Tell n=1')], third])

# One computes for 200 ms and takes the desk three times, then tells the other one to end, and waits until it has. The other
# one takes the desk each 10 ms: nobody hands it out to them.
def ticking():
    ticks = range(10, 201, 10)
    takes = lambda time: [(time, 'Get desk=0x1000'), (time + 1, 'Give desk=0x1000')]
    ticker = [(0, 'Await n=1'), (0, 'Limit left=10000000')]
    for tick in ticks:
        ticker += [(1e3 * tick, 'Told n=1 result=110')] + takes(1e3 * tick + 1) + [(1e3 * tick + 2, 'Await n=1'), (1e3 * tick + 2, 'Limit left=9998000')]
    ticker += [(200010, 'Told n=1 result=0'), (200010, 'Tell n=2')]
    main = [event for i in range(2) for event in takes(100e3 * i + 5) + [(100e3 * i + 6, 'ParallelBegin n=0'), (100e3 * i + 100e3, 'ParallelEnd n=0')]]
    main += takes(200005) + [(200009, 'Tell n=1'), (200009, 'Await n=2'), (200010, 'Told n=2 result=0'), (200010, 'SerialBegin n=0'), (201010, 'SerialEnd n=0')]
    recipe([main, ticker])

# A virtual machine's wait for the table: within it the thread takes a desk and sleeps, and takes it again. So does the other one,
# just before it leaves the table, which it has for 100 ms.
def inner():
    take = lambda time: [(time, 'Get desk=0x1000'), (time + 1, 'Give desk=0x1000')]
    work = lambda time, length: [(time, 'SerialBegin n=0'), (time + length, 'SerialEnd n=0')]
    waiter = [(1, 'Sit table=0x2000')] + take(2) + [(3, 'Pause n=0'), (100002, 'Resume n=0')] + take(100002)
    waiter += [(100004, 'Enter table=0x2000 at=0x400 key=0')] + work(100004, 50e3) + [(150004, 'Leave table=0x2000')]
    holder = [(0, 'Enter table=0x2000 at=0x400 key=0'), (0, 'ParallelBegin n=0'), (100e3, 'ParallelEnd n=0')] + take(100e3) + [(100002, 'Leave table=0x2000')]
    recipe([waiter, holder + work(100002, 10e3)])

# A thread waits for a lock for 3 ms and keeps its processor; another one leaves it, which waits for another lock.
def spinning():
    state = lambda t, what: [(t, what + ' n=0')]
    hold = lambda lock, work: [(0, 'Begun usable=4'), (0, 'On n=0'), (0, f'Get desk={lock}')] + ([(0, 'SerialBegin n=0'), (4e3, 'SerialEnd n=0')] if work else []) + [(4e3, f'Give desk={lock}'), (4e3, 'Off n=0')]
    spins = [(0, 'Begun usable=4'), (0, 'On n=0'), (1e3, 'Ask desk=0x1000'), (4e3, 'Get desk=0x1000'), (5e3, 'Give desk=0x1000'), (5e3, 'Off n=0')]
    blocks = [(0, 'Begun usable=4'), (0, 'On n=0'), (1e3, 'Ask desk=0x2000'), (1e3, 'Off n=0'), (1e3, 'Stop n=0'), (4e3, 'Ready n=0'),
              (4e3, 'On n=0'), (4e3, 'Get desk=0x2000'), (5e3, 'Give desk=0x2000'), (5e3, 'Off n=0')]
    recipe([hold('0x1000', 1), spins, hold('0x2000', 1), blocks], 'worker')

# One tries each 10 us until another one has computed for 1 ms and released a lock; then it computes for 1 ms.
def trying():
    tries = [(10 * n + 5, 'Try n=1') for n in range(101)]
    recipe([[(0, 'SerialBegin n=0')] + tries + [(1010, 'SerialEnd n=0'), (1010, 'SerialBegin n=0'), (2010, 'SerialEnd n=0')],
            [(0, 'Get desk=0x1000'), (0, 'ParallelBegin n=0'), (1e3, 'ParallelEnd n=0'), (1e3, 'Give desk=0x1000'), (1010, 'SerialBegin n=0'), (1020, 'SerialEnd n=0')]])

# The same, but two others release locks when it stops: it may have waited for each.
def trying_both():
    tries = [(10 * n + 5, 'Try n=1') for n in range(101)]
    other = lambda lock: [(0, f'Get desk={lock}'), (0, 'ParallelBegin n=0'), (1e3, 'ParallelEnd n=0'), (1e3, f'Give desk={lock}'), (1100, 'SerialBegin n=0'), (1110, 'SerialEnd n=0')]
    recipe([[(0, 'SerialBegin n=0')] + tries + [(1010, 'SerialEnd n=0')], other('0x1000'), other('0x2000')])

# Two threads run at once, each bound to a processor of its own.
def bound():
    thread = [(0, 'Begun usable=1'), (0, 'On n=0'), (0, 'SerialBegin n=0'), (100e3, 'SerialEnd n=0'), (100e3, 'Off n=0'),
              (100e3, 'Ready n=0'), (101e3, 'On n=0'), (102e3, 'Off n=0')]
    recipe([thread, thread])

eval(sys.argv[1])
