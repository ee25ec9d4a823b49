#!/usr/bin/env python3
"""nonsense.py [--enforced] GLIMPSE DIRECTORY...: prints what the answers about recordings say that no true answer can.

All faster twice is no more than half as long; more of a change, or more processors, never lengthen a run; a range
contains its prediction; no part is more than the whole. --enforced: without the first, which single predictions
about one recording can contradict. The exit status says whether there was anything."""
import csv
import io
import json
import subprocess
import sys

LIMIT = 120  # seconds


def ask(glimpse, *words):
    """Returns the answer, or None; and what was said about it."""
    try:
        got = subprocess.run([glimpse, *words], capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, 'no answer within %d s' % LIMIT
    return (got.stdout if got.returncode == 0 else None), got.stderr


def rows(glimpse, *words):
    out, said = ask(glimpse, *words, '--format=csv')
    return list(csv.DictReader(io.StringIO(out))) if out else []


def percent(share):
    return '%.1f %%' % (100 * share)


def of_speeds(glimpse, directory):
    """All faster, beyond what the ranges allow. A recording whose replay is refused has no such answers."""
    gains = {}
    for factor in ('1', '2', '4', 'inf'):
        out, said = ask(glimpse, 'whatif', directory, '--speed', '*=' + factor, '--format=json')
        if 'deadlock' in said:
            yield 'the replay deadlocks'
        if not out:
            continue
        answer = json.loads(out)
        if not answer['low'] <= answer['predicted'] <= answer['high']:
            yield 'all %s times as fast: %d is not in its range' % (factor, answer['predicted'])
        gains[factor] = [1 - answer[time] / answer['without_cost'] for time in ('high', 'predicted', 'low')]
    text = lambda factor: '%s times as fast gains %s (%s to %s)' % (
        factor, percent(gains[factor][1]), percent(gains[factor][0]), percent(gains[factor][2]))
    if '2' in gains and gains['2'][0] > 0.5:
        yield 'all ' + text('2')
    # a path of computing c is shorter by c/2, and by 3c/4, if threads do not wait for locks in another order
    if '2' in gains and '4' in gains and gains['2'][2] < gains['4'][0] / 2:
        yield 'all %s, %s' % (text('2'), text('4'))
    known = sorted(gains, key=float)
    for less, more in zip(known, known[1:]):
        if gains[more][2] < gains[less][0]:
            yield 'all %s, %s' % (text(less), text(more))


def of_processors(glimpse, directory):
    shortest = None
    for row in rows(glimpse, 'whatif', directory, '--sweep', 'cores=1..6'):
        time = int(row['predicted'] or 0)
        if time and shortest and time > shortest:
            yield '%s processors: longer than with fewer' % row['factor']
        if time:
            shortest = min(time, shortest or time)


def of_profile(glimpse, directory):
    shortest = {}
    for row in rows(glimpse, 'whatif', directory, '--sweep', 'best'):
        if not row['predicted'] or row['factor'] == 'removed':
            continue
        name, time = (row['what'], row['kind']), int(row['predicted'])
        if not 0 <= time <= shortest.get(name, time):
            yield '%s %s times as fast: %d ns, and less so %d ns' % (row['what'], row['factor'], time, shortest.get(name, time))
        if not int(row['low']) <= time <= int(row['high']):
            yield '%s %s times as fast: %d is not in its range' % (row['what'], row['factor'], time)
        shortest[name] = min(time, shortest.get(name, time))


def of_rank(glimpse, directory):
    for row in rows(glimpse, 'rank', directory, '--top', 'all'):
        whole = int(row['logged'] or 0)
        for column in ('critical_path', 'logical_zeroing', 'slack', 'whatif', 'removal'):
            if row[column] and int(row[column]) > whole:
                yield '%s: %s is %s of the run' % (row['what'], column, percent(int(row[column]) / whole))
        if row['share'] and float(row['share']) > 1:
            yield '%s: a share of %s' % (row['what'], percent(float(row['share'])))
        if row['whatif'] and not int(row['whatif_low']) <= int(row['whatif']) <= int(row['whatif_high']):
            yield '%s: the gain is not in its range' % row['what']


ENFORCED = of_processors, of_profile, of_rank  # the tool itself keeps to these
LOOKS = (of_speeds, *ENFORCED)


def nonsense(glimpse, directory, looks=LOOKS):
    return [said for look in looks for said in look(glimpse, directory)]


def main(*words):
    looks = ENFORCED if words[0] == '--enforced' else LOOKS
    glimpse, *directories = words[words[0] == '--enforced':]
    found = 0
    for directory in directories:
        for said in nonsense(glimpse, directory, looks):
            print('%s: %s' % (directory, said), flush=True)
            found += 1
    return found > 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
