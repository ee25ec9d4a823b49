#include "config.h"
#include "formats/export.h"

#ifdef HAVE_PROTOBUF_C
#include "formats/perfetto.pb-c.h"
#include "formats/perfetto_fields.h"
#include "formats/tracks.h"
#include "trace/address.h"
#include <stdlib.h>

/* Numbers of Perfetto's format. */
enum { CLOCK_ID_REALTIME = 1, CLOCK_ID_MONOTONIC = 3 };
enum { STATE_CLEARED = 1, STATE_NEEDED = 2 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { CHILDREN_EXPLICIT = 3 };

/* What is interned; each has numbers of its own. A number of 0 would be none. */
enum interned_kind {
	INTERNED_CATEGORY,
	INTERNED_NAME,
	INTERNED_ANNOTATION,
	INTERNED_VALUE,
	INTERNED_FUNCTION,
	NINTERNED
};

typedef VECTOR(Perfetto__InternedText *) text_pointers;

struct perfetto_export {
	FILE *out;
	struct tracks *tracks;
	VECTOR(unsigned char) bytes;    /* of the packet that is written */
	VECTOR(unsigned char) known;    /* by number of a text: bits 1 << enum interned_kind */
	text_pointers fresh[NINTERNED]; /* for the next packet */
	VECTOR(unsigned char) event, annotation; /* as they are made */
	bool *stacks;                            /* by path of the samples: those that are known */
	bool begun;
};

/* ---- packets ---- */

static size_t varint_put(unsigned char *to, uint64_t number)
{
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		to[n++] = (unsigned char)(number | 0x80);
	to[n++] = (unsigned char)number;
	return n;
}

/* Writes a packet as a part of the message Trace, the whole of which is never in memory. */
static void packet_write(struct perfetto_export *p, Perfetto__TracePacket *packet)
{
	enum { TRACE_PACKET = 1 << 3 | 2, HEAD_MOST = 11 };
	unsigned char head[HEAD_MOST] = {TRACE_PACKET};
	size_t size;

	packet->has_trusted_packet_sequence_id = packet->has_sequence_flags = true;
	packet->trusted_packet_sequence_id = 1;
	packet->sequence_flags = p->begun ? STATE_NEEDED : STATE_CLEARED;
	p->begun = true;
	size = perfetto__trace_packet__get_packed_size(packet);
	p->bytes.at = vector_reserve(p->bytes.at, size, &p->bytes.room, 1);
	perfetto__trace_packet__pack(packet, p->bytes.at);
	fwrite_unlocked(head, 1, 1 + varint_put(head + 1, size), p->out);
	fwrite_unlocked(p->bytes.at, 1, size, p->out);
}

/* ---- interned texts ---- */

static uint64_t intern(struct perfetto_export *p, enum interned_kind what, int64_t name)
{
	Perfetto__InternedText *text;

	while (__builtin_expect(p->known.n <= (size_t)name, 0))
		vector_add(&p->known);
	if (__builtin_expect(!(p->known.at[name] & 1u << what), 0)) {
		p->known.at[name] |= (unsigned char)(1u << what);
		text = array_new(1, sizeof *text);
		perfetto__interned_text__init(text);
		text->has_iid = true;
		text->iid = (uint64_t)name + 1;
		text->text = (char *)address_key_text(p->tracks->trace, name);
		*vector_add(&p->fresh[what]) = text;
	}
	return (uint64_t)name + 1;
}

/* Adds what is new to a packet; *data must live as long as it. */
static void interned_add(struct perfetto_export *p, Perfetto__TracePacket *packet,
			 Perfetto__InternedData *data)
{
	size_t n = 0;

	for (int i = 0; i < NINTERNED; i++)
		n += p->fresh[i].n;
	if (!n)
		return;
	perfetto__interned_data__init(data);
	data->n_event_categories = p->fresh[INTERNED_CATEGORY].n;
	data->event_categories = p->fresh[INTERNED_CATEGORY].at;
	data->n_event_names = p->fresh[INTERNED_NAME].n;
	data->event_names = p->fresh[INTERNED_NAME].at;
	data->n_debug_annotation_names = p->fresh[INTERNED_ANNOTATION].n;
	data->debug_annotation_names = p->fresh[INTERNED_ANNOTATION].at;
	data->n_debug_annotation_string_values = p->fresh[INTERNED_VALUE].n;
	data->debug_annotation_string_values = p->fresh[INTERNED_VALUE].at;
	data->n_function_names = p->fresh[INTERNED_FUNCTION].n;
	data->function_names = p->fresh[INTERNED_FUNCTION].at;
	packet->interned_data = data;
}

static void interned_forget(struct perfetto_export *p)
{
	for (int i = 0; i < NINTERNED; i++) {
		for (size_t k = 0; k < p->fresh[i].n; k++)
			free(p->fresh[i].at[k]);
		p->fresh[i].n = 0;
	}
}

/* ---- messages TrackEvent and their DebugAnnotation, which are most of a trace ---- */

enum wire { WIRE_VARINT, WIRE_64, WIRE_BYTES };
enum { FIELD_MOST = 16 }; /* bytes of a field, but for those of a text */

static size_t field_put(unsigned char *to, unsigned field, uint64_t number)
{
	size_t n = varint_put(to, (uint64_t)field << 3 | WIRE_VARINT);

	return n + varint_put(to + n, number);
}

static size_t word_put(unsigned char *to, uint64_t word)
{
	for (size_t i = 0; i < sizeof word; i++, word >>= 8)
		to[i] = (unsigned char)word;
	return sizeof word;
}

static size_t double_put(unsigned char *to, double real)
{
	uint64_t word;

	memcpy(&word, &real, sizeof word);
	*to = FIELD_DOUBLE << 3 | WIRE_64;
	return 1 + word_put(to + 1, word);
}

static size_t string_put(unsigned char *to, const char *bytes, size_t length)
{
	size_t n = 1 + varint_put(to + 1, length);

	*to = FIELD_STRING << 3 | WIRE_BYTES;
	memcpy(to + n, bytes, length);
	return n + length;
}

static size_t value_put(struct perfetto_export *p, unsigned char *to, const struct argument *a)
{
	switch (a->kind) {
	case ARGUMENT_INT:
		return field_put(to, FIELD_INT, (uint64_t)a->integer);
	case ARGUMENT_UINT:
		return field_put(to, FIELD_UINT, a->word);
	case ARGUMENT_REAL:
		return double_put(to, a->real);
	case ARGUMENT_BOOL:
		return field_put(to, FIELD_BOOL, a->truth);
	case ARGUMENT_POINTER:
		return field_put(to, FIELD_POINTER, a->word);
	case ARGUMENT_NAME:
		return field_put(to, FIELD_STRING_IID, intern(p, INTERNED_VALUE, a->text));
	case ARGUMENT_STRING:
		return string_put(to, a->string.bytes, a->string.length);
	}
	return 0;
}

/* Adds a field of the event that is made. */
static void event_put(struct perfetto_export *p, enum track_event_field field, uint64_t number)
{
	p->event.at = vector_reserve(p->event.at, p->event.n + FIELD_MOST, &p->event.room, 1);
	p->event.n += field_put(p->event.at + p->event.n, field, number);
}

static void event_put_64(struct perfetto_export *p, enum track_event_field field, uint64_t word)
{
	p->event.at = vector_reserve(p->event.at, p->event.n + FIELD_MOST, &p->event.room, 1);
	p->event.n += varint_put(p->event.at + p->event.n, (uint64_t)field << 3 | WIRE_64);
	p->event.n += word_put(p->event.at + p->event.n, word);
}

static void annotation_put(struct perfetto_export *p, const struct argument *a)
{
	size_t room = 2 * FIELD_MOST + (a->kind == ARGUMENT_STRING ? a->string.length : 0), n;
	unsigned char *to;

	p->annotation.at = vector_reserve(p->annotation.at, room, &p->annotation.room, 1);
	n = field_put(p->annotation.at, FIELD_NAME_IID, intern(p, INTERNED_ANNOTATION, a->name));
	n += value_put(p, p->annotation.at + n, a);
	p->event.at = vector_reserve(p->event.at, p->event.n + FIELD_MOST + n, &p->event.room, 1);
	to = p->event.at + p->event.n;
	*to++ = EVENT_ANNOTATION << 3 | WIRE_BYTES;
	to += varint_put(to, n);
	memcpy(to, p->annotation.at, n);
	p->event.n = (size_t)(to + n - p->event.at);
}

/* ---- events ---- */

static void time_set(const struct perfetto_export *p, Perfetto__TracePacket *packet, int64_t time)
{
	packet->has_timestamp = true;
	packet->timestamp = (uint64_t)p->tracks->trace->origin + (uint64_t)time;
}

static void event_begin(struct perfetto_export *p, unsigned type, const struct track *track)
{
	p->event.n = 0;
	event_put(p, EVENT_TYPE, type);
	event_put(p, EVENT_TRACK, track->id);
}

static void slice_put(struct perfetto_export *p, const struct track_slice *s)
{
	event_put(p, EVENT_NAME_IID, intern(p, INTERNED_NAME, s->name));
	event_put(p, EVENT_CATEGORY_IID, intern(p, INTERNED_CATEGORY, s->category));
	for (size_t i = 0; i < s->narguments; i++)
		annotation_put(p, &s->arguments[i]);
}

static void event_write(struct perfetto_export *p, int64_t time)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data;

	time_set(p, &packet, time);
	packet.has_track_event = true;
	packet.track_event.data = p->event.at;
	packet.track_event.len = p->event.n;
	interned_add(p, &packet, &data);
	packet_write(p, &packet);
	interned_forget(p);
}

static void instant_write(void *to, const struct track_slice *s)
{
	struct perfetto_export *p = to;

	event_begin(p, TYPE_INSTANT, s->track);
	slice_put(p, s);
	event_write(p, s->start);
}

static void begin_write(void *to, const struct track_slice *s)
{
	struct perfetto_export *p = to;

	event_begin(p, TYPE_BEGIN, s->track);
	slice_put(p, s);
	event_write(p, s->start);
}

static void end_write(void *to, const struct track_slice *s)
{
	struct perfetto_export *p = to;

	event_begin(p, TYPE_END, s->track);
	event_write(p, s->end);
}

static void flow_write(void *to, uint64_t id, const struct track_slice ends[2])
{
	struct perfetto_export *p = to;

	for (int i = 0; i < 2; i++) {
		event_begin(p, TYPE_INSTANT, ends[i].track);
		slice_put(p, &ends[i]);
		event_put_64(p, i ? EVENT_FLOW_END : EVENT_FLOW, id);
		event_write(p, ends[i].start);
	}
}

static void counter_write(void *to, const struct track *t, int64_t time, int64_t value)
{
	struct perfetto_export *p = to;

	event_begin(p, TYPE_COUNTER, t);
	event_put(p, EVENT_COUNTER, (uint64_t)value);
	event_write(p, time);
}

/* ---- tracks ---- */

/* Tracks of processes are behind all others. */
static uint64_t process_uuid(uint32_t process)
{
	return (UINT64_C(1) << 32) + process;
}

static void descriptor_write(struct perfetto_export *p, Perfetto__TrackDescriptor *d)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.track_descriptor = d;
	packet_write(p, &packet);
}

static void process_write(struct perfetto_export *p, uint32_t process)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ProcessDescriptor own = PERFETTO__PROCESS_DESCRIPTOR__INIT;
	const struct trace_process *x = &p->tracks->trace->processes[process];
	char *name = *x->program ? text_format("%s", x->program) : trace_process_name(x);

	d.has_uuid = own.has_pid = true;
	d.uuid = process_uuid(process);
	d.process = &own;
	own.pid = (int32_t)p->tracks->processes[process];
	own.process_name = name;
	descriptor_write(p, &d);
	free(name);
}

static void thread_write(struct perfetto_export *p, const struct track *t)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ThreadDescriptor own = PERFETTO__THREAD_DESCRIPTOR__INIT;
	uint32_t process = p->tracks->trace->threads[t->thread].directory;

	d.has_uuid = d.has_parent_uuid = d.has_child_ordering = own.has_pid = own.has_tid = true;
	d.uuid = t->id;
	d.parent_uuid = process_uuid(process);
	d.child_ordering = CHILDREN_EXPLICIT;
	d.thread = &own;
	own.pid = (int32_t)p->tracks->processes[process];
	own.tid = p->tracks->threads[t->thread];
	own.thread_name = (char *)t->name;
	descriptor_write(p, &d);
}

static void track_write(void *to, const struct track *t)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
	struct perfetto_export *p = to;

	if (t->kind == TRACK_THREAD) {
		thread_write(p, t);
		return;
	}
	d.has_uuid = true;
	d.uuid = t->id;
	d.name = (char *)t->name;
	if (t->kind == TRACK_COUNTER) {
		d.counter = &counter;
	} else {
		d.has_parent_uuid = d.has_sibling_order_rank = true;
		d.parent_uuid = p->tracks->list[t->thread]->id;
		d.sibling_order_rank = (int32_t)t->kind;
	}
	descriptor_write(p, &d);
}

/* ---- call stacks ---- */

/* All frames are of one mapping, as Perfetto asks for one. */
enum { ONE_MAPPING = 1 };

struct stack_data {
	Perfetto__InternedData data;
	Perfetto__Callstack stack, *stack_pointer;
	VECTOR(uint64_t) ids;
	VECTOR(Perfetto__Frame) frames;
	VECTOR(Perfetto__Frame *) frame_pointers;
};

/* Returns the number of a function's frame, which is that of its name. */
static uint64_t frame_of(struct perfetto_export *p, struct stack_data *x, int64_t function)
{
	size_t known = p->fresh[INTERNED_FUNCTION].n;
	uint64_t id = intern(p, INTERNED_FUNCTION, function);
	Perfetto__Frame *f;

	if (p->fresh[INTERNED_FUNCTION].n == known)
		return id;
	f = vector_add(&x->frames);
	perfetto__frame__init(f);
	f->has_iid = f->has_function_name_id = f->has_mapping_id = f->has_rel_pc = true;
	f->iid = f->function_name_id = f->rel_pc = id;
	f->mapping_id = ONE_MAPPING;
	return id;
}

/* Lists the functions of a path, the outermost first. */
static void path_list(struct perfetto_export *p, struct stack_data *x, uint32_t path)
{
	const struct sample_path *paths = p->tracks->samples->paths.at;
	size_t n = 0;

	for (uint32_t at = path; at > STACK_CUT; at = paths[at].parent)
		n++;
	x->ids.at = array_new(n, sizeof *x->ids.at);
	x->ids.n = n;
	for (; path > STACK_CUT; path = paths[path].parent)
		x->ids.at[--n] = frame_of(p, x, paths[path].function);
}

/* Adds a stack that is not known yet. */
static void stack_add(struct perfetto_export *p, Perfetto__TracePacket *packet,
		      struct stack_data *x, uint32_t path)
{
	path_list(p, x, path);
	perfetto__interned_data__init(&x->data);
	interned_add(p, packet, &x->data);
	packet->interned_data = &x->data;
	for (size_t i = 0; i < x->frames.n; i++)
		*vector_add(&x->frame_pointers) = &x->frames.at[i];
	x->data.n_frames = x->frames.n;
	x->data.frames = x->frame_pointers.at;
	perfetto__callstack__init(&x->stack);
	x->stack.has_iid = true;
	x->stack.iid = path;
	x->stack.n_frame_ids = x->ids.n;
	x->stack.frame_ids = x->ids.at;
	x->stack_pointer = &x->stack;
	x->data.n_callstacks = 1;
	x->data.callstacks = &x->stack_pointer;
	p->stacks[path] = true;
}

static void sample_write(void *to, uint32_t thread, int64_t time, uint32_t stack)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__PerfSample sample = PERFETTO__PERF_SAMPLE__INIT;
	struct stack_data x = {.ids = {0}};
	struct perfetto_export *p = to;
	uint32_t path = p->tracks->samples->stacks.at[stack].path;

	time_set(p, &packet, time);
	packet.perf_sample = &sample;
	sample.has_pid = sample.has_tid = true;
	sample.pid = p->tracks->processes[p->tracks->trace->threads[thread].directory];
	sample.tid = p->tracks->threads[thread];
	if (path > STACK_CUT) {
		sample.has_callstack_iid = true;
		sample.callstack_iid = path;
		if (!p->stacks[path])
			stack_add(p, &packet, &x, path);
	}
	packet_write(p, &packet);
	interned_forget(p);
	free(x.frame_pointers.at);
	free(x.frames.at);
	free(x.ids.at);
}

/* Of all samples: the mapping that their frames are said to be of. */
static void mapping_write(struct perfetto_export *p)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__Mapping mapping = PERFETTO__MAPPING__INIT, *mappings = &mapping;
	Perfetto__InternedText path = PERFETTO__INTERNED_TEXT__INIT, *paths = &path;
	uint64_t path_id = 1;

	path.has_iid = mapping.has_iid = true;
	path.iid = path_id;
	path.text = (char *)p->tracks->trace->processes[0].program;
	mapping.iid = ONE_MAPPING;
	mapping.n_path_string_ids = data.n_mappings = data.n_mapping_paths = 1;
	mapping.path_string_ids = &path_id;
	data.mappings = &mappings;
	data.mapping_paths = &paths;
	packet.interned_data = &data;
	packet_write(p, &packet);
}

/* ---- what comes before events ---- */

static void clocks_write(struct perfetto_export *p)
{
	const struct trace *t = p->tracks->trace;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__ClockSnapshot__Clock clocks[2] = {PERFETTO__CLOCK_SNAPSHOT__CLOCK__INIT,
						    PERFETTO__CLOCK_SNAPSHOT__CLOCK__INIT},
				       *pointers[2] = {&clocks[0], &clocks[1]};
	const uint32_t ids[2] = {CLOCK_ID_MONOTONIC, CLOCK_ID_REALTIME};
	const int64_t times[2] = {t->origin, t->origin_real};

	for (int i = 0; i < 2; i++) {
		clocks[i].has_clock_id = clocks[i].has_timestamp = true;
		clocks[i].clock_id = ids[i];
		clocks[i].timestamp = (uint64_t)times[i];
	}
	snapshot.n_clocks = t->origin_real ? 2 : 1;
	snapshot.clocks = pointers;
	snapshot.has_primary_trace_clock = defaults.has_timestamp_clock_id = true;
	snapshot.primary_trace_clock = defaults.timestamp_clock_id = CLOCK_ID_MONOTONIC;
	packet.clock_snapshot = &snapshot;
	packet.trace_packet_defaults = &defaults;
	packet_write(p, &packet);
}

/* Writes an instant whose arguments are those that are listed, at the start of the trace. */
static void about_instant(struct perfetto_export *p, const struct track *track, const char *name)
{
	const struct tracks *t = p->tracks;

	instant_write(p, &(struct track_slice){
			     .track = track,
			     .name = text_key(t->trace, name),
			     .category = text_key(t->trace, "glimpse"),
			     .arguments = t->arguments.at,
			     .narguments = t->arguments.n,
			 });
}

/* Writes what an importer needs on a track of its own. */
static void about_write(struct perfetto_export *p)
{
	static const struct track about = {.id = UINT32_MAX, .name = "Glimpse"};
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	struct tracks *t = p->tracks;

	d.has_uuid = true;
	d.uuid = about.id;
	d.name = (char *)about.name;
	descriptor_write(p, &d);
	tracks_about_trace(t);
	tracks_add_specification(t);
	about_instant(p, &about, "trace");
	for (uint32_t i = 0; i < t->trace->nprocesses; i++) {
		tracks_about_process(t, i);
		about_instant(p, &about, "process");
	}
	for (uint32_t i = 0; i < t->trace->nthreads; i++) {
		tracks_about_thread(t, i);
		about_instant(p, &about, "thread");
	}
}

static void perfetto_free(struct perfetto_export *p)
{
	for (int i = 0; i < NINTERNED; i++)
		free(p->fresh[i].at);
	free(p->bytes.at);
	free(p->known.at);
	free(p->event.at);
	free(p->annotation.at);
	free(p->stacks);
}

static bool perfetto_of(FILE *out, const struct export_request *r)
{
	static const struct track_writer writer = {
	    .track = track_write,
	    .instant = instant_write,
	    .begin = begin_write,
	    .end = end_write,
	    .flow = flow_write,
	    .counter = counter_write,
	    .sample = sample_write,
	};
	struct tracks tracks;
	struct perfetto_export p = {.out = out, .tracks = &tracks};

	tracks_make(&tracks, r);
	clocks_write(&p);
	about_write(&p);
	for (uint32_t i = 0; i < r->trace->nprocesses; i++)
		process_write(&p, i);
	if (tracks.samples) {
		p.stacks = array_zero(tracks.samples->paths.n, sizeof *p.stacks);
		mapping_write(&p);
	}
	tracks_write(&tracks, &writer, &p);
	perfetto_free(&p);
	tracks_free(&tracks);
	return true;
}
#else
static bool perfetto_of(FILE *out, const struct export_request *r)
{
	(void)out;
	return export_built_without(r, "protobuf-c", "perfetto",
				    "libprotobuf-c-dev protobuf-c-compiler");
}
#endif

const struct export_format export_perfetto = {
    .name = "perfetto",
    .summary = "events, intervals, counters and samples, for ui.perfetto.dev",
    .intervals = true,
    .write = perfetto_of,
};
