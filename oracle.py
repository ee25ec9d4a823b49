import csv, os, subprocess, sys
""")
s=s.replace("""def walk(events):
    \"\"\"Returns a thread's calls.\"\"\"
    stack, calls, last, runs = [], {}, 0, True
    for e in events:
        now, key = int(e["time"]), (e["thread"], e["seq"])
        if stack:
            stack[-1]["own"] += cut(now) - cut(last)
            stack[-1]["cpu"] += runs * (cut(now) - cut(last))
        last = now
""","""def walk(events, switches):
    \"\"\"Returns a thread's calls.\"\"\"
    stack, calls, last, runs = [], {}, 0, True

    def wait(until):
        if stack:
            stack[-1]["own"] += cut(until) - cut(last)
            stack[-1]["cpu"] += runs * (cut(until) - cut(last))
        return until

    for e in events:
        now, key = int(e["time"]), (e["thread"], e["seq"])
        while switches and switches[0] < now:
            last = wait(switches.pop(0))
            while stack and stack[-1]["endless"]:
                stack.pop()["left"] = last
        last = wait(now)
""")
s=s.replace("""                          "own": 0, "cpu": 0, "outer""","""                          "own": 0, "cpu": 0, "endless": key not in has_end, "outer""")
s=s.replace("""    for thread, events in threads.items():
        for c in walk(events):
""","""    for thread, events in threads.items():
        for c in walk(events, sorted(t for t, where in switches if where in ("every", thread))):
""")
s=s.replace("""begin_of, has_end""","""switches, origin = [], 0
if os.path.exists("run/switches.times"):
    origin, *lines = open("run/switches.times").read().split("\\n")
begin_of, has_end""")
open(p,'w').write(s)
