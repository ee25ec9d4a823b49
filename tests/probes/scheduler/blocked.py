#!/usr/bin/env python3
"""How much of the time that threads of a run were blocked has a cause: another thread that ended
it, or a name (timer, I/O). usage: blocked.py RUN; prints one line, "what NANOSECONDS" in pairs."""
import bisect
import csv
import subprocess
import sys

# Waits whose causes are intervals with the same end: anchored at it, or (Wakeup) their partner.
WAITS = {
	"LockWait": ["Handover"], "CondWait": ["Wakeup", "Regain"], "SemWait": ["Post"],
	"BarrierWait": ["Arrival"], "JoinWait": ["Joined"], "OnceWait": ["OnceDone"],
}
NAMED = {name: "io" for name in
	"Read Write Sync Open Connect Accept Send Receive FaultWait SyncWait FileWait".split()} | {"Sleep": "timer", "Poll": "poll"}
BEGINS = "LockBusy CondBegin SemBusy BarrierBegin JoinBegin OnceBusy SleepBegin PollBegin".split()
OTHERS = "Started Executed SwitchIn SwitchOut Blocks Readied Shared Migrated Exited Wakes WokenUp WaitStack WaitFrame KernelWait".split()
TIMED_OUT = "result=110"


def rows(command, run, *options):
	said = subprocess.run(["glimpse", command, "--format=csv", *options, run],
		stdout=subprocess.PIPE, check=True, text=True).stdout
	return csv.DictReader(said.splitlines())


def instances(run, interval):
	for r in rows("match", run, "-i", interval):
		if r["partner_thread"] == "":
			continue
		yield ((r["anchor_thread"], r["anchor_seq"], int(r["anchor_time"])),
			(r["partner_thread"], r["partner_seq"], int(r["partner_time"])))


def caused_ends(run, names):
	"""The ends of waits, by thread and number, that another thread brought about."""
	ends = set()
	for name in names:
		for anchor, partner in instances(run, name):
			if name == "Wakeup":
				anchor, partner = partner, anchor
			if anchor[0] != partner[0]:
				ends.add(anchor[:2])
	return ends


def waits(run):
	"""Yields thread, begin, end and what ended it of each wait that is known."""
	late = {(r["thread"], r["seq"]) for r in rows("events", run, "-e", "CondEnd", "-e", "SemEnd", "-e", "LockEnd")
		if TIMED_OUT in r["attributes"].split(";")}
	for name, causes in WAITS.items():
		ends = caused_ends(run, causes)
		for end, begin in instances(run, name):
			what = "thread" if end[:2] in ends else "unknown-" + name
			yield end[0], begin[2], end[2], "timer" if end[:2] in late else what
	for name, what in NAMED.items():
		for a, b in instances(run, name):
			yield a[0], min(a[2], b[2]), max(a[2], b[2]), what
	yield from ends_of_life(run)


def ends_of_life(run):
	"""Yields what was before a thread's first event of its own, and waits that its end cut short."""
	first, open_, last = {}, {}, {}
	for r in rows("events", run):
		thread, time, event = r["thread"], int(r["time"]), r["event"]
		last[thread] = time
		if event in OTHERS:
			continue
		first.setdefault(thread, time)
		if event in BEGINS:
			open_[thread] = time
		elif thread in open_:
			del open_[thread]
	for thread, time in first.items():
		yield thread, 0, time, "start"
	for thread, time in open_.items():
		yield thread, time, last[thread], "exit"


def shares(run):
	of_thread, sums = {}, {"blocked": 0}
	for thread, begin, end, what in waits(run):
		of_thread.setdefault(thread, []).append((begin, end, what))
	for list_ in of_thread.values():
		list_.sort()
	for a, b in instances(run, "Blocked"):
		add_blocked(sums, of_thread.get(a[0], []), a[2], b[2], a[0])
	return sums


def add_blocked(sums, list_, begin, end, thread):
	"""Waits of one thread may lie within each other: the innermost, which began last, has the time."""
	sums["blocked"] += end - begin
	i = bisect.bisect_left(list_, (end,))
	while i > 0 and begin < end:
		i -= 1
		b, e, what = list_[i]
		if e <= begin:
			continue
		covered = min(e, end) - max(b, begin)
		sums[what] = sums.get(what, 0) + covered
		left = max(0, end - max(e, begin))
		if left:
			sums["unnamed"] = sums.get("unnamed", 0) + left
		end = max(b, begin)
	if end > begin:
		if "-v" in sys.argv:
			print("unnamed: thread", thread, begin, end, end - begin, file=sys.stderr)
		sums["unnamed"] = sums.get("unnamed", 0) + end - begin


print(*(f"{what} {ns}" for what, ns in shares(sys.argv[1]).items()))
