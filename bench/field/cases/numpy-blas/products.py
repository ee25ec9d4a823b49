"""Multiplies matrices; OpenBLAS does it with the threads of OPENBLAS_NUM_THREADS."""
import sys

import numpy

a = numpy.arange(810000, dtype=float).reshape(900, 900) % 17
b = a.T.copy()
for _ in range(int(sys.argv[1])):
    c = a @ b
