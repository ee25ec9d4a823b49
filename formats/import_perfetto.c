/*
 * Perfetto's traces: messages TracePacket of "Perfetto trace format", perfetto.dev. Events of
 * tracks become slices, instants, counters and flows; records of ftrace states and wake-ups;
 * samples call stacks. Of a trace that we exported, its own events are restored.
 */
#include "formats/import.h"
#include "formats/logs_restore.h"
#include "formats/logs_slices.h"
#include "formats/logs_stacks.h"
#include "formats/logs_switches.h"
#include "formats/perfetto_fields.h"
#include "formats/perfetto_ftrace.h"
#include "formats/perfetto_sequence.h"
#include "formats/perfetto_values.h"
#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

enum { PACKET_MOST = 64 << 20, PERFETTO_BLOCK = 1 << 16, TRACE_PACKET_TAG = 1 << 3 | 2 };

/* Numbers of the system's clocks. */
enum { CLOCK_OF_REALTIME = 1, CLOCK_OF_BOOT = 6 };

/* Fields of TracePacket. */
enum packet_field {
	PACKET_FTRACE = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_CLEARED = 41,
	PACKET_DROPPED = 42,
	PACKET_PROCESS = 43,
	PACKET_THREAD = 44,
	PACKET_COMPRESSED = 50,
	PACKET_STREAMING_PROFILE = 54,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_SAMPLE = 66,
	NPACKET
};
/* A field of its defaults. */
enum { DEFAULT_SAMPLES = 12 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };

/* A packet's fields that are read, each by its number. */
struct packet {
	struct proto bytes[NPACKET]; /* at: NULL if there is none */
	uint64_t words[NPACKET];
	bool has[NPACKET];
	bool other; /* it has only what is not read */
	struct perfetto_sequence *sequence;
	int64_t time; /* of the trace */
};

struct perfetto_track {
	uint64_t uuid, parent;
	char *name;
	uint32_t pid; /* of a process's or thread's; 0: none */
	uint64_t tid; /* of a thread's; 0: none */
	bool is_counter, incremental;
	int64_t unit, count;         /* of a counter */
	struct slice_thread *thread; /* NULL: it has had no event */
	uint32_t process;            /* of that */
	bool own;                    /* no other track has that thread */
};

/* Names that processes and threads have, and which thread is of which process. */
struct system_name {
	uint32_t tid, pid;
	char *name;
	struct logs_thread *sampled; /* NULL: it is not */
};
typedef VECTOR(struct system_name) name_vector;

struct perfetto_import {
	struct import_input *in;
	struct logs *logs;
	struct slices slices;
	struct restore restore;
	struct stacks stacks;
	struct perfetto_ftrace ftrace;
	bool sampled; /* stacks have begun */
	VECTOR(struct perfetto_sequence *) sequences;
	struct hash_table by_sequence;
	VECTOR(struct perfetto_track *) tracks;
	struct hash_table by_track;
	name_vector processes, threads;
	struct hash_table by_pid, by_tid;
	struct perfetto_clock clocks[CLOCKS_OF_SEQUENCE];
	uint32_t primary;        /* the clock that is the trace's time */
	struct hash_table flows; /* head: how many events of the flow there have been */
	struct perfetto_arguments arguments;
	struct slice_event event;
	uint64_t unknown, lost, undated;
	uint64_t periodless;              /* samples whose period the trace does not say */
	uint64_t others, gaps, stackless; /* packets of other kinds; before which some are lost */
};

/* ---- clocks ---- */

static struct perfetto_clock *clock_of(struct perfetto_import *p, struct perfetto_sequence *s,
				       uint64_t id)
{
	if (id < CLOCKS_OF_SEQUENCE)
		return &p->clocks[id];
	return id < CLOCKS ? &s->clocks[id - CLOCKS_OF_SEQUENCE] : NULL;
}

/* Returns a time of a clock as one of the trace. */
static int64_t time_of(struct perfetto_import *p, struct perfetto_sequence *s, uint64_t id,
		       uint64_t time)
{
	struct perfetto_clock *c = clock_of(p, s, id);

	if (!c || !c->known) {
		p->undated += id != p->primary;
		return (int64_t)time;
	}
	if (!c->incremental)
		return (int64_t)(time * (uint64_t)c->unit) + c->offset;
	c->last += (int64_t)(time * (uint64_t)c->unit);
	return c->last + c->offset;
}

enum { CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_INCREMENTAL = 3, CLOCK_UNIT = 4 };
enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2 };

static int64_t clock_ns(struct proto clock)
{
	return (int64_t)(proto_word(clock, CLOCK_TIME, 0) * proto_word(clock, CLOCK_UNIT, 1));
}

/*
 * Finds the time of the trace that a snapshot was made at: of its primary clock, or of another that
 * is known.
 */
static bool snapshot_time(struct perfetto_import *p, struct perfetto_sequence *s,
			  struct proto snapshot, int64_t *time)
{
	struct proto_field f;
	bool found = false;

	while (proto_next(&snapshot, &f)) {
		struct perfetto_clock *c;
		uint64_t id;

		if (f.number != SNAPSHOT_CLOCK || !f.is_bytes)
			continue;
		id = proto_word(f.bytes, CLOCK_ID, 0);
		c = clock_of(p, s, id);
		if (id == p->primary) {
			*time = clock_ns(f.bytes);
			return true;
		}
		if (found || !c || !c->known || c->incremental)
			continue;
		*time = clock_ns(f.bytes) + c->offset;
		found = true;
	}
	return found;
}

static void clock_set(struct perfetto_import *p, struct perfetto_sequence *s, struct proto clock,
		      int64_t time)
{
	uint64_t id = proto_word(clock, CLOCK_ID, 0);
	struct perfetto_clock *c = clock_of(p, s, id);
	bool first = c && !c->known;

	if (!c)
		return;
	*c = (struct perfetto_clock){
	    .known = true,
	    .incremental = proto_word(clock, CLOCK_INCREMENTAL, 0) != 0,
	    .unit = (int64_t)proto_word(clock, CLOCK_UNIT, 1),
	    .last = clock_ns(clock),
	    .offset = time - clock_ns(clock),
	};
	if (id == CLOCK_OF_REALTIME && first)
		logs_realtime(p->logs, time, clock_ns(clock));
}

static void snapshot_take(struct perfetto_import *p, struct perfetto_sequence *s,
			  struct proto snapshot)
{
	uint32_t primary = (uint32_t)proto_word(snapshot, SNAPSHOT_PRIMARY, 0);
	struct proto_field f;
	int64_t time;

	if (primary && primary < CLOCKS_OF_SEQUENCE && !p->clocks[p->primary].known)
		p->primary = primary;
	if (!snapshot_time(p, s, snapshot, &time))
		return;
	while (proto_next(&snapshot, &f))
		if (f.number == SNAPSHOT_CLOCK && f.is_bytes)
			clock_set(p, s, f.bytes, time);
}

/* ---- names of processes and threads ---- */

static struct system_name *name_of(name_vector *list, struct hash_table *by, uint32_t id)
{
	struct hash_slot *slot = hash_table_slot(by, hash_mix(id), id);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)list->n;
		slot->tail = 0;
		vector_add(list)->tid = id;
	}
	return &list->at[slot->head];
}

static void name_set(struct system_name *n, uint32_t pid, struct proto name)
{
	if (pid)
		n->pid = pid;
	if (!name.n)
		return;
	free(n->name);
	n->name = text_format("%.*s", (int)name.n, (const char *)name.at);
}

static void thread_name_set(struct perfetto_import *p, uint32_t tid, uint32_t pid,
			    struct proto name)
{
	name_set(name_of(&p->threads, &p->by_tid, tid), pid, name);
}

/* A command line: its first part is the program's path. */
static void command_name_set(struct perfetto_import *p, uint32_t pid, struct proto command)
{
	for (size_t i = command.n; i > 0; i--)
		if (command.at[i - 1] == '/') {
			command.at += i;
			command.n -= i;
			break;
		}
	name_set(name_of(&p->processes, &p->by_pid, pid), pid, command);
}

/* Returns the first field of a number, which is bytes. */
static struct proto first_bytes(struct proto m, uint32_t number)
{
	struct proto_field f;

	while (proto_next(&m, &f))
		if (f.number == number && f.is_bytes)
			return f.bytes;
	return (struct proto){NULL, 0};
}

static void process_describe(struct perfetto_import *p, struct proto m)
{
	enum { PID = 1, COMMAND = 2, NAME = 6 };
	uint32_t pid = (uint32_t)proto_word(m, PID, 0);
	struct proto name = proto_bytes(m, NAME);

	if (!pid)
		return;
	if (name.n)
		name_set(name_of(&p->processes, &p->by_pid, pid), pid, name);
	else
		command_name_set(p, pid, first_bytes(m, COMMAND));
}

enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5, THREAD_TIME_US = 6 };

static void thread_describe(struct perfetto_import *p, struct proto m)
{
	uint32_t tid = (uint32_t)proto_word(m, THREAD_TID, 0);

	if (tid)
		thread_name_set(p, tid, (uint32_t)proto_word(m, THREAD_PID, 0),
				proto_bytes(m, THREAD_NAME));
}

static void tree_take(struct perfetto_import *p, struct proto tree)
{
	enum { PROCESSES = 1, THREADS = 2 };
	enum { PID = 1, COMMAND = 3, TID = 1, NAME = 2, TGID = 3 };
	struct proto_field f;

	while (proto_next(&tree, &f)) {
		if (f.number == PROCESSES && f.is_bytes) {
			uint32_t pid = (uint32_t)proto_word(f.bytes, PID, 0);

			command_name_set(p, pid, first_bytes(f.bytes, COMMAND));
			thread_name_set(p, pid, pid, (struct proto){NULL, 0});
		} else if (f.number == THREADS && f.is_bytes) {
			thread_name_set(p, (uint32_t)proto_word(f.bytes, TID, 0),
					(uint32_t)proto_word(f.bytes, TGID, 0),
					proto_bytes(f.bytes, NAME));
		}
	}
}

/* Returns the process of a thread, as far as it is known. */
static uint32_t process_of(struct perfetto_import *p, uint32_t tid, uint32_t pid)
{
	struct system_name *n = name_of(&p->threads, &p->by_tid, tid);

	if (pid)
		n->pid = pid;
	return n->pid ? n->pid : tid;
}

/* ---- tracks ---- */

static struct perfetto_track *track_of(struct perfetto_import *p, uint64_t uuid)
{
	struct hash_slot *slot = hash_table_slot(&p->by_track, hash_mix(uuid), uuid);
	struct perfetto_track *t;

	if (slot->head != HASH_NOTHING)
		return p->tracks.at[slot->head];
	slot->head = (uint32_t)p->tracks.n;
	slot->tail = 0;
	t = array_zero(1, sizeof *t);
	t->uuid = uuid;
	t->unit = 1;
	*vector_add(&p->tracks) = t;
	return t;
}

enum track_field {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_STATIC_NAME = 10,
	TRACK_ATRACE_NAME = 13
};

static void counter_describe(struct perfetto_track *t, struct proto m)
{
	enum { UNIT_MULTIPLIER = 4, INCREMENTAL = 5 };
	int64_t unit = (int64_t)proto_word(m, UNIT_MULTIPLIER, 1);

	t->is_counter = true;
	t->unit = unit ? unit : 1;
	t->incremental = proto_word(m, INCREMENTAL, 0) != 0;
}

static void track_name(struct perfetto_track *t, struct proto name)
{
	if (!name.n)
		return;
	free(t->name);
	t->name = text_format("%.*s", (int)name.n, (const char *)name.at);
}

static void track_take(struct perfetto_import *p, struct proto m)
{
	struct perfetto_track *t = track_of(p, proto_word(m, TRACK_UUID, 0));
	struct proto process = proto_bytes(m, TRACK_PROCESS), thread = proto_bytes(m, TRACK_THREAD);
	struct proto_field f;

	t->parent = proto_word(m, TRACK_PARENT, t->parent);
	if (process.at) {
		enum { PID = 1 };

		t->pid = (uint32_t)proto_word(process, PID, 0);
		process_describe(p, process);
	}
	if (thread.at) {
		t->pid = (uint32_t)proto_word(thread, THREAD_PID, 0);
		t->tid = proto_word(thread, THREAD_TID, 0);
		thread_describe(p, thread);
		track_name(t, proto_bytes(thread, THREAD_NAME));
	}
	while (proto_next(&m, &f)) {
		if (f.number == TRACK_COUNTER && f.is_bytes)
			counter_describe(t, f.bytes);
		if (!f.is_bytes || (f.number != TRACK_NAME && f.number != TRACK_STATIC_NAME &&
				    f.number != TRACK_ATRACE_NAME))
			continue;
		track_name(t, f.bytes);
	}
}

/* Returns the track of the thread, or else of the process, that a track is of; NULL: of none. */
static struct perfetto_track *owner_of(struct perfetto_import *p, struct perfetto_track *t)
{
	enum { DEPTH_MOST = 64 };

	for (int depth = 0; depth < DEPTH_MOST; depth++) {
		if (t->tid || t->pid)
			return t;
		if (!t->parent)
			return NULL;
		t = track_of(p, t->parent);
	}
	return NULL;
}

/* Tracks that are not a thread's own are threads, with ids above those of the system. */
static struct slice_thread *own_thread(struct perfetto_import *p, struct perfetto_track *t,
				       uint32_t pid)
{
	const uint64_t track_ids = UINT64_C(1) << 40;
	const struct hash_slot *slot = hash_table_find(&p->by_track, hash_mix(t->uuid), t->uuid);

	return slices_thread(&p->slices, pid, track_ids + slot->head);
}

static struct slice_thread *thread_of(struct perfetto_import *p, struct perfetto_track *t)
{
	const struct perfetto_track *owner;

	if (t->thread)
		return t->thread;
	owner = owner_of(p, t);
	if (owner)
		t->process =
		    owner->tid ? process_of(p, (uint32_t)owner->tid, owner->pid) : owner->pid;
	if (owner && owner->tid && (owner == t || t->is_counter))
		t->thread = slices_thread(&p->slices, t->process, owner->tid);
	else
		t->thread = own_thread(p, t, t->process);
	t->own = !t->is_counter || !owner || !owner->tid;
	return t->thread;
}

/* ---- events of tracks ---- */

enum track_event_type { TYPE_NONE, TYPE_BEGIN, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };

/* Names and the text of categories, up to one of each. */
static const char *event_name(struct perfetto_import *p, const struct packet *k, struct proto m)
{
	struct proto name = proto_bytes(m, EVENT_NAME);
	const char *interned;

	if (name.n)
		return perfetto_keep(&p->arguments,
				     text_format("%.*s", (int)name.n, (const char *)name.at));
	interned = perfetto_text(k->sequence, INTERNED_NAME, proto_word(m, EVENT_NAME_IID, 0));
	return interned && *interned ? interned : NULL;
}

/* Returns the categories of an event, with commas between them. */
static const char *event_categories(struct perfetto_import *p, const struct packet *k,
				    struct proto m)
{
	char *text = text_format("%s", ""), *longer;
	struct proto_field f;
	uint64_t iid;

	while (proto_next(&m, &f)) {
		if (f.number == EVENT_CATEGORY && f.is_bytes) {
			longer = text_format("%s%s%.*s", text, *text ? "," : "", (int)f.bytes.n,
					     f.bytes.n ? (const char *)f.bytes.at : "");
			free(text);
			text = longer;
		}
		while (f.number == EVENT_CATEGORY_IID && proto_number(&f, false, &iid)) {
			const char *one = perfetto_text(k->sequence, INTERNED_CATEGORY, iid);

			longer = text_format("%s%s%s", text, *text ? "," : "", one ? one : "");
			free(text);
			text = longer;
		}
	}
	return perfetto_keep(&p->arguments, text);
}

/* Lists the arguments of an event, the category first. */
static void arguments_list(struct perfetto_import *p, const struct packet *k, struct proto m,
			   const char *categories)
{
	struct proto_field f;

	if (*categories)
		*vector_add(&p->arguments.list) =
		    (struct logs_argument){"cat", logs_bytes(categories, strlen(categories))};
	while (proto_next(&m, &f))
		if (f.number == EVENT_ANNOTATION && f.is_bytes)
			perfetto_argument(&p->arguments, k->sequence, f.bytes);
}

/*
 * Each event of a flow ends what leads to it, and begins what leads on from it, unless it is the
 * last.
 */
static bool flow_step(struct perfetto_import *p, const struct slice_event *e, uint64_t id,
		      bool ends)
{
	struct hash_slot *slot = hash_table_slot(&p->flows, hash_mix(id), id);
	uint32_t before = slot->head == HASH_NOTHING ? 0 : slot->head;
	struct slice_event flow = {.thread = e->thread, .time = e->time, .name = "flow"};
	struct logs_value key;
	char text[48];
	bool good = true;

	slot->head = ends ? 0 : before + 1;
	slot->tail = 0;
	snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu32, id, before);
	key = logs_bytes(text, strlen(text));
	if (before)
		good = slices_flow(&p->slices, &flow, FLOW_END, &key);
	snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu32, id, before + 1);
	key = logs_bytes(text, strlen(text));
	return good && (ends || slices_flow(&p->slices, &flow, FLOW_START, &key));
}

static bool flows_take(struct perfetto_import *p, const struct slice_event *e, struct proto m)
{
	struct proto_field f;
	bool good = true;
	uint64_t id;

	while (good && proto_next(&m, &f)) {
		bool begins = f.number == EVENT_FLOW || f.number == EVENT_FLOW_OLD;
		bool ends = f.number == EVENT_FLOW_END || f.number == EVENT_FLOW_END_OLD;
		bool fixed = f.number == EVENT_FLOW || f.number == EVENT_FLOW_END;

		while (good && (begins || ends) && proto_number(&f, fixed, &id))
			good = flow_step(p, e, id, ends);
	}
	return good;
}

static void event_arguments(struct perfetto_import *p, struct slice_event *e)
{
	for (size_t i = 0; i < p->arguments.list.n; i++)
		if (named_has_room(&p->slices.types, e->narguments))
			e->arguments[e->narguments++] = p->arguments.list.at[i];
}

static bool counter_take(struct perfetto_import *p, struct slice_event *e, struct perfetto_track *t,
			 struct proto m)
{
	uint64_t word = proto_word(m, EVENT_COUNTER_REAL, 0);
	struct logs_value value;
	struct proto_field f;
	bool is_real = false;
	double real;

	while (proto_next(&m, &f)) {
		if (f.number == EVENT_COUNTER_REAL && !f.is_bytes)
			is_real = true;
		if (f.number == EVENT_COUNTER && !f.is_bytes)
			word = f.word;
	}
	memcpy(&real, &word, sizeof real);
	t->count = (int64_t)((uint64_t)(t->incremental ? t->count : 0) + word * (uint64_t)t->unit);
	value = is_real ? logs_real(real) : logs_integer(t->count);
	e->name = t->name && *t->name ? t->name : e->name;
	e->arguments[e->narguments++] = (struct logs_argument){"value", value};
	event_arguments(p, e);
	return slices_instant(&p->slices, e);
}

/* Chrome's events, as its JSON has them. */
enum legacy_field {
	LEGACY_PHASE = 2,
	LEGACY_DURATION_US = 3,
	LEGACY_UNSCOPED_ID = 6,
	LEGACY_LOCAL_ID = 10,
	LEGACY_GLOBAL_ID = 11
};

static bool legacy_keyed(struct perfetto_import *p, struct slice_event *e, struct proto legacy,
			 uint64_t phase)
{
	uint64_t id = proto_word(
	    legacy, LEGACY_UNSCOPED_ID,
	    proto_word(legacy, LEGACY_GLOBAL_ID, proto_word(legacy, LEGACY_LOCAL_ID, 0)));
	struct logs_value key = logs_natural(id);

	if (phase == 's' || phase == 't' || phase == 'f')
		return slices_flow(&p->slices, e,
				   phase == 's'   ? FLOW_START
				   : phase == 't' ? FLOW_STEP
						  : FLOW_END,
				   &key);
	e->arguments[e->narguments++] = (struct logs_argument){"id", key};
	event_arguments(p, e);
	if (phase == 'n' || phase == 'T' || phase == 'p')
		return slices_instant(&p->slices, e);
	return phase == 'b' || phase == 'S' ? slices_open_keyed(&p->slices, e)
					    : slices_close_keyed(&p->slices, e);
}

static bool legacy_take(struct perfetto_import *p, struct slice_event *e, struct proto legacy)
{
	uint64_t phase = proto_word(legacy, LEGACY_PHASE, 0);
	int64_t length = (int64_t)(proto_word(legacy, LEGACY_DURATION_US, 0) * 1000);

	if (phase && phase < 128 && strchr("bneSTFpstf", (int)phase))
		return legacy_keyed(p, e, legacy, phase);
	event_arguments(p, e);
	switch (phase) {
	case 'B':
		return slices_open(&p->slices, e, INT64_MAX);
	case 'E':
		slices_close(&p->slices, e->thread, e->time, NULL);
		return true;
	case 'X':
		return slices_open(&p->slices, e, e->time + (length > 0 ? length : 0));
	case 'I':
	case 'i':
	case 'R':
		return slices_instant(&p->slices, e);
	default:
		p->unknown++;
		return true;
	}
}

static bool foreign_take(struct perfetto_import *p, struct perfetto_track *t, struct proto m,
			 const char *name, int64_t time)
{
	struct slice_event *e = &p->event;

	e->thread = thread_of(p, t);
	e->time = time;
	e->name = name ? name : "unnamed";
	e->narguments = 0;
	switch (proto_word(m, EVENT_TYPE, TYPE_NONE)) {
	case TYPE_BEGIN:
		event_arguments(p, e);
		return slices_open(&p->slices, e, INT64_MAX) && flows_take(p, e, m);
	case TYPE_END:
		slices_close(&p->slices, e->thread, e->time, name);
		return flows_take(p, e, m);
	case TYPE_INSTANT:
		event_arguments(p, e);
		return slices_instant(&p->slices, e) && flows_take(p, e, m);
	case TYPE_COUNTER:
		return counter_take(p, e, t, m);
	case TYPE_NONE:
		return legacy_take(p, e, proto_bytes(m, EVENT_LEGACY));
	default:
		p->unknown++;
		return true;
	}
}

/* What we said of a trace before its events. */
static bool about_take(struct perfetto_import *p, const char *name)
{
	const struct logs_argument *list = p->arguments.list.at;
	size_t n = p->arguments.list.n;

	/* the category */
	list++;
	n--;
	if (strcmp(name, "trace") == 0)
		restore_trace(&p->restore, list, n);
	else if (strcmp(name, "process") == 0)
		restore_process(&p->restore, list, n);
	else if (strcmp(name, "thread") == 0)
		restore_thread(&p->restore, list, n);
	return true;
}

/* Takes an instant of a trace that we exported. */
static bool restored_take(struct perfetto_import *p, struct perfetto_track *t,
			  const char *categories, const char *name, int64_t time)
{
	const struct perfetto_track *owner;

	if (strcmp(categories, "event") != 0)
		return true;
	owner = owner_of(p, t);
	if (!restore_event(&p->restore, owner ? owner->tid : 0, time, name))
		return false;
	restore_arguments(&p->restore, p->arguments.list.at + 1, p->arguments.list.n - 1);
	return true;
}

/* Events of older traces count from the one before. */
static int64_t event_time(const struct packet *k, struct proto m)
{
	enum { NS_PER_US = 1000 };
	struct perfetto_sequence *s = k->sequence;
	uint64_t absolute = proto_word(m, EVENT_ABSOLUTE_US, 0),
		 delta = proto_word(m, EVENT_DELTA_US, 0);

	if (absolute)
		return (int64_t)(absolute * NS_PER_US);
	if (!delta && k->has[PACKET_TIME])
		return k->time;
	s->time += (int64_t)(delta * NS_PER_US);
	return s->time;
}

static struct perfetto_track *event_track(struct perfetto_import *p, const struct packet *k,
					  struct proto m)
{
	const struct perfetto_sequence *s = k->sequence;
	uint64_t uuid = proto_word(m, EVENT_TRACK, s->track);
	struct perfetto_track *t;

	if (uuid || !s->tid)
		return track_of(p, uuid);
	/* that of the thread that described itself; other tracks have random numbers */
	t = track_of(p, hash_mix(s->tid));
	t->pid = s->pid;
	t->tid = s->tid;
	return t;
}

static bool event_take(struct perfetto_import *p, const struct packet *k)
{
	struct proto m = k->bytes[PACKET_EVENT];
	const char *name, *categories;
	struct perfetto_track *t;
	int64_t time;
	bool good;

	if (p->restore.active && proto_word(m, EVENT_TYPE, TYPE_NONE) != TYPE_INSTANT)
		return true;
	name = event_name(p, k, m);
	categories = event_categories(p, k, m);
	t = event_track(p, k, m);
	time = event_time(k, m);
	arguments_list(p, k, m, categories);
	if (name && strcmp(categories, "glimpse") == 0)
		good = about_take(p, name);
	else if (p->restore.active)
		good = !name || restored_take(p, t, categories, name, time);
	else
		good = foreign_take(p, t, m, name, time);
	perfetto_arguments_reset(&p->arguments);
	return good;
}

/* ---- samples ---- */

/*
 * Returns how long a thread has run at each sample (ns), as PerfSampleDefaults say; 0: they do not,
 * or the samples are of events that count no time.
 */
static int64_t sampling_period(struct proto defaults)
{
	enum { TIMEBASE = 1, FREQUENCY = 2, PERIOD = 1, TRACEPOINT = 3, COUNTER = 4, RAW = 5 };
	enum { CPU_CLOCK = 1, TASK_CLOCK = 3, NANOSECONDS = 1000000000 };
	struct proto base = proto_bytes(defaults, TIMEBASE);
	uint64_t frequency = proto_word(base, FREQUENCY, 0), period = proto_word(base, PERIOD, 0),
		 counter = proto_word(base, COUNTER, CPU_CLOCK);

	if (proto_bytes(base, TRACEPOINT).at || proto_bytes(base, RAW).at ||
	    (counter != CPU_CLOCK && counter != TASK_CLOCK))
		return 0;
	if (frequency)
		return frequency <= NANOSECONDS ? (int64_t)(NANOSECONDS / frequency) : 0;
	return period < NANOSECONDS ? (int64_t)period : 0;
}

static void sample_log(struct perfetto_import *p, const struct packet *k, struct logs_thread *t,
		       int64_t time, uint64_t stack)
{
	uint32_t node = 0;
	const uint64_t *frames;
	size_t n = 0;

	if (!p->sampled)
		stacks_begin(&p->stacks, p->logs);
	p->sampled = true;
	frames = perfetto_stack(k->sequence, stack, &n);
	p->stackless += !frames;
	for (size_t i = 0; frames && i < n; i++) {
		char *name = perfetto_frame_name(k->sequence, frames[i]);

		node = stacks_add(&p->stacks, t, time, node, name);
		free(name);
	}
	stacks_sample(&p->stacks, t, time, node);
}

static struct logs_thread *system_thread(struct perfetto_import *p, uint32_t tid, uint32_t pid)
{
	struct logs_process *process = logs_process(p->logs, process_of(p, tid, pid), NULL);
	struct system_name *n = name_of(&p->threads, &p->by_tid, tid);

	n->sampled = logs_thread(process, tid);
	return n->sampled;
}

static void sample_take(struct perfetto_import *p, const struct packet *k)
{
	enum { PID = 2, TID = 3, STACK = 4, SKIPPED = 18 };
	struct proto m = k->bytes[PACKET_SAMPLE];
	uint32_t tid = (uint32_t)proto_word(m, TID, 0);
	uint64_t stack = proto_word(m, STACK, 0);

	if (!tid || !stack || proto_word(m, SKIPPED, 0))
		p->unknown++;
	else {
		struct logs_thread *t = system_thread(p, tid, (uint32_t)proto_word(m, PID, 0));

		sample_log(p, k, t, k->time, stack);
		stacks_ran(&p->stacks, t, k->time, k->sequence->period);
		p->periodless += !k->sequence->period;
	}
}

static void streaming_take(struct perfetto_import *p, const struct packet *k)
{
	enum { STACKS = 1, DELTAS = 2, NS_PER_US = 1000 };
	struct proto m = k->bytes[PACKET_STREAMING_PROFILE], deltas = m;
	struct perfetto_sequence *s = k->sequence;
	struct proto_field f, d = {.is_bytes = true};
	int64_t time = k->has[PACKET_TIME] ? k->time : s->time;
	uint64_t stack, delta;

	if (!s->tid) {
		p->unknown++;
		return;
	}
	while (proto_next(&m, &f))
		while (f.number == STACKS && proto_number(&f, false, &stack)) {
			bool more = proto_number(&d, false, &delta);

			while (!more && proto_next(&deltas, &d))
				more = d.number == DELTAS && proto_number(&d, false, &delta);
			if (more)
				time += (int64_t)(delta * NS_PER_US);
			sample_log(p, k, system_thread(p, (uint32_t)s->tid, s->pid), time, stack);
		}
	s->time = time;
}

/* ---- packets ---- */

static struct perfetto_sequence *sequence_of(struct perfetto_import *p, uint64_t id)
{
	struct hash_slot *slot = hash_table_slot(&p->by_sequence, hash_mix(id), id);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)p->sequences.n;
		slot->tail = 0;
		*vector_add(&p->sequences) = array_zero(1, sizeof **p->sequences.at);
	}
	return p->sequences.at[slot->head];
}

/* Returns whether a field, of bytes, of a packet is about the recording: it has no events. */
static bool is_about_recording(uint32_t number)
{
	enum {
		CONFIG = 33,
		FTRACE_STATS = 34,
		STATS = 35,
		SYNCHRONIZATION = 36,
		SYSTEM_INFO = 45,
		TRIGGER = 46,
		SERVICE_EVENT = 69,
		EXTENSION_DESCRIPTOR = 72,
		UUID = 89
	};

	return number == CONFIG || number == FTRACE_STATS || number == STATS ||
	       number == SYNCHRONIZATION || number == SYSTEM_INFO || number == TRIGGER ||
	       number == SERVICE_EVENT || number == EXTENSION_DESCRIPTOR || number == UUID;
}

static bool is_read(uint32_t number)
{
	static const uint32_t fields[] = {
	    PACKET_FTRACE,   PACKET_PROCESS_TREE, PACKET_CLOCKS, PACKET_EVENT,
	    PACKET_INTERNED, PACKET_PROCESS,      PACKET_THREAD, PACKET_COMPRESSED,
	    PACKET_DEFAULTS, PACKET_TRACK,        PACKET_SAMPLE, PACKET_STREAMING_PROFILE};

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i] == number)
			return true;
	return false;
}

/* Lists what is read of a packet. Returns false if it is damaged; m->at is where. */
static bool packet_list(struct packet *k, struct proto *m)
{
	struct proto_field f;
	bool read = false;

	memset(k, 0, sizeof *k);
	while (proto_next(m, &f)) {
		read |= f.is_bytes && is_read(f.number);
		k->other |= f.is_bytes && !is_read(f.number) && !is_about_recording(f.number);
		if (f.number >= NPACKET)
			continue;
		k->has[f.number] = true;
		if (f.is_bytes)
			k->bytes[f.number] = f.bytes;
		else
			k->words[f.number] = f.word;
	}
	k->other &= !read;
	return !m->n;
}

/* Takes what a packet says of its sequence. Returns false if the packet needs what is missing. */
static bool sequence_take(struct perfetto_import *p, struct packet *k)
{
	struct perfetto_sequence *s = k->sequence = sequence_of(p, k->words[PACKET_SEQUENCE]);
	struct proto defaults = k->bytes[PACKET_DEFAULTS], thread = k->bytes[PACKET_THREAD];
	uint64_t flags = k->words[PACKET_FLAGS];

	/* the first packet of a sequence may say it, too */
	if (k->words[PACKET_DROPPED]) {
		p->gaps += s->begun;
		s->valid = false;
	}
	s->begun = true;
	if (flags & FLAG_CLEARED || k->words[PACKET_CLEARED]) {
		perfetto_sequence_clear(s);
		s->valid = true;
	}
	if (flags & FLAG_NEEDS_STATE && !s->valid) {
		p->lost++;
		return false;
	}
	if (defaults.at) {
		s->clock = (uint32_t)proto_word(defaults, PACKET_CLOCK, 0);
		s->track = proto_word(proto_bytes(defaults, PACKET_EVENT), EVENT_TRACK, 0);
		s->period = sampling_period(proto_bytes(defaults, DEFAULT_SAMPLES));
	}
	if (thread.at) {
		s->pid = (uint32_t)proto_word(thread, THREAD_PID, 0);
		s->tid = proto_word(thread, THREAD_TID, 0);
		s->time = (int64_t)(proto_word(thread, THREAD_TIME_US, 0) * 1000);
		thread_describe(p, thread);
	}
	if (k->bytes[PACKET_INTERNED].at)
		perfetto_intern(s, k->bytes[PACKET_INTERNED]);
	return true;
}

static void packet_date(struct perfetto_import *p, struct packet *k)
{
	uint32_t clock = k->sequence->clock ? k->sequence->clock : p->primary;

	if (k->has[PACKET_CLOCK])
		clock = (uint32_t)k->words[PACKET_CLOCK];
	if (k->has[PACKET_TIME])
		k->time = time_of(p, k->sequence, clock, k->words[PACKET_TIME]);
}

static void ftrace_take(struct perfetto_import *p, const struct packet *k)
{
	enum { CLOCK = 5 };
	/* FtraceClock: the kernel's, by default that of the time since the boot */
	static const uint8_t clocks[] = {CLOCK_OF_BOOT, 0, 0, 0, 0};
	uint64_t own = proto_word(k->bytes[PACKET_FTRACE], CLOCK, 0);
	uint32_t clock = own < sizeof clocks ? clocks[own] : 0;

	perfetto_ftrace_read(&p->ftrace, k->bytes[PACKET_FTRACE],
			     clock && p->clocks[clock].known ? p->clocks[clock].offset : 0);
}

static bool bytes_read(struct perfetto_import *p, struct proto trace, uint64_t start,
		       unsigned depth);

/* Reads packets that are compressed, as a trace of their own. */
static bool compressed_read(struct perfetto_import *p, struct proto bytes, uint64_t start,
			    unsigned depth)
{
	uLongf size = bytes.n < PACKET_MOST / 16 ? 16 * bytes.n + 4096 : PACKET_MOST;
	unsigned char *plain;
	int status = Z_BUF_ERROR;
	bool good;

	for (;; size = size < PACKET_MOST / 4 ? 4 * size : PACKET_MOST) {
		uLongf room = size;

		plain = array_new(size, 1);
		status = uncompress(plain, &room, bytes.at, bytes.n);
		if (status == Z_OK)
			size = room;
		if (status != Z_BUF_ERROR || size == PACKET_MOST)
			break;
		free(plain);
	}
	p->in->done = start;
	good = status == Z_OK ||
	       import_fail(p->in, "compressed packets are damaged, or have more than %d MiB",
			   PACKET_MOST >> 20);
	good = good && bytes_read(p, (struct proto){plain, size}, start, depth + 1);
	free(plain);
	return good;
}

/* Reads a packet; start: the byte of the file where it is, for reports. */
static bool packet_read(struct perfetto_import *p, struct proto m, uint64_t start, unsigned depth)
{
	const unsigned char *begin = m.at;
	struct packet k;
	bool good = true;

	if (!packet_list(&k, &m)) {
		p->in->done = start + (uint64_t)(m.at - begin);
		return import_fail(p->in, "a packet's field is damaged");
	}
	if (k.bytes[PACKET_COMPRESSED].at && depth == 0)
		good = compressed_read(p, k.bytes[PACKET_COMPRESSED], start, depth);
	if (!good || !sequence_take(p, &k))
		return good;
	if (k.bytes[PACKET_CLOCKS].at)
		snapshot_take(p, k.sequence, k.bytes[PACKET_CLOCKS]);
	packet_date(p, &k);
	if (k.bytes[PACKET_PROCESS_TREE].at)
		tree_take(p, k.bytes[PACKET_PROCESS_TREE]);
	if (k.bytes[PACKET_PROCESS].at)
		process_describe(p, k.bytes[PACKET_PROCESS]);
	if (k.bytes[PACKET_TRACK].at)
		track_take(p, k.bytes[PACKET_TRACK]);
	if (k.bytes[PACKET_EVENT].at)
		good = event_take(p, &k);
	if (p->restore.active)
		return good;
	p->others += k.other;
	if (k.bytes[PACKET_FTRACE].at)
		ftrace_take(p, &k);
	if (k.bytes[PACKET_SAMPLE].at)
		sample_take(p, &k);
	if (k.bytes[PACKET_STREAMING_PROFILE].at)
		streaming_take(p, &k);
	return good;
}

/* Reads packets that are in memory. */
static bool bytes_read(struct perfetto_import *p, struct proto trace, uint64_t start,
		       unsigned depth)
{
	enum { PACKETS = 1 };
	struct proto_field f;
	bool good = true;

	while (good && proto_next(&trace, &f))
		if (f.number == PACKETS && f.is_bytes)
			good = packet_read(p, f.bytes, start, depth);
	if (good && trace.n)
		return import_fail(p->in, "compressed packets are damaged");
	return good;
}

/* ---- the file ---- */

/* Bytes that were read and not yet taken; at: where they are in the file. */
struct perfetto_buffer {
	unsigned char *bytes;
	size_t room, from, to;
	uint64_t at;
};

/* Brings up to n bytes together; returns how many there are. */
static size_t stream_need(struct perfetto_import *p, struct perfetto_buffer *s, size_t n, bool *bad)
{
	while (s->to - s->from < n) {
		ssize_t got;

		if (s->from)
			memmove(s->bytes, s->bytes + s->from, s->to - s->from);
		s->to -= s->from;
		s->from = 0;
		s->bytes = vector_reserve(s->bytes, n + PERFETTO_BLOCK, &s->room, 1);
		got = import_read(p->in, s->bytes + s->to, s->room - s->to);
		*bad = got < 0;
		if (got <= 0)
			break;
		s->to += (size_t)got;
	}
	return s->to - s->from < n ? s->to - s->from : n;
}

static void stream_pass(struct perfetto_buffer *s, size_t n)
{
	s->from += n;
	s->at += n;
}

static bool torn(struct perfetto_import *p, const struct perfetto_buffer *s, const char *what)
{
	p->in->done = s->at;
	return import_fail(p->in, "%s", what);
}

/* Takes the head of a packet; returns its size, or -1 at the end of the file and after a report. */
static int64_t head_take(struct perfetto_import *p, struct perfetto_buffer *s, bool *bad)
{
	enum { HEAD_MOST = 11 };
	size_t n = stream_need(p, s, HEAD_MOST, bad);
	struct proto head = {s->bytes + s->from, n};
	uint64_t size;

	if (*bad || !n)
		return -1;
	head.at++;
	head.n--;
	if (s->bytes[s->from] != TRACE_PACKET_TAG || !proto_varint(&head, &size)) {
		*bad = true;
		torn(p, s, n < HEAD_MOST ? "the file ends within a packet" : "this is no packet");
		return -1;
	}
	if (size > PACKET_MOST) {
		*bad = true;
		torn(p, s, "a packet has more than 64 MiB");
		return -1;
	}
	stream_pass(s, n - head.n);
	return (int64_t)size;
}

static bool packets_read(struct perfetto_import *p, struct perfetto_buffer *s)
{
	bool bad = false, good = true;
	int64_t size;

	while (good && (size = head_take(p, s, &bad)) >= 0) {
		size_t n = (size_t)size;
		uint64_t done;

		if (stream_need(p, s, n, &bad) < n)
			return !bad && torn(p, s, "the file ends within a packet");
		done = p->in->done;
		good = packet_read(p, (struct proto){s->bytes + s->from, n}, s->at, 0);
		if (good)
			p->in->done = done;
		stream_pass(s, n);
	}
	return good && !bad;
}

/* ---- end ---- */

static void names_give(struct perfetto_import *p, struct logs_thread *t, uint32_t pid,
		       const char *name)
{
	const struct hash_slot *slot = hash_table_find(&p->by_pid, hash_mix(pid), pid);

	if (name && *name)
		logs_thread_name(t, name);
	if (slot && p->processes.at[slot->head].name)
		logs_process_name(logs_thread_process(t), p->processes.at[slot->head].name);
}

/* Gives threads and processes that have events the names that they have at last. */
static void names_log(struct perfetto_import *p)
{
	for (size_t i = 0; i < p->threads.n; i++)
		if (p->threads.at[i].sampled)
			names_give(p, p->threads.at[i].sampled, p->threads.at[i].pid,
				   p->threads.at[i].name);
	for (size_t i = 0; i < p->tracks.n; i++) {
		const struct perfetto_track *t = p->tracks.at[i];

		if (t->thread)
			names_give(p, t->thread->thread, t->process, t->own ? t->name : NULL);
	}
}

static void switches_log(struct perfetto_import *p)
{
	struct logs_switches s;

	switches_begin(&s, p->logs, 0);
	for (size_t i = 0; i < p->threads.n; i++) {
		const struct system_name *n = &p->threads.at[i];

		switches_thread(&s, n->tid, n->pid, n->name);
	}
	perfetto_ftrace_log(&p->ftrace, &s);
	switches_end(&s);
}

static bool perfetto_end(struct perfetto_import *p, bool good)
{
	if (good && p->ftrace.records.n)
		switches_log(p);
	else if (good && p->sampled)
		stacks_say(p->in, "samples", stacks_states(&p->stacks), p->periodless);
	if (good)
		names_log(p);
	slices_end(&p->slices, p->in, good);
	good = restore_end(&p->restore, good);
	if (good) {
		import_passed_over(p->in, p->unknown,
				   "events or samples of other kinds were left out");
		import_passed_over(p->in, p->ftrace.unknown,
				   "records of ftrace that are not of the scheduler were left out");
		import_passed_over(
		    p->in, p->lost,
		    "packets were left out, since others that they need are missing");
		import_passed_over(p->in, p->undated, "times are of unknown clocks");
		import_passed_over(p->in, p->others,
				   "packets of kinds that are not read were left out");
		import_passed_over(p->in, p->gaps,
				   "times packets were lost where the trace was recorded");
		import_passed_over(p->in, p->stackless,
				   "samples have a call stack that the trace does not describe");
	}
	if (p->sampled)
		stacks_end(&p->stacks);
	for (size_t i = 0; i < p->sequences.n; i++)
		perfetto_sequence_free(p->sequences.at[i]);
	for (size_t i = 0; i < p->tracks.n; i++) {
		free(p->tracks.at[i]->name);
		free(p->tracks.at[i]);
	}
	for (size_t i = 0; i < p->processes.n; i++)
		free(p->processes.at[i].name);
	for (size_t i = 0; i < p->threads.n; i++)
		free(p->threads.at[i].name);
	perfetto_arguments_free(&p->arguments);
	perfetto_ftrace_free(&p->ftrace);
	free(p->sequences.at);
	free(p->tracks.at);
	free(p->processes.at);
	free(p->threads.at);
	hash_table_free(&p->by_sequence);
	hash_table_free(&p->by_track);
	hash_table_free(&p->by_pid);
	hash_table_free(&p->by_tid);
	hash_table_free(&p->flows);
	free(p);
	return good;
}

static bool perfetto_read(struct import_input *in, struct logs *l)
{
	struct perfetto_import *p = array_zero(1, sizeof *p);
	struct perfetto_buffer s = {0};
	bool good;

	p->in = in;
	p->logs = l;
	p->primary = CLOCK_OF_BOOT;
	slices_begin(&p->slices, l);
	restore_begin(&p->restore, in, l);
	good = packets_read(p, &s);
	good = perfetto_end(p, good);
	free(s.bytes);
	return good;
}

static bool perfetto_recognise(const struct import_input *in)
{
	struct proto head = {in->head, in->nhead}, packet;
	struct proto_field f;
	uint64_t size;

	if (in->directory || in->nhead < 2 || in->head[0] != TRACE_PACKET_TAG)
		return false;
	head.at++;
	head.n--;
	if (!proto_varint(&head, &size) || size > PACKET_MOST || !size)
		return false;
	packet = (struct proto){head.at, size < head.n ? (size_t)size : head.n};
	while (proto_next(&packet, &f))
		if (f.number >= 1 << 11)
			return false;
	/* what the head has no room for cannot be known */
	return packet.at > head.at && (!packet.n || size > head.n);
}

const struct import_format import_perfetto = {
    .name = "perfetto",
    .summary = "Perfetto's traces (protocol buffers), of Android, Chrome and many tools",
    .recognise = perfetto_recognise,
    .read = perfetto_read,
};
