#!/usr/bin/env python3
"""Compares predictions with real changes of random programs. README.md describes both."""
import os
import sys

# Other modules import the standard module of this file's name: this folder must not be searched.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(HERE)
sys.dont_write_bytecode = True  # the folder belongs to the sources

import argparse
import json
import shlex
import shutil
import time

import answers
import processes
import table
from field import Failed, Interruption, last, say, version

LIMITS = {'build': 120, 'run': 30, 'ask': 60}  # seconds
PAIRS = 3
MOST_PAIRS = 9
NOISY = 5  # points of the run between the quartiles of the real gain
FAR = 8  # points: a prediction that is farther off misses if its range excludes the real gain
KINDS = ('function', 'gone', 'hold', 'lock', 'sleep', 'thread', 'cores', 'threads')
HEAD = ('kind', 'programs', 'noisy', 'failed', 'refused', 'predicted', 'median off', 'within 3',
        'within 8', 'within 15', 'inside', 'width', 'identity', 'misses')


def done(what, command, limit):
    """Runs a command that must succeed."""
    ran = processes.run(command, limit)
    if ran.status != 0:
        raise Failed('%s: %s' % (what, ran.trouble or last(ran.err) or 'status %d' % ran.status))
    return ran


def built(out):
    """Compiles drawn.c. With -O1, a call at the end of a function keeps its call site."""
    program = os.path.join(out, 'drawn')
    done('drawn.c', [*os.environ.get('CC', 'cc').split(), '-std=gnu11', '-O1', '-g', '-o', program,
                     os.path.join(HERE, 'drawn.c'), '-lpthread'], LIMITS['build'])
    return program


class Program:
    """A drawn program and its change."""

    def __init__(self, drawn, seed, size, change):
        self.command = [drawn, str(seed), '--size', str(size)]
        forced = ['--change', change] if change else []
        described = done('describe', [*self.command, *forced, '--describe'], LIMITS['ask'])
        self.lines = described.out.splitlines()
        words = dict(line.partition(' ')[::2] for line in self.lines)
        self.kind, self.change = words['kind'], words['whatif']

    def timed(self, changed):
        """Runs once; returns the seconds of main, and how many processors other programs used."""
        command = [*self.command, '--change', self.change] if changed else self.command
        ran = done('changed run' if changed else 'plain run', command, LIMITS['run'])
        return int(ran.out.split()[0]) / 1e9, ran.others


def measured(program, pairs):
    """Runs the program and its change in turn, more often if the gains differ much."""
    plain, gains, others = [], [], []
    while len(plain) < pairs or (len(plain) < MOST_PAIRS and too_wide(answers.spread(gains))):
        changed_first = len(plain) % 2 == 1
        took = {changed: program.timed(changed) for changed in (changed_first, not changed_first)}
        plain.append(took[False][0])
        gains.append(100 * (1 - took[True][0] / took[False][0]))
        others += [one[1] for one in took.values()]
    return answers.spread(plain), answers.spread(gains), answers.median(others)


def too_wide(spread):
    return spread['high'] - spread['low'] > NOISY


def predicted(glimpse, directory, change, real):
    """Asks for the prediction. A refusal and a failure have a state and a reason."""
    ran = processes.run([glimpse, 'whatif', directory, *change.split(' ', 1), '--format=json'],
                        LIMITS['ask'])
    if ran.trouble:
        return {'state': 'failed', 'reason': ran.trouble}
    if ran.status != 0:
        return {'state': 'refused', 'reason': first_error(ran.err)}
    said = json.loads(ran.out)
    gain = answers.gain_of(said)
    if gain is None:
        return {'state': 'failed', 'reason': 'the replay has no length'}
    gain['identity'] = 100 * (said['replayed'] / said['recorded'] - 1)
    gain['hand_out'] = [pool['copied_because'] or 'handed out' for pool in said['hand_out']]
    return answers.compare(gain, real)


def first_error(text):
    found = [line for line in text.splitlines() if ': error: ' in line]
    return found[0].partition(': error: ')[2] if found else last(text)


def compared(options, seed, size):
    """One row: what came of the program of a seed."""
    row = {'seed': seed, 'size': size, 'kind': '-'}
    directory = os.path.join(options.out, 'trace.%d.%d' % (seed, size))
    try:
        program = Program(options.drawn, seed, size, options.change)
        row.update(kind=program.kind, change=program.change, drawn=program.lines)
        row['plain'], row['real'], row['others'] = measured(program, options.pairs)
        shutil.rmtree(directory, ignore_errors=True)
        recorder = [options.glimpse, 'record', '-q', '-o', directory, '--']
        ran = done('recorded run', [*recorder, *program.command], LIMITS['run'])
        row['cost'] = int(ran.out.split()[0]) / 1e9 / row['plain']['median']
        row['whatif'] = predicted(options.glimpse, directory, program.change, row['real'])
        row['noisy'] = too_wide(row['real'])
    except Failed as error:
        row['trouble'] = str(error)
    except (ValueError, KeyError, TypeError, IndexError) as error:  # an answer of an unknown form
        row['trouble'] = '%s: %s' % (type(error).__name__, error)
    if not options.keep:
        shutil.rmtree(directory, ignore_errors=True)
    row['state'] = state_of(row)
    return row


def state_of(row):
    if 'trouble' in row:
        return 'failed'
    if row['noisy']:
        return 'noisy'
    whatif = row['whatif']
    if 'state' in whatif:
        return whatif['state']
    return 'miss' if whatif['off'] > FAR and not whatif['inside'] else 'predicted'


def described(row):
    """A line about a row: what was asked, what is true, what was said."""
    text = 'seed %d size %d, %s' % (row['seed'], row['size'], row.get('change', '-'))
    if 'trouble' in row:
        return text + ': ' + row['trouble']
    real, whatif = row['real'], row['whatif']
    text += ': real %.1f (%.1f to %.1f)' % (real['median'], real['low'], real['high'])
    if 'state' in whatif:
        return text + ', %s: %s' % (whatif['state'], whatif['reason'])
    return text + ', predicted %.1f (%.1f to %.1f), identity %+.1f %%' % (
        whatif['gain'], whatif['low'], whatif['high'], whatif['identity'])


def repeated(options, row):
    """The command that compares the same program again, and keeps its recording."""
    forced = ['--change', options.change] if options.change else []
    return shlex.join([os.path.abspath(__file__), '--glimpse', options.glimpse, '--programs', '1',
                       '--seed', str(row['seed']), '--sizes', str(row['size']), *forced, '--keep'])


def summed(rows):
    """A dictionary for each kind of change that a program has, and for all."""
    sums = []
    for kind in (*KINDS, 'all'):
        chosen = [row for row in rows if kind in (row['kind'], 'all')]
        if not chosen:
            continue
        said = [row['whatif'] for row in chosen if row['state'] in ('predicted', 'miss')]
        state = lambda name: sum(row['state'] == name for row in chosen)
        middle = lambda values: answers.median(values) if values else None
        within = lambda points: sum(whatif['off'] <= points for whatif in said)
        sums.append({'kind': kind, 'programs': len(chosen), 'noisy': state('noisy'),
                     'failed': state('failed'), 'refused': state('refused'), 'predicted': len(said),
                     'off': middle([whatif['off'] for whatif in said]),
                     'within_3': within(3), 'within_8': within(8), 'within_15': within(15),
                     'inside': sum(whatif['inside'] for whatif in said),
                     'width': middle([whatif['width'] for whatif in said]),
                     'identity': middle([abs(whatif['identity']) for whatif in said]),
                     'misses': state('miss')})
    return sums


def sum_cells(total):
    n = total['predicted']
    share = lambda name: table.of(total[name], n) + (' %' if n else '')
    counts = [str(total[name]) for name in ('programs', 'noisy', 'failed', 'refused', 'predicted')]
    shares = [share(name) for name in ('within_3', 'within_8', 'within_15', 'inside')]
    middles = [table.number(total[name]) for name in ('off', 'width', 'identity')]
    return (total['kind'], *counts, middles[0], *shares, *middles[1:], str(total['misses']))


def written(score, out):
    score['sums'] = summed(score['rows'])
    path = os.path.join(out, 'random.json')
    with open(path + '.new', 'w') as file:
        json.dump(score, file, indent=1)
        file.write('\n')
    os.replace(path + '.new', path)


def parsed():
    parser = argparse.ArgumentParser(
        description='Compares predictions with real changes of random programs.')
    add = parser.add_argument
    add('--programs', type=int, default=300, help='how many seeds (300)')
    add('--seed', type=int, default=1, help='the first seed (1)')
    add('--sizes', default='1,2',
        help='with commas between them: 2 takes three times as long as 1, 0 a tenth (1,2)')
    add('--change', help="change all programs so: '--speed work_c=2' (default: one drawn for each)")
    add('--glimpse', default='glimpse', help='the command that records and predicts (glimpse)')
    add('--pairs', type=int, default=PAIRS,
        help='pairs of runs that measure the real gain (%d); up to %d while its quartiles are more '
        'than %d points apart' % (PAIRS, MOST_PAIRS, NOISY))
    add('--out', default='random.out', help='directory for program and results (random.out)')
    add('--keep', action='store_true', help='keep the recordings')
    options = parser.parse_args()
    try:
        options.sizes = [int(size) for size in options.sizes.split(',')]
    except ValueError:
        parser.error('--sizes must be numbers with commas between them')
    if min(options.sizes) < 0 or max(options.sizes) > 2:
        parser.error('--sizes must be 0, 1 or 2')
    if options.pairs < 1 or options.programs < 1 or options.seed < 0:
        parser.error('--pairs and --programs must be at least 1, and --seed at least 0')
    return options


def main():
    options = parsed()
    options.out = os.path.abspath(options.out)
    found = shutil.which(options.glimpse)
    if not found:
        sys.exit('random: %s: no such command' % options.glimpse)
    options.glimpse = os.path.abspath(found)
    processes.adopt_orphans()
    os.makedirs(options.out, exist_ok=True)
    try:
        options.drawn = built(options.out)
    except Failed as error:
        sys.exit('random: %s' % error)
    begin = time.monotonic()
    score = {'glimpse': version(options.glimpse), 'processors': os.cpu_count(),
             'load_before': os.getloadavg()[0], 'interrupted': False, 'rows': []}
    seeds = range(options.seed, options.seed + options.programs)
    runs = [(seed, size) for seed in seeds for size in options.sizes]
    interruption = Interruption()
    status = 0
    try:
        for i, (seed, size) in enumerate(runs):
            row = compared(options, seed, size)
            score['rows'].append(row)
            text = '%s: %s' % (row['state'], described(row))
            say('[%d/%d, %.0f s] %s' % (i + 1, len(runs), time.monotonic() - begin, text))
            if row['state'] in ('miss', 'failed'):
                print('%s\n    %s' % (text, repeated(options, row)), flush=True)
            written(score, options.out)
            interruption.check()
    except KeyboardInterrupt:
        processes.reap()
        score['interrupted'] = True
        say('interrupted; the sums of the rows so far follow')
        status = 130
    score['seconds'] = time.monotonic() - begin
    score['load_after'] = os.getloadavg()[0]
    written(score, options.out)
    print('\n'.join(table.aligned([HEAD, *map(sum_cells, score['sums'])])))
    sys.exit(status)


if __name__ == '__main__':
    main()
