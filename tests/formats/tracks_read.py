"""Readers of Chrome trace JSON, the Fuchsia trace format and Perfetto's traces, which make of each the same lists.

Slices are (track, name, category, start, end, arguments); times are nanoseconds. Values of arguments are as the file
has them. The Perfetto messages are decoded by the package perfetto, FXT by its published description.
"""
import json
import struct
from decimal import Decimal


class Found:
    def __init__(self):
        self.instants, self.slices, self.counters, self.samples = [], [], [], []
        self.flows = {}                 # id: [(track, time, name) of the begin, the same of the end]
        self.names, self.processes = {}, {}     # of tracks and of processes
        self.about, self.threads = {}, []       # what an importer needs


def nanoseconds(text):
    number = text * 1000
    assert number == int(number), text
    return int(number)


def read_chrome(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file, parse_float=Decimal)
    found = Found()
    found.about, found.threads = trace["otherData"]["glimpse"], trace["otherData"]["threads"]
    frames = trace.get("stackFrames", {})
    for e in trace["traceEvents"]:
        track, args, phase = (e["pid"], e.get("tid")), e.get("args", {}), e["ph"]
        time = nanoseconds(e["ts"]) if "ts" in e else None
        if phase == "M":
            if e["name"] == "thread_name":
                found.names[track] = args["name"]
            elif e["name"] == "process_name":
                found.processes[e["pid"]] = args["name"]
        elif phase == "i":
            found.instants.append((track, e["name"], e["cat"], time, args))
        elif phase == "X":
            found.slices.append((track, e["name"], e["cat"], time, time + nanoseconds(e["dur"]), args))
        elif phase in "sf":
            assert ("bp" in e) == (phase == "f")
            found.flows.setdefault(e["id"], []).append((track, time, e["name"]))
        elif phase == "C":
            found.counters.append((e["name"], time, args["value"]))
        else:
            assert phase == "P", e
            stack, frame = [], str(e["sf"]) if "sf" in e else None
            while frame is not None:
                stack.insert(0, frames[frame]["name"])
                frame = str(frames[frame]["parent"]) if "parent" in frames[frame] else None
            found.samples.append((track, time, stack))
    return found


def read_fxt(path):
    with open(path, "rb") as file:
        data = file.read()
    found, strings, threads = Found(), {0: ""}, {}
    blobs, origin = b"", None

    def word(at):
        return struct.unpack_from("<Q", data, at)[0]

    def bits(value, first, last):
        return value >> first & (1 << last - first + 1) - 1

    def text(reference, at):
        """Returns the text and where the next thing is."""
        if not reference & 0x8000:
            return strings[reference], at
        n = reference & 0x7fff
        return data[at:at + n].decode(), at + (n + 7) // 8 * 8

    def arguments(n, at):
        values = {}
        for _ in range(n):
            head, start = word(at), at
            name, at = text(bits(head, 16, 31), at + 8)
            type = bits(head, 0, 3)
            if type in (3, 4, 5, 7, 8):
                values[name] = struct.unpack_from({3: "<q", 5: "<d"}.get(type, "<Q"), data, at)[0]
                at += 8
            elif type == 6:
                values[name], at = text(bits(head, 32, 47), at)
            else:
                assert type == 9, type
                values[name] = bool(bits(head, 32, 32))
            assert at == start + 8 * bits(head, 4, 15)
        return values, at

    assert word(0) == 0x0016547846040010 and len(data) % 8 == 0
    at = 8
    while at < len(data):
        head, start = word(at), at
        type, size = bits(head, 0, 3), bits(head, 4, 15) * 8
        assert size and at + size <= len(data)
        at += 8
        if type == 0:
            assert bits(head, 16, 19) in (1, 2) and bits(head, 20, 51) == 1
            at += (bits(head, 52, 59) + 7) // 8 * 8
        elif type == 1:
            assert word(at) == 10 ** 9
            at += 8
        elif type == 2:
            n = bits(head, 32, 46)
            assert bits(head, 16, 30) not in strings
            strings[bits(head, 16, 30)] = data[at:at + n].decode()
            at += (n + 7) // 8 * 8
        elif type == 3:
            threads[bits(head, 16, 23)] = (word(at), word(at + 8))
            at += 16
        elif type == 5:
            n = bits(head, 32, 46)
            assert strings[bits(head, 16, 31)] == "specification"
            blobs += data[at:at + n]
            at += (n + 7) // 8 * 8
        elif type == 7:
            koid = word(at)
            name, at = text(bits(head, 24, 39), at + 8)
            values, at = arguments(bits(head, 40, 43), at)
            if bits(head, 16, 23) == 1:
                found.processes[koid] = name
            else:
                found.names[values["process"], koid] = name
                if "number" in values:
                    found.threads.append(values)
        else:
            assert type == 4, type
            time, kind, thread = word(at), bits(head, 16, 19), bits(head, 24, 31)
            at += 8
            if thread:
                track = threads[thread]
            else:
                track = word(at), word(at + 8)
                at += 16
            category, at = text(bits(head, 32, 47), at)
            name, at = text(bits(head, 48, 63), at)
            values, at = arguments(bits(head, 20, 23), at)
            if category == "glimpse":
                found.about, origin = values, values["origin"]
            if kind == 0 and category == "more":
                found.instants[-1][4].update(values)
            elif kind == 0:
                found.instants.append((track, name, category, time - origin if origin else time, values))
            elif kind == 1:
                found.counters.append((name, time - origin, values["value"]))
                at += 8
            elif kind == 4:
                found.slices.append((track, name, category, time - origin, word(at) - origin, values))
                at += 8
            else:
                assert kind in (8, 10), kind
                found.flows.setdefault(word(at), []).append((track, time - origin, name))
                at += 8
        assert at == start + size, (type, at, start, size)
    found.about["specification"] = blobs.decode()
    return found


def read_perfetto(path):
    from google.protobuf.unknown_fields import UnknownFieldSet
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    trace = perfetto_trace_pb2.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    found, interned, tracks, open_slices = Found(), {}, {}, {}
    lists = ("event_categories", "event_names", "debug_annotation_names", "debug_annotation_string_values",
             "function_names", "frames", "callstacks", "mappings", "mapping_paths")
    origin = None

    def value(annotation):
        which = annotation.WhichOneof("value")
        if which == "string_value_iid":
            return interned["debug_annotation_string_values"][annotation.string_value_iid].str.decode()
        return getattr(annotation, which)

    for number, packet in enumerate(trace.packet):
        assert packet.trusted_packet_sequence_id == 1 and packet.sequence_flags == (2 if number else 1)
        assert not len(UnknownFieldSet(packet))
        for name in lists:
            for entry in getattr(packet.interned_data, name):
                table = interned.setdefault(name, {})
                assert entry.iid and entry.iid not in table
                table[entry.iid] = entry
        if packet.HasField("clock_snapshot"):
            clocks = {c.clock_id: c.timestamp for c in packet.clock_snapshot.clocks}
            origin = clocks[3]
            assert packet.clock_snapshot.primary_trace_clock == 3
            assert packet.trace_packet_defaults.timestamp_clock_id == 3
        if packet.HasField("track_descriptor"):
            d = packet.track_descriptor
            assert d.uuid not in tracks and (not d.parent_uuid or d.parent_uuid in tracks)
            tracks[d.uuid] = d
            if d.HasField("process"):
                found.processes[d.process.pid] = d.process.process_name
            elif d.HasField("thread"):
                found.names[d.uuid] = d.thread.thread_name
            elif d.parent_uuid:
                found.names[d.uuid] = found.names[d.parent_uuid] + ": " + d.name
        if packet.HasField("perf_sample"):
            sample = packet.perf_sample
            stack = []
            if sample.callstack_iid:
                for frame in interned["callstacks"][sample.callstack_iid].frame_ids:
                    assert interned["frames"][frame].mapping_id in interned["mappings"]
                    stack.append(interned["function_names"][interned["frames"][frame].function_name_id].str.decode())
            found.samples.append(((sample.pid, sample.tid), packet.timestamp - origin, stack))
        if not packet.HasField("track_event"):
            continue
        e, time = packet.track_event, packet.timestamp - origin
        assert e.track_uuid in tracks
        track = tracks[e.track_uuid]
        # the events of a thread are on a track of their own
        key = track.parent_uuid if track.name == "events" and not track.HasField("thread") else track.uuid
        if e.type == 4:
            found.counters.append((track.name, time, e.counter_value))
            continue
        if e.type == 2:
            started = open_slices[key].pop()
            found.slices.append(started[:4] + (time, started[4]))
            continue
        name = interned["event_names"][e.name_iid].name
        category = interned["event_categories"][e.category_iids[0]].name
        values = {interned["debug_annotation_names"][a.name_iid].name: value(a) for a in e.debug_annotations}
        if category == "glimpse":
            if name == "trace":
                found.about = values
            elif name == "thread":
                found.threads.append(values)
        elif e.type == 1:
            open_slices.setdefault(key, []).append((key, name, category, time, values))
        elif category == "flow":
            assert e.type == 3
            found.slices.append((key, name, category, time, time + 1, values))
            flow = list(e.flow_ids) + list(e.terminating_flow_ids)
            assert len(flow) == 1 and bool(e.terminating_flow_ids) == (flow[0] in found.flows)
            found.flows.setdefault(flow[0], []).append((key, time, name))
        else:
            assert e.type == 3
            found.instants.append((key, name, category, time, values))
    assert not any(open_slices.values())
    return found


READERS = {"chrome": read_chrome, "fxt": read_fxt, "perfetto": read_perfetto}
