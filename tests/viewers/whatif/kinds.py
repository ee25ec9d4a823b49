"""Prints the recipe of a run that all kinds of change apply to.

A first thread makes two workers, which take items under a lock and read after each. When they have ended, it makes two
helpers, which share the chunks of a loop.
"""

SPEC = '''glimpse kinds
event Make(int child); event Start(int child); event Exit(int child);
event Join(int child); event Joined(int child);
event Ask(object desk, code at); event Get(object desk, code at); event Give(object desk);
event ReadBegin(int fd); event ReadEnd(long got) = (bytes "got");
event Begin(int first, int last, code at); event End(int n);
interval Queue [ a:Ask -> g:Get ] where a.thread == g.thread && a.desk == g.desk = rectangle (kind "wait");
interval Desk [ g:Get -> x:Give ] nested where g.thread == x.thread && g.desk == x.desk = rectangle (kind "hold");
interval Handed [ g:Get <- x:Give ] where g.desk == x.desk = line (kind "cause");
interval Life [ s:Start -> e:Exit ] = rectangle (kind "life");
interval Made [ m:Make -> s:Start ] where m.child == s.child = line (kind "cause");
interval JoinWait [ j:Join -> d:Joined ] where j.thread == d.thread && j.child == d.child = rectangle (kind "wait");
interval Ended [ d:Joined <- e:Exit ] where d.child == e.child = line (kind "cause");
interval Read [ b:ReadBegin -> e:ReadEnd ] nested where b.thread == e.thread = rectangle (kind "io");
interval Chunk [ b:Begin -> e:End ] nested where b.thread == e.thread = rectangle (kind "work")
    metric iterations = b.last - b.first;
end
'''
ITEMS, READS, CHUNKS, SIZE, HOLD = 40, 300, 24, 4, 500
main, threads = [], []
now = lock_free = 0


def begin(name):
    """Makes two threads; returns when each is free, and their events."""
    global now
    free, events = [], []
    for _ in range(2):
        now += 1000
        child = len(threads) + 1
        main.append((now, f'Make child={child}'))
        events.append([(now, f'Start child={child}')])
        threads.append((name, events[-1]))
        free.append(now)
    return free, events


def end(free, events):
    """Ends them; the first thread waits for that."""
    global now
    for k, mine in enumerate(events):
        child = len(threads) - 1 + k
        mine.append((free[k], f'Exit child={child}'))
        main.append((now, f'Join child={child}'))
        now = max(now, free[k]) + 1
        main.append((now, f'Joined child={child}'))


def hold(free, events, k):
    """Acquires the lock when it is free, and releases it."""
    global lock_free
    get = max(free[k], lock_free)
    if get > free[k]:
        events[k].append((free[k], 'Ask desk=0x1000 at=0x4000'))
    free[k] = lock_free = get + HOLD
    events[k].extend([(get, 'Get desk=0x1000 at=0x4000'), (free[k], 'Give desk=0x1000')])


free, events = begin('worker')
for item in range(ITEMS):
    k = free.index(min(free))
    hold(free, events, k)
    events[k].extend([(free[k], 'ReadBegin fd=3'), (free[k] + READS, 'ReadEnd got=4096')])
    free[k] += READS + 2000 + 700 * (item * 7 % 11)
for k in range(2):
    hold(free, events, k)
end(free, events)
free, events = begin('helper')
for chunk in range(CHUNKS):
    k = free.index(min(free))
    events[k].append((free[k], f'Begin first={SIZE * chunk} last={SIZE * (chunk + 1)} at=0x5000'))
    free[k] += SIZE * (1000 + 300 * (chunk * 7 % 11))
    events[k].append((free[k], 'End n=0'))
end(free, events)
print('spec kinds.spec <<\n' + SPEC + '>>')
print('process clock=2 first=1000000000/1000000000/0 newest=9000000000/9000000000/0')
for n, (name, events) in enumerate([('first', main)] + threads):
    print(f'log {n} clock=2 pair=1000000000/1000000000/0 name={name}')
    for time, text in events:
        print(f'{1000000000 + time * 1000} {text}')
