"""Sends signals to a recorder, its group and its program (signalled.c), and says what is not as without a recorder.

signalled.py alone|group|late|program|values|ends|work COMMAND...
"""
import ctypes, os, random, resource, select, signal, subprocess, sys, threading, time

how, command = sys.argv[1], sys.argv[2:]
# All that a process may block, also those that the C library keeps for itself.
SIGNALS = [n for n in range(1, 65) if n not in (signal.SIGKILL, signal.SIGSTOP)]
wrong = False


def tell(text):
    global wrong
    wrong = True
    print(text)


def start():
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                               start_new_session=True)
    return process, int(line_of(process).split()[1])


def line_of(process, seconds=20):
    """Returns the next line; '' if there is none in that time."""
    if not select.select([process.stdout], [], [], seconds)[0]:
        return ''
    return process.stdout.readline().decode().strip()


def say(process, text):
    process.stdin.write(f'{text}\n'.encode())


def each(send, value=0):
    """Sends each signal; each has to arrive once."""
    process, recorder = start()
    for number in SIGNALS:
        send(process, recorder, number)
        got = line_of(process)
        if got != f'got {number} {value}':
            tell(f'signal {number}: {got!r}')
    if got := line_of(process, 0.5):
        tell(f'again: {got!r}')
    process.stdin.close()
    if process.wait(20) != 3:
        tell(f'status {process.returncode}')


def late():
    """The recorder's second process of the group gets no processor most of the time: it is stopped for 5 to 70 ms each time."""
    global SIGNALS
    done = threading.Event()
    seed = int(os.environ.get('SEED', random.randrange(1 << 30)))
    print(f'seed {seed}')
    chance = random.Random(seed)

    def stutter(sentry):
        while not done.is_set():
            os.kill(sentry, signal.SIGSTOP)
            time.sleep(chance.uniform(0.005, 0.07))
            os.kill(sentry, signal.SIGCONT)
            time.sleep(chance.choice([0, 0.0005, 0.005]))

    def send(process, recorder, number):
        nonlocal beside
        if not beside:
            children = open(f'/proc/{recorder}/task/{recorder}/children').read().split()
            sentry = [int(c) for c in children if os.path.basename(os.readlink(f'/proc/{c}/exe')) == 'glimpse']
            beside = threading.Thread(target=stutter, args=sentry)
            beside.start()
        os.killpg(process.pid, number)

    beside = None
    # SIGCONT takes back what would stop.
    SIGNALS = [n for n in SIGNALS if n not in (signal.SIGCONT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)]
    for _ in range(3):
        each(send)
        done.set()
        beside.join()
        done.clear()
        beside = None


def ends():
    for number in SIGNALS:
        if number in (signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH, signal.SIGTSTP, signal.SIGTTIN,
                      signal.SIGTTOU, 32, 33):
            continue
        process, _ = start()
        say(process, f'end {number}')
        if process.wait(20) != -number:
            tell(f'signal {number}: status {process.returncode}')
    if any(name.startswith('core') for name in os.listdir('.')):
        tell('a dump of memory')


def work():
    """
    Ends what the recorder does after the program's end, the process that is to go first where memory is short: at once, or
    where it has written so many bytes to a file.
    """
    most = int(os.environ.get('FILE_BYTES', 0))
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    children = f'/proc/{process.pid}/task/{process.pid}/children'
    killed, end = None, time.time() + 60
    while killed is None and process.poll() is None and time.time() < end:
        try:
            for child in open(children).read().split():
                if open(f'/proc/{child}/oom_score_adj').read() == '1000\n':
                    if most:
                        resource.prlimit(int(child), resource.RLIMIT_FSIZE, (most, most))
                    else:
                        os.kill(int(child), signal.SIGKILL)
                    killed = child
        except OSError:
            pass
    said = process.stderr.read().decode()
    if process.wait(20) != 0 or not killed or f'is incomplete: signal {signal.SIGXFSZ if most else signal.SIGKILL}' not in said:
        tell(f'killed {killed}, status {process.returncode}, said {said!r}')


if how == 'alone':
    each(lambda process, recorder, number: os.kill(recorder, number))
elif how == 'group':
    each(lambda process, recorder, number: os.killpg(process.pid, number))
elif how == 'late':
    late()
elif how == 'program':
    each(lambda process, recorder, number: say(process, f'group {number}'))
elif how == 'values':
    SIGNALS = [signal.SIGUSR1, signal.SIGRTMIN, signal.SIGRTMAX]
    queue = ctypes.CDLL(None).sigqueue
    each(lambda process, recorder, number: queue(recorder, number, ctypes.c_void_p(4711)), 4711)
elif how == 'ends':
    ends()
else:
    work()
sys.exit(wrong)
