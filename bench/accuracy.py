#!/usr/bin/env python3
"""Compares predictions with their truths: writes doc/accuracy.md, or with --rows the rows of the bench.

The lines of FILE are described in script.sh. The score of the field (bench/field) has gains in % of the run instead of
times; such a prediction is a run of 100 % that becomes shorter."""
import argparse
import json
import os
import sys

sys.dont_write_bytecode = True  # the folder belongs to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'field'))

import answers

COLUMNS = ('source', 'name', 'kind', 'state', 'recorded', 'replayed', 'predicted', 'low', 'high', 'truth', 'other', 'reason')
NUMBERS = COLUMNS[4:11]
STATES = ('said', 'refused', 'failed')
FAILURES = ('crash', 'limit', 'malformed')  # states of the field that are no refusal


class Bad(Exception):
    """An input that cannot be read."""


class Prediction:
    """A line. In the field's predictions, `points` is set and the times are % of the run."""

    def __init__(self, points=False, **values):
        self.points = points
        for column in COLUMNS:
            setattr(self, column, values.get(column))

    def off(self, value=None):
        """How far a predicted run is off, %, or None if something is not known."""
        value = self.predicted if value is None else value
        if value is None or self.truth is None:
            return None
        return 100 * abs(value - self.truth) / self.whole()

    def whole(self):
        """What is 100 % of an error and of a range's width."""
        return 100 if self.points else self.truth

    def inside(self):
        """Whether the range contains the truth, or None."""
        if self.low is None or self.truth is None:
            return None
        return self.low <= self.truth <= self.high

    def width(self):
        """The width of the range, %, or None."""
        if self.low is None or self.truth is None:
            return None
        return 100 * (self.high - self.low) / self.whole()


# ---- input ----

def number(text, column):
    if text == '-':
        return None
    try:
        return float(text)
    except ValueError:
        raise Bad('%s: %r is no number' % (column, text))


def read_line(line):
    cells = line.rstrip('\n').split('\t')
    if len(cells) != len(COLUMNS):
        raise Bad('%d columns with tabs between them are expected, not %d' % (len(COLUMNS), len(cells)))
    values = dict(zip(COLUMNS, cells))
    for column in NUMBERS:
        values[column] = number(values[column], column)
    p = Prediction(**values)
    if p.state not in STATES:
        raise Bad('state: %r is none of %s' % (p.state, ', '.join(STATES)))
    if p.state == 'said' and p.predicted is None:
        raise Bad('predicted: a prediction that was said has no number')
    if p.state != 'said' and (p.predicted, p.low, p.high) != (None, None, None):
        raise Bad('predicted: a prediction that was not said has a number')
    if p.state != 'said' and p.reason in ('', '-'):
        raise Bad('reason: it is missing')
    if (p.low is None) != (p.high is None) or (p.low is not None and p.low > p.high):
        raise Bad('low, high: they are no range')
    if p.truth is not None and p.truth <= 0:
        raise Bad('truth: a run takes longer than 0')
    return p


def read_lines(path):
    predictions = []
    with open(path, encoding='utf-8') as file:
        for i, line in enumerate(file, 1):
            try:
                predictions.append(read_line(line))
            except Bad as error:
                raise Bad('%s:%d: %s' % (path, i, error))
    return predictions


def kind_of(change):
    """The kind of a change for glimpse whatif, such as speed of "--speed f=2"."""
    options = [word for word in (change or '').split() if word.startswith('--')]
    return options[0][2:].split('=')[0] if options else 'unknown'


def of_row(row, source, name):
    """The prediction of a row of gains, or None if there is none. In a noisy row the truth is not known."""
    whatif, real = row.get('whatif'), row.get('real')
    if not whatif or not real or row.get('noisy'):
        return None
    p = Prediction(points=True, source=source, name=name, state='said', kind=kind_of(row.get('change')),
                   truth=100 - real['median'])
    if 'gain' in whatif:
        p.predicted, p.low, p.high = 100 - whatif['gain'], 100 - whatif['high'], 100 - whatif['low']
    else:
        p.state = 'failed' if whatif['state'] in FAILURES or not whatif.get('reason') else 'refused'
        p.reason = whatif.get('reason') or 'no reason'
        if whatif['state'] != 'refused':
            p.reason = '%s: %s' % (whatif['state'], p.reason)
    return p


def of_field(row):
    """Of the field's score."""
    return of_row(row, 'field', '%s, %s' % (row['case'], row['condition']))


def of_random(row):
    """Of the random programs' score."""
    return of_row(row, 'random', 'seed %d, size %d, %s' % (row['seed'], row['size'], row['change']))


def read_score(path, of):
    """Returns the score's predictions, with which version they were made, and how many truths are noisy."""
    try:
        with open(path, encoding='utf-8') as file:
            score = json.load(file)
        predictions = [p for p in map(of, score['rows']) if p]
        return (predictions, '%s, on %d processors' % (score['glimpse'], score['processors']),
                sum(bool(row.get('noisy')) for row in score['rows']))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Bad('%s: this is no score: %s: %s' % (path, type(error).__name__, error))


# ---- sums ----

def median(values):
    """None without values."""
    return answers.median(values) if values else None


def known(values):
    return [value for value in values if value is not None]


def share(flags):
    """% of the known flags that are true; None without flags."""
    flags = known(flags)
    return 100 * sum(flags) / len(flags) if flags else None


def summed(predictions):
    off = known(p.off() for p in predictions)
    state = lambda name: sum(p.state == name for p in predictions)
    return {'n': len(predictions), 'refused': state('refused'), 'failed': state('failed'), 'judged': len(off),
            'median': median(off), 'worst': max(off, default=None),
            'within_3': share(x <= 3 for x in off), 'within_8': share(x <= 8 for x in off),
            'above_15': sum(x > 15 for x in off), 'ranges': len(known(p.inside() for p in predictions)),
            'inside': share(p.inside() for p in predictions),
            'width': median(known(p.width() for p in predictions))}


def parted(predictions):
    """Returns the predictions of changes, and the replays without a change."""
    return ([p for p in predictions if p.kind != 'identity'], [p for p in predictions if p.kind == 'identity'])


def beside_coz(predictions):
    """Returns in how many predictions the error is smaller than the other tool's, of how many."""
    both = [p for p in predictions if p.other is not None and p.truth is not None]
    return sum(p.off() is not None and p.off() < p.off(p.other) for p in both), len(both)


def shown(value, form='%.1f'):
    return '-' if value is None else form % value


def rows(predictions):
    """The rows of the bench: what, measured, target, detail. "-" if nothing was measured."""
    changes, unchanged = parted(predictions)
    total, identity = summed(changes), summed(unchanged)
    better, compared = beside_coz(changes)
    detail = '%d predictions, %d refused, %d failed' % (total['n'], total['refused'], total['failed'])
    judged = '%d with a known truth' % total['judged']
    return [
        ('predictions: off by, in the median, %', shown(total['median']), '<= 3', detail),
        ('predictions: off by at most 8 %, % of them', shown(total['within_8']), '>= 90', judged),
        ('predictions: off by more than 15 %, or failed',
         shown(total['above_15'] + total['failed'] if total['judged'] or total['failed'] else None, '%d'), '<= 0',
         'the worst is off by %s %%' % shown(total['worst'])),
        ('predictions: truths inside of the range, %', shown(total['inside']), '90 to 95', '%d ranges' % total['ranges']),
        ('predictions: width of the range, in the median, %', shown(total['width']), '<= 15', ''),
        ('replay unchanged: off by, in the median, %', shown(identity['median'], '%.2f'), '<= 0.5', ''),
        ('replay unchanged: off by, at worst, %', shown(identity['worst'], '%.2f'), '<= 3', ''),
        ('replay unchanged: programs', shown(identity['judged'] if unchanged else None, '%d'), '>= 15',
         '%d refused' % identity['refused']),
        ('beside coz: smaller error in, of ten', shown(10 * better / compared if compared else None), '>= 9',
         '%d of %d' % (better, compared)),
    ]


def judged(measured, target):
    """Whether a target of rows() is met: "met", "missed", or "not measured"."""
    if measured == '-':
        return 'not measured'
    value = float(measured)
    if target.startswith('<='):
        met = value <= float(target[2:])
    elif target.startswith('>='):
        met = value >= float(target[2:])
    else:
        low, high = map(float, target.split(' to '))
        met = low <= value <= high
    return 'met' if met else 'missed'


# ---- the page ----

HEAD = '''# Accuracy: each prediction and its truth

<!-- made by make accuracy; do not edit -->

Glimpse predicts how long a changed program takes. This page compares such predictions with programs that were really
changed. {note}

- A prediction comes from one recorded run. Its **truth** is the time of the changed program, measured in its own runs.
- **Off** is the distance of the prediction from the truth, in % of the truth. The field and the random programs have gains
  in % of the run; there it is the difference of the gains, in points. The width of a range has the same unit.
- **Inside** tells whether the range contains the truth. Some predictions have no range.
- A prediction that Glimpse refuses is counted, with its reason, and has no error. A crash, or an answer that takes too
  long, is a failure.
- **Source** is the script of [bench](../bench/README.md), the [field](field.md), or
  [random programs](../bench/field/random/README.md). *identity* replays programs without a change. Those errors count
  only in their own targets.

`make accuracy` measures again and writes this page. It takes 20 to 40 minutes, and needs a machine that does nothing else.
[What predictions were compared with](validation.md) describes the programs, and [what if](whatif.md#how-sure) the ranges.
'''
NOISY = 'The truths of %d random programs vary by more than 5 points; these are left out.'
SUMS = ('predictions', 'refused', 'failed', 'median off', 'within 3 %', 'within 8 %', 'worst', 'inside', 'median width')


def percent(value, digits=1):
    return '-' if value is None else '%.*f %%' % (digits, value)


def duration(ns):
    """Three digits and a unit, as the tables of Glimpse have them."""
    for unit, size in (('s', 1e9), ('ms', 1e6), ('us', 1e3), ('ns', 1)):
        if abs(ns) >= size or unit == 'ns':
            value = ns / size
            digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
            return '%.*f %s' % (digits if unit != 'ns' else 0, value, unit)


def length(p, value):
    """A run: its time, or how much longer (or, with a minus, shorter) it is than the run before the change."""
    if value is None:
        return '-'
    return '%+.1f %%' % (value - 100) if p.points else duration(value)


def table(head, lines):
    cell = lambda text: str(text).replace('|', '\\|')
    return '\n'.join(['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head),
                      *('| ' + ' | '.join(map(cell, line)) + ' |' for line in lines)])


def sums_table(column, predictions, name_of):
    groups = {}
    for p in predictions:
        groups.setdefault(name_of(p), []).append(p)
    lines = []
    for name, group in sorted(groups.items()) + [('all', predictions)]:
        s = summed(group)
        lines.append((name, s['n'], s['refused'], s['failed'], percent(s['median']), percent(s['within_3'], 0),
                      percent(s['within_8'], 0), percent(s['worst']), percent(s['inside'], 0), percent(s['width'])))
    return table((column, *SUMS), lines)


def line_of(p):
    inside = p.inside()
    return (p.source, p.name, p.kind, length(p, p.truth), length(p, p.predicted) if p.state == 'said' else p.state,
            '-' if p.low is None else '%s to %s' % (length(p, p.low), length(p, p.high)),
            percent(p.off(), 2 if p.kind == 'identity' else 1),
            '-' if inside is None else 'yes' if inside else 'no')


def page(predictions, note):
    predictions = sorted(predictions, key=lambda p: (p.source, p.name))
    changes = parted(predictions)[0]
    said_no = [p for p in predictions if p.state != 'said']
    beside = [p for p in changes if p.other is not None]
    parts = [
        HEAD.format(note=note).replace('. \n', '.\n'),
        '## Targets\n',
        table(('what', 'measured', 'target', '', ''),
              [(what, measured, target.replace('<=', 'at most').replace('>=', 'at least'), judged(measured, target), detail)
               for what, measured, target, detail in rows(predictions)]),
        '\n## By source\n',
        sums_table('source', changes, lambda p: p.source),
        '\n## By kind of change\n',
        sums_table('kind', changes, lambda p: p.kind),
    ]
    if beside:
        parts += ['\n## Beside coz\n',
                  table(('program and change', 'truth', 'Glimpse', 'off', 'coz', 'off'),
                        [(p.name, length(p, p.truth), length(p, p.predicted) if p.state == 'said' else p.state,
                          percent(p.off()), length(p, p.other), percent(p.off(p.other))) for p in beside])]
    parts += ['\n## All predictions\n',
              table(('source', 'program and change', 'kind', 'truth', 'predicted', 'range', 'off', 'inside'),
                    map(line_of, predictions))]
    if said_no:
        parts += ['\n## Without an answer\n',
                  table(('source', 'program and change', 'state', 'reason'),
                        [(p.source, p.name, p.state, p.reason) for p in said_no])]
    return '\n'.join(parts) + '\n'


def main():
    parser = argparse.ArgumentParser(description='Compares predictions with their truths.')
    parser.add_argument('files', nargs='*', metavar='FILE', help='predictions that the scripts of the bench logged')
    parser.add_argument('--score', help="the field's score.json")
    parser.add_argument('--random', help="the random programs' random.json")
    parser.add_argument('--note', default='', help='a sentence for the head of the page, such as the machine')
    parser.add_argument('-o', dest='output', metavar='PAGE', help='write the page to this file')
    parser.add_argument('--rows', action='store_true', help='print the rows of the bench')
    options = parser.parse_args()
    scores = [(options.score, of_field), (options.random, of_random)]
    paths = [*options.files, *(path for path, _ in scores if path)]
    if bool(options.output) == options.rows or not paths:
        parser.error('it needs either -o PAGE or --rows, and a FILE, --score or --random')
    try:
        predictions = [p for path in options.files for p in read_lines(path)]
        version, noisy = '', 0
        for path, of in scores:
            if path:
                more, version, left_out = read_score(path, of)
                predictions += more
                noisy += left_out
        if not predictions:
            raise Bad('there is no prediction in %s' % ' '.join(paths))
        if options.rows:
            for row in rows(predictions):
                print(*row, sep='\t')
            return
        note = ' '.join(filter(None, ['They are of %s.' % version if version else '', options.note,
                                      NOISY % noisy if noisy else '']))
        text = page(predictions, note)
        with open(options.output + '.new', 'w', encoding='utf-8') as file:
            file.write(text)
        os.replace(options.output + '.new', options.output)
    except (Bad, OSError) as error:
        sys.exit('accuracy: %s' % error)


if __name__ == '__main__':
    main()
