"""Runs commands with a time limit, and ends all that they left behind."""
import ctypes
import os
import resource
import select
import signal
import subprocess
import tempfile
import time

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: what a command leaves behind becomes a child of this process
TICK = os.sysconf('SC_CLK_TCK')


class Result:
    """What came of a command. status: its exit status; negative after a signal; None after the time limit."""

    def __init__(self, status, out, err, elapsed, memory, others, ended=0):
        self.status, self.out, self.err = status, out, err
        self.ended = ended  # seconds since 1970
        self.elapsed = elapsed  # seconds
        self.memory = memory  # bytes, at the peak
        self.others = others  # processors that programs other than this command used, on average

    @property
    def trouble(self):
        """Says in words why the command has no answer, or ''."""
        if self.status is None:
            return 'time limit'
        if self.status < 0:
            return 'ended by signal %d' % -self.status
        return ''


def adopt_orphans():
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def children():
    """The processes whose parent is this one."""
    found = []
    for name in os.listdir('/proc'):
        if not name.isdigit():
            continue
        try:
            with open('/proc/%s/stat' % name) as stat:
                fields = stat.read().rpartition(')')[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(name))
    return found


def reap(keep=()):
    """Ends and waits for all children but those to keep; what these leave behind as well."""
    while True:
        left = [pid for pid in children() if pid not in keep]
        if not left:
            return
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass


def busy_seconds():
    """Processor time of the whole machine so far, without what is idle."""
    with open('/proc/stat') as stat:
        fields = [int(field) for field in stat.readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICK


class Loops:
    """Processes that only compute, as long as the context lasts."""

    CODE = ('import ctypes, os, signal, sys\n'
            'ctypes.CDLL(None).prctl(1, signal.SIGKILL)\n'  # PR_SET_PDEATHSIG
            'if os.getppid() != int(sys.argv[1]): sys.exit()\n'
            'print(flush=True)\n'
            'while True: pass\n')

    def __init__(self, n):
        self.n, self.running = n, []

    def __enter__(self):
        for _ in range(self.n):
            self.running.append(subprocess.Popen(['python3', '-c', self.CODE, str(os.getpid())],
                                                 stdout=subprocess.PIPE, start_new_session=True))
        for loop in self.running:
            loop.stdout.readline()
        return self

    def __exit__(self, *_):
        for loop in self.running:
            loop.kill()
            loop.wait()
            loop.stdout.close()
        self.running = []

    @property
    def pids(self):
        return [loop.pid for loop in self.running]


def run(command, limit, directory='.', env=None, keep=()):
    """Runs command in a session of its own, without input. After limit seconds it is killed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        before = busy_seconds()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.monotonic()
        try:
            child = subprocess.Popen(command, cwd=directory, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                     start_new_session=True)
        except OSError as error:
            return Result(127, '', str(error), 0, 0, 0)
        status = memory = None
        try:
            # pidfd: the end itself is waited for, no polling delays it
            descriptor = os.pidfd_open(child.pid)
            try:
                ended = select.select([descriptor], [], [], limit)[0]
            finally:
                os.close(descriptor)
            elapsed, at = time.monotonic() - begin, time.time()
            if not ended:
                os.killpg(child.pid, signal.SIGKILL)
            _, code, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(code)
            memory = usage.ru_maxrss * 1024
            status = child.returncode if ended else None
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            reap(keep)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        own = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        others = max(0, busy_seconds() - before - own) / elapsed if elapsed else 0
        out.seek(0)
        err.seek(0)
        text = lambda file: file.read().decode('utf-8', 'replace')
        return Result(status, text(out), text(err), elapsed, memory, others, at)
