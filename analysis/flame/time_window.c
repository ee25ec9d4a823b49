#include "analysis/flame/time_window_parts.h"
#include "base/parallel.h"
#include "trace/format/bytes.h"
#include <stdlib.h>

const struct flame *time_window_flame(const struct time_window *l, enum flame_kind kind)
{
	return &l->flames[kind];
}

/* ---- reading ---- */

/* The moments of a thread from a block on. */
struct moment_reader {
	const struct time_window_thread *thread;
	const unsigned char *at, *end;
	size_t next;      /* the block after the present one */
	int64_t from, to; /* of the present moment */
	uint32_t key;
};

/* Returns the last block that begins by a time, or 0. */
static size_t block_at(const struct time_window_thread *t, int64_t time)
{
	size_t low = 0, high = t->blocks.n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (t->blocks.at[middle].from <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void reader_open(struct moment_reader *r, const struct time_window_thread *t, size_t block)
{
	*r = (struct moment_reader){.thread = t,
				    .at = t->bytes.at + t->blocks.at[block].bytes,
				    .end = t->bytes.at + t->bytes.n,
				    .next = block,
				    .to = t->blocks.at[block].from};
}

static bool reader_next(struct moment_reader *r)
{
	const struct time_window_block *next = &r->thread->blocks.at[r->next];
	uint64_t time, step;

	if (r->at == r->thread->bytes.at + next->bytes) {
		r->to = next->from;
		r->key = 0;
		r->next += r->next + 1 < r->thread->blocks.n;
	}
	if (!varint_read(&r->at, r->end, &time) || !varint_read(&r->at, r->end, &step))
		return false;
	r->from = r->to;
	r->to += (int64_t)time;
	r->key += (uint32_t)(step >> 1 ^ -(step & 1));
	return true;
}

void time_window_moments(const struct time_window_thread *t, int64_t from, int64_t to,
			 void (*visit)(void *context, uint32_t key, int64_t from, int64_t to),
			 void *context)
{
	struct moment_reader r;

	if (t->blocks.n < 2)
		return;
	reader_open(&r, t, block_at(t, from));
	while (reader_next(&r) && r.from < to)
		if (r.to > from)
			visit(context, r.key, r.from > from ? r.from : from, r.to < to ? r.to : to);
}

/* ---- windows ---- */

struct time_window_sums {
	const struct time_window *time_window;
	enum flame_kind kind;
	const struct flame_part *part;
	int64_t **times; /* by thread and key; NULL: nothing of the thread */
};

/* Adds the moments of a block, as far as they are in a window. */
static void block_read(const struct time_window_thread *t, size_t block, const struct flame_part *p,
		       int64_t *times)
{
	int64_t end = t->blocks.at[block + 1].from;
	struct moment_reader r;

	reader_open(&r, t, block);
	while (reader_next(&r) && r.from < p->to && r.from < end) {
		int64_t from = r.from > p->from ? r.from : p->from,
			to = r.to < p->to ? r.to : p->to;

		if (from < to)
			times[r.key] += to - from;
	}
}

static void thread_sum(void *context, size_t thread, unsigned worker)
{
	const struct time_window_sums *s = context;
	const struct time_window_thread *t = &s->time_window->threads[thread];
	const struct flame_part *p = s->part;
	int64_t *times;

	(void)worker;
	if (t->blocks.n < 2 || (p->threads && !p->threads[thread]) ||
	    t->blocks.at[0].from >= p->to || t->to <= p->from)
		return;
	s->times[thread] = times = array_zero(t->keys.n, sizeof *times);
	for (size_t i = block_at(t, p->from); i + 1 < t->blocks.n && t->blocks.at[i].from < p->to;
	     i++) {
		const struct time_window_block *b = &t->blocks.at[i];

		if (b->from < p->from || b[1].from > p->to)
			block_read(t, i, p, times);
		else
			for (size_t k = b->sums; k < b[1].sums; k++)
				times[t->sums.at[k].key] += t->sums.at[k].time;
	}
}

struct flame_amounts *time_window_amounts(const struct time_window *l, enum flame_kind kind,
					  const struct flame_part *part)
{
	const struct flame *f = &l->flames[kind];
	unsigned n = l->trace->nthreads;
	struct flame_amounts *amounts = array_zero(f->nodes.n, sizeof *amounts);
	struct time_window_sums s = {l, kind, part, array_zero(n, sizeof *s.times)};

	parallel_for(n, thread_sum, &s);
	for (unsigned i = 0; i < n; i++) {
		for (size_t k = 0; s.times[i] && k < l->threads[i].keys.n; k++) {
			uint32_t frame = l->threads[i].keys.at[k].frames[kind];

			if (frame != NO_FRAME)
				amounts[frame].self += s.times[i][k];
		}
		free(s.times[i]);
	}
	free(s.times);
	flame_totals(f, amounts);
	return amounts;
}

struct stretch_walk {
	const struct time_window_thread *thread;
	enum flame_kind kind;
	const bool *marked;
	void (*visit)(void *context, int64_t from, int64_t to);
	void *context;
};

static void stretch_visit(void *context, uint32_t key, int64_t from, int64_t to)
{
	const struct stretch_walk *w = context;
	uint32_t frame = w->thread->keys.at[key].frames[w->kind];

	if (frame != NO_FRAME && w->marked[frame])
		w->visit(w->context, from, to);
}

void time_window_stretches(const struct time_window *l, enum flame_kind kind, size_t thread,
			   int64_t from, int64_t to, const bool *marked,
			   void (*visit)(void *context, int64_t from, int64_t to), void *context)
{
	struct stretch_walk w = {&l->threads[thread], kind, marked, visit, context};

	time_window_moments(w.thread, from, to, stretch_visit, &w);
}

bool time_window_sampled(const struct time_window *l, size_t thread)
{
	return l->threads[thread].sampled;
}

struct node_walk {
	const struct time_window_thread *thread;
	int64_t from, to;
	const struct node_visitor *visitor;
};

static void node_visit(const struct node_walk *w, uint32_t key, int64_t from, int64_t to,
		       int64_t time)
{
	struct node_time t = {w->thread->keys.at[key].on_stack, from, to, time};

	if (t.node != NO_FRAME && from < to)
		w->visitor->visit(w->visitor->context, &t);
}

static void nodes_of_block(const struct node_walk *w, size_t block)
{
	int64_t end = w->thread->blocks.at[block + 1].from;
	struct moment_reader r;

	reader_open(&r, w->thread, block);
	while (r.to < end && reader_next(&r) && r.from < w->to) {
		int64_t from = r.from > w->from ? r.from : w->from,
			to = r.to < w->to ? r.to : w->to;

		node_visit(w, r.key, from, to, to - from);
	}
}

void time_window_nodes(const struct time_window *l, size_t thread, int64_t from, int64_t to,
		       const struct node_visitor *v)
{
	const struct time_window_thread *t = &l->threads[thread];
	struct node_walk w = {t, from, to, v};

	for (size_t i = t->blocks.n < 2 ? 0 : block_at(t, from);
	     i + 1 < t->blocks.n && t->blocks.at[i].from < to; i++) {
		const struct time_window_block *b = &t->blocks.at[i];

		if (b->from < from || b[1].from > to ||
		    !v->is_one(v->context, b->from, b[1].from)) {
			nodes_of_block(&w, i);
			continue;
		}
		for (size_t k = b->sums; k < b[1].sums; k++)
			node_visit(&w, t->sums.at[k].key, b->from, b[1].from, t->sums.at[k].time);
	}
}
