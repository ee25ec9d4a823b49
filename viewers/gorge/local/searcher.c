/* In a document there is one thread: intervals are looked for when they are asked for. */
#include "viewers/gorge/searcher.h"
#include <stdlib.h>

struct searcher {
	struct trace *trace;
	const struct census *census;
	struct instances **found; /* by interval.index; NULL: not yet */
};

struct searcher *searcher_new(struct trace *t, const struct census *c)
{
	struct searcher *s = zeroed(1, sizeof *s);

	*s = (struct searcher){t, c, zeroed(t->spec->nintervals, sizeof *s->found)};
	return s;
}

void searcher_begin(struct searcher *s)
{
	(void)s;
}

void searcher_free(struct searcher *s, void (*then)(void *context), void *context)
{
	for (unsigned i = 0; i < s->trace->spec->nintervals; i++)
		instances_free(s->found[i]);
	free(s->found);
	free(s);
	then(context);
}

struct instances *searcher_get(struct searcher *s, const struct interval *interval)
{
	struct instances **found = &s->found[interval->index];

	if (!*found)
		*found = search_interval(s->trace, s->census, interval);
	return *found;
}

struct instances *searcher_await(struct searcher *s, const struct interval *interval)
{
	return searcher_get(s, interval);
}

unsigned searcher_wait(struct searcher *s, const bool *intervals, long milliseconds)
{
	(void)s, (void)intervals, (void)milliseconds;
	return 0;
}

bool searcher_seeks(struct searcher *s, const struct interval *interval)
{
	(void)s, (void)interval;
	return false;
}

void searcher_lock(struct searcher *s)
{
	(void)s;
}

void searcher_unlock(struct searcher *s)
{
	(void)s;
}
