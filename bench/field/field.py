#!/usr/bin/env python3
"""Scores Glimpse on programs and situations whose truth is measured. README.md describes cases and columns."""
import argparse
import csv
import fnmatch
import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # the folder belongs to the sources

import answers
import nonsense
import processes
import table

HERE = os.path.dirname(os.path.abspath(__file__))
HELPER = os.path.join(HERE, 'case.sh')
CONDITIONS = ('quiet', 'busy', 'refused')
SORTS = ('real', 'situation', 'healthy')
LOOPS = 3  # busy processes of the condition busy
BUSY_PAIRS = 3  # at most; beside other processes every run is longer
LIMITS = {'prepare': 900, 'run': 60, 'ask': 60}  # seconds
INSTALLERS = {
    'PIP': ['python3', '-m', 'pip', 'install', '-q', '--break-system-packages', '--target', 'pip'],
    'NPM': ['npm', 'install', '--silent'],
    'CRATES': ['cargo', 'install', '--quiet', '--root', 'crates'],
}


class Failed(Exception):
    """A step of a case that did not succeed."""


class Case:
    def __init__(self, folder, work):
        self.folder, self.name = folder, os.path.basename(folder)
        self.work = os.path.join(work, self.name)
        text = processes.run([HELPER, folder, 'describe'], LIMITS['ask'])
        self.trouble = text.err.strip() or text.trouble if text.status else ''
        self.values = dict(part.split('=', 1) for part in text.out.split('\0') if '=' in part)
        if not self.trouble and self.values['SORT'] not in SORTS:
            self.trouble = 'SORT is not one of ' + ', '.join(SORTS)

    def __getattr__(self, name):
        return self.values.get(name.upper(), '')

    def env(self):
        path = ':'.join([os.path.join(self.work, 'crates/bin'), os.path.join(self.work, 'node_modules/.bin'),
                         os.environ['PATH']])
        return dict(os.environ, PATH=path, PYTHONPATH=os.path.join(self.work, 'pip'), LC_ALL='C.UTF-8')

    def do(self, function, limit, keep=(), record=None, wrap=()):
        """Runs one of the functions of the case in its work directory. What is before its exec takes no time."""
        env = self.env()
        begun = os.path.join(self.work, '.begun')
        env['FIELD_BEGUN'] = begun
        if record:
            env['FIELD_RECORD'] = '\n'.join(record)
        if os.path.exists(begun):
            os.remove(begun)
        ran = processes.run([*wrap, HELPER, self.folder, function], limit, self.work, env, keep)
        if os.path.exists(begun):
            with open(begun) as file:
                ran.elapsed = max(0, ran.ended - float(file.read()))
        return ran


def say(text):
    print(text, file=sys.stderr, flush=True)


def missing(packages):
    """The Debian packages of these that are not installed."""
    query = subprocess.run(['dpkg-query', '-W', '-f', '${Package} ${db:Status-Abbrev}\n', *packages],
                           capture_output=True, text=True)
    there = {line.split()[0] for line in query.stdout.splitlines() if line.split()[1:2] == ['ii']}
    return [package for package in packages if package not in there]


def install(case):
    """Installs what the case needs, and says so."""
    wanted = missing(case.packages.split()) if case.packages else []
    if wanted:
        say('%s: installs %s' % (case.name, ' '.join(wanted)))
        got = processes.run(['apt-get', 'install', '-y', '--no-install-recommends', *wanted], LIMITS['prepare'],
                            env=dict(os.environ, DEBIAN_FRONTEND='noninteractive'))
        if got.status != 0:
            raise Failed('apt-get install %s: %s' % (' '.join(wanted), last(got.err) or got.trouble))
    for variable, command in INSTALLERS.items():
        names = case.values[variable].split()
        if names:
            say('%s: installs %s' % (case.name, ' '.join(names)))
            got = processes.run([*command, *names], LIMITS['prepare'], case.work, case.env())
            if got.status != 0:
                raise Failed('%s: %s' % (' '.join(command[:2] + names), last(got.err) or got.trouble))
    for name in case.maven.split():
        say('%s: installs %s' % (case.name, name))
        got = processes.run(['mvn', '-q', 'dependency:copy', '-Dartifact=' + name, '-DoutputDirectory=maven'],
                            LIMITS['prepare'], case.work, case.env())
        if got.status != 0:
            raise Failed('mvn %s: %s' % (name, last(got.err or got.out) or got.trouble))


def last(text):
    return text.strip().splitlines()[-1] if text.strip() else ''


def prepared(case):
    """Makes the work directory of the case, once."""
    done = os.path.join(case.work, '.prepared')
    if os.path.exists(done):
        return
    os.makedirs(case.work, exist_ok=True)
    install(case)
    made = case.do('prepare', LIMITS['prepare'])
    if made.status != 0:
        raise Failed('prepare: %s' % (made.trouble or last(made.err) or 'status %d' % made.status))
    open(done, 'w').close()


def timed(case, function, keep):
    """Runs once; returns what is measured, in seconds."""
    ran = case.do(function, LIMITS['run'], keep)
    if ran.status != 0:
        raise Failed('%s: %s' % (function, ran.trouble or last(ran.err) or 'status %d' % ran.status))
    return measured(case, ran, keep)


def measured(case, ran, keep):
    if not case.measured:
        return ran.elapsed
    said = case.do('measure', LIMITS['ask'], keep)
    try:
        return float(said.out)
    except ValueError:
        raise Failed('measure: %s' % (last(said.err) or 'no number: ' + said.out.strip()))


def pairs_measured(case, pairs, keep):
    """Runs the program and its change in turn. Returns the plain time and the gain (%), with their spread."""
    timed(case, 'run', keep)  # what the first run reads from the disk, the others find in memory
    plain, gains = [], []
    for i in range(pairs):
        order = ('run', 'changed') if i % 2 == 0 else ('changed', 'run')
        took = {function: timed(case, function, keep) for function in order}
        plain.append(took['run'])
        gains.append(100 * (1 - took['changed'] / took['run']))
    return answers.spread(plain), answers.spread(gains)


class Asker:
    """Asks Glimpse about one recording, with a time limit for each answer."""

    def __init__(self, glimpse, directory, keep):
        self.glimpse, self.directory, self.keep = glimpse, directory, keep

    def ask(self, *words):
        return processes.run([self.glimpse, words[0], self.directory, *words[1:]], LIMITS['ask'], keep=self.keep)


def refusal(text):
    """The error among what a command of Glimpse says; notes follow it."""
    errors = [line.split(': error: ', 1)[1] for line in text.splitlines() if ': error: ' in line]
    return errors[0] if errors else last(text)


def asked_whatif(asker, change, real):
    if not change:
        return None
    got = asker.ask('whatif', *shlex.split(change), '--format=json')
    spent = {'seconds': got.elapsed, 'memory': got.memory}
    if got.trouble:
        return {'state': 'crash' if got.status is not None else 'limit', 'reason': got.trouble, **spent}
    if got.status != 0:
        reason = refusal(got.err)
        return {'state': 'unnamed' if 'has nothing named' in reason else 'refused', 'reason': reason, **spent}
    try:
        gain = answers.gain_of(json.loads(got.out))
    except (ValueError, KeyError, TypeError) as error:
        return {'state': 'malformed', 'reason': str(error), **spent}
    if gain is None:
        return {'state': 'empty', 'reason': 'the replay has no length', **spent}
    return {**answers.compare(gain, real), **spent}


def asked_rank(asker, case, real):
    if not case.rank:
        return None
    got = asker.ask('rank', '--format=csv')
    if got.status != 0:
        return {'state': 'refused' if not got.trouble else 'crash', 'reason': got.trouble or last(got.err)}
    removed = '--lock' in case.change and '=none' in case.change
    column = 'removal' if removed else 'whatif'
    for row in csv.DictReader(io.StringIO(got.out)):
        if not fnmatch.fnmatchcase(row['what'], case.rank):
            continue
        run = float(row['logged'] or 0)
        if not row.get(column) or not run:
            return {'state': 'empty', 'reason': 'the column %s is empty' % column}
        gain = {'gain': 100 * float(row[column]) / run}
        gain['low'] = 100 * float(row.get('whatif_low') or row[column]) / run if not removed else gain['gain']
        gain['high'] = 100 * float(row.get('whatif_high') or row[column]) / run if not removed else gain['gain']
        return answers.compare(gain, real)
    return {'state': 'unnamed', 'reason': 'no row ' + case.rank}


def caused_share(asker):
    """The share (%) of the threads' waiting time that ends for a known reason, or None."""
    got = asker.ask('why', '--format=json')
    try:
        waits = json.loads(got.out)['waits']
        return 100 * waits['explained'] / waits['time'] if waits['time'] else None
    except (ValueError, KeyError, TypeError):
        return None


def asked(case, row, asker, real):
    """Fills the row with the answers about the recording."""
    got = asker.ask('why')
    row['why_seconds'], row['why_memory'] = got.elapsed, got.memory
    row['line'] = got.out.split('\n')[0]
    if got.trouble or got.status not in (0, 1):
        row['verdict'], row['trouble'] = 'failed', 'why: ' + (got.trouble or last(got.err))
    else:
        row['verdict'] = answers.judge(row['line'], case.right, case.wrong, case.sort, row['others'])
    row['answer'] = got.out[:4000]
    for key in ('named', 'holder'):
        row[key] = answers.says(got.out, case.values[key.upper()])
    row['whatif'] = asked_whatif(asker, case.change, real)
    row['rank'] = asked_rank(asker, case, real)
    row['caused'] = caused_share(asker)
    got = asker.ask('profile')
    row['unreadable'] = answers.unreadable(got.out) if got.status == 0 else None
    row['nonsense'] = nonsense.nonsense(asker.glimpse, asker.directory)


def scored(case, condition, options, truth):
    """One row of the score. truth: what was measured under an earlier condition of this case."""
    row = {'case': case.name, 'condition': condition, 'sort': case.sort, 'title': case.title, 'half': case.half,
           'change': case.change}
    try:
        if case.trouble:
            raise Failed(case.trouble)
        prepared(case)
        with processes.Loops(LOOPS if condition == 'busy' else 0) as loops:
            beside = 'busy' if condition == 'busy' else 'quiet'
            if beside not in truth:
                pairs = min(options.pairs, BUSY_PAIRS) if beside == 'busy' else options.pairs
                truth[beside] = pairs_measured(case, pairs, loops.pids)
            row['plain'], row['real'] = truth[beside]
            directory = os.path.join(case.work, 'trace.' + condition)
            shutil.rmtree(directory, ignore_errors=True)
            ran = case.do('run', LIMITS['run'], loops.pids, [options.glimpse, 'record', '-q', '-o', directory, '--'],
                          [options.refuse] if condition == 'refused' else [])
            row['others'] = ran.others
            if ran.status != 0:
                raise Failed('recorded run: %s' % (ran.trouble or last(ran.err) or 'status %d' % ran.status))
            row['recorded'] = measured(case, ran, loops.pids)
            row['cost'] = row['recorded'] / row['plain']['median']
        asked(case, row, Asker(options.glimpse, directory, ()), row['real'])
    except Failed as error:
        row.update(verdict='failed', trouble=str(error))
    except Exception as error:  # a mistake in one case must not end the others
        row.update(verdict='failed', trouble='%s: %s' % (type(error).__name__, error))
    if not options.keep:
        shutil.rmtree(os.path.join(case.work, 'trace.' + condition), ignore_errors=True)
    return row


def chosen(options):
    """The cases that are asked for, in order of their names."""
    cases = []
    folders = [os.path.join(options.folder, name) for name in sorted(os.listdir(options.folder))]
    for folder in folders:
        if not os.path.exists(os.path.join(folder, 'case')):
            continue
        case = Case(folder, os.path.join(options.out, 'work'))
        if options.cases and not any(fnmatch.fnmatch(case.name, pattern) for pattern in options.cases.split(',')):
            continue
        if options.planted and case.planted != 'yes':
            continue
        if options.half == 'all' or case.trouble or case.half == options.half:
            cases.append(case)
    return cases


def version(glimpse):
    return processes.run([glimpse, '--version'], LIMITS['ask']).out.strip()


def refuse_built(out):
    program = os.path.join(out, 'refuse')
    built = processes.run([os.environ.get('CC', 'cc').split()[0], '-O2', '-o', program,
                           os.path.join(HERE, 'refuse.c')], LIMITS['ask'])
    if built.status != 0:
        sys.exit('field: cannot compile refuse.c: ' + last(built.err))
    return program


def written(score, out):
    score['sums'] = table.summed(score['rows'])
    for name, text in (('score.json', json.dumps(score, indent=1)), ('score.md', table.markdown(score))):
        path = os.path.join(out, name)
        with open(path + '.new', 'w') as file:
            file.write(text + '\n')
        os.replace(path + '.new', path)


def truths(path):
    """The real gains of an earlier score: by case, then by what ran beside it."""
    known = {}
    with open(path) as file:
        for row in json.load(file)['rows']:
            if row.get('real'):
                beside = 'busy' if row['condition'] == 'busy' else 'quiet'
                known.setdefault(row['case'], {})[beside] = (row['plain'], row['real'])
    return known


def parsed():
    parser = argparse.ArgumentParser(description='Scores Glimpse on the cases of this folder.')
    parser.add_argument('--cases', help='only cases whose names match one of these patterns, with commas between them')
    parser.add_argument('--half', choices=('quick', 'long', 'all'), default='quick')
    parser.add_argument('--conditions', default=','.join(CONDITIONS), help='with commas between them (all)')
    parser.add_argument('--glimpse', default='glimpse', help='the command to score (glimpse)')
    parser.add_argument('--pairs', type=int, default=5, help='pairs of runs that measure the real gain (5)')
    parser.add_argument('--out', default='field.out', help='directory for inputs and results (field.out)')
    parser.add_argument('--truth', help='an earlier score.json, whose real gains are used instead of measuring again')
    parser.add_argument('--against', help='an earlier score.json: print what became better and worse')
    parser.add_argument('--list', action='store_true', help='list the cases and end')
    parser.add_argument('--folder', default=os.path.join(HERE, 'cases'), help='the folder of the cases')
    parser.add_argument('--planted', action='store_true', help='only the cases with PLANTED=yes')
    parser.add_argument('--keep', action='store_true', help='keep the recordings')
    options = parser.parse_args()
    options.conditions = options.conditions.split(',')
    options.known = truths(options.truth) if options.truth else {}
    for condition in options.conditions:
        if condition not in CONDITIONS:
            parser.error('--conditions: %s is none of %s' % (condition, ', '.join(CONDITIONS)))
    if options.pairs < 1:
        parser.error('--pairs must be at least 1')
    return options


def progress(row, i, n, seconds):
    say('[%d/%d, %.0f s] %s, %s: %s, real %s, predicted %s: %s' % (
        i, n, seconds, row['case'], row['condition'], row['verdict'],
        table.number(row['real']['median']) if row.get('real') else '-', table.told(row.get('whatif')),
        row.get('trouble') or row.get('line') or ''))


class Interruption:
    """Ends the cases at SIGINT or SIGTERM. Python drops what a handler raises in a destructor, so it is kept."""

    def __init__(self):
        self.came = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle)

    def handle(self, *_):
        if not self.came:
            self.came = True
            raise KeyboardInterrupt

    def check(self):
        if self.came:
            raise KeyboardInterrupt


def main():
    options = parsed()
    options.out = os.path.abspath(options.out)
    found = shutil.which(options.glimpse)
    if not found and not options.list:
        sys.exit('field: %s: no such command' % options.glimpse)
    options.glimpse = os.path.abspath(found) if found else ''
    processes.adopt_orphans()
    cases = chosen(options)
    if options.list:
        for case in cases:
            print('%-28s %-9s %-5s %s' % (case.name, case.sort, case.half, case.trouble or case.title))
        return
    os.makedirs(options.out, exist_ok=True)
    options.refuse = refuse_built(options.out)
    begin = time.monotonic()
    score = {'glimpse': version(options.glimpse), 'processors': os.cpu_count(), 'pairs': options.pairs,
             'load_before': os.getloadavg()[0], 'interrupted': False, 'rows': []}
    interruption = Interruption()
    status = 0
    try:
        for case in cases:
            truth = dict(options.known.get(case.name, {}))
            for condition in options.conditions:
                row = scored(case, condition, options, truth)
                score['rows'].append(row)
                progress(row, len(score['rows']), len(cases) * len(options.conditions), time.monotonic() - begin)
                written(score, options.out)
                interruption.check()
    except KeyboardInterrupt:
        processes.reap()
        score['interrupted'] = True
        say('interrupted; the rows so far follow')
        status = 130
    score['seconds'] = time.monotonic() - begin
    written(score, options.out)
    if score['rows']:
        print(table.terminal(score))
    if options.against:
        with open(options.against) as file:
            print('\n' + table.against(json.load(file), score))
    sys.exit(status)


if __name__ == '__main__':
    main()
