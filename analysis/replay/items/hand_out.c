#include "analysis/replay/items/hand_out_finding.h"
#include "base/search.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

void hand_out_mark_add(struct hand_out_finding *f, uint32_t thread, int64_t time, size_t item)
{
	uint32_t pool = (uint32_t)f->result->pools.n - 1;

	*vector_add(&f->marks[thread]) = (struct hand_out_mark){time, pool, item};
}

/* Returns the first turn that ends after a time. */
static size_t turn_after(const hand_out_turns *turns, int64_t time)
{
	return lower_bound(i, (size_t)0, turns->n, turns->at[i].to <= time);
}

void hand_out_turn_add(struct hand_out_finding *f, uint32_t thread, int64_t from, int64_t to)
{
	hand_out_turns *turns = &f->turns[thread];
	size_t at = turn_after(turns, from), i = turns->n;

	*vector_add(turns) = (struct hand_out_turn){0, 0};
	for (; i > at; i--)
		turns->at[i] = turns->at[i - 1];
	turns->at[at] = (struct hand_out_turn){from, to};
}

bool hand_out_is_taken(const struct hand_out_finding *f, uint32_t thread, int64_t from, int64_t to)
{
	const hand_out_turns *turns = &f->turns[thread];
	size_t i = turn_after(turns, from);

	return i < turns->n && turns->at[i].from < to;
}

const char *hand_out_site(const struct model *m, uint32_t class)
{
	const struct span_class *c = &m->set->classes.at[class];
	char address[ADDRESS_TEXT];

	if (c->role->start.code[0] < 0)
		return NULL;
	return symbols_numbered(
	    m->trace, symbols_number(m->trace, address_text(m->trace, address, &c->first,
							    (unsigned)c->role->start.code[0])));
}

const char *hand_out_group(const struct model *m, const bool *members)
{
	const struct trace_thread *threads = m->trace->threads;
	const char *name = NULL;

	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		if (members[t] && name && strcmp(name, threads[t].name) != 0)
			return NULL;
		if (members[t])
			name = threads[t].name;
	}
	return name;
}

static int by_time(const void *a, const void *b)
{
	const struct hand_out_mark *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	/* the end of one pool before the beginning of the next */
	return (x->item != NO_ITEM) - (y->item != NO_ITEM);
}

static void marks_join(struct hand_out_finding *f)
{
	struct hand_out *h = f->result;
	uint32_t nthreads = f->model->trace->nthreads;

	h->first_mark = array_new((size_t)nthreads + 1, sizeof *h->first_mark);
	for (uint32_t t = 0; t < nthreads; t++) {
		h->first_mark[t] = h->marks.n;
		if (f->marks[t].n)
			qsort(f->marks[t].at, f->marks[t].n, sizeof *f->marks[t].at, by_time);
		for (size_t i = 0; i < f->marks[t].n; i++)
			*vector_add(&h->marks) = f->marks[t].at[i];
		free(f->marks[t].at);
	}
	h->first_mark[nthreads] = h->marks.n;
}

void hand_out_announce(struct trace *t)
{
	unsigned n;
	struct role *lives = roles_of_threads(t->spec, &n);

	hand_out_announce_chunks(t);
	for (unsigned i = 0; i < n; i++) {
		trace_announce(t, lives[i].start.event);
		trace_announce(t, lives[i].end.event);
	}
	free(lives);
}

struct hand_out *hand_out_of(const struct model *m)
{
	struct hand_out *h = array_zero(1, sizeof *h);
	struct hand_out_finding f = {.model = m, .result = h};

	f.marks = array_zero(m->trace->nthreads, sizeof *f.marks);
	f.turns = array_zero(m->trace->nthreads, sizeof *f.turns);
	hand_out_find_chunks(&f);
	hand_out_find_items(&f);
	hand_out_find_locks(&f);
	marks_join(&f);
	free(f.marks);
	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		free(f.turns[t].at);
	free(f.turns);
	if (h->pools.n)
		return h;
	hand_out_free(h);
	return NULL;
}

bool hand_out_has_met(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	const struct timeline *l = &m->graph->threads[thread];
	size_t i = lower_bound(c, m->first_cause[thread], m->first_cause[thread + 1],
			       l->stretches[m->causes.at[c].stretch].from < from);

	for (; i < m->first_cause[thread + 1] && l->stretches[m->causes.at[i].stretch].from < to;
	     i++)
		if (m->causes.at[i].meeting)
			return true;
	return false;
}

void hand_out_free(struct hand_out *h)
{
	for (size_t i = 0; i < h->pools.n; i++)
		free(h->pools.at[i].doubt);
	free(h->pools.at);
	free(h->items.at);
	free(h->marks.at);
	free(h->first_mark);
	free(h);
}

bool hand_out_is_sure(const struct hand_out *h)
{
	return h->items.n != 0;
}

int64_t hand_out_longest(const struct hand_out *h)
{
	int64_t longest = 0;

	for (size_t i = 0; i < h->pools.n; i++)
		if (!h->pools.at[i].doubt && h->pools.at[i].mean > longest)
			longest = h->pools.at[i].mean;
	return longest;
}
