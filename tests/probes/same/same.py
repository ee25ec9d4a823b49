"""A program with threads, for same.test: results, errors and the exit status are always the same."""
import ctypes, errno, os, queue, subprocess, sys, threading, time

numbers, sums, lock = queue.Queue(4), [], threading.Lock()


def work():
    while (n := numbers.get()) is not None:
        with lock:
            sums.append(n * n)
        try:
            os.close(9999)
        except OSError as e:
            assert e.errno == errno.EBADF
        time.sleep(0.0001)


threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads:
    t.start()
for n in range(400):
    numbers.put(n)
for _ in threads:
    numbers.put(None)
for t in threads:
    t.join()
print(sum(sums), len(sums))

event, barrier = threading.Event(), threading.Barrier(2, timeout=5)
threading.Thread(target=lambda: (barrier.wait(), event.set())).start()
barrier.wait()
print(event.wait(5), event.wait(0), threading.Semaphore(1).acquire(timeout=0.01))
for path in '/nosuch', '/etc/shadow/x', '/':
    try:
        os.open(path, os.O_RDWR)
    except OSError as e:
        print(path, e.errno)
print(subprocess.run(['sh', '-c', 'echo child; exit 6'], capture_output=True, env={}))
libc = ctypes.CDLL(None, use_errno=True)
ctypes.set_errno(77)
libc.malloc.restype = ctypes.c_void_p
libc.free(ctypes.c_void_p(libc.malloc(100)))
print(ctypes.get_errno(), libc.usleep(1), ctypes.get_errno())
sys.exit(3)
