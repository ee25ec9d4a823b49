"""Writes scores: as a table for the terminal, as markdown, and as the difference from an earlier score."""

HEAD = ('case', 'condition', 'first line', 'named', 'holder', 'real gain', 'ranked', 'predicted', 'range', 'inside',
        'caused', 'cost', 'why', 'memory', 'unread', 'nonsense', 'what came out')
SUMS = ('sort', 'condition', 'n', 'right', 'silent', 'wrong', 'failed', 'predictions', 'within 3', 'within 8', 'within 15',
        'inside', 'refused', 'nonsense')


def number(value, form='%.1f'):
    return '-' if value is None else form % value


def told(prediction):
    """The gain that a prediction names, or why there is none, in a word."""
    if not prediction:
        return '-'
    return number(prediction['gain']) if 'gain' in prediction else prediction['state']


def answered(value):
    return '-' if value is None else 'yes' if value else 'no'


def cells(row):
    real, whatif = row.get('real'), row.get('whatif') or {}
    return (row['case'], row['condition'], row['verdict'], answered(row.get('named')), answered(row.get('holder')),
            '%.1f (%.1f-%.1f)' % (real['median'], real['low'], real['high']) if real else '-',
            told(row.get('rank')), told(row.get('whatif')),
            '%.0f..%.0f' % (whatif['low'], whatif['high']) if 'low' in whatif else '-',
            answered(whatif.get('inside')),
            number(row.get('caused'), '%.0f'), number(row.get('cost'), '%.2f'),
            number(row.get('why_seconds'), '%.2f'), number(row.get('why_memory') and row['why_memory'] / 1e6, '%.0f'),
            number(row.get('unreadable'), '%d'), '-' if 'nonsense' not in row else '%d' % len(row['nonsense']),
            row.get('trouble') or row.get('line') or '')


def aligned(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        yield '  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def of(part, whole):
    return '-' if not whole else '%.0f' % (100 * part / whole)


def summed(rows):
    """Returns a dictionary per sort and condition, and per condition for all sorts."""
    sums = []
    conditions = list(dict.fromkeys(row['condition'] for row in rows))
    for sort in ('real', 'situation', 'healthy', 'all'):
        for condition in conditions:
            chosen = [row for row in rows if row['condition'] == condition and sort in (row['sort'], 'all')]
            if not chosen:
                continue
            verdict = lambda name: sum(row['verdict'] == name for row in chosen)
            asked = [row['whatif'] for row in chosen if row.get('whatif') and row.get('real')]
            said = [whatif for whatif in asked if 'off' in whatif]
            within = lambda points: sum(whatif['off'] <= points for whatif in said)
            sums.append({'sort': sort, 'condition': condition, 'n': len(chosen), 'right': verdict('right'),
                         'silent': verdict('silent'), 'wrong': verdict('wrong'), 'failed': verdict('failed'),
                         'predictions': len(said), 'within_3': within(3), 'within_8': within(8),
                         'within_15': within(15), 'inside': sum(whatif['inside'] for whatif in said),
                         'refused': len(asked) - len(said),
                         'nonsense': sum(len(row.get('nonsense', [])) for row in chosen)})
    return sums


def sum_cells(total):
    n, said = total['n'], total['predictions']
    share = lambda name, whole: of(total[name], whole) + (' %' if whole else '')
    return (total['sort'], total['condition'], str(n), share('right', n), share('silent', n), share('wrong', n),
            share('failed', n), str(said), share('within_3', said), share('within_8', said), share('within_15', said),
            share('inside', said), str(total['refused']), str(total.get('nonsense', '-')))


def terminal(score):
    """The table: a row per case and condition, then the sums."""
    return '\n'.join([*aligned([HEAD, *map(cells, score['rows'])]), '',
                      *aligned([SUMS, *map(sum_cells, score['sums'])])])


def markdown(score):
    def lines(head, rows):
        yield '| ' + ' | '.join(head) + ' |'
        yield '|' + '---|' * len(head)
        for row in rows:
            yield '| ' + ' | '.join(cell.replace('|', '\\|') for cell in row) + ' |'
    return '\n'.join([*lines(SUMS, map(sum_cells, score['sums'])), '',
                      *lines(HEAD, map(cells, score['rows']))])


ORDER = {'right': 0, 'silent': 1, 'wrong': 2, 'failed': 3}


def against(old, new):
    """Names what became better and worse since an earlier score."""
    before = {(row['case'], row['condition']): row for row in old['rows']}
    better, worse = [], []
    for row in new['rows']:
        was = before.get((row['case'], row['condition']))
        if not was:
            continue
        name = '%s, %s: ' % (row['case'], row['condition'])
        if ORDER[was['verdict']] != ORDER[row['verdict']]:
            (better if ORDER[row['verdict']] < ORDER[was['verdict']] else worse).append(
                name + '%s, was %s: %s' % (row['verdict'], was['verdict'], row.get('line') or row.get('trouble')))
        off, was_off = (side.get('whatif') or {} for side in (row, was))
        if 'off' in off and 'off' in was_off and abs(off['off'] - was_off['off']) >= 5:
            (better if off['off'] < was_off['off'] else worse).append(
                name + 'the prediction is %.1f points off, was %.1f' % (off['off'], was_off['off']))
        elif ('off' in off) != ('off' in was_off) and off and was_off:
            (better if 'off' in off else worse).append(
                name + 'the prediction is %s, was %s' % (told(off), told(was_off)))
    return '\n'.join(['better:', *('  ' + line for line in better or ['-']),
                      'worse:', *('  ' + line for line in worse or ['-'])])
