"""perfetto_foreign.py KIND FILE: a trace as other tools write them, by the messages that Perfetto publishes.

KIND: tracks, clocks, ftrace, compact, samples, compressed, lost.
"""
import sys
import zlib

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

trace = pb.Trace()
CLEARED, NEEDED = 1, 2


def packet(time=None, sequence=1, flags=NEEDED):
    p = trace.packet.add()
    p.trusted_packet_sequence_id = sequence
    p.sequence_flags = flags
    if time is not None:
        p.timestamp = time
    return p


def thread(uuid, pid, tid, name, parent=0):
    d = packet().track_descriptor
    d.uuid, d.parent_uuid = uuid, parent
    d.thread.pid, d.thread.tid, d.thread.thread_name = pid, tid, name


def process(uuid, pid, name):
    d = packet().track_descriptor
    d.uuid, d.process.pid, d.process.process_name = uuid, pid, name


def event(time, kind, track, name="", **more):
    p = packet(time, **more)
    p.track_event.type = kind
    p.track_event.track_uuid = track
    if name:
        p.track_event.name = name
    return p.track_event


BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def tracks():
    p = packet(flags=CLEARED)
    for i, text in enumerate(["load", "step"], 1):
        p.interned_data.event_names.add(iid=i, name=text)
    p.interned_data.event_categories.add(iid=1, name="io")
    p.interned_data.event_categories.add(iid=2, name="net")
    p.interned_data.debug_annotation_names.add(iid=1, name="size")
    p.interned_data.debug_annotation_string_values.add(iid=7, str=b"long ago")
    process(10, 70, "browser")
    thread(11, 70, 71, "main", 10)
    thread(12, 70, 72, "worker", 10)
    d = packet().track_descriptor
    d.uuid, d.parent_uuid, d.name = 13, 10, "requests"
    d = packet().track_descriptor
    d.uuid, d.parent_uuid, d.name = 14, 11, "heap"
    d.counter.unit_multiplier = 10
    e = event(1000, BEGIN, 11)
    e.name_iid = 1
    e.category_iids.extend([1, 2])
    e.flow_ids.append(5)
    a = e.debug_annotations
    a.add(name_iid=1, uint_value=2**64 - 1)
    a.add(name="i", int_value=-2**63)
    a.add(name="d", double_value=0.1)
    a.add(name="b", bool_value=True)
    a.add(name="p", pointer_value=0x7f00)
    a.add(name="s", string_value="h\u00e9\n\"")
    a.add(name="v", string_value_iid=7)
    nested = a.add(name="n")
    nested.dict_entries.add(name="x", int_value=1)
    inner = nested.dict_entries.add(name="y")
    inner.array_values.add(string_value="z")
    inner.array_values.add(bool_value=False)
    a.add(name="j", legacy_json_value='{"k":1}')
    event(1010, BEGIN, 11, "inner")
    event(1020, END, 11)
    event(1030, END, 11)
    e = event(1040, INSTANT, 12, "mark")
    e.flow_ids.append(5)
    event(1050, INSTANT, 12, "mark").terminating_flow_ids.append(5)
    event(1060, BEGIN, 13, "request")
    event(1070, END, 13)
    event(1080, COUNTER, 14).counter_value = 5
    d = packet().track_descriptor
    d.uuid, d.parent_uuid, d.name = 15, 10, "queue"
    d.counter.is_incremental = True
    event(1090, COUNTER, 15).counter_value = 3
    event(1095, COUNTER, 15).counter_value = 4
    e = event(1100, 0, 12, "old")
    e.legacy_event.phase = ord("X")
    e.legacy_event.duration_us = 1
    packet(1200).track_event.type = INSTANT


def clocks():
    p = packet(flags=CLEARED)
    s = p.clock_snapshot
    for clock, time in ((6, 5000), (3, 2000), (1, 1700000000000005000)):
        s.clocks.add(clock_id=clock, timestamp=time)
    c = s.clocks.add(clock_id=64, timestamp=1)
    c.is_incremental, c.unit_multiplier_ns = True, 1000
    p.trace_packet_defaults.timestamp_clock_id = 64
    p.trace_packet_defaults.track_event_defaults.track_uuid = 11
    thread(11, 70, 71, "main")
    event(5, INSTANT, 11, "five").ClearField("track_uuid")      # 5 us after the snapshot
    p = packet(2100)
    p.timestamp_clock_id = 3
    p.track_event.type, p.track_event.name = INSTANT, "monotonic"
    event(2, INSTANT, 11, "seven")
    # a sequence without defaults: BOOTTIME
    event(5050, INSTANT, 11, "boot", sequence=2, flags=0)


def bundle(cpu):
    b = packet(flags=0, sequence=9).ftrace_events
    b.cpu = cpu
    return b


def tree():
    t = packet(flags=0).process_tree
    t.processes.add(pid=100, ppid=1, cmdline=["/usr/bin/server", "-x"])
    t.threads.add(tid=101, tgid=100, name="io")


def record(b, time, pid, **fields):
    e = b.event.add(timestamp=time, pid=pid)
    for name, values in fields.items():
        message = getattr(e, name)
        message.SetInParent()
        for key, value in values.items():
            setattr(message, key, value)
    return e


def ftrace():
    tree()
    one, zero = bundle(1), bundle(0)
    record(one, 2500, 0, sched_switch=dict(prev_pid=0, prev_state=0, next_pid=101, next_comm="io"))
    record(one, 4000, 101, sched_switch=dict(prev_pid=101, prev_state=1, next_pid=0))
    record(zero, 1000, 0, sched_switch=dict(prev_pid=0, prev_state=0, next_pid=100, next_comm="server"))
    record(zero, 2000, 100, sched_waking=dict(pid=101, comm="io"))
    record(zero, 3000, 100, task_newtask=dict(pid=200, comm="child", clone_flags=0))
    record(zero, 3100, 100, sched_wakeup_new=dict(pid=200, comm="child"))
    record(zero, 3500, 100, sched_switch=dict(prev_pid=100, prev_state=0, next_pid=200, next_comm="child"))
    record(zero, 3600, 200, task_rename=dict(pid=200, oldcomm="child", newcomm="kid"))
    record(zero, 3900, 200, sched_process_exit=dict(pid=200, comm="kid"))
    record(zero, 4000, 200, sched_switch=dict(prev_pid=200, prev_state=16, next_pid=100, next_comm="server"))
    record(zero, 5000, 100, sched_switch=dict(prev_pid=100, prev_state=1, next_pid=0))


def compact():
    tree()
    b = bundle(0)
    c = b.compact_sched
    c.intern_table.extend(["server", "swapper"])
    c.switch_timestamp.extend([1000, 4000])
    c.switch_prev_state.extend([0, 1])
    c.switch_next_pid.extend([100, 0])
    c.switch_next_prio.extend([120, 120])
    c.switch_next_comm_index.extend([0, 1])
    c.intern_table.append("io")
    c.waking_timestamp.append(2000)
    c.waking_pid.append(101)
    c.waking_target_cpu.append(1)
    c.waking_prio.append(120)
    c.waking_comm_index.append(2)
    b = bundle(1)
    c = b.compact_sched
    c.intern_table.extend(["io", "swapper"])
    c.switch_timestamp.extend([2500, 1500])
    c.switch_prev_state.extend([0, 1])
    c.switch_next_pid.extend([101, 0])
    c.switch_next_prio.extend([120, 120])
    c.switch_next_comm_index.extend([0, 1])


def samples():
    tree()
    p = packet(flags=CLEARED)
    for i, text in enumerate([b"main", b"work", b"leaf"], 1):
        p.interned_data.function_names.add(iid=i, str=text)
    p.interned_data.mapping_paths.add(iid=1, str=b"libx.so")
    p.interned_data.mappings.add(iid=1, path_string_ids=[1])
    for i in (1, 2, 3):
        p.interned_data.frames.add(iid=i, function_name_id=i, mapping_id=1, rel_pc=i)
    p.interned_data.frames.add(iid=4, mapping_id=1, rel_pc=0x123)
    p.interned_data.callstacks.add(iid=1, frame_ids=[1, 2, 3])
    p.interned_data.callstacks.add(iid=2, frame_ids=[1, 4])
    for time, stack in ((1000, 1), (2000, 1), (3000, 2)):
        s = packet(time).perf_sample
        s.cpu, s.pid, s.tid, s.callstack_iid = 0, 100, 101, stack
    p = packet(4000)
    p.thread_descriptor.pid, p.thread_descriptor.tid = 100, 100
    p = packet(4000)
    p.streaming_profile_packet.callstack_iid.extend([1, 2])
    p.streaming_profile_packet.timestamp_delta_us.extend([1, 2])


def periods():
    tree()
    p = packet(flags=CLEARED)
    p.trace_packet_defaults.perf_sample_defaults.timebase.frequency = 100
    p.interned_data.function_names.add(iid=1, str=b"work")
    p.interned_data.frames.add(iid=1, function_name_id=1)
    p.interned_data.callstacks.add(iid=1, frame_ids=[1])
    for ms in (100, 110, 600):
        s = packet(ms * 1000000).perf_sample
        s.cpu, s.pid, s.tid, s.callstack_iid = 0, 100, 101, 1


def compressed():
    global trace
    tracks()
    whole = zlib.compress(trace.SerializeToString())
    trace = pb.Trace()
    trace.packet.add().compressed_packets = whole


def lost():
    p = packet(flags=CLEARED)
    p.interned_data.event_names.add(iid=1, name="load")
    thread(11, 70, 71, "main")
    event(1000, INSTANT, 11).name_iid = 1
    event(1010, INSTANT, 11, flags=NEEDED).name_iid = 1
    packet(flags=0).sys_stats.num_irq_total = 1
    p = packet(flags=0)
    p.previous_packet_dropped = 1
    event(1020, INSTANT, 11).name_iid = 1
    event(1030, INSTANT, 11, "plain", flags=0)


globals()[sys.argv[1]]()
with open(sys.argv[2], "wb") as out:
    out.write(trace.SerializeToString())
