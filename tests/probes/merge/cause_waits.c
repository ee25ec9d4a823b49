/*
 * cause_waits DIRECTORY [SEED]: whether the recorder finds for random waits of a trace's threads the
 * causes that lists of all instances have. Says where not, with status 1; prints how many have one.
 */
#include "base/array.h"
#include "match/join/match.h"
#include "recorder/merge/causes.h"
#include "tests/random.h"
#include "trace/stream/section.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* From one thread to another; or a wait, in one. */
struct cause {
	uint32_t thread;
	int64_t from, to;
	bool signal;    /* it leads forwards */
	bool ends_wait; /* waits end with its later event, too */
};
typedef VECTOR(struct cause) cause_vector;

static const struct event_type *later_type(const struct interval *interval)
{
	return interval->direction == FORWARDS ? interval->partner.event : interval->anchor.event;
}

static bool is_end_of_waits(const struct spec *spec, const struct event_type *type)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (spec->intervals[i]->kind == KIND_WAIT && later_type(spec->intervals[i]) == type)
			return true;
	return false;
}

/* Adds causes from thread to thread, or waits in a thread. */
static void instances_list(cause_vector *all, const struct matches *m, const struct trace *t)
{
	bool forwards = m->interval->direction == FORWARDS;

	for (size_t k = 0; k < m->count; k++) {
		struct instance in;

		if (m->partner_of[k] == UNMATCHED)
			continue;
		matches_look(m, k, &in);
		if ((in.anchor.thread == in.partner.thread) == (m->interval->kind == KIND_WAIT))
			*vector_add(all) =
			    (struct cause){forwards ? in.partner.thread : in.anchor.thread,
					   in.start + t->origin, in.end + t->origin, forwards,
					   is_end_of_waits(t->spec, later_type(m->interval))};
	}
}

static int cause_compare(const void *left, const void *right)
{
	const struct cause *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

/* Returns the innermost wait around the time for which a thread is blocked, or NULL. */
static const struct cause *wait_around(const cause_vector *waits, const struct cause_wait *w)
{
	const struct cause *found = NULL;

	for (size_t i = 0; i < waits->n; i++) {
		const struct cause *x = &waits->at[i];

		if (x->thread == w->thread && x->from <= w->blocked && x->to >= w->ran &&
		    (!found || x->to < found->to))
			found = x;
	}
	return found;
}

/* Of the causes of a wait signals come first; of others those that arrive first. */
static bool is_better(const struct cause *x, const struct cause *than)
{
	if (x->ends_wait && x->signal != than->signal)
		return x->signal;
	return x->to != than->to ? x->to < than->to : x->from < than->from;
}

static int64_t cause_known(const cause_vector *all, const cause_vector *waits,
			   const struct cause_wait *w)
{
	const struct cause *around = wait_around(waits, w), *found = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct cause *x = &all->at[i];

		if (x->thread != w->thread || x->from < w->blocked || x->from > w->ran ||
		    x->to < w->ran || x->ends_wait != (around != NULL) ||
		    (around && x->to != around->to))
			continue;
		if (!found || is_better(x, found))
			found = x;
	}
	return found ? found->from : INT64_MIN;
}

/* Asks for waits around some of the causes, and finds what they have among all of them. */
static void waits_ask(struct causes *asked, struct causes *known, const cause_vector *all,
		      const cause_vector *waits, struct random *r)
{
	int64_t last = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct cause *c = &all->at[i];
		int64_t blocked = c->from - random_below(r, random_chance(r, 50) ? 3 : 100000);
		int64_t ran = c->from + random_below(r, (uint32_t)(c->to - c->from) % 100000 + 3);
		struct cause_wait *w;

		if (i > 0 && c[-1].thread != c->thread)
			last = 0;
		if (random_chance(r, 50) || blocked <= last)
			continue;
		last = ran;
		causes_ask(asked, c->thread, blocked, ran, ran);
		causes_ask(known, c->thread, blocked, ran, ran);
		w = &known->at[known->n - 1];
		w->from = cause_known(all, waits, w);
	}
}

static int compare(const struct causes *found, const struct causes *all)
{
	size_t known = 0;
	int status = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct cause_wait *w = &all->at[i];
		const struct cause_wait *same = causes_wait(found, w->thread, w->ran);
		int64_t when = same ? same->from : INT64_MIN;

		known += w->from != INT64_MIN;
		if (when == w->from)
			continue;
		printf("# thread %" PRIu32 ", %" PRId64 " to %" PRId64 ": %" PRId64
		       ", among all instances %" PRId64 "\n",
		       w->thread, w->blocked, w->ran, when, w->from);
		status = 1;
	}
	printf("%zu of %zu known\n", known, all->n);
	return status;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "cause_waits"};
	const char *directory = argc > 1 ? argv[1] : "";
	struct random r = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
	struct causes found = {.n = 0}, known = {.n = 0};
	cause_vector all = {.n = 0}, waits = {.n = 0};
	struct trace *t;
	int status;

	section_events = random_chance(&r, 50) ? 16 : 1 << 18;
	t = trace_open(&directory, 1, NULL, &diag);
	if (!t)
		return 2;
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		if (t->spec->intervals[i]->kind == KIND_CAUSE ||
		    t->spec->intervals[i]->kind == KIND_WAIT) {
			struct matches *m = match_interval(t, t->spec->intervals[i]);

			instances_list(m->interval->kind == KIND_WAIT ? &waits : &all, m, t);
			matches_free(m);
		}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, cause_compare);
	waits_ask(&found, &known, &all, &waits, &r);
	causes_find(&found, t);
	status = compare(&found, &known);
	causes_free(&found);
	causes_free(&known);
	free(all.at);
	free(waits.at);
	trace_close(t);
	return status;
}
