#include "analysis/activity/held_samples.h"
#include "analysis/activity/innermost.h"
#include "base/array.h"
#include "base/hash.h"
#include <stdlib.h>

enum { NO_SAMPLE = UINT32_MAX };

struct dividing {
	const struct thread_samples *samples;
	innermost_vector holdings;
	struct hash_table numbers; /* by class: the place in `next` */
	VECTOR(uint32_t) next;     /* the next sample that was taken under it; NO_SAMPLE */
	uint32_t *following;       /* by sample: the next one under the same class */
	struct thread_samples result;
};

/* ---- samples by what was held ---- */

static uint32_t *next_under(struct dividing *d, uint32_t class)
{
	struct hash_slot *slot = hash_table_slot(&d->numbers, hash_mix(class), 0);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)d->next.n;
		*vector_add(&d->next) = NO_SAMPLE;
	}
	return &d->next.at[slot->head];
}

/* From the last sample to the first, so that each finds the one that follows it. */
static void samples_sort(struct dividing *d)
{
	size_t h = d->holdings.n - 1;

	d->following = array_new(d->samples->list.n, sizeof *d->following);
	for (size_t i = d->samples->list.n; i-- > 0;) {
		uint32_t *next;

		while (d->holdings.at[h].from >= stack_sample_taken(&d->samples->list.at[i]))
			h--;
		next = next_under(d, d->holdings.at[h].class);
		d->following[i] = *next;
		*next = (uint32_t)i;
	}
}

/* ---- what they stand for ---- */

static void time_add(struct dividing *d, int64_t from, int64_t to, uint32_t sample)
{
	uint32_t stack = d->samples->list.at[sample].stack;
	struct stack_sample *last =
	    d->result.list.n ? &d->result.list.at[d->result.list.n - 1] : NULL;

	if (from >= to)
		return;
	if (last && last->stack == stack)
		last->to = to;
	else
		*vector_add(&d->result.list) = (struct stack_sample){from, to, stack, false, false};
}

/* Gives out time in which a lock is held that has samples. */
static void time_under(struct dividing *d, uint32_t *next, int64_t from, int64_t to)
{
	for (;;) {
		int64_t taken = stack_sample_taken(&d->samples->list.at[*next]);
		bool last = d->following[*next] == NO_SAMPLE;

		time_add(d, from, last || taken > to ? to : taken, *next);
		if (last || taken > to)
			return;
		from = taken > from ? taken : from;
		*next = d->following[*next];
	}
}

/* ... that has none. *at: the thread's sample at `from` or before. */
static void time_of_thread(struct dividing *d, size_t *at, int64_t from, int64_t to)
{
	const struct thread_samples *t = d->samples;

	while (t->list.at[*at].to <= from)
		++*at;
	for (size_t i = *at; from < to; from = t->list.at[i++].to)
		time_add(d, from, t->list.at[i].to < to ? t->list.at[i].to : to, (uint32_t)i);
}

struct thread_samples held_samples(const struct thread_samples *t, const span_vector *holds)
{
	struct dividing d = {.samples = t};
	size_t at = 0;

	if (!t->list.n)
		return d.result;
	d.holdings = innermost_spans(holds);
	samples_sort(&d);
	for (size_t i = 0; i < d.holdings.n; i++) {
		int64_t from = d.holdings.at[i].from;
		int64_t to = i + 1 < d.holdings.n ? d.holdings.at[i + 1].from : INT64_MAX;
		uint32_t *next = next_under(&d, d.holdings.at[i].class);

		from = from < t->list.at[0].from ? t->list.at[0].from : from;
		if (*next == NO_SAMPLE)
			time_of_thread(&d, &at, from, to);
		else
			time_under(&d, next, from, to);
	}
	free(d.holdings.at);
	free(d.next.at);
	free(d.following);
	hash_table_free(&d.numbers);
	return d.result;
}
