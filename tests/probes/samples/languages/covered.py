#!/usr/bin/env python3
"""covered.py OWN: reads `glimpse profile --format=csv` and a program's own figures; prints for each function 1 if its own share
lies in the stated interval, else 0, that share, the estimate, and the interval."""
import csv, re, sys

own = {name: int(ns) for name, ns in (line.split() for line in open(sys.argv[1]))}
rows = list(csv.DictReader(sys.stdin))
total = sum(int(r["cpu_total"]) for r in rows)
for name, ns in own.items():
    mine = [r for r in rows if re.search(rf"\b{name}(_throws|_inlined)?\b", r["function"])]
    # a rare function may have no sample: no interval is stated
    row = max(mine, key=lambda r: int(r["samples"] or 0), default=None)
    if row:
        low, high, share = float(row["share_low"]), float(row["share_high"]), int(row["cpu_total"]) / total
        print(name, int(low <= ns / total <= high), f"{ns / total:.5f} {share:.5f} {low:.5f} {high:.5f}")
