#include "trace/stream/records_lost.h"
#include "base/array.h"
#include "spec/layout.h"
#include "trace/stream/pass.h"
#include <pthread.h>
#include <stdlib.h>

struct record_loss {
	const struct event_type *type;
	int64_t time;
	uint64_t records;
};

struct record_losses {
	pthread_mutex_t lock;
	VECTOR(struct record_loss) list;
};

static void losses_take(void *context, const struct event_chunk *c)
{
	struct record_losses *all = context;
	unsigned attribute = (unsigned)c->type->lost_attribute;

	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < c->n; i++) {
		struct value v = record_value(c->type, attribute, c->record[i]);

		*vector_add(&all->list) =
		    (struct record_loss){c->type, c->time[i], (uint64_t)v.integer};
	}
	pthread_mutex_unlock(&all->lock);
}

static int loss_order(const void *left, const void *right)
{
	const struct record_loss *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->type->index > b->type->index) - (a->type->index < b->type->index);
}

/* only: NULL: all types */
static uint64_t records_lost(const struct trace *t, const struct event_type *only)
{
	struct record_losses all = {.lock = PTHREAD_MUTEX_INITIALIZER};
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted), any = false;
	uint64_t sum = 0;

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		wanted[i] = t->spec->events[i]->lost_attribute >= 0 && t->events_of_type[i] &&
			    (!only || t->spec->events[i] == only);
		any |= wanted[i];
	}
	if (any)
		trace_visit_events(t, wanted, losses_take, &all);
	free(wanted);
	if (all.list.n)
		qsort(all.list.at, all.list.n, sizeof *all.list.at, loss_order);
	for (size_t i = 0; i < all.list.n; i++)
		if (!i || loss_order(&all.list.at[i - 1], &all.list.at[i]) != 0)
			sum += all.list.at[i].records;
	free(all.list.at);
	return sum;
}

uint64_t trace_records_lost(const struct trace *t)
{
	return records_lost(t, NULL);
}

uint64_t trace_records_lost_of(const struct trace *t, const struct event_type *type)
{
	return records_lost(t, type);
}
