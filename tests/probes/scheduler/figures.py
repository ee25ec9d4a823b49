#!/usr/bin/env python3
"""figures.py TRACE FIGURES [STOLEN]: compares the states of threads with what figures.c says of the same run.

Of each thread, from the beginning to the end of its figures:

- running is its CPU time: to 0.5 % and 1 ms, and STOLEN, the ns that the host took away;
- ready is its run delay: to 2 % and 1 ms, which is for waits that end while the recorder reads the account; STOLEN,
  which may be between the kernel's account and its record of a switch; and the waits of which the account says
  nothing: a thread's last ones, and where records are lost. It counts from when the processor that the thread gets
  has taken in the wake-up of another one: until then it may have been ready for up to 50 us more;
- running, ready and blocked follow each other without a gap.

Of all: `glimpse threads` has the same sums, a processor has one thread at a time, and running summed
over threads is at most the processors' time. Prints what is wrong, or how many threads were compared; the
status is 1, or 2 if there was nothing to compare.
"""
import csv
import json
import os
import subprocess
import sys

EVENTS = ("SwitchIn", "SwitchOut", "Blocks", "Readied", "Shared")
PART, LEAST, CPU_PART, CPU_LEAST = 0.02, 1_000_000, 0.005, 1_000_000
WAKE_MOST = 50_000


def glimpse(*arguments):
    return subprocess.run(["glimpse", *arguments], check=True, capture_output=True, text=True).stdout


def rows(*arguments):
    return csv.DictReader(glimpse(*arguments, "--format=csv").splitlines())


class Thread:
    """Its states, as (from, to, state, processor); and the waits of which the kernel's account says nothing."""

    def __init__(self):
        self.states, self.since, self.processor = [], {}, None
        self.waits, self.groups = [], []

    def end(self, state, time):
        if state in self.since:
            self.states.append((self.since.pop(state), time, state, self.processor))

    def event(self, time, event, value):
        if event == "SwitchIn":
            self.end("ready", time)
            self.since["running"], self.processor = time, value
        elif event == "SwitchOut":
            self.end("running", time)
        elif event == "Blocks":
            self.since["blocked"] = time
        elif event == "Readied":
            self.end("blocked", time)
            self.since["ready"] = time
            self.waits.append([time, value])
        else:
            self.counted(int(value))

    def counted(self, n):
        """The last n waits with parts of one run delay: its sum is known."""
        group = [wait for wait in self.waits if wait[1] in ("shared", "cause")][-n:]
        for wait in group:
            wait[1] = "counted"
        self.groups.append({time for time, _ in group})

    def sum(self, state, begin=0, end=sys.maxsize):
        return sum(max(0, min(stop, end) - max(start, begin)) for start, stop, is_state, _ in self.states
                   if is_state == state)

    def guessed(self, begin, end):
        """Returns how much longer and shorter the thread may have been ready, as the account says nothing of these
        waits, or only in sum with waits before the beginning or after the end."""
        ends = {time for time, basis in self.waits if basis in ("cause", "unknown", "lost", "end")}
        wakes = {time for time, basis in self.waits if basis == "waker"}
        times = {"blocked": 0, "ready": 0}
        for start, stop, state, _ in self.states:
            within = max(0, min(stop, end) - max(start, begin))
            if state != "running" and (stop if state == "blocked" else start) in ends:
                times[state] += within
            elif state == "ready" and start in wakes:
                times[state] += min(within, WAKE_MOST)
        parted_groups = set().union(*(group for group in self.groups if any(
            min(group) <= time <= max(group) for time in (begin, end))))
        parted = sum(stop - start for start, stop, state, _ in self.states if state == "ready" and start in parted_groups)
        return times["blocked"] + parted, times["ready"] + parted


def threads_read(trace):
    found = {}
    for row in rows("events", *(word for event in EVENTS for word in ("-e", event)), trace):
        thread = found.setdefault(int(row["thread"]), Thread())
        thread.event(int(row["time"]), row["event"], row["attributes"].partition("=")[2])
    return found


def compare(thread, begin, end, cpu, delay, stolen):
    running, ready, blocked = (thread.sum(state, begin, end) for state in ("running", "ready", "blocked"))
    less, more = thread.guessed(begin, end)
    if abs(running - cpu) > CPU_PART * cpu + CPU_LEAST + stolen:
        yield f"ran for {running} ns, by its clock {cpu}"
    most = PART * delay + LEAST + stolen
    if not delay - most - less <= ready <= delay + most + more:
        yield f"was ready for {ready} ns, by the kernel {delay}; of which it says nothing: {less}, {more}"
    if abs(running + ready + blocked - (end - begin)) > 1000 + (end - begin) / 1000:
        yield f"has states of {running + ready + blocked} ns, and lived for {end - begin}"


def table_compare(trace, threads):
    for row in rows("threads", trace):
        thread = threads.get(int(row["thread"]), Thread())
        for state in ("running", "ready", "blocked"):
            if row[state] and int(row[state]) != thread.sum(state):
                yield f"glimpse threads has {row[state]} ns {state} of {row['name']}, its events {thread.sum(state)}"


def processors_compare(threads, duration):
    stays, ran = {}, 0
    for number, thread in threads.items():
        for start, stop, state, processor in thread.states:
            if state == "running":
                stays.setdefault(processor, []).append((start, stop, number))
                ran += stop - start
    for processor, list_ in stays.items():
        list_.sort()
        for before, after in zip(list_, list_[1:]):
            if after[0] < before[1]:
                yield f"processor {processor} has threads {before[2]} and {after[2]} at {after[0]} ns"
    if ran > os.cpu_count() * duration:
        yield f"threads ran for {ran} ns, of {os.cpu_count()} times {duration}"


def main():
    trace, path, stolen = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0
    info = json.loads(glimpse("info", "--format=json", trace))
    threads = threads_read(trace)
    wrong = [*table_compare(trace, threads), *processors_compare(threads, info["duration"])]
    compared = 0
    with open(path) as file:
        figures = [[int(field) for field in line.split()] for line in file]
    for tid, begin, end, cpu, delay, _ in figures:
        begin, end = begin - info["origin"], end - info["origin"]
        for t in info["threads"]:
            if t["tid"] == tid and t["number"] in threads and t["first"] <= begin and end <= t["last"]:
                compared += 1
                wrong += (f"thread {t['number']} ({t['name']}) {text}" for text in
                          compare(threads[t["number"]], begin, end, cpu, delay, stolen))
    print("\n".join([*wrong[:10], f"taken away by the host: {stolen} ns"]) if wrong else f"{compared} threads are right")
    sys.exit(1 if wrong else 0 if compared else 2)


if __name__ == "__main__":
    main()
