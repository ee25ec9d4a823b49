#include "recorder/merge/causes.h"
#include "base/array.h"
#include "base/progress.h"
#include "base/search.h"
#include "match/join/pair_stream.h"
#include <stdlib.h>

void causes_ask(struct causes *c, uint32_t thread, int64_t blocked, int64_t ran)
{
	*vector_add(c) = (struct cause_wait){thread, blocked, ran, INT64_MIN};
}

static int wait_compare(const void *left, const void *right)
{
	const struct cause_wait *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->ran > b->ran) - (a->ran < b->ran);
}

/* Returns the first wait of a thread that it left at that time or later. */
static size_t wait_from(const struct causes *c, uint32_t thread, int64_t ran)
{
	struct cause_wait key = {.thread = thread, .ran = ran};

	return lower_bound(i, 0, c->n, wait_compare(&c->at[i], &key) < 0);
}

struct causes_finding {
	struct causes *causes;
	int64_t origin;
};

/* Of several causes of a wait, the first one counts. */
static void cause_visit(void *context, unsigned interval, const struct event *earlier,
			const struct event *later)
{
	const struct causes_finding *f = context;
	struct causes *c = f->causes;
	int64_t from = earlier->time + f->origin, to = later->time + f->origin;

	(void)interval;
	if (earlier->thread == later->thread)
		return;
	for (size_t i = wait_from(c, later->thread, from); i < c->n; i++) {
		struct cause_wait *w = &c->at[i];

		if (w->thread != later->thread || w->ran > to || w->blocked > from)
			break;
		if (w->from == INT64_MIN || from < w->from)
			w->from = from;
	}
}

/* Lists the intervals that may have instances, and returns how many they are. */
static unsigned intervals_choose(const struct trace *t, const struct interval **list)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *interval = t->spec->intervals[i];

		if (interval->kind == KIND_CAUSE &&
		    t->events_of_type[interval->anchor.event->index] &&
		    t->events_of_type[interval->partner.event->index])
			list[n++] = interval;
	}
	return n;
}

void causes_find(struct causes *c, struct trace *t)
{
	struct causes_finding f = {c, t->origin};
	const struct interval **list;
	struct pair_stream *s;
	unsigned n;

	if (!c->n)
		return;
	qsort(c->at, c->n, sizeof *c->at, wait_compare);
	list = array_new(t->spec->nintervals + 1, sizeof *list);
	n = intervals_choose(t, list);
	progress_begin("finding what let threads go on");
	if (n) {
		s = pair_stream_new(t, list, n, cause_visit, &f);
		pair_stream_read(s, t);
		c->unsure = pair_stream_unsure(s);
		if (c->unsure > c->n)
			c->unsure = c->n;
		pair_stream_free(s);
	}
	progress_end();
	free(list);
}

int64_t causes_when(const struct causes *c, uint32_t thread, int64_t ran)
{
	size_t i = wait_from(c, thread, ran);

	return i < c->n && c->at[i].thread == thread && c->at[i].ran == ran ? c->at[i].from
									    : INT64_MIN;
}

void causes_free(struct causes *c)
{
	free(c->at);
}
