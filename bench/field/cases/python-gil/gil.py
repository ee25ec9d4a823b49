"""Two threads compute in the interpreter. Its lock lets one of them run at a time."""
import sys
import threading


def count(n):
    total = 0
    for i in range(n):
        total += i & 7
    return total


if __name__ == '__main__':
    threads = [threading.Thread(target=count, args=(int(sys.argv[1]),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
