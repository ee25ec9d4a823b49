#include "analysis/replay/program/operation_lists.h"
#include <stdlib.h>
#include <string.h>

struct operation_lists operation_lists_of(struct operations *o)
{
	struct operation_lists l = {.nthreads = o->nthreads, .pace = o->pace};
	size_t pieces = o->first[o->nthreads];

	l.threads = array_zero(l.nthreads, sizeof *l.threads);
	l.origins = array_new(l.nthreads, sizeof *l.origins);
	for (uint32_t t = 0; t < l.nthreads; t++) {
		l.origins[t] = operations_thread(o, t);
		vector_append(&l.threads[t], &o->all.at[o->first[t]],
			      o->first[t + 1] - o->first[t]);
	}
	if (o->all.n > pieces)
		vector_append(&l.pieces, &o->all.at[pieces], o->all.n - pieces);
	for (size_t i = 0; i < o->pieces.n; i++)
		o->pieces.at[i].first -= pieces;
	return l;
}

uint32_t operation_lists_copy(struct operation_lists *l, uint32_t thread)
{
	uint32_t new = l->nthreads++;

	l->threads = array_resize(l->threads, l->nthreads, sizeof *l->threads);
	l->origins = array_resize(l->origins, l->nthreads, sizeof *l->origins);
	l->threads[new] = (operation_list){0};
	l->origins[new] = l->origins[thread];
	if (l->pace) {
		l->pace = array_resize(l->pace, l->nthreads, sizeof *l->pace);
		l->pace[new] = l->pace[thread];
	}
	vector_append(&l->threads[new], l->threads[thread].at, l->threads[thread].n);
	return new;
}

void operation_lists_remove(struct operation_lists *l, uint32_t thread)
{
	size_t after = l->nthreads - 1 - thread;

	free(l->threads[thread].at);
	memmove(&l->threads[thread], &l->threads[thread + 1], after * sizeof *l->threads);
	memmove(&l->origins[thread], &l->origins[thread + 1], after * sizeof *l->origins);
	if (l->pace)
		memmove(&l->pace[thread], &l->pace[thread + 1], after * sizeof *l->pace);
	l->nthreads--;
}

int64_t operation_waiting(const struct operation *o)
{
	if (o->kind != OPERATION_DELAY && o->kind != OPERATION_SERVE && o->kind != OPERATION_POLL)
		return 0;
	return o->time + o->after + (o->latency == NO_LATENCY ? 0 : o->latency);
}

void operation_insert(operation_list *list, size_t at, struct operation new)
{
	(void)vector_add(list);
	memmove(&list->at[at + 1], &list->at[at], (list->n - 1 - at) * sizeof *list->at);
	list->at[at] = new;
}

void operation_lists_put(struct operation_lists *l, struct operations *o)
{
	size_t pieces;

	o->first = array_resize(o->first, l->nthreads + 1, sizeof *o->first);
	o->all.n = o->times.n = o->waits.n = 0;
	for (uint32_t t = 0; t < l->nthreads; t++) {
		o->first[t] = o->all.n;
		vector_append(&o->all, l->threads[t].at, l->threads[t].n);
		free(l->threads[t].at);
	}
	o->first[l->nthreads] = pieces = o->all.n;
	if (l->pieces.n)
		vector_append(&o->all, l->pieces.at, l->pieces.n);
	for (size_t i = 0; i < o->pieces.n; i++)
		o->pieces.at[i].first += pieces;
	o->nthreads = l->nthreads;
	free(o->origins);
	o->origins = l->origins;
	o->pace = l->pace;
	free(l->pieces.at);
	free(l->threads);
	*l = (struct operation_lists){0};
}
