#include "recorder/merge/adopt.h"
#include "base/array.h"
#include "base/hash.h"
#include "recorder/merge/causes.h"
#include "recorder/merge/delays.h"
#include "recorder/merge/homes.h"
#include "recorder/merge/journal.h"
#include "recorder/merge/known_waits.h"
#include "recorder/merge/spare.h"
#include "trace/log/cursor.h"
#include "trace/write/log_write.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define LEVEL 8       /* of a thread's log: what the recorder observed */
#define KERNEL_LOST 5 /* a reason of the note LOST */

/* One of the recorder's specifications, and the ids that its events have in a home. */
struct adopted_spec {
	struct claim from;
	uint32_t base;
};

#define MAPPINGS 8

/* Events of the recorder that are more than copied. */
enum meaning {
	MEANS_NOTHING,
	STARTED,
	EXECUTED,
	EXITED,
	READIED,
	BLOCKS,
	SHARED,
	WAKES,
	FORKS,
	BEGINS,
	EXECS,
	IMAGE,
	ENDS,
	SAMPLED,
	RECORDS_LOST
};

/* What is made of samples: the begins of states by enum sampled_state, and their end. */
static const char *const sampled_events[] = {"SampledRunning", "SampledReady", "SampledBlocked",
					     "SampledEnd"};
enum { SAMPLED_END = SAMPLED_STATES, SAMPLED_EVENTS };

/*
 * Where in the records of Started, of Wakes and of the events of processes the numbers of threads
 * are, and the bytes that they have at most.
 */
enum { CREATOR = 4, TARGET = 8, PROCESS = 4, PARENT = 8, NUMBERED_MOST = 64 };
#define CAUSE_BEFORE 1 /* ns: a cause has to be earlier than what it leads to */

struct adoption {
	const struct opened *trace;
	unsigned char *meanings; /* of each type of event, an enum meaning */
	const struct directory *recorder;
	struct homes homes;
	struct thread_life *lives;
	size_t nlives;
	bool logged[RECORD_IDS]; /* the events of these numbers */
	struct causes causes;    /* of the processes' own events */
	uint32_t groups;         /* of waits that share a run delay */
	struct hash_table lost;  /* times at which records were lost, each counted once */
	bool samples;            /* states were sampled */
	known_waits *waits;      /* by thread of the trace; NULL: nobody asked */
};

/* ---- lives ---- */

static void meanings_find(struct adoption *a)
{
	static const char *const names[] = {
	    [STARTED] = "Started",   [EXECUTED] = "Executed",       [EXITED] = "Exited",
	    [READIED] = "Readied",   [BLOCKS] = "Blocks",           [SHARED] = "Shared",
	    [WAKES] = "Wakes",       [FORKS] = "ProcessFork",       [BEGINS] = "ProcessStart",
	    [EXECS] = "ProcessExec", [IMAGE] = "ProcessImage",      [ENDS] = "ProcessEnd",
	    [SAMPLED] = "Sampled",   [RECORDS_LOST] = "RecordsLost"};
	const struct spec *spec = a->trace->trace.spec;

	a->meanings = array_zero(spec->nevents + 1, 1);
	for (unsigned i = 0; i < spec->nevents; i++)
		for (unsigned char m = STARTED; m <= RECORDS_LOST; m++)
			if (strcmp(spec->events[i]->name, names[m]) == 0)
				a->meanings[i] = m;
}

static enum meaning event_meaning(const struct adoption *a, uint32_t type)
{
	return type == NO_TYPE ? MEANS_NOTHING : (enum meaning)a->meanings[type];
}

static void started_read(struct thread_life *l, uint32_t creator)
{
	l->forked = creator != l->log->tid;
	l->met = !creator;
}

static void life_add(struct adoption *a, const struct log *log)
{
	struct thread_life *l = &a->lives[a->nlives++];
	struct log_cursor c;

	*l = (struct thread_life){.log = log,
				  .from = clock_ns(log->time, log->first),
				  .to = clock_ns(log->time, log->last),
				  .begin = INT64_MIN,
				  .end = INT64_MAX,
				  .met = true};
	log_cursor_open(&c, log);
	while (log_cursor_next(&c)) {
		enum meaning is = event_meaning(a, c.type);

		if (is == STARTED)
			started_read(l, read_32(c.record + 4));
		a->samples |= is == SAMPLED;
		a->logged[RECORD_ID(read_32(c.record))] = true;
		l->executed = is == EXECUTED;
		l->ended |= is == EXITED;
	}
	l->ended |= l->executed;
}

static bool lives_find(struct adoption *a)
{
	const struct opened *o = a->trace;

	for (size_t i = 0; i < o->ndirectories; i++)
		if (o->processes[i].recorder)
			a->recorder = &o->directories[i];
	if (!a->recorder)
		return false;
	a->lives = array_zero(o->nlogs + o->ndirectories + 1, sizeof *a->lives);
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct trace_process *p = &o->processes[i];

		for (uint32_t k = 0; p->recorder && k < p->nthreads; k++)
			if (o->logs[p->first_thread + k].events)
				life_add(a, &o->logs[p->first_thread + k]);
	}
	return true;
}

/* ---- one log ---- */

static bool claim_logged(const struct adoption *a, const struct claim *c)
{
	for (unsigned i = 0; i < c->schema->spec->nevents; i++)
		if (a->logged[c->base + i])
			return true;
	return false;
}

/*
 * Finds the ids of the recorder's events in a home: those that its process file gives them or, if
 * it does not know them, the highest ones.
 */
static size_t mappings_find(const struct adoption *a, const struct thread_life *l,
			    struct adopted_spec m[MAPPINGS], bool *known)
{
	const struct id_table *ids = l->log->ids;
	uint32_t highest = RECORD_IDS;
	size_t n = 0;

	*known = true;
	for (unsigned i = 0; i < ids->nclaims && n < MAPPINGS; i++) {
		const struct directory *d = l->home->directory;
		const struct spec *spec = ids->claims[i].schema->spec;

		if (!claim_logged(a, &ids->claims[i]))
			continue;
		m[n] = (struct adopted_spec){ids->claims[i], 0};
		for (unsigned k = 0; d && k < d->process.nspecs; k++)
			if (d->process.specs[k].schema == spec->schema)
				m[n].base = d->process.specs[k].base;
		if (!d)
			m[n].base = ids->claims[i].base;
		if (!m[n].base) {
			*known = false;
			m[n].base = highest -= spec->nevents;
		}
		n++;
	}
	return n;
}

static uint32_t id_map(const struct adopted_spec *m, size_t n, uint32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (id - m[i].from.base < m[i].from.schema->spec->nevents)
			return id - m[i].from.base + m[i].base;
	return 0;
}

/* The log that is written: a level of the thread's own, or a new one where that is NULL. */
static struct log_head head_make(const struct thread_life *l, const struct log *own)
{
	const struct directory *d = l->home->directory;
	struct log_head head = {.pid = d ? l->home->pid : l->log->pid,
				.tid = home_number(l),
				.clock = CLOCK_NANOSECONDS,
				.opened = l->log->files[0].sample,
				.thread = l->log->name ? l->log->name : ""};

	if (d) {
		head.clock = d->process.clock;
		head.opened = d->process.samples[0];
	}
	if (own) {
		head.name = (struct log_name){own->number, LEVEL};
		head.opened = own->files[0].sample;
		head.thread = own->name ? own->name : "";
	} else {
		head.name = (struct log_name){l->home->next++, 0};
	}
	return head;
}

/* Returns how many records were lost; 0 if another thread's log has that number already. */
static uint32_t lost_count(struct adoption *a, int64_t time, uint32_t records)
{
	struct hash_slot *slot = hash_table_slot(&a->lost, hash_mix((uint64_t)time), 0);

	if (slot->head != HASH_NOTHING)
		return 0;
	slot->head = 0;
	return records;
}

/* One life on its way into a log of its home. */
struct writing {
	struct adoption *adoption;
	struct log_file_writer *file;
	const struct adopted_spec *mappings;
	size_t nmappings;
	const struct clock *clock; /* of the home; NULL: its ticks are nanoseconds */
	const struct home *home;
	const struct log *own;  /* the thread's own log in the home; NULL: it has none */
	struct log_cursor held; /* an event Readied, until it is known when it ran */
	bool holds;
	sampled_stretches states; /* made of samples */
	size_t next;              /* end of a state, two of each, that is to be written */
	uint32_t sampled_ids[SAMPLED_EVENTS]; /* in the home; 0: it has none */
};

static void event_write(struct writing *w, const struct log_cursor *c, int64_t time,
			const unsigned char *record)
{
	const struct id_row *row = &c->rows[RECORD_ID(read_32(record))];
	uint32_t id = id_map(w->mappings, w->nmappings, RECORD_ID(read_32(record)));

	if (id)
		log_file_event(w->file, id, w->clock ? clock_ticks(w->clock, time) : (uint64_t)time,
			       record, event_size(row, record));
}

static void number_map(const struct writing *w, int64_t time, unsigned char *at)
{
	uint32_t tid = read_32(at);

	write_32(at, tid ? homes_number(&w->adoption->homes, tid, time) : 0);
}

/*
 * Writes an event with the numbers of threads at offsets (0: no second one): the number that each
 * has in its own home.
 */
static void number_write(struct writing *w, const struct log_cursor *c, size_t offset,
			 size_t second)
{
	size_t size = event_size(&c->rows[RECORD_ID(read_32(c->record))], c->record);
	unsigned char record[NUMBERED_MOST];

	if (size > sizeof record || offset + 4 > size || second + 4 > size) {
		event_write(w, c, c->time, c->record);
		return;
	}
	memcpy(record, c->record, size);
	number_map(w, c->time, record + offset);
	if (second)
		number_map(w, c->time, record + second);
	event_write(w, c, c->time, record);
}

/* Returns whether an event Readied rests on that. */
static bool basis_is(const unsigned char *record, const char *basis)
{
	size_t length = strlen(basis);

	return STRING_LENGTH(read_32(record + 4)) == length &&
	       memcmp(record + 8, basis, length) == 0;
}

/* Returns whether an event Readied has a time that a cause may know better. */
static bool is_vague(const unsigned char *record)
{
	return basis_is(record, "shared") || basis_is(record, "unknown");
}

/* Returns what is known of the wait after which the thread ran at that time, or NULL. */
static const struct cause_wait *wait_known(const struct writing *w, int64_t ran)
{
	const struct opened *o = w->adoption->trace;

	if (!w->own)
		return NULL;
	return causes_wait(&w->adoption->causes, o->threads[w->own - o->logs].number, ran);
}

/* Writes the event Readied that is held; the thread ran at that time. */
static void held_write(struct writing *w, int64_t ran)
{
	static const char basis[] = "cause\0\0";
	const struct cause_wait *wait = w->holds ? wait_known(w, ran) : NULL;
	unsigned char record[8 + sizeof basis];

	if (w->holds && (!wait || wait->from == INT64_MIN))
		event_write(w, &w->held, wait ? wait->readied : w->held.time, w->held.record);
	if (w->holds && wait && wait->from != INT64_MIN) {
		memcpy(record, w->held.record, 4);
		write_32(record + 4, 5);
		memcpy(record + 8, basis, sizeof basis);
		event_write(w, &w->held, wait->readied, record);
	}
	w->holds = false;
}

/*
 * Of several threads of a process any may be the last one to be gone: which one ended the process,
 * its own events say if it ended in order.
 */
static bool end_is_known(const struct writing *w, const struct log_cursor *c)
{
	const struct home *home = w->home;
	uint32_t id = RECORD_ID(read_32(c->record));

	if (!home->process || !home->process->ended || home->process->nthreads < 2)
		return false;
	for (size_t i = 0; i < w->nmappings; i++) {
		const struct spec *spec = w->mappings[i].from.schema->spec;

		if (id - w->mappings[i].from.base >= spec->nevents)
			continue;
		for (unsigned k = 0; k < home->directory->process.nspecs; k++)
			if (home->directory->process.specs[k].schema == spec->schema)
				return true;
	}
	return false;
}

/* Whether a thread has another number in its own namespace of processes. */
static bool is_numbered_within(struct writing *w, const struct log_cursor *c, size_t offset)
{
	unsigned char number[4];

	memcpy(number, c->record + offset, sizeof number);
	number_map(w, c->time, number);
	return memcmp(number, c->record + offset, sizeof number) != 0;
}

static void meant_write(struct writing *w, const struct log_cursor *c, enum meaning is)
{
	switch (is) {
	case STARTED:
		number_write(w, c, CREATOR, 0);
		break;
	case WAKES:
		number_write(w, c, TARGET, 0);
		break;
	case FORKS:
	case BEGINS:
	case EXECS:
	case IMAGE:
		number_write(w, c, PROCESS, 0);
		break;
	case ENDS:
		if (!end_is_known(w, c))
			number_write(w, c, PROCESS, PARENT);
		/* Its parent waits for the number that it has outside. */
		if (is_numbered_within(w, c, PROCESS))
			event_write(w, c, c->time, c->record);
		break;
	default:
		event_write(w, c, c->time, c->record);
	}
}

/* ---- states from samples ---- */

static void sampled_ids_find(struct writing *w)
{
	for (size_t i = 0; i < w->nmappings; i++) {
		const struct spec *spec = w->mappings[i].from.schema->spec;

		for (unsigned k = 0; k < spec->nevents; k++)
			for (unsigned e = 0; e < SAMPLED_EVENTS; e++)
				if (strcmp(spec->events[k]->name, sampled_events[e]) == 0)
					w->sampled_ids[e] = w->mappings[i].base + k;
	}
}

/* Returns the index in the trace's threads of the thread with a log of its own. */
static uint32_t own_index(const struct adoption *a, const struct log *own)
{
	return trace_thread_index(&a->trace->trace, a->trace->threads[own - a->trace->logs].number);
}

/* The waits of a thread, also those in the programs before and after. */
struct waits_list {
	const struct sampled_wait *at;
	size_t n;
	struct sampled_wait *own; /* NULL: they are of one program */
};

static const known_waits *life_waits(const struct adoption *a, const struct thread_life *l)
{
	const struct log *own = l->home ? home_log(&a->homes, l->home, l) : NULL;

	return own && a->waits ? &a->waits[own_index(a, own)] : NULL;
}

static int wait_order(const void *a, const void *b)
{
	const struct sampled_wait *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* What a life waited, within its part of its log. */
static void waits_clip(known_waits *all, const known_waits *waits, const struct thread_life *l)
{
	for (size_t i = 0; waits && i < waits->n; i++) {
		struct sampled_wait w = waits->at[i];

		w.from = w.from > l->begin ? w.from : l->begin;
		w.to = w.to < l->end ? w.to : l->end;
		if (w.from < w.to)
			*vector_add(all) = w;
	}
}

static struct waits_list waits_list(const struct adoption *a, const struct thread_life *life)
{
	const known_waits *waits = life_waits(a, life);
	known_waits all = {NULL};

	if (!life_is_part(life))
		return (struct waits_list){waits ? waits->at : NULL, waits ? waits->n : 0, NULL};
	for (size_t i = 0; i < a->nlives; i++)
		if (a->lives[i].log == life->log)
			waits_clip(&all, life_waits(a, &a->lives[i]), &a->lives[i]);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, wait_order);
	return (struct waits_list){all.at, all.n, all.at};
}

/* Leaves of the states from an index on what is from one time to another. */
static void states_clip(sampled_stretches *states, size_t first, int64_t from, int64_t to)
{
	size_t kept = first;

	for (size_t i = first; i < states->n; i++) {
		struct sampled_stretch s = states->at[i];

		s.from = s.from > from ? s.from : from;
		s.to = s.to < to ? s.to : to;
		if (s.from < s.to)
			states->at[kept++] = s;
	}
	states->n = kept;
}

/* Adds the states of one of the recorder's logs. */
static void sampled_find(struct writing *w, const struct thread_life *l)
{
	VECTOR(struct sampled_period) periods = {NULL};
	const struct adoption *a = w->adoption;
	const struct spec *spec = a->trace->trace.spec;
	struct waits_list waits = waits_list(a, l);
	int64_t from = INT64_MAX, pending = SAMPLED_PENDING;
	size_t first = w->states.n;
	struct log_cursor c;

	log_cursor_open(&c, l->log);
	while (log_cursor_next(&c)) {
		enum meaning is = event_meaning(a, c.type);
		struct sampled_period p = {.from = from, .to = c.time};

		if (is != STARTED && is != SAMPLED)
			continue;
		from = c.time;
		if (is == STARTED || p.from >= p.to)
			continue;
		for (int i = 0; i < SAMPLED_STATES; i++)
			p.sums[i] =
			    (int64_t)read_64(c.record + spec->events[c.type]->attributes[i].offset);
		*vector_add(&periods) = p;
		if (2 * p.sums[SAMPLED_READY] > pending)
			pending = 2 * p.sums[SAMPLED_READY];
	}
	sampled_states_make(&w->states, periods.at, periods.n, waits.at, waits.n);
	if (periods.n)
		sampled_states_doubt(&w->states, first, periods.at[periods.n - 1].to - pending,
				     waits.at, waits.n);
	states_clip(&w->states, first, l->begin, l->end);
	free(periods.at);
	free(waits.own);
}

static void sampled_write(struct writing *w, unsigned event, int64_t time)
{
	unsigned char record[4] = {0};

	log_file_event(w->file, w->sampled_ids[event],
		       w->clock ? clock_ticks(w->clock, time) : (uint64_t)time, record,
		       sizeof record);
}

/* Writes the ends of states up to a time, as events are in the order of time. */
static void states_write(struct writing *w, int64_t time)
{
	for (; w->next < 2 * w->states.n; w->next++) {
		const struct sampled_stretch *s = &w->states.at[w->next / 2];
		bool ends = w->next % 2;

		if ((ends ? s->to : s->from) > time)
			return;
		sampled_write(w, ends ? SAMPLED_END : (unsigned)s->state, ends ? s->to : s->from);
	}
}

static void events_write(struct writing *w, const struct thread_life *l)
{
	struct adoption *a = w->adoption;
	struct log_cursor c;

	log_cursor_open(&c, l->log);
	while (log_cursor_next(&c)) {
		enum meaning is = event_meaning(a, c.type);

		if (c.time < l->begin || c.time >= l->end)
			continue;
		held_write(w, c.time);
		states_write(w, c.time);
		if (is == READIED && is_vague(c.record)) {
			w->held = c;
			w->holds = true;
			continue;
		}
		if (is == RECORDS_LOST)
			log_file_lost(w->file, lost_count(a, c.time, read_32(c.record + 4)),
				      KERNEL_LOST);
		meant_write(w, &c, is);
	}
	held_write(w, INT64_MAX);
}

/* ---- programs that were executed unnoticed ---- */

/*
 * Finds the event of that name among those that the own log of a life has; *id: its id there.
 * Returns the claim that has it, or NULL: nobody asked for processes.
 */
static const struct claim *own_event(const struct log *own, const char *name, uint32_t *id)
{
	for (unsigned i = 0; own && own->ids && i < own->ids->nclaims; i++) {
		const struct claim *c = &own->ids->claims[i];

		for (unsigned k = 0; k < c->schema->spec->nevents; k++)
			if (strcmp(c->schema->spec->events[k]->name, name) == 0) {
				*id = c->base + k;
				return c;
			}
	}
	return NULL;
}

/* Says that a life's process has another program before or after it, as the kernel's records do. */
static void program_write(struct writing *w, const char *name, int64_t time)
{
	unsigned char record[8] = {0};
	uint32_t id;

	if (!own_event(w->own, name, &id))
		return;
	write_32(record + PROCESS, w->home->pid);
	log_file_event(w->file, id, w->clock ? clock_ticks(w->clock, time) : (uint64_t)time, record,
		       sizeof record);
}

static void life_events_write(struct adoption *a, const struct thread_life *l,
			      const struct log *own, struct log_file_writer *file,
			      const struct adopted_spec *m, size_t n)
{
	const struct directory *d = l->home->directory;
	struct writing w = {
	    .adoption = a,
	    .file = file,
	    .mappings = m,
	    .nmappings = n,
	    .clock = d && d->process.clock == CLOCK_COUNTER ? &d->counter : NULL,
	    .home = l->home,
	    .own = own,
	};

	if (a->samples) {
		sampled_ids_find(&w);
		if (l->before)
			sampled_find(&w, l->before);
		sampled_find(&w, l);
	}
	if (l->begin != INT64_MIN)
		program_write(&w, "ProcessImage", l->begin);
	if (l->before)
		events_write(&w, l->before);
	events_write(&w, l);
	if (l->end != INT64_MAX) {
		states_write(&w, l->end - CAUSE_BEFORE);
		program_write(&w, "ProcessExec", l->end - CAUSE_BEFORE);
	}
	states_write(&w, INT64_MAX);
	free(w.states.at);
}

/* Claims the ids of the events of processes, if none of the recorder's own was logged. */
static void own_schema_write(struct log_file_writer *w, const struct log *own,
			     const struct adopted_spec *m, size_t n)
{
	uint32_t id;
	const struct claim *c = own_event(own, "ProcessImage", &id);

	for (size_t i = 0; c && i < n; i++)
		if (m[i].base == c->base)
			return;
	if (c)
		log_file_schema(w, c->schema->spec->schema, c->base, c->schema->spec->nevents,
				c->schema->spec->name);
}

static void log_note(const struct home *home, const struct log_head *head)
{
	char text[LOG_NAME_TEXT],
	    *path = text_format("%s/%s", home->path, log_name_print(text, head->name));

	journal_note(path);
	free(path);
}

static bool life_write(struct adoption *a, const struct thread_life *l)
{
	const struct log *own = home_log(&a->homes, l->home, l);
	struct log_head head = head_make(l, own);
	struct log_file_writer w;
	struct adopted_spec m[MAPPINGS];
	bool known;
	size_t n = mappings_find(a, l, m, &known);

	while (!log_file_begin(&w, l->home->path, &head)) {
		if (errno != EEXIST)
			return false;
		/* of two lives in one log of the thread, the second has one of its own */
		head.name = (struct log_name){l->home->next++, 0};
	}
	log_note(l->home, &head);
	if (!known && !home_specs_copy(&a->homes, l->home)) {
		log_file_end(&w);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		log_file_schema(&w, m[i].from.schema->spec->schema, m[i].base,
				m[i].from.schema->spec->nevents, m[i].from.schema->spec->name);
	if (life_is_part(l))
		own_schema_write(&w, own, m, n);
	life_events_write(a, l, own, &w, m, n);
	return log_file_end(&w);
}

/* ---- what to ask of causes ---- */

/* The last waits of those that were asked for, from an index on, share a run delay. */
static void waits_group(struct adoption *a, size_t from, size_t waits)
{
	size_t n = a->causes.n;

	if (waits > n - from)
		return;
	a->groups++;
	for (size_t i = n - waits; i < n; i++)
		a->causes.at[i].group = a->groups;
}

static int64_t waits_ask(struct adoption *a, const struct log *log, uint32_t thread,
			 int64_t blocked)
{
	size_t from = a->causes.n;
	int64_t readied = 0;
	bool holds = false;
	struct log_cursor c;

	log_cursor_open(&c, log);
	while (log_cursor_next(&c)) {
		enum meaning is = event_meaning(a, c.type);

		if (holds)
			causes_ask(&a->causes, thread, blocked, readied, c.time);
		holds = is == READIED && is_vague(c.record);
		readied = c.time;
		if (is == BLOCKS)
			blocked = c.time;
		if (is == SHARED)
			waits_group(a, from, read_32(c.record + 4));
	}
	return blocked;
}

/* A life, and the thread of the trace that has its own events. */
struct asking {
	uint32_t thread;
	const struct thread_life *life;
};

static int asking_compare(const void *left, const void *right)
{
	const struct asking *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->life->from > b->life->from) - (a->life->from < b->life->from);
}

/* Lists the lives of threads with events of their own, in the order of causes; returns how many. */
static size_t askings_list(const struct adoption *a, struct asking *list)
{
	const struct opened *o = a->trace;
	size_t n = 0;

	for (size_t i = 0; i < a->nlives; i++) {
		const struct thread_life *l = &a->lives[i];
		const struct log *own = l->continued ? NULL : home_log(&a->homes, l->home, l);

		if (own)
			list[n++] = (struct asking){o->threads[own - o->logs].number, l};
	}
	qsort(list, n, sizeof *list, asking_compare);
	return n;
}

/* Finds the causes of the waits of which life_write() will ask. */
static void lives_ask(struct adoption *a)
{
	struct asking *list = array_new(a->nlives + 1, sizeof *list);
	size_t n = askings_list(a, list);

	for (size_t i = 0; i < n; i++) {
		const struct thread_life *l = list[i].life;
		int64_t blocked = 0;

		if (l->before)
			blocked = waits_ask(a, l->before->log, list[i].thread, 0);
		waits_ask(a, l->log, list[i].thread, blocked);
	}
	free(list);
	causes_find(&a->causes, (struct trace *)&a->trace->trace);
	delays_settle(&a->causes);
}

/* Finds the waits of the threads with sampled states. */
static void waits_find(struct adoption *a)
{
	struct trace *t = (struct trace *)&a->trace->trace;
	bool *asked = array_zero(t->nthreads + 1, sizeof *asked);

	for (size_t i = 0; i < a->nlives; i++) {
		const struct log *own = home_log(&a->homes, a->lives[i].home, &a->lives[i]);

		if (own)
			asked[own_index(a, own)] = true;
	}
	a->waits = known_waits_find(t, asked);
	free(asked);
}

/* ---- all ---- */

/* A sampled thread may have lived until the sample that would have been its next one. */
static void lives_lengthen(struct adoption *a)
{
	for (size_t i = 0; i < a->nlives; i++)
		if (!a->lives[i].executed)
			a->lives[i].to += 2 * SAMPLED_LATE;
}

/* Lists the specifications of which something was logged. */
static void specs_list(struct adoption *a)
{
	const struct id_table *ids = a->recorder->ids;

	for (unsigned i = 0; ids && i < ids->nclaims; i++)
		if (claim_logged(a, &ids->claims[i]))
			homes_need(&a->homes, ids->claims[i].schema->spec->name);
}

static void unprobed_find(const struct adoption *a, struct adopted *found)
{
	found->nunprobed = homes_unprobed(&a->homes, &found->unprobed);
	found->programs = a->homes.n;
	for (size_t i = 0; i < found->nunprobed; i++)
		found->programs += !found->unprobed[i].homed;
}

static bool lives_write(struct adoption *a, uint32_t root, struct adopted *found, struct diag *diag)
{
	bool good;

	journal_begin(a->recorder->path);
	homes_open(&a->homes, a->trace, a->recorder, root);
	specs_list(a);
	if (a->samples)
		lives_lengthen(a);
	good = homes_assign(&a->homes, a->lives, &a->nlives);
	if (good && found)
		unprobed_find(a, found);
	if (good)
		lives_ask(a);
	if (good && a->samples)
		waits_find(a);
	for (size_t i = 0; i < a->nlives && good; i++)
		good = a->lives[i].continued || life_write(a, &a->lives[i]);
	if (!good)
		diag_error(diag, DIAG_NOWHERE,
			   "cannot merge the recorder's logs into the logs of the processes: %s; "
			   "they stay in %s",
			   strerror(errno), a->recorder->path);
	homes_close(&a->homes);
	return good;
}

bool logs_adopt(const char *directory, uint32_t root, struct adopted *found, struct diag *diag)
{
	struct diag quiet = {.program = diag->program};
	struct trace *t = trace_open_apart(directory, &quiet);
	static struct adoption a;
	bool good = true, added;

	if (found)
		*found = (struct adopted){.unsure = 0};
	if (!t) {
		diag_error(diag, DIAG_NOWHERE,
			   "%s cannot be read: the recorder's logs stay in its subdirectory "
			   "recorder",
			   directory);
		return false;
	}
	a = (struct adoption){.trace = opened_of(t)};
	meanings_find(&a);
	if (lives_find(&a))
		good = lives_write(&a, root, found, diag);
	if (found)
		found->unsure = a.causes.unsure;
	free(a.lives);
	free(a.meanings);
	causes_free(&a.causes);
	known_waits_free(a.waits, t);
	hash_table_free(&a.lost);
	spare_give_back(a.trace);
	added = a.recorder && good;
	trace_close(t);
	if (added)
		journal_end(directory);
	else
		journal_undo(directory);
	return good;
}
