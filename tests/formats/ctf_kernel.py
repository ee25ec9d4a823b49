#!/usr/bin/env python3
"""ctf_kernel.py DIRECTORY: writes a trace as LTTng's of a kernel, with two processors, and a discarded event."""
import os
import struct
import sys

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { uint32_t magic; uint32_t stream_id; }; };
env { hostname = "box"; domain = "kernel"; tracer_name = "lttng-modules"; };
clock { name = monotonic; freq = 1000000000; offset = 1700000000000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := time_t;
stream {
	id = 0;
	event.header := struct { uint16_t id; time_t timestamp; };
	packet.context := struct { time_t timestamp_begin; time_t timestamp_end; uint64_t content_size;
		uint64_t packet_size; uint64_t events_discarded; uint32_t cpu_id; };
};
"""
EVENTS = {
    "sched_switch": [("string", "prev_comm"), ("int32_t", "prev_tid"), ("int64_t", "prev_state"),
                     ("string", "next_comm"), ("int32_t", "next_tid")],
    "sched_waking": [("string", "comm"), ("int32_t", "tid"), ("int32_t", "target_cpu")],
    "sched_wakeup": [("string", "comm"), ("int32_t", "tid"), ("int32_t", "target_cpu")],
    "sched_process_fork": [("int32_t", "parent_tid"), ("string", "child_comm"), ("int32_t", "child_tid"),
                           ("int32_t", "child_pid")],
    "sched_process_exit": [("string", "comm"), ("int32_t", "tid")],
    "lttng_statedump_process_state": [("int32_t", "tid"), ("int32_t", "pid"), ("string", "name")],
    "syscall_entry_read": [("uint32_t", "fd")],
}
FORMATS = {"int32_t": "<i", "int64_t": "<q", "uint32_t": "<I"}


def event(time, name, *values):
    out = struct.pack("<HQ", list(EVENTS).index(name), time)
    for (kind, _), v in zip(EVENTS[name], values):
        out += v.encode() + b"\0" if kind == "string" else struct.pack(FORMATS[kind], v)
    return out


def packet(cpu, discarded, begin, end, events):
    body = b"".join(event(*e) for e in events)
    size = 8 * (8 + 44 + len(body))
    return struct.pack("<IIQQQQQI", 0xc1fc1fc1, 0, begin, end, size, size, discarded, cpu) + body


os.mkdir(sys.argv[1])
with open(sys.argv[1] + "/metadata", "w") as f:
    f.write(METADATA)
    for i, (name, fields) in enumerate(EVENTS.items()):
        f.write('event { id = %d; stream_id = 0; name = "%s"; fields := struct { %s }; };\n' %
                (i, name, " ".join("%s _%s;" % field for field in fields)))
# server 10 (main) and 11; other 20. Times in us.
CPU = [
    [(1000, "lttng_statedump_process_state", 10, 10, "server"),
     (1001, "lttng_statedump_process_state", 11, 10, "worker"),
     (2000, "sched_switch", "swapper/0", 0, 0, "server", 10),
     (2500, "syscall_entry_read", 3),
     (3000, "sched_waking", "worker", 11, 1),
     (3001, "sched_wakeup", "worker", 11, 1),
     (4000, "sched_process_fork", 10, "server", 12, 12),
     (5000, "sched_switch", "server", 10, 1, "other", 20),
     (9000, "sched_switch", "other", 20, 0, "swapper/0", 0)],
    [(3500, "sched_switch", "swapper/1", 0, 0, "worker", 11),
     (6000, "sched_switch", "worker", 11, 0, "server", 12),
     (7000, "sched_process_exit", "server", 12),
     (7001, "sched_switch", "server", 12, 16, "worker", 11),
     (8000, "sched_waking", "server", 10, 0)],
]
for cpu, events in enumerate(CPU):
    with open("%s/channel0_%d" % (sys.argv[1], cpu), "wb") as f:
        f.write(packet(cpu, 0, 0, events[-1][0] * 1000, [(t * 1000, *e) for t, *e in events]))
