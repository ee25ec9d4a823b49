"""Processes, pipes, signals and shared memory, for same.test: output and exit status are always the same."""
import mmap, multiprocessing, os, signal, socket, sys, threading


def square(n):
    return n * n


def in_child(work):
    """Runs work in a child of fork(), and returns its exit status."""
    pid = os.fork()
    if pid == 0:
        os._exit(work() & 127)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


with multiprocessing.get_context('fork').Pool(3) as pool:
    print(sum(pool.map(square, range(500))))

caught = []
signal.signal(signal.SIGUSR1, lambda number, frame: caught.append(number))
for _ in range(5):
    os.kill(os.getpid(), signal.SIGUSR1)
print(len(caught) > 0, in_child(lambda: os.kill(os.getpid(), signal.SIGTERM) or 1))

shared = mmap.mmap(-1, 4096)
threading.Thread(target=lambda: print(in_child(lambda: shared.write(b'child') and 7))).start()
for thread in threading.enumerate():
    if thread is not threading.current_thread():
        thread.join()
print(shared[:5])
a, b = socket.socketpair()
if in_child(lambda: a.send(b'x' * 1000) and 0) == 0:
    print(len(b.recv(2000)))
sys.stdout.flush()
os.execvp('sh', ['sh', '-c', 'echo replaced; exit 12'])
