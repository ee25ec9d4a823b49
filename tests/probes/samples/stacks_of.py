#!/usr/bin/env python3
"""stacks_of.py [EVENT FRAME]: reads `glimpse events --format=csv` and prints the call stack of each sample, or other
EVENT with a stack of FRAMEs, in a line: the thread's number, the time, and the functions from the innermost one
outwards; "?" where the stack ends early."""
import csv, re, sys

event, frame = sys.argv[1:] or ("Sample", "SampleFrame")
frames, samples = {}, []
for e in csv.DictReader(sys.stdin):
    a = e["attributes"] if "attributes" in e else list(e.values())[4] or ""
    if e["event"] == frame:
        number, parent, address = re.match(r"number=(\d+);parent=(\d+);address=(.*)", a).groups()
        frames[number] = (parent, "?" if address in ("0", "0x0") else re.sub(r"\+0x.*| \(.*", "", address))
    elif e["event"] == event:
        samples.append((e["thread"], e["time"], re.match(r"stack=(\d+)", a)[1]))
for thread, time, stack in samples:
    functions = []
    while stack != "0":
        stack, function = frames[stack]
        functions.append(function)
    print(thread, time, *functions)
