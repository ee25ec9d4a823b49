"""Runs a command as a job of a shell on a terminal of its own, and types at it.

terminal.py STEPS COMMAND...
STEPS, between commas: a word that is to appear, or one of these keys: ^C ^Z ^\\, fg, kill:SIGNAL (to
the recorder alone), group:SIGNAL (to the job's process group), stop:program and cont:program (to the
program alone). Prints what appeared, and "stopped" or "status N" when the job did that.
"""
import os, pty, re, select, signal, sys, time

steps, command = sys.argv[1].split(','), sys.argv[2:]
keys = {'^C': b'\x03', '^Z': b'\x1a', '^\\': b'\x1c'}
pid, terminal = pty.fork()
if pid == 0:                            # the shell: waits for its one job, as shells do
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    ready_in, ready_out = os.pipe()
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.read(ready_in, 1)
        for number in signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT:
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    os.setpgid(job, job)
    os.tcsetpgrp(0, job)

    def say(text):                      # in one piece, among what the job says
        os.write(1, (text + '\n').encode())

    say(f'job {job}')
    os.write(ready_out, b'x')
    while True:
        _, status = os.waitpid(job, os.WUNTRACED | os.WCONTINUED)
        if os.WIFSTOPPED(status):
            say('stopped')
        elif os.WIFCONTINUED(status):
            say('continued')
        else:
            say(f'status {os.waitstatus_to_exitcode(status)}')
            os._exit(0)

seen, shown = '', ''


def read(wanted, seconds=20):
    """Waits for a word, behind those that were waited for before."""
    global seen, shown
    end = time.time() + seconds
    while not re.search(wanted, seen):
        if time.time() > end or not select.select([terminal], [], [], end - time.time())[0]:
            print(f'{wanted!r} did not appear in {seen!r}, after {shown!r}')
            sys.exit(1)
        try:
            text = os.read(terminal, 4096).decode(errors='replace')
        except OSError:
            text = ''
        if not text:
            print(f'the terminal was closed: {wanted!r} did not appear in {seen!r}, after {shown!r}')
            sys.exit(1)
        seen += text
        shown += text
    match = re.search(wanted, seen)
    seen = seen[match.end():]
    return match


def program():
    """The recorder's child that is another program."""
    with open(f'/proc/{job}/task/{job}/children') as file:
        children = [int(word) for word in file.read().split()]
    return next(c for c in children if os.readlink(f'/proc/{c}/exe') != os.readlink(f'/proc/{job}/exe'))


job = int(read(r'job (\d+)\r').group(1))
for step in steps:
    if step in keys:
        os.write(terminal, keys[step])
    elif step == 'fg':
        os.killpg(job, signal.SIGCONT)
    elif step.startswith('kill:'):
        os.kill(job, getattr(signal, 'SIG' + step[5:]))
    elif step.startswith('group:'):
        os.killpg(job, getattr(signal, 'SIG' + step[6:]))
    elif step == 'cont:program':
        os.kill(program(), signal.SIGCONT)
    elif step == 'stop:program':
        os.kill(program(), signal.SIGSTOP)
    else:
        read(step)
