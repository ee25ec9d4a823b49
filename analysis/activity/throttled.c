#include "analysis/activity/throttled.h"
#include "base/units.h"
#include "spec/layout.h"
#include "trace/stream/pass.h"
#include <pthread.h>
#include <stdlib.h>

struct throttled_taking {
	pthread_mutex_t lock;
	throttled_list list;
};

static void throttled_take(void *context, const struct event_chunk *c)
{
	struct throttled_taking *all = context;
	unsigned attribute = (unsigned)c->type->throttled_attribute;

	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < c->n; i++) {
		struct value v = record_value(c->type, attribute, c->record[i]);

		if (v.integer > 0)
			*vector_add(&all->list) =
			    (struct throttled){.to = c->time[i], .withheld = v.integer};
	}
	pthread_mutex_unlock(&all->lock);
}

static int throttled_order(const void *left, const void *right)
{
	const struct throttled *a = left, *b = right;

	return (a->to > b->to) - (a->to < b->to);
}

throttled_list throttled_of(const struct trace *t)
{
	struct throttled_taking all = {.lock = PTHREAD_MUTEX_INITIALIZER};
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted), any = false;
	int64_t from = 0;

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		wanted[i] = t->spec->events[i]->throttled_attribute >= 0 && t->events_of_type[i];
		any |= wanted[i];
	}
	if (any)
		trace_visit_events(t, wanted, throttled_take, &all);
	free(wanted);
	if (all.list.n)
		qsort(all.list.at, all.list.n, sizeof *all.list.at, throttled_order);
	for (size_t i = 0; i < all.list.n; i++) {
		all.list.at[i].from = from;
		from = all.list.at[i].to;
	}
	return all.list;
}

char *throttled_text(const struct trace *t)
{
	throttled_list list = throttled_of(t);
	char withheld[UNITS_TEXT], *remedy, *text;
	double sum = 0;

	for (size_t i = 0; i < list.n; i++)
		sum += (double)list.at[i].withheld;
	free(list.at);
	if (sum <= 0)
		return NULL;
	units_time(withheld, sum);
	remedy = trace_refused(t, "throttled");
	text = text_format("for %s of processor time (remedy: %s)", withheld,
			   remedy ? remedy : "raise cpu.max of the program's control group");
	free(remedy);
	return text;
}
