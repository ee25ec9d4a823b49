"""failing.py RUNS SEED WHO PROBES COMMAND...: records a command while calls of glimpse fail.

WHO is "probes" or "recorder". RUNS failures are chosen at random, or all are tried if it is 0: a call of
failing.h, the first or a later time, once or from then on, with an error. The command's output and exit
status must be those of a plain run. A recorder that cannot begin may say so instead (125, 126)."""
import errno, mmap, os, random, re, shutil, signal, struct, subprocess, sys

ERRORS = [errno.EINTR, errno.ENOMEM, errno.EMFILE, errno.ENOSPC, errno.EPERM]
CALLS_MOST, CALL, COUNTS = 64, 0, 6
SECONDS = 20
here = os.path.dirname(os.path.abspath(__file__))
names = re.findall(r'^FAILING\((\w+)', open(here + '/failing.h').read(), re.M)


def run(command, **more):
    """Runs a command; its exit status, or None if it hangs, its output and its messages."""
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         start_new_session=True, **more)
    try:
        output, said = p.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        return (None, *p.communicate())
    return p.returncode, output, said


class Recorder:
    def __init__(self, who, probes, command):
        self.plain = run(command)
        self.in_recorder = who == 'recorder'
        self.command = ['glimpse', 'record', '-q', '-o', 'run', '--probes', probes, '--'] + command
        with open('calls', 'wb') as file:
            file.truncate(4096)
        self.file = open('calls', 'r+b')
        self.memory = mmap.mmap(self.file.fileno(), 4096)
        preloads = os.path.abspath('fails.so')
        self.environment = dict(os.environ, HOSTILE_FILE=os.path.abspath('calls'), LD_PRELOAD=preloads)

    def record(self, call, nth=0, on=0, error=0):
        """Records; what was wrong, or None."""
        shutil.rmtree('run', ignore_errors=True)
        self.memory[:] = struct.pack('=6I', call, nth, on, error, self.in_recorder, 0).ljust(4096, b'\0')
        status, output, said = run(self.command, env=self.environment)
        if (status, output) == self.plain[:2]:
            return None
        if self.in_recorder and status in (125, 126) and not output and said:
            return None
        return f'exit status {status}, not {self.plain[0]}; output {"is" if output == self.plain[1] else "differs"}; {said[:300]}'

    def counts(self):
        return struct.unpack_from(f'={CALLS_MOST}I', self.memory, COUNTS * 4)

    def failed(self):
        return struct.unpack_from('=I', self.memory, 20)[0]


def failures(counts):
    """All that can fail: of many calls the first ones and some later."""
    for call, count in enumerate(counts[:len(names)]):
        for nth in sorted({n for n in (0, 1, 2, 3, 5, 9, 20, 60, 200, count // 2, count - 1) if 0 <= n < count}):
            for error in ERRORS:
                yield call, nth, 0, error
                # EINTR for ever is no answer of any kernel
                if error != errno.EINTR:
                    yield call, nth, 1, error


def main():
    runs, seed, who, probes, *command = sys.argv[1:]
    recorder = Recorder(who, probes, command)
    wrong = recorder.record(CALLS_MOST)
    if wrong:
        sys.exit(f'nothing fails: {wrong}')
    counts = recorder.counts()
    chosen = list(failures(counts))
    if int(runs):
        chosen = random.Random(int(seed)).sample(chosen, min(int(runs), len(chosen)))
    bad = failed = 0
    for call, nth, on, error in chosen:
        wrong = recorder.record(call, nth, on, error)
        failed += recorder.failed()
        if wrong:
            bad += 1
            print(f'{names[call]} {nth}{" and later" if on else ""} fails with {errno.errorcode[error]}: {wrong}')
    print(f'{who}: {len(chosen)} runs, {sum(counts)} calls of {sum(map(bool, counts))} functions, '
          f'{failed} failures, {bad} wrong')
    sys.exit(bad > 0 or failed == 0)


main()
