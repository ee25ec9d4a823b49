#include "formats/perfetto_ftrace.h"
#include <stdlib.h>

enum kind {
	KIND_LOST,
	KIND_SWITCH,
	KIND_COMPACT_SWITCH, /* whose record does not say which thread left */
	KIND_WAKING,
	KIND_WAKEUP,
	KIND_NEW,
	KIND_FORK, /* why: whether it is a thread of the same process */
	KIND_RENAME,
	KIND_EXECUTED,
	KIND_EXIT
};

/* That the running thread did it, of a compact record; what an interrupt did. */
#define BY_RUNNING UINT32_MAX
enum { FLAG_HARD_INTERRUPT = 8, FLAG_SOFT_INTERRUPT = 16 };

/* ---- names ---- */

static uint32_t text_number(struct perfetto_ftrace *f, struct proto text)
{
	uint64_t hash = text.n;
	struct hash_slot *slot;

	for (size_t i = 0; i < text.n; i++)
		hash = hash_mix(hash ^ text.at[i]);
	if (!text.n)
		return 0;
	slot = hash_table_slot(&f->by_text, hash, text.n);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)f->texts.n;
		slot->tail = 0;
		*vector_add(&f->texts) = text_format("%.*s", (int)text.n, (const char *)text.at);
	}
	return slot->head + 1;
}

/* ---- reading ---- */

static struct ftrace_record *add(struct perfetto_ftrace *f, enum kind kind, int64_t time,
				 uint32_t processor, uint64_t tid)
{
	struct ftrace_record *r = vector_add(&f->records);

	*r = (struct ftrace_record){.time = time,
				    .order = f->records.n,
				    .tid = (uint32_t)tid,
				    .processor = (uint16_t)processor,
				    .kind = kind};
	return r;
}

/* The kernel's states of tasks: TASK_REPORT in include/linux/sched.h. */
static enum switch_why why_of(uint64_t state)
{
	enum { STATES = 0xff, DEAD = 0x10, ZOMBIE = 0x20 };

	if (state & (DEAD | ZOMBIE))
		return SWITCH_EXITS;
	return state & STATES ? SWITCH_BLOCKS : SWITCH_PREEMPTED;
}

static void switch_read(struct perfetto_ftrace *f, struct proto m, int64_t time, uint32_t cpu)
{
	enum { PREV_PID = 2, PREV_STATE = 4, NEXT_COMM = 5, NEXT_PID = 6 };
	struct ftrace_record *r = add(f, KIND_SWITCH, time, cpu, proto_word(m, NEXT_PID, 0));

	r->by = (uint32_t)proto_word(m, PREV_PID, 0);
	r->why = why_of(proto_word(m, PREV_STATE, 0));
	r->name = text_number(f, proto_bytes(m, NEXT_COMM));
}

static void wake_read(struct perfetto_ftrace *f, enum kind kind, struct proto m, int64_t time,
		      uint32_t cpu, uint32_t by)
{
	enum { COMM = 1, PID = 2 };
	struct ftrace_record *r = add(f, kind, time, cpu, proto_word(m, PID, 0));

	r->by = by;
	r->name = text_number(f, proto_bytes(m, COMM));
	f->waking += kind == KIND_WAKING;
}

/* Reads a record whose thread, and whose name of it, are fields of these numbers. */
static void named_read(struct perfetto_ftrace *f, enum kind kind, struct proto m, int64_t time,
		       uint32_t cpu, uint32_t by, uint32_t pid, uint32_t name)
{
	struct ftrace_record *r = add(f, kind, time, cpu, proto_word(m, pid, 0));

	r->by = by;
	r->name = text_number(f, proto_bytes(m, name));
}

static void record_read(struct perfetto_ftrace *f, const struct proto_field *x, int64_t time,
			uint32_t cpu, uint32_t pid, bool interrupt)
{
	enum { CLONE_FLAGS = 3, CLONE_THREAD = 0x10000 };
	uint32_t by = interrupt ? 0 : pid;

	switch (x->number) {
	case 4:
		switch_read(f, x->bytes, time, cpu);
		break;
	case 17:
		wake_read(f, KIND_WAKEUP, x->bytes, time, cpu, by);
		break;
	case 20:
		wake_read(f, KIND_WAKING, x->bytes, time, cpu, by);
		break;
	case 114:
		wake_read(f, KIND_NEW, x->bytes, time, cpu, by);
		break;
	case 235:
		named_read(f, KIND_FORK, x->bytes, time, cpu, by, 1, 2);
		f->records.at[f->records.n - 1].why =
		    (proto_word(x->bytes, CLONE_FLAGS, 0) & CLONE_THREAD) != 0;
		break;
	case 236:
		named_read(f, KIND_RENAME, x->bytes, time, cpu, by, 1, 3);
		/* older kernels say it only of the thread that does it */
		if (!f->records.at[f->records.n - 1].tid)
			f->records.at[f->records.n - 1].tid = pid;
		break;
	case 237:
		named_read(f, KIND_EXECUTED, x->bytes, time, cpu, by, 2, 1);
		break;
	case 238:
		named_read(f, KIND_EXIT, x->bytes, time, cpu, by, 2, 1);
		break;
	default:
		f->unknown++;
	}
}

static void event_read(struct perfetto_ftrace *f, struct proto m, uint32_t cpu, int64_t offset)
{
	enum { TIMESTAMP = 1, PID = 2, FLAGS = 5, GENERIC = 3 };
	int64_t time = (int64_t)proto_word(m, TIMESTAMP, 0) + offset;
	uint32_t pid = (uint32_t)proto_word(m, PID, 0);
	uint64_t flags = proto_word(m, FLAGS, 0);
	struct proto_field x;

	while (proto_next(&m, &x))
		if (x.is_bytes && x.number > GENERIC && x.number != FLAGS)
			record_read(f, &x, time, cpu, pid,
				    flags & (FLAG_HARD_INTERRUPT | FLAG_SOFT_INTERRUPT));
}

/* ---- compact records ---- */

/* Numbers of the fields of CompactSched, each with a number for each record. */
enum compact {
	SWITCH_TIME = 1,
	SWITCH_STATE = 2,
	SWITCH_PID = 3,
	INTERN_TABLE = 5,
	SWITCH_COMM = 6,
	WAKING_TIME = 7,
	WAKING_PID = 8,
	WAKING_COMM = 11,
	WAKING_FLAGS = 12,
	NCOMPACT
};

typedef VECTOR(uint64_t) number_vector;

struct compact_sched {
	number_vector columns[NCOMPACT];
	VECTOR(uint32_t) names;
};

static uint64_t column_at(const struct compact_sched *c, enum compact column, size_t i)
{
	return i < c->columns[column].n ? c->columns[column].at[i] : 0;
}

static uint32_t name_at(const struct compact_sched *c, enum compact column, size_t i)
{
	uint64_t index = column_at(c, column, i);

	return i < c->columns[column].n && index < c->names.n ? c->names.at[index] : 0;
}

static void compact_switches(struct perfetto_ftrace *f, const struct compact_sched *c, uint32_t cpu,
			     int64_t time)
{
	for (size_t i = 0; i < c->columns[SWITCH_TIME].n; i++) {
		struct ftrace_record *r;

		time += (int64_t)c->columns[SWITCH_TIME].at[i];
		r = add(f, KIND_COMPACT_SWITCH, time, cpu, column_at(c, SWITCH_PID, i));
		r->why = why_of(column_at(c, SWITCH_STATE, i));
		r->name = name_at(c, SWITCH_COMM, i);
	}
}

static void compact_wakings(struct perfetto_ftrace *f, const struct compact_sched *c, uint32_t cpu,
			    int64_t time)
{
	for (size_t i = 0; i < c->columns[WAKING_TIME].n; i++) {
		struct ftrace_record *r;

		time += (int64_t)c->columns[WAKING_TIME].at[i];
		r = add(f, KIND_WAKING, time, cpu, column_at(c, WAKING_PID, i));
		r->name = name_at(c, WAKING_COMM, i);
		if (!(column_at(c, WAKING_FLAGS, i) & (FLAG_HARD_INTERRUPT | FLAG_SOFT_INTERRUPT)))
			r->by = BY_RUNNING;
		f->waking++;
	}
}

static void compact_read(struct perfetto_ftrace *f, struct proto m, uint32_t cpu, int64_t offset)
{
	struct compact_sched c = {0};
	struct proto_field x;
	uint64_t number;

	while (proto_next(&m, &x)) {
		if (x.number == INTERN_TABLE && x.is_bytes)
			*vector_add(&c.names) = text_number(f, x.bytes);
		while (x.number < NCOMPACT && x.number != INTERN_TABLE &&
		       proto_number(&x, false, &number))
			*vector_add(&c.columns[x.number]) = number;
	}
	compact_switches(f, &c, cpu, offset);
	compact_wakings(f, &c, cpu, offset);
	for (int i = 0; i < NCOMPACT; i++)
		free(c.columns[i].at);
	free(c.names.at);
}

void perfetto_ftrace_read(struct perfetto_ftrace *f, struct proto bundle, int64_t offset)
{
	enum { CPU = 1, EVENT = 2, LOST_EVENTS = 3, COMPACT = 4 };
	uint32_t cpu = (uint32_t)proto_word(bundle, CPU, 0);
	bool lost = proto_word(bundle, LOST_EVENTS, 0) != 0;
	size_t first = f->records.n;
	struct proto_field x;

	if (lost)
		add(f, KIND_LOST, 0, cpu, 0);
	while (proto_next(&bundle, &x))
		if (x.number == EVENT && x.is_bytes)
			event_read(f, x.bytes, cpu, offset);
		else if (x.number == COMPACT && x.is_bytes)
			compact_read(f, x.bytes, cpu, offset);
	if (lost && f->records.n > first + 1)
		f->records.at[first].time = f->records.at[first + 1].time;
	else if (lost)
		f->records.n = first;
}

/* ---- logging ---- */

static int by_time(const void *left, const void *right)
{
	const struct ftrace_record *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Which thread each processor runs, as far as records say. */
typedef VECTOR(uint32_t) running_vector;

static uint32_t *running_on(running_vector *running, uint32_t processor)
{
	while (running->n <= processor)
		*vector_add(running) = 0;
	return &running->at[processor];
}

static void record_log(const struct perfetto_ftrace *f, struct logs_switches *s,
		       running_vector *running, const struct ftrace_record *r)
{
	const char *name = r->name ? f->texts.at[r->name - 1] : NULL;
	uint32_t *now = running_on(running, r->processor), by = r->by == BY_RUNNING ? *now : r->by;

	if (r->kind == KIND_FORK)
		switches_thread(s, r->tid, r->why ? switches_process(s, by) : r->tid, name);
	else if (r->kind != KIND_EXECUTED)
		switches_thread(s, r->tid, 0, name);
	switch ((enum kind)r->kind) {
	case KIND_LOST:
		switches_lost(s, r->time, r->processor, 1);
		break;
	case KIND_SWITCH:
	case KIND_COMPACT_SWITCH:
		switches_switch(s, r->time, r->processor, r->kind == KIND_SWITCH ? r->by : *now,
				(enum switch_why)r->why, r->tid);
		*now = r->tid;
		break;
	case KIND_WAKING:
		switches_wake(s, r->time, by, r->tid);
		break;
	case KIND_WAKEUP:
		if (!f->waking)
			switches_wake(s, r->time, by, r->tid);
		break;
	case KIND_NEW:
	case KIND_FORK:
		switches_fork(s, r->time, by, r->tid);
		break;
	case KIND_EXECUTED:
		switches_exec(s, r->time, r->tid, name ? name : "");
		break;
	case KIND_EXIT:
		switches_exit(s, r->time, r->tid);
		break;
	case KIND_RENAME:
		break;
	}
}

void perfetto_ftrace_log(struct perfetto_ftrace *f, struct logs_switches *s)
{
	running_vector running = {0};

	if (f->records.n)
		qsort(f->records.at, f->records.n, sizeof *f->records.at, by_time);
	for (size_t i = 0; i < f->records.n; i++)
		record_log(f, s, &running, &f->records.at[i]);
	free(running.at);
}

void perfetto_ftrace_free(struct perfetto_ftrace *f)
{
	for (size_t i = 0; i < f->texts.n; i++)
		free(f->texts.at[i]);
	free(f->texts.at);
	free(f->records.at);
	hash_table_free(&f->by_text);
}
