"""Checks what the tables of glimpse say of one trace, or two, in text, csv and json.

tables.py GLIMPSE TRACE... checks the tables of each; tables.py GLIMPSE --diff TRACE... what each
differs in from the next. Exit status 1 if a property fails: prints the command and the row.
"""
import concurrent.futures
import csv
import io
import json
import math
import os
import re
import subprocess
import sys

GLIMPSE = sys.argv[1]
failures = []
rows_seen = 0
formats_of = {}

NUMBER = re.compile(r'-?\d+(\.\d+)?([eE][-+]?\d+)?$')
UNITS = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9, 'min': 60e9, 'h': 3600e9,
         'bytes': 1, 'KiB': 2**10, 'MiB': 2**20, 'GiB': 2**30}
# What may be below zero: changes, metrics and what a prediction says.
SIGNED = {'whatif', 'whatif_low', 'whatif_high', 'removal', 'gain', 'gain_low', 'gain_high', 'change', 'low', 'high', 'unexplained', 'ratio', 'difference'}


def fail(command, text):
    failures.append(f'glimpse {" ".join(command)}: {text}')


def run(command):
    done = subprocess.run([GLIMPSE, *command], capture_output=True, text=True, timeout=60)
    if done.returncode not in (0, 1) or (done.returncode == 1 and command[0] != 'check'):
        return None
    return done.stdout


def formats(subcommand):
    if subcommand not in formats_of:
        formats_of[subcommand] = [x for x in ('csv', 'json') if re.search(
            r'--format FORMAT .*\b' + x, run([subcommand, '--help']))]
    return formats_of[subcommand]


def plain(value):
    """A field of csv: None if there is nothing, a number or the text."""
    if value == '':
        return None
    return float(value) if NUMBER.match(value) else value


def table_rows(command, said):
    head, *lines = csv.reader(io.StringIO(said))
    for line in lines:
        if len(line) != len(head):
            fail(command, f'{len(line)} fields under {len(head)} names: {line}')
    return [{k: plain(v) for k, v in zip(head, line)} for line in lines]


def finite(command, value, name=''):
    """All numbers of a JSON text: finite, and not below zero where that cannot be."""
    if isinstance(value, dict):
        for key, part in value.items():
            finite(command, part, key)
    elif isinstance(value, list):
        for part in value:
            finite(command, part, name)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not math.isfinite(value):
            fail(command, f'{name} is {value}')
        if value < 0 and name not in SIGNED and command[0] not in ('events', 'diff', 'check') and \
           not (command[0] == 'stats' and '-m' in command):
            fail(command, f'{name} is {value}, below zero')
        if name == 'share' and not 0 <= value <= 1 + 1e-9:
            fail(command, f'the share {value} is none')


def objects(value, key=None):
    """The rows of a JSON text: the objects in its first array, or in the one that has the name."""
    if isinstance(value, list):
        return value if key is None else [y for x in value for y in objects(x, key)]
    if key is None:
        return next((x for x in value.values() if isinstance(x, list)), [])
    return value.get(key, [])


def flat(row):
    result = {}
    for key, value in row.items():
        if isinstance(value, dict):
            result.update({f'{key}.{k}': v for k, v in value.items()})
        else:
            result[key] = value
    return result


def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-12)
    return a == b


def csv_and_json(command, rows, others):
    if len(rows) != len(others):
        fail(command, f'{len(rows)} rows of csv, {len(others)} of json')
        return
    for row, other in zip(rows, others):
        other = flat(other)
        if 'metric' in other:
            other['interval'] += '.' + other['metric']
        for name, value in row.items():
            if name in other and isinstance(other[name], (int, float, str, type(None))) and \
               not same(value, other[name]) and not (other[name] == '' and value is None) and \
               str(other[name]) != str(value):
                fail(command, f'{name} is {value!r} in csv, {other[name]!r} in json: {row}')


# ---- text ----

def texts(command):
    out = run(command)
    if out is None:
        return None
    for line in out.splitlines():
        if re.search(r'(^|[^\w.])-?(nan|inf)([^\w]|$)', line, re.I) and '=inf' not in line:
            fail(command, f'no number: {line}')
        if command[0] not in ('diff', 'whatif', 'stats', 'check') and \
           re.search(r'(^|\s)-\d[\d.,]* (ns|us|ms|s|bytes)\b', line):
            fail(command, f'below zero: {line}')
        for number in re.findall(r'([-+]?\d+(?:\.\d+)?) %', line):
            if command[0] not in ('diff', 'whatif') and f'queued(state "ready") = {number} %' not in line and not -100 <= float(number) <= 100.05:
                fail(command, f'{number} %: {line}')
            if command[0] == 'whatif' and float(number) < -100.05:
                fail(command, f'{number} %: {line}')
    return out


def measured(cell):
    """The number of a cell, and by how much it may be off: half of its last digit."""
    found = re.match(r'(-?[\d,]+(?:\.\d+)?)(?: ?(\S+))?$', cell)
    if not found:
        return None
    number, unit = found.group(1).replace(',', ''), found.group(2)
    scale = UNITS.get(unit, 1)
    digits = len(number.split('.')[1]) if '.' in number else 0
    return float(number) * scale, 0.501 * scale * 10.0**-digits


def cells_of(line):
    return re.finditer(r'\S+(?: \S+)*', line)


def text_table(out, first):
    """The cells of the table whose head begins with a text: by the names above them, #2 for the second."""
    lines = out.splitlines()
    at = next((i for i, x in enumerate(lines) if x.strip().split('  ')[0] == first), None)
    if at is None:
        return None
    heads, count = [], {}
    for word in cells_of(lines[at]):
        count[word.group()] = count.get(word.group(), 0) + 1
        heads.append((word.group() + (f'#{count[word.group()]}' if count[word.group()] > 1 else ''), *word.span()))
    result = []
    for line in lines[at + 1:]:
        if not line.strip():
            break
        result.append({name: cell.group() for cell in cells_of(line) for name, start, end in heads
                       if cell.start() < end and start < cell.end()})
    return result


def text_and_csv(command, out, rows, first, columns, key=None):
    table = text_table(out, first)
    if table is None:
        return
    if key:
        wanted = {x[key[0]] for x in table}
        rows = [x for x in rows if x[key[1]] in wanted]
    for cells, row in zip(table, rows):
        for name, column in columns.items():
            if name not in cells:
                continue
            cell, value = cells[name], row[column]
            if cell == '-' or value is None:
                if cell != '-' or value is not None:
                    fail(command, f'{name} is {cell!r} in text, {column} {value!r} in csv: {row}')
                continue
            number = measured(cell)
            if number and abs(number[0] - value) > number[1]:
                fail(command, f'{name} is {cell!r} in text, {column} {value!r} in csv: {row}')


# ---- what holds in the rows of a table ----

def ascending(command, row, *names):
    values = [(n, row[n]) for n in names if row.get(n) is not None]
    for (a, x), (b, y) in zip(values, values[1:]):
        if x > y * (1 + 1e-12) + 0.5:
            fail(command, f'{a} {x} is above {b} {y}: {row}')


def all_or_none(command, row, there, *names):
    for name in names:
        if name in row and (row[name] is not None) != bool(there):
            fail(command, f'{name} is {row[name]!r} where there is {"something" if there else "nothing"}: {row}')


def check_threads(command, rows):
    for row in rows:
        life = row['ended'] - row['created']
        states = ('running', 'ready', 'blocked')
        if row['running'] is None:
            continue
        total = sum(row[s] for s in states)
        if total > life:
            fail(command, f'running, ready and blocked are {total} of {life}: {row}')
        if abs(total + row['unexplained'] - life) > 0.5:
            fail(command, f'states and unexplained are not the life {life}: {row}')
        for s in states:
            ascending(command, row, f'{s}_shortest', f'{s}_longest', s)
            all_or_none(command, row, row[f'{s}_times'], f'{s}_shortest', f'{s}_longest')


def check_profile(command, rows):
    for row in rows:
        for what in ('real', 'cpu'):
            ascending(command, row, f'{what}_min', f'{what}_mean', f'{what}_max', f'{what}_total')
            all_or_none(command, row, row['calls'] > row['unfinished'] or row[f'{what}_mean'] is not None,
                        f'{what}_min', f'{what}_mean', f'{what}_max')
        if row['cpu_total'] is not None:
            ascending(command, row, 'cpu_total', 'own_total')
        ascending(command, row, 'own_total', 'real_total')


def check_locks(command, rows):
    if rows and 'acquisitions' not in rows[0]:
        for row in rows:
            if 'wait_total' in row:
                ascending(command, row, 'wait_max', 'wait_total')
        return
    for row in rows:
        for what in ('wait', 'hold'):
            ascending(command, row, f'{what}_mean', f'{what}_max', f'{what}_total')
            ascending(command, row, f'{what}_p99', f'{what}_max')
            there = row[f'{what}_total'] is not None
            all_or_none(command, row, there, *(f'{what}_{x}' for x in ('mean', 'p99', 'max')))
        if row['contended'] is not None and row['contended'] > row['acquisitions'] + row['waits_open']:
            fail(command, f'more contended than asked for: {row}')
        all_or_none(command, row, row['convoy_most'], 'convoy_from', 'convoy_time')
        all_or_none(command, row, row['inversions'], 'inversion_total', 'inversion_max')
        ascending(command, row, 'inversion_max', 'inversion_total', 'wait_total')


def check_memory(command, rows):
    for row in rows:
        if 'count' not in row:
            continue
        if row['freed'] + row['alive'] != row['count']:
            fail(command, f'freed and alive are not all: {row}')
        ascending(command, row, 'peak_count', 'count')
        ascending(command, row, 'peak_bytes', 'bytes')
        if sum(row[f'born_{i}'] for i in range(1, 5)) != row['alive']:
            fail(command, f'the quarters do not sum up to those alive: {row}')
        all_or_none(command, row, row['freed'], 'lifetime_mean')
        all_or_none(command, row, row['alive'], 'alive_first', 'alive_last')


def sums(command, whole, rows, names):
    for name, key in names:
        total = sum(flat(x)[key] for x in rows)
        if total != flat(whole)[name]:
            fail(command, f'{key} of all rows is {total}, {name} {flat(whole)[name]}')


def check_memory_json(command, whole):
    for x in whole:
        sums(command, x, x['sites'], [(f'{a}.{b}', f'{a}.{b}') for a in ('taken', 'peak', 'alive', 'elsewhere')
                                      for b in ('count', 'bytes')] + [('freed', 'freed')])
        life = [x['lifetime'][y] for y in ('p50', 'p90', 'p99', 'p99_9', 'max') if y in x['lifetime']]
        if life != sorted(life):
            fail(command, f'quantiles do not ascend: {x["lifetime"]}')


def check_path(command, whole):
    for before, after in zip(whole, whole[1:]):
        if before['to'] != after['from']:
            fail(command, f'the path has a gap: {before} {after}')


def check_profile_text(command, out):
    shares = [float(x) for x in re.findall(r'^ *(?:\S.*?  +)?(\d+\.\d)  +[\d.]+ [num]?s ', out, re.M)]
    if sum(shares) > 100 + 0.051 * len(shares):
        fail(command, f'shares of {sum(shares):.1f} % together')


def check_rank(command, rows):
    for row in rows:
        if 'share' not in row:
            if row['from'] > row['to']:
                fail(command, f'ends before it begins: {row}')
            continue
        if row['share'] is not None and not 0 <= row['share'] <= 1 + 1e-9:
            fail(command, f'the share is none: {row}')


def check_rank_json(command, whole):
    if not isinstance(whole, dict):
        return
    for row in whole['rows']:
        for name in ('critical_path', 'logical_zeroing', 'slack', 'whatif', 'removal'):
            if row[name] is not None and row[name] > whole['duration']:
                fail(command, f'{name} is more than the run takes: {row}')
        if row['npt'] is not None and row['npt'] > whole['busy'] + 1:
            fail(command, f'npt is more than there is: {row}')
        if row['cpu'] is not None and row['share'] is not None and \
           row['cpu'] > row['share'] * whole['lives'] + 1:
            fail(command, f'more CPU time than time: {row}')


def check_stats(command, rows):
    for row in rows:
        ascending(command, row, 'min', 'p50', 'p90', 'p99', 'max')
        ascending(command, row, 'min', 'mean', 'max')
        all_or_none(command, row, row['count'], 'min', 'mean', 'p50', 'p90', 'p99', 'max')
        if row['mean'] is not None and not math.isclose(row['mean'] * row['count'], row['total'], rel_tol=1e-9):
            fail(command, f'the mean times the count is not the total: {row}')
        if row.get('unmatched') is not None and row.get('no_partner') is not None and \
           row['no_partner'] + row['cut_off'] + row['lost'] + row['switched_off'] != row['unmatched']:
            fail(command, f'why anchors are unmatched is not all of it: {row}')


def check_match(command, rows):
    for row in rows:
        times = row['anchor_time'], row['partner_time']
        if None not in times and row['duration'] != abs(times[0] - times[1]):
            fail(command, f'the duration is not between the two: {row}')


def check_whatif(command, rows):
    for row in rows:
        ascending(command, row, 'low', 'predicted', 'high')


def check_info(command, whole):
    if sum(x['events'] for x in whole['threads']) != whole['events']:
        fail(command, 'the threads have not all events')
    if sum(x['count'] for x in whole['event_types']) != whole['events']:
        fail(command, 'the types have not all events')
    if sum(x['lost'] for x in whole['threads']) > whole['lost']:
        fail(command, 'the threads have lost more than all')
    for x in whole['threads']:
        if x['events'] and not 0 <= x['first'] <= x['last'] <= whole['duration']:
            fail(command, f'outside of the run: {x}')


def check_why(command, whole):
    for x in whole['history']:
        # of a run without time nothing is a share
        if x['cost'] is None if whole['findings'] else not 0 <= (x['cost'] or 0) <= 1 + 1e-9:
            fail(command, f'the cost is no share: {x}')
    for x in whole['findings']:
        if not 0 <= x['cost'] <= whole['duration'] * (1 + 1e-9):
            fail(command, f'the finding costs more than the run: {x}')


THREADS = {'created': 'created', 'running': 'running', 'ready': 'ready', 'blocked': 'blocked',
           'longest': 'blocked_longest', 'switches': 'switches', 'processors': 'processors', 'migrations': 'migrations'}
LOCKS = {'taken': 'acquisitions', 'waited': 'wait_total', 'mean': 'wait_mean', 'p99': 'wait_p99', 'max': 'wait_max',
         'held': 'hold_total', 'mean#2': 'hold_mean', 'p99#2': 'hold_p99', 'max#2': 'hold_max', 'overhead': 'overhead'}
RANK = {'slack': 'slack', 'cpu': 'cpu'}
STATS = {x: x for x in ('count', 'unmatched', 'min', 'mean', 'p50', 'p90', 'p99', 'max', 'total')}
PROFILE = {'real': 'real_total', 'cpu': 'cpu_total', 'own': 'own_total', 'calls': 'calls'}

# Options, the check of rows, the name of the array in JSON, the check of all JSON, the text's head and its columns.
TABLES = [
    (['info'], None, None, check_info, None, None),
    (['threads'], check_threads, None, None, 'thread', THREADS),
    (['threads', '--long'], check_threads, None, None, 'thread', THREADS),
    (['profile', '--by', 'function'], check_profile, None, None, '%', PROFILE),
    (['profile', '--by', 'thread,function,caller'], check_profile, None, None, 'thread', PROFILE),
    (['profile', '--tree'], None, None, None, None, None),
    (['locks', '--show', 'locks'], check_locks, 'locks', None, 'lock', LOCKS),
    (['locks', '--show', 'sites'], check_locks, 'sites', None, 'lock', {'waits': 'waits', 'total': 'wait_total', 'max': 'wait_max'}),
    (['locks', '--show', 'order'], None, None, None, None, None),
    (['locks', '--show', 'waiting'], None, 'waiting', None, None, None),
    (['memory'], check_memory, 'sites', check_memory_json, None, None),
    (['memory', '--leaks'], None, None, None, None, None),
    (['rank'], check_rank, 'rows', check_rank_json, 'zeroing', RANK),
    (['rank', '--path'], check_rank, None, check_path, None, None),
    *[(['rank', '--by', x], check_rank, 'rows', check_rank_json, 'zeroing', RANK) for x in ('function', 'lock', 'site,thread')],
    (['why'], None, None, check_why, None, None),
    (['why', '--tree'], None, None, None, None, None),
    (['whatif', '--anyway', '--speed', 'thread:*=2'], check_whatif, None, None, None, None),
    (['whatif', '--anyway', '--sweep', 'cores=1..3'], None, None, None, None, None),
    (['whatif', '--anyway', '--sweep', 'best'], None, None, None, None, None),
    (['stats'], check_stats, None, None, 'interval', STATS),
    (['stats', '-d', '-m'], check_stats, None, None, 'interval', STATS),
    (['stats', '--by', 'thread'], check_stats, None, None, None, None),
    (['match', '--unmatched'], check_match, None, None, None, None),
    (['check'], None, None, None, None, None),
    (['events'], None, None, None, None, None),
]
# A part of the run, from a third to two thirds.
WINDOWS = [x for x in TABLES if x[0][0] in ('profile', 'locks', 'memory', 'why')]


def check(table, options, traces):
    global rows_seen
    words, rows_check, array, whole_check, head, columns = table
    command = [*words, *options, *traces]
    out = texts([*command, '--top', 'all'] if words[0] in ('profile', 'locks', 'memory', 'rank', 'diff') and
                '--tree' not in words and '--path' not in words else command)
    rows = whole = None
    for form in formats(words[0]):
        said = run([*command, f'--format={form}'])
        if (said is None) != (out is None):
            fail(command, f'text and {form} do not both have an answer')
            return
        if said is None:
            continue
        if form == 'csv':
            rows = table_rows(command, said)
            finite(command, rows)
            rows_seen += len(rows)
        else:
            try:
                whole = json.loads(said)
            except json.JSONDecodeError as e:
                fail(command, f'no JSON: {e}: {said[:60]!r}')
                return
            finite(command, whole)
    if rows and rows_check:
        rows_check(command, rows)
    if whole and whole_check:
        whole_check(command, whole)
    if rows is not None and isinstance(whole, (dict, list)) and rows_check and not words[0] == 'whatif':
        others = objects(whole, array)
        if words[0] == 'locks' or others or not rows:
            csv_and_json(command, rows, others)
    if out and words[:2] == ['profile', '--by']:
        check_profile_text(command, out)
    if rows and out and head:
        text_and_csv(command, out, rows, head, columns,
                     ('interval', 'interval') if head == 'interval' else None)


def checks():
    if sys.argv[2] == '--diff':
        for pair in zip(sys.argv[3:], sys.argv[4:]):
            yield (['diff', '--all'], None, None, None, None, None), [], list(pair)
        return
    for trace in sys.argv[2:]:
        for table in TABLES:
            yield table, [], [trace]
        whole = run(['info', '--format=json', trace])
        third = json.loads(whole)['duration'] // 3 if whole else 0
        if third:
            for table in WINDOWS:
                yield table, ['--from', f'{third}ns', '--to', f'{2 * third}ns'], [trace]


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    list(pool.map(lambda x: check(*x), checks()))
print(f'# {rows_seen} rows')
kinds = {}
for text in failures:
    kinds.setdefault(re.sub(r'[\d.]+', '0', re.sub(r' \S+: ', ': ', text.split(': {')[0])), []).append(text)
for texts_of_kind in kinds.values():
    print(f'{len(texts_of_kind)} x {texts_of_kind[0][:700]}')
sys.exit(bool(failures))
