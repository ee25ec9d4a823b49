#include "formats/jfr_workers.h"
#include <stdlib.h>

void jfr_worker_add(struct jfr_workers *w, struct logs_thread *t, uint64_t tid)
{
	struct hash_slot *slot = hash_table_slot(&w->by_tid, hash_mix(tid), tid);

	if (slot->head != HASH_NOTHING)
		return;
	slot->head = (uint32_t)w->list.n;
	slot->tail = 0;
	*vector_add(&w->list) = (struct jfr_worker){.thread = t, .first = INT64_MAX};
}

void jfr_worker_note(struct jfr_workers *all, uint64_t tid, int64_t from, int64_t to)
{
	const struct hash_slot *slot = hash_table_find(&all->by_tid, hash_mix(tid), tid);
	struct jfr_worker *w;

	if (!slot)
		return;
	w = &all->list.at[slot->head];
	if (from < w->first)
		w->first = from;
	if (to > w->last)
		w->last = to;
	if (to <= from)
		return;
	while (w->busy.n && w->busy.at[w->busy.n - 1].to >= from) {
		const struct jfr_busy *last = &w->busy.at[--w->busy.n];

		if (last->from < from)
			from = last->from;
		if (last->to > to)
			to = last->to;
	}
	*vector_add(&w->busy) = (struct jfr_busy){from, to};
}

static void idle_log(const struct jfr_worker *w, const struct logs_event *begin,
		     const struct logs_event *end, int64_t from, int64_t to)
{
	static const struct logs_value none = {0};

	if (from >= to)
		return;
	logs_write(w->thread, from, begin, &none);
	logs_write(w->thread, to, end, &none);
}

bool jfr_workers_log(const struct jfr_workers *all, struct logs *l)
{
	const struct logs_event *begin = logs_event_make(l, "idle begin", NULL, 0, NULL),
				*end = logs_event_make(l, "idle end", NULL, 0, NULL);

	if (!end)
		return false;
	logs_text(l,
		  "interval %s [ b:%s -> e:%s ] nested\n"
		  "\t= rectangle (kind \"wait\", label \"idle\", until \"work for the JVM\");\n",
		  logs_interval_name(l, "idle"), logs_event_name(begin), logs_event_name(end));
	for (size_t i = 0; i < all->list.n; i++) {
		const struct jfr_worker *w = &all->list.at[i];
		int64_t from = w->first;

		for (size_t k = 0; k < w->busy.n; k++) {
			idle_log(w, begin, end, from, w->busy.at[k].from);
			from = w->busy.at[k].to;
		}
		idle_log(w, begin, end, from, w->last);
	}
	return true;
}

void jfr_workers_free(struct jfr_workers *w)
{
	for (size_t i = 0; i < w->list.n; i++)
		free(w->list.at[i].busy.at);
	free(w->list.at);
	hash_table_free(&w->by_tid);
}
