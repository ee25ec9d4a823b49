#include "formats/logs_stacks.h"
#include <stdlib.h>

/* Where the numbers of the specification begin. */
#define FIRST_STACK (UINT32_C(1) << 31)

void stacks_begin(struct stacks *s, struct logs *l)
{
	logs_spec_ready(l, "samples");
	*s = (struct stacks){.logs = l,
			     .frame = logs_event(l, "SampleFrame"),
			     .sample = logs_event(l, "Sample"),
			     .next = FIRST_STACK};
}

void stacks_end(struct stacks *s)
{
	hash_table_free(&s->nodes);
	free(s->runs.at);
}

uint32_t stacks_add(struct stacks *s, struct logs_thread *t, int64_t time, uint32_t parent,
		    const char *function)
{
	struct logs_process *p = logs_thread_process(t);
	/* where a call returns to: readers look before it */
	uint64_t code = function ? logs_code(p, function) + 1 : 0,
		 key = hash_mix(code + parent) ^ (uint64_t)(uintptr_t)p;
	struct hash_slot *slot =
	    hash_table_slot(&s->nodes, hash_mix(key), (uint64_t)parent << 32 ^ code);

	if (slot->head == HASH_NOTHING) {
		const struct logs_value values[] = {logs_natural(s->next), logs_natural(parent),
						    logs_natural(code)};

		slot->head = s->next++;
		slot->tail = 0;
		logs_write(t, time, s->frame, values);
	}
	return slot->head;
}

void stacks_sample(struct stacks *s, struct logs_thread *t, int64_t time, uint32_t stack)
{
	const struct logs_value value = logs_natural(stack);

	logs_write(t, time, s->sample, &value);
}

/* ---- when threads ran ---- */

void stacks_ran(struct stacks *s, struct logs_thread *t, int64_t time, int64_t period)
{
	*vector_add(&s->runs) = (struct stacks_run){t, s->runs.n, time, period};
}

static int run_order(const void *left, const void *right)
{
	const struct stacks_run *a = left, *b = right;

	if (a->thread != b->thread)
		return (uintptr_t)a->thread < (uintptr_t)b->thread ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static int distance_order(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Returns the median distance between the samples of one thread; 0: no thread has two. */
static int64_t median_distance(const struct stacks *s)
{
	int64_t *distances = array_new(s->runs.n + 1, sizeof *distances), median;
	size_t n = 0;

	for (size_t i = 1; i < s->runs.n; i++) {
		const struct stacks_run *r = &s->runs.at[i];

		if (r->thread == r[-1].thread && r->time > r[-1].time)
			distances[n++] = r->time - r[-1].time;
	}
	qsort(distances, n, sizeof *distances, distance_order);
	median = n ? distances[n / 2] : 0;
	free(distances);
	return median;
}

struct run_events {
	const struct logs_event *running, *blocked, *ended, *sample;
};

static void state_change(struct logs_thread *t, int64_t time, const struct logs_event *ended,
			 const struct logs_event *begun)
{
	if (ended)
		logs_write(t, time, ended, NULL);
	logs_write(t, time, begun, NULL);
}

/*
 * Logs when a thread ran; returns behind its samples. A timer's ticks come early and late: what of
 * a period does not fit between two samples counts before the next one.
 */
static const struct stacks_run *thread_states(const struct stacks_run *r,
					      const struct stacks_run *end, int64_t otherwise,
					      const struct run_events *e)
{
	const struct logs_value nowhere = logs_natural(0);
	struct logs_thread *t = r->thread;
	int64_t from = -1, to = 0, rest = 0;

	for (; r < end && r->thread == t; r++) {
		int64_t period = r->period ? r->period : otherwise;
		int64_t room = r->time - (from < 0 ? 0 : to);
		int64_t ran = period + rest < room ? period + rest : room;

		rest = from < 0 || period + rest - ran > period ? 0 : period + rest - ran;
		if (from < 0 || ran < room) {
			if (from >= 0) {
				state_change(t, to, e->ended, e->blocked);
				/* it need not have waited in what ran next */
				logs_write(t, r->time - ran, e->sample, &nowhere);
			}
			state_change(t, r->time - ran, from >= 0 ? e->ended : NULL, e->running);
			from = r->time - ran;
		}
		to = r->time;
	}
	logs_write(t, to, e->ended, NULL);
	return r;
}

int64_t stacks_states(struct stacks *s)
{
	const struct stacks_run *at, *end;
	struct run_events events;
	int64_t median = 0;

	if (!s->runs.n)
		return 0;
	end = s->runs.at + s->runs.n;
	qsort(s->runs.at, s->runs.n, sizeof *s->runs.at, run_order);
	for (at = s->runs.at; at < end && at->period;)
		at++;
	if (at < end)
		median = median_distance(s);
	/* how long a single sample ran nobody knows */
	if (at < end && !median)
		return 0;
	logs_spec_ready(s->logs, "scheduler");
	events = (struct run_events){logs_event(s->logs, "SampledRunning"),
				     logs_event(s->logs, "SampledBlocked"),
				     logs_event(s->logs, "SampledEnd"), s->sample};
	for (at = s->runs.at; at < end;)
		at = thread_states(at, end, median, &events);
	return median;
}

void stacks_say(struct import_input *in, const char *samples, int64_t median, uint64_t n)
{
	char *text =
	    text_format("%s count as %.3g ms of running each, the median distance between samples",
			samples, (double)median / 1e6);

	import_passed_over(in, median ? n : 0, text);
	free(text);
}
