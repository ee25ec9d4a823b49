"""A pool of two processes runs tasks that compute."""
import multiprocessing
import sys


def task(n):
    total = 0
    for i in range(n):
        total += i & 7
    return total


if __name__ == '__main__':
    multiprocessing.set_start_method('fork')
    with multiprocessing.Pool(2) as pool:
        pool.map(task, [int(sys.argv[1])] * 40, chunksize=1)
