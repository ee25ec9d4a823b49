"""Compresses files in threads: squeeze.py THREADS FILE..."""
import sys
from concurrent.futures import ThreadPoolExecutor
from isal import isal_zlib

def squeeze(path):
    compressor, size = isal_zlib.compressobj(2), 0
    with open(path, "rb") as file:
        while piece := file.read(1 << 24):
            size += len(compressor.compress(piece))
    return path, size + len(compressor.flush())

# Who waits for the interpreter's lock is to sleep until it is let go, not to look each 5 ms.
sys.setswitchinterval(1)
with ThreadPoolExecutor(int(sys.argv[1])) as pool:
    for path, size in pool.map(squeeze, sys.argv[2:]):
        print(path, size)
