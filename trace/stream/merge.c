/*
 * While the events of one section are handed out, a second thread merges the sections ahead; if it
 * has not reached a section in time, whoever asks for events merges it.
 */
#include "trace/stream/merge.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- one section ---- */

void section_merge_begin(struct section_merge *m, const struct trace *t)
{
	*m = (struct section_merge){.count = array_new(t->spec->nevents + 1, sizeof *m->count),
				    .runs = array_new(opened_of(t)->nlogs + 1, sizeof *m->runs)};
}

void section_merge_end(struct section_merge *m)
{
	free(m->count);
	free(m->runs);
	spill_free(m->words[0]);
	spill_free(m->words[1]);
}

/* Writes the numbers of wanted events; returns their end. c is a copy, to be in registers. */
static uint64_t *numbers_read(struct section_merge *m, const struct section *s, size_t number,
			      struct log_cursor c, const bool *wanted, uint64_t *to)
{
	const unsigned char *records = s->logs[number].records;

	while (log_cursor_next(&c)) {
		uint64_t unit;

		if (records)
			unit = (uint64_t)(c.record - records) >> 2;
		else
			unit =
			    (log_place(c.log, c.next, c.record) >> 2) - s->positions[number].unit;
		*to = section_number(s, number, c.time, unit);
		to += wanted[c.type];
		m->count[c.type]++;
	}
	return to;
}

void section_merge_read(struct section_merge *m, const struct trace *t, const struct section *s,
			const bool *wanted)
{
	const struct opened *o = opened_of(t);
	size_t room = section_size(t, s) + o->nlogs, nruns = 0;
	uint64_t *to;

	for (int i = 0; i < 2; i++)
		m->words[i] = spill_reserve(m->words[i], &m->room[i], room, sizeof *m->words[i]);
	memset(m->count, 0, t->spec->nevents * sizeof *m->count);
	to = m->words[0];
	for (size_t i = 0; i < o->nlogs; i++) {
		uint64_t *begin = to;
		struct log_cursor c;

		if (!section_cursor(s, &o->logs[i], i, &c))
			continue;
		to = numbers_read(m, s, i, c, wanted, to);
		if (to == begin)
			continue;
		m->runs[nruns++] =
		    (struct sorted_run){(size_t)(begin - m->words[0]), (size_t)(to - begin)};
		to++;
	}
	m->n = (size_t)(to - m->words[0]) - nruns;
	m->list = nruns ? runs_merge(m->runs, nruns, m->words[0], m->words[1], NULL) : NULL;
}

/* ---- the stream ---- */

/* Merged sections: the one whose events are handed out, and those ahead of it. */
enum { SLOTS = 3 };

struct merge {
	const struct opened *opened;
	const struct sections *sections;
	bool *wanted; /* all types */
	struct section_merge slots[SLOTS];
	struct log_cursor *cursors; /* by log, in the current section */
	const struct section *section;
	const uint64_t *next, *end; /* its numbers */
	/* Of both threads: */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	size_t current; /* section */
	size_t claimed; /* sections that a thread has begun to merge */
	bool ready[SLOTS];
	bool closing;
	bool helped;
	pthread_t helper;
};

/* Merges the next section, if there is one and a slot for it. Unlocks the mutex meanwhile. */
static bool section_prepare(struct merge *m)
{
	size_t number = m->claimed, slot = number % SLOTS;

	if (number == m->sections->count || number >= m->current + SLOTS)
		return false;
	m->claimed++;
	m->ready[slot] = false;
	pthread_mutex_unlock(&m->mutex);
	section_merge_read(&m->slots[slot], &m->opened->trace, &m->sections->list[number],
			   m->wanted);
	pthread_mutex_lock(&m->mutex);
	m->ready[slot] = true;
	pthread_cond_broadcast(&m->changed);
	return true;
}

static void *helper_run(void *argument)
{
	struct merge *m = argument;

	pthread_mutex_lock(&m->mutex);
	while (!m->closing)
		if (!section_prepare(m))
			pthread_cond_wait(&m->changed, &m->mutex);
	pthread_mutex_unlock(&m->mutex);
	return NULL;
}

static void section_await(struct merge *m, size_t number)
{
	pthread_mutex_lock(&m->mutex);
	m->current = number;
	pthread_cond_broadcast(&m->changed);
	while (m->claimed <= number || !m->ready[number % SLOTS])
		if (!section_prepare(m))
			pthread_cond_wait(&m->changed, &m->mutex);
	pthread_mutex_unlock(&m->mutex);
}

/* Makes a section the current one; returns false if there is no section of that number. */
static bool section_enter(struct merge *m, size_t number)
{
	const struct opened *o = m->opened;
	const struct section_merge *merged = &m->slots[number % SLOTS];

	if (number == m->sections->count)
		return false;
	section_await(m, number);
	m->section = &m->sections->list[number];
	m->next = merged->list;
	m->end = merged->list + merged->n;
	for (size_t i = 0; i < o->nlogs; i++)
		section_cursor(m->section, &o->logs[i], i, &m->cursors[i]);
	return true;
}

struct merge *merge_open(const struct trace *t)
{
	const struct sections *sections = trace_sections((struct trace *)t);
	struct merge *m;

	if (!sections)
		return NULL;
	m = array_zero(1, sizeof *m);
	m->opened = opened_of(t);
	m->sections = sections;
	m->wanted = array_new(t->spec->nevents + 1, sizeof *m->wanted);
	memset(m->wanted, true, t->spec->nevents);
	m->cursors = array_new(m->opened->nlogs + 1, sizeof *m->cursors);
	for (int i = 0; i < SLOTS; i++)
		section_merge_begin(&m->slots[i], t);
	pthread_mutex_init(&m->mutex, NULL);
	pthread_cond_init(&m->changed, NULL);
	m->helped = sections->count > 1 && parallel_workers() > 1 &&
		    pthread_create(&m->helper, NULL, helper_run, m) == 0;
	section_enter(m, 0);
	return m;
}

void merge_close(struct merge *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->mutex);
	m->closing = true;
	pthread_cond_broadcast(&m->changed);
	pthread_mutex_unlock(&m->mutex);
	if (m->helped)
		pthread_join(m->helper, NULL);
	for (int i = 0; i < SLOTS; i++)
		section_merge_end(&m->slots[i]);
	pthread_mutex_destroy(&m->mutex);
	pthread_cond_destroy(&m->changed);
	free(m->wanted);
	free(m->cursors);
	free(m);
}

bool merge_next(struct merge *m, struct event *e)
{
	const struct opened *o = m->opened;
	struct log_cursor *c;
	uint64_t number, ticks;
	size_t log;

	while (m->next == m->end)
		if (m->current == m->sections->count || !section_enter(m, m->current + 1))
			return false;
	number = *m->next++;
	log = section_log(m->section, number);
	c = &m->cursors[log];
	log_cursor_ticks(c, &ticks);
	e->time = section_time(m->section, number) - o->trace.origin;
	e->type = o->trace.spec->events[c->type];
	e->record = c->record;
	e->thread = o->threads[log].number;
	e->level = 0;
	e->seq = c->event_seq;
	return true;
}
