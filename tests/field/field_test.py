"""Judging answers, medians, limits and differences: what needs no recording. Prints TAP."""
import os
import random
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ['SRC'] + '/bench/field')
import answers
import processes
import table

count = failures = 0


def check(name, got, wanted):
    global count, failures
    count += 1
    good = got == wanted
    failures += not good
    print('%sok %d - %s' % ('' if good else 'not ', count, name))
    if not good:
        print('# got %r, wanted %r' % (got, wanted))


LINES = [
    # first line, arguments of judge, verdict
    ('Limited only by computing in compute(), thread main: 98 %', dict(right=r'computing.* compute\('), 'right'),
    ('Limited only by computing in copy(), thread main: 98 %', dict(right=r'computing.* compute\('), 'wrong'),
    ('Held up by lock hot, held in turns(), hot.c:17', dict(right='lock (hot|cold)', wrong='turns'), 'wrong'),
    ('no bottleneck found (95 hypotheses tested; --tree shows them)', dict(right='lock'), 'silent'),
    ('Waits for an unknown reason, thread c (0): 97 % of the critical path', dict(right='lock'), 'silent'),
    ('Waits for an unknown reason, thread c (0): 97 % of the critical path', dict(sort='healthy'), 'silent'),
    ('No thread in the trace is active', dict(right='lock'), 'silent'),
    ('', dict(right='lock'), 'silent'),
    ('Limited only by computing in unknown(), thread main: 98 %', dict(right='lock'), 'wrong'),
    ('Other programs keep the processors busy: this one runs on 0.27 of 2', dict(right='lock', others=1.5), 'silent'),
    ('Other programs keep the processors busy: this one runs on 0.27 of 2', dict(right='lock', others=0.0), 'wrong'),
    ('Other programs keep the processors busy: 69 % of it in f()', dict(right=r'busy.* f\(', others=0.0), 'right'),
    ('no bottleneck found (95 hypotheses tested; --tree shows them)', dict(sort='healthy'), 'right'),
    ('All processors are busy: 1.99 of 2', dict(sort='healthy'), 'right'),
    ('Held up by lock hot, held in turns(), hot.c:17', dict(sort='healthy'), 'wrong'),
    ('Limited only by computing in f()', dict(sort='healthy', right='lock'), 'wrong'),
]
for line, how, verdict in LINES:
    check('%s, %s: %s' % (line[:40] or 'an empty line', how, verdict), answers.judge(line, **how), verdict)

check('unreadable names count once', answers.unreadable('a fn_12ab\nb libz.so.1:fn_12\nc fn_12ab\nd x.so+0x12 e 0xffff1234\nf main'), 4)
check('and only on the first screen', answers.unreadable('main\n' * 24 + 'fn_1'), 0)
check('an answer says what is searched', answers.says('a\nheld by clerk 1', 'by clerk [0-9]'), True)
check('or not', answers.says('held by main', 'clerk'), False)
check('and without a pattern nothing is known', answers.says('a', ''), None)
check('the median of an odd number', answers.median([3, 1, 2]), 2)
check('the median of an even number', answers.median([4, 1, 2, 3]), 2.5)
check('no values have no spread', answers.spread([]), None)
check('the quartiles', answers.spread([1, 2, 3, 4, 5]), {'median': 3, 'low': 2, 'high': 4, 'n': 5})
seed = int(os.environ.get('SEED', time.time_ns() % 2**32))
print('# SEED=%d' % seed)
source = random.Random(seed)
wrong = []
for _ in range(300):
    values = [source.randint(0, 9) for _ in range(source.randint(1, 30))]
    middle = answers.median(values)
    if 2 * sum(v < middle for v in values) > len(values) or 2 * sum(v > middle for v in values) > len(values):
        wrong.append(values)
check('at most half of random values are on each side of the median', wrong, [])

gain = answers.gain_of({'replayed': 200, 'predicted': 150, 'low': 140, 'high': 180})
check('the gain is relative to the unchanged replay', gain, {'gain': 25, 'low': 100 * (1 - 180 / 200), 'high': 100 * (1 - 140 / 200)})
check('a replay without length has no gain', answers.gain_of({'replayed': 0, 'predicted': 0, 'low': 0, 'high': 0}), None)
off = answers.compare(dict(gain=25, low=10, high=30), {'median': 28})
check('a prediction is 3 points off, inside its range', (off['off'], off['inside'], off['width']), (3, True, 20))
check('or outside', answers.compare(dict(gain=25, low=10, high=30), {'median': 31})['inside'], False)

slow = processes.run(['sh', '-c', 'sleep 1000 & exec sleep 1000'], 0.2)
check('a command ends at its limit', (slow.status, slow.trouble), (None, 'time limit'))
check('a signal is an end', processes.run(['sh', '-c', 'kill -9 $$'], 60).trouble, 'ended by signal 9')
check('a missing command is status 127', processes.run(['/nonexistent'], 60).status, 127)
with processes.Loops(2) as loops:
    pids = loops.pids
    check('busy processes live', all(os.path.exists('/proc/%d' % pid) for pid in pids), True)
    processes.run(['true'], 60, keep=pids)
    check('and outlive a command', sorted(pids), sorted(set(pids) & set(processes.children())))
check('and end', processes.children(), [])


def row(case, verdict, whatif=None, **more):
    return dict(case=case, condition='quiet', sort='real', verdict=verdict, whatif=whatif,
                real={'median': 50, 'low': 49, 'high': 51}, **more)


said = dict(gain=40, low=30, high=45, off=10, inside=False, width=15)
rows = [row('a', 'right', said), row('b', 'wrong', {'state': 'refused'}), row('c', 'failed', trouble='broken')]
sums = table.summed(rows)[-1]
check('the sums', [sums[name] for name in ('n', 'right', 'silent', 'wrong', 'failed', 'predictions', 'within_8', 'within_15', 'refused')],
      [3, 1, 0, 1, 1, 1, 0, 1, 1])
text = table.against({'rows': [row('a', 'wrong', dict(said, off=2)), row('b', 'right', {'state': 'refused'})]}, {'rows': rows})
check('what became better and worse', text, 'better:\n  a, quiet: right, was wrong: None\nworse:\n'
      '  a, quiet: the prediction is 10.0 points off, was 2.0\n  b, quiet: wrong, was right: None')
print('1..%d' % count)
sys.exit(failures != 0)
