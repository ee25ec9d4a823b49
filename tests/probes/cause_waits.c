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

/* From one thread to another. */
struct cause {
	uint32_t thread;
	int64_t from, to;
};
typedef VECTOR(struct cause) cause_vector;

static void causes_list(cause_vector *all, const struct matches *m, int64_t origin)
{
	bool forwards = m->interval->direction == FORWARDS;

	for (size_t k = 0; k < m->count; k++) {
		struct instance in;

		if (m->partner_of[k] == UNMATCHED)
			continue;
		matches_look(m, k, &in);
		if (in.anchor.thread != in.partner.thread)
			*vector_add(all) =
			    (struct cause){forwards ? in.partner.thread : in.anchor.thread,
					   in.start + origin, in.end + origin};
	}
}

static int cause_compare(const void *left, const void *right)
{
	const struct cause *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

/* Asks for waits around some of the causes, and finds what they have among all of them. */
static void waits_ask(struct causes *asked, struct causes *known, const cause_vector *all,
		      struct random *r)
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
		causes_ask(asked, c->thread, blocked, ran);
		causes_ask(known, c->thread, blocked, ran);
		w = &known->at[known->n - 1];
		for (size_t k = 0; k < all->n && w->from == INT64_MIN; k++)
			if (all->at[k].thread == c->thread && all->at[k].from >= blocked &&
			    all->at[k].from <= ran && all->at[k].to >= ran)
				w->from = all->at[k].from;
	}
}

static int compare(const struct causes *found, const struct causes *all)
{
	size_t known = 0;
	int status = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct cause_wait *w = &all->at[i];
		int64_t when = causes_when(found, w->thread, w->ran);

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
	cause_vector all = {.n = 0};
	struct trace *t;
	int status;

	section_events = random_chance(&r, 50) ? 16 : 1 << 18;
	t = trace_open(&directory, 1, NULL, &diag);
	if (!t)
		return 2;
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		if (t->spec->intervals[i]->kind == KIND_CAUSE) {
			struct matches *m = match_interval(t, t->spec->intervals[i]);

			causes_list(&all, m, t->origin);
			matches_free(m);
		}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, cause_compare);
	waits_ask(&found, &known, &all, &r);
	causes_find(&found, t);
	status = compare(&found, &known);
	causes_free(&found);
	causes_free(&known);
	free(all.at);
	trace_close(t);
	return status;
}
