#include "analysis/flame/memory_window.h"
#include "analysis/flame/flame_frames.h"
#include "base/parallel.h"
#include <stdlib.h>

unsigned memory_window_block = 16384;

enum { KINDS = FLAME_LEFT - FLAME_BYTES + 1 };

struct window_allocation {
	int64_t time;
	uint64_t bytes : 62;
	uint64_t at_peak : 1, left : 1;
	uint32_t frame; /* until the frames are known, the site of the worker */
};

struct takes_sum {
	uint32_t frame;
	int64_t amounts[KINDS];
};

/* What a thread took, in the order of time. */
struct thread_takes {
	VECTOR(struct window_allocation) takes;
	VECTOR(struct takes_sum) sums; /* block after block */
	VECTOR(size_t) blocks;         /* where the sums of each begin, and the end */
};

struct memory_window {
	struct trace *trace;
	struct thread_takes *threads;
	struct flame flames[KINDS]; /* with the same nodes */
};

static int64_t amount(const struct window_allocation *t, enum flame_kind kind)
{
	switch (kind) {
	case FLAME_COUNT:
		return 1;
	case FLAME_PEAK:
		return t->at_peak ? (int64_t)t->bytes : 0;
	case FLAME_LEFT:
		return t->left ? (int64_t)t->bytes : 0;
	default:
		return (int64_t)t->bytes;
	}
}

/* ---- making ---- */

/* What one worker hears. */
struct hearing {
	struct thread_takes *threads;
	VECTOR(struct heap_site) sites;
	struct hash_table known;
};

static void hear(void *context, const struct heap_take *h)
{
	struct hearing *w = &((struct hearing *)context)[h->worker];
	struct hash_slot *slot = hash_table_slot(&w->known, hash_mix(h->stack), h->process);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)w->sites.n;
		*vector_add(&w->sites) =
		    (struct heap_site){.process = h->process, .stack = h->stack, .time = h->time};
	}
	*vector_add(&w->threads[h->thread].takes) =
	    (struct window_allocation){.time = h->time,
				       .bytes = h->bytes,
				       .at_peak = h->at_peak,
				       .left = h->left,
				       .frame = slot->head};
}

/* Gives the takes of a worker their frames, and to their threads. */
static void hearing_end(struct memory_window *l, struct hearing *w, const struct heap *h,
			const struct call_paths *paths)
{
	uint32_t *frames = array_new(w->sites.n, sizeof *frames);

	for (size_t i = 0; i < w->sites.n; i++)
		frames[i] = flame_site(&l->flames[0], h, paths, &w->sites.at[i]);
	for (unsigned t = 0; t < l->trace->nthreads; t++) {
		struct thread_takes *heard = &w->threads[t];

		for (size_t i = 0; i < heard->takes.n; i++)
			heard->takes.at[i].frame = frames[heard->takes.at[i].frame];
		if (heard->takes.n)
			vector_append(&l->threads[t].takes, heard->takes.at, heard->takes.n);
		free(heard->takes.at);
	}
	free(frames);
	free(w->threads);
	free(w->sites.at);
	hash_table_free(&w->known);
}

static bool role_hear(struct memory_window *l, const struct role *role,
		      const struct call_paths *paths)
{
	unsigned n = parallel_workers();
	struct hearing *workers = array_zero(n, sizeof *workers);
	struct heap_listener listener = {workers, hear};
	struct heap_part part = {INT64_MIN, INT64_MAX, NULL, true, &listener};
	struct heap *h;
	bool sized;

	for (unsigned i = 0; i < n; i++)
		workers[i].threads = array_zero(l->trace->nthreads, sizeof *workers[i].threads);
	h = heap_of_part(l->trace, role, &part);
	sized = h->size.expression;
	for (unsigned i = 0; i < n; i++)
		hearing_end(l, &workers[i], h, paths);
	heap_free(h);
	free(workers);
	return sized;
}

static int take_compare(const void *left, const void *right)
{
	const struct window_allocation *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

static void block_sum(struct thread_takes *t, size_t from, size_t to, struct hash_table *known)
{
	size_t first = t->sums.n;

	hash_table_reset(known);
	*vector_add(&t->blocks) = first;
	for (size_t i = from; i < to; i++) {
		const struct window_allocation *x = &t->takes.at[i];
		struct hash_slot *slot = hash_table_slot(known, hash_mix(x->frame), 0);

		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)(t->sums.n - first);
			vector_add(&t->sums)->frame = x->frame;
		}
		for (int k = 0; k < KINDS; k++)
			t->sums.at[first + slot->head].amounts[k] +=
			    amount(x, FLAME_BYTES + (enum flame_kind)k);
	}
}

static void thread_sort(void *context, size_t thread, unsigned worker)
{
	struct thread_takes *t = &((struct memory_window *)context)->threads[thread];
	struct hash_table known = {0};

	(void)worker;
	if (t->takes.n)
		qsort(t->takes.at, t->takes.n, sizeof *t->takes.at, take_compare);
	for (size_t i = 0; i < t->takes.n; i += memory_window_block)
		block_sum(t, i,
			  i + memory_window_block < t->takes.n ? i + memory_window_block
							       : t->takes.n,
			  &known);
	*vector_add(&t->blocks) = t->sums.n;
	hash_table_free(&known);
}

/* The nodes are those of the first one. */
static void flame_fill(struct memory_window *l, int k)
{
	struct flame_part all = {INT64_MIN, INT64_MAX, NULL};
	struct flame *f = &l->flames[k];
	struct flame_amounts *amounts;

	f->kind = FLAME_BYTES + (enum flame_kind)k;
	f->trace = l->trace;
	if (k)
		vector_append(&f->nodes, l->flames[0].nodes.at, l->flames[0].nodes.n);
	amounts = memory_window_amounts(l, f->kind, &all);
	for (size_t i = 0; i < f->nodes.n; i++) {
		f->nodes.at[i].self = amounts[i].self;
		f->nodes.at[i].total = amounts[i].total;
	}
	free(amounts);
}

struct memory_window *memory_window_of(struct trace *t)
{
	struct memory_window *l = array_zero(1, sizeof *l);
	struct call_paths *paths = call_paths_make(t);
	unsigned n;
	struct role *roles = roles_of_kind(t->spec, KIND_LIFE, &n);
	bool found = false;

	l->trace = t;
	l->threads = array_zero(t->nthreads, sizeof *l->threads);
	l->flames[0].trace = t;
	*vector_add(&l->flames[0].nodes) =
	    (struct flame_node){.name = flame_text(&l->flames[0], "all")};
	for (unsigned i = 0; i < n; i++)
		if (!role_is_threads_life(&roles[i]))
			found = role_hear(l, &roles[i], paths) || found;
	free(roles);
	call_paths_free(paths);
	parallel_for(t->nthreads, thread_sort, l);
	for (int k = 0; k < KINDS; k++)
		flame_fill(l, k);
	if (found)
		return l;
	memory_window_free(l);
	return NULL;
}

void memory_window_free(struct memory_window *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->trace->nthreads; i++) {
		free(l->threads[i].takes.at);
		free(l->threads[i].sums.at);
		free(l->threads[i].blocks.at);
	}
	free(l->threads);
	for (int k = 0; k < KINDS; k++) {
		hash_table_free(&l->flames[k].children);
		free(l->flames[k].nodes.at);
	}
	free(l);
}

const struct flame *memory_window_flame(const struct memory_window *l, enum flame_kind kind)
{
	return &l->flames[kind - FLAME_BYTES];
}

/* ---- reading ---- */

/* Returns the first take at a time or later. */
static size_t take_at(const struct thread_takes *t, int64_t time)
{
	size_t low = 0, high = t->takes.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->takes.at[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void thread_add(const struct thread_takes *t, enum flame_kind kind, size_t from, size_t to,
		       struct flame_amounts *amounts)
{
	while (from < to) {
		size_t block = from / memory_window_block, end = (block + 1) * memory_window_block;

		if (from % memory_window_block == 0 && (end < to ? end : t->takes.n) <= to) {
			for (size_t i = t->blocks.at[block]; i < t->blocks.at[block + 1]; i++)
				amounts[t->sums.at[i].frame].self +=
				    t->sums.at[i].amounts[kind - FLAME_BYTES];
			from = end;
			continue;
		}
		amounts[t->takes.at[from].frame].self += amount(&t->takes.at[from], kind);
		from++;
	}
}

struct flame_amounts *memory_window_amounts(const struct memory_window *l, enum flame_kind kind,
					    const struct flame_part *p)
{
	const struct flame *f = &l->flames[kind - FLAME_BYTES];
	struct flame_amounts *amounts = array_zero(f->nodes.n, sizeof *amounts);

	for (unsigned i = 0; i < l->trace->nthreads; i++) {
		const struct thread_takes *t = &l->threads[i];

		if (!p->threads || p->threads[i])
			thread_add(t, kind, take_at(t, p->from),
				   p->to == INT64_MAX ? t->takes.n : take_at(t, p->to + 1),
				   amounts);
	}
	flame_totals(f, amounts);
	return amounts;
}

void memory_window_moments(const struct memory_window *l, size_t thread, int64_t from, int64_t to,
			   const bool *marked,
			   void (*visit)(void *context, int64_t from, int64_t to), void *context)
{
	const struct thread_takes *t = &l->threads[thread];

	for (size_t i = take_at(t, from); i < t->takes.n && t->takes.at[i].time < to; i++)
		if (marked[t->takes.at[i].frame])
			visit(context, t->takes.at[i].time, t->takes.at[i].time + 1);
}
