#include "analysis/flame/time_window.h"
#include "analysis/flame/flame_frames.h"
#include "base/parallel.h"
#include "trace/format/bytes.h"
#include <stdlib.h>

unsigned time_window_block_moments = 1024;

#define NO_FRAME UINT32_MAX

/* What a moment can be, and the frames that its time belongs to. */
struct time_window_key {
	uint32_t node, reason;
	bool ran, paused;
	bool preempted;                 /* it lost its processor in that call, and nothing else happened */
	uint32_t frames[2];             /* of FLAME_CPU and FLAME_OFF */
	uint32_t on_stack;              /* of FLAME_CPU: also while it is preempted */
};

struct time_window_sum {
	uint32_t key;
	int64_t time;
};

struct time_window_block {
	int64_t from;
	size_t bytes, sums;             /* where its own begin */
};

/* Moments are numbers of variable length: the duration, and how far the key is from the last one's. */
struct time_window_thread {
	VECTOR(unsigned char) bytes;
	VECTOR(struct time_window_key) keys;
	VECTOR(struct time_window_block) blocks;   /* the last one is empty: it is the end */
	VECTOR(struct time_window_sum) sums;
	struct hash_table known;        /* keys; these are NULL when all is read */
	VECTOR(int64_t) times;          /* by key, of the present block */
	VECTOR(uint32_t) touched;       /* keys that have times in it */
	unsigned moments;               /* in it */
	uint32_t before;                /* the key of the moment before, and */
	uint32_t key;                   /* that of the present one */
	int64_t from, to;
	bool sampled;
};

struct time_window {
	struct trace *trace;
	struct time_window_thread *threads;
	struct flame flames[2];
};

/* ---- making: moments ---- */

static uint32_t key_number(struct time_window_thread *t, const struct call_moment *m, bool preempted)
{
	uint64_t rest = (uint64_t)m->reason << 3 | (uint64_t)preempted << 2 | (uint64_t)m->ran << 1 | m->paused;
	struct hash_slot *slot = hash_table_slot(&t->known, hash_mix((uint64_t)m->node << 32 ^ rest), rest);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)t->keys.n;
		*vector_add(&t->keys) = (struct time_window_key){m->node, m->reason, m->ran, m->paused,
							      preempted, {NO_FRAME, NO_FRAME}, NO_FRAME};
		vector_add(&t->times);
	}
	return slot->head;
}

static void block_end(struct time_window_thread *t)
{
	for (size_t i = 0; i < t->touched.n; i++) {
		uint32_t key = t->touched.at[i];

		*vector_add(&t->sums) = (struct time_window_sum){key, t->times.at[key]};
		t->times.at[key] = 0;
	}
	t->touched.n = 0;
	t->moments = 0;
	t->before = 0;
}

static void block_begin(struct time_window_thread *t, int64_t from)
{
	*vector_add(&t->blocks) = (struct time_window_block){from, t->bytes.n, t->sums.n};
}

static void moment_write(struct time_window_thread *t)
{
	unsigned char buffer[2 * VARINT_MOST], *end;
	int64_t step;

	if (t->from == t->to)
		return;
	if (t->moments == time_window_block_moments)
		block_end(t);
	if (!t->moments++)
		block_begin(t, t->from);
	step = (int64_t)t->key - t->before;
	end = varint_write(buffer, (uint64_t)(t->to - t->from));
	end = varint_write(end, (uint64_t)step << 1 ^ (uint64_t)(step >> 63));
	vector_append(&t->bytes, buffer, (size_t)(end - buffer));
	if (!t->times.at[t->key])
		*vector_add(&t->touched) = t->key;
	t->times.at[t->key] += t->to - t->from;
	t->before = t->key;
}

static void hear(void *context, size_t thread, const struct call_moment *m)
{
	struct time_window_thread *t = &((struct time_window *)context)->threads[thread];
	const struct time_window_key *before = t->keys.n ? &t->keys.at[t->key] : NULL;
	bool preempted = m->paused && !m->ran && reason_ready(m->reason) && before && m->from == t->to &&
			 (before->ran || before->preempted);
	uint32_t key = key_number(t, m, preempted);

	if (key != t->key || m->from != t->to) {
		moment_write(t);
		t->key = key;
		t->from = m->from;
	}
	t->to = m->to;
}

static void time_window_thread_free(struct time_window_thread *t)
{
	free(t->bytes.at);
	free(t->keys.at);
	free(t->blocks.at);
	free(t->sums.at);
	free(t->times.at);
	free(t->touched.at);
	hash_table_free(&t->known);
}

static void forget(void *context, size_t thread)
{
	struct time_window_thread *t = &((struct time_window *)context)->threads[thread];

	time_window_thread_free(t);
	*t = (struct time_window_thread){0};
}

/* What was needed only while moments came is given back. */
static void time_window_thread_end(struct time_window_thread *t)
{
	moment_write(t);
	block_end(t);
	block_begin(t, t->to);
	hash_table_free(&t->known);
	free(t->times.at);
	free(t->touched.at);
	t->bytes.at = array_resize(t->bytes.at, t->bytes.n + 1, 1);
	t->sums.at = array_resize(t->sums.at, t->sums.n + 1, sizeof *t->sums.at);
	t->known = (struct hash_table){0};
	t->times.at = NULL;
	t->touched.at = NULL;
}

/* ---- making: frames ---- */

static void flame_begin(struct flame *f, enum flame_kind kind, const struct trace *t)
{
	f->kind = kind;
	f->trace = t;
	*vector_add(&f->nodes) = (struct flame_node){.name = flame_text(f, "all")};
}

static void frames_find(struct time_window *l, size_t thread, const struct calls *c,
			const struct off_cpu *p, const char **origins)
{
	struct time_window_thread *t = &l->threads[thread];
	uint32_t *frames[2];

	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++)
		frames[kind] = flame_frames(&l->flames[kind], c, origins, thread);
	for (size_t i = 0; i < t->keys.n; i++) {
		struct time_window_key *k = &t->keys.at[i];

		if (k->ran && k->node != CALL_ROOT)
			k->frames[FLAME_CPU] = frames[FLAME_CPU][k->node];
		if ((k->ran || k->preempted) && k->node != CALL_ROOT)
			k->on_stack = frames[FLAME_CPU][k->node];
		if (k->paused)
			k->frames[FLAME_OFF] =
			    flame_reason(&l->flames[FLAME_OFF], p, frames[FLAME_OFF][k->node],
					 !c->threads[thread].sampled, k->reason);
	}
	free(frames[FLAME_CPU]);
	free(frames[FLAME_OFF]);
}

static void totals_find(struct time_window *l, enum flame_kind kind)
{
	struct flame *f = &l->flames[kind];
	struct flame_part all = {INT64_MIN, INT64_MAX, NULL};
	struct flame_amounts *amounts = time_window_amounts(l, kind, &all);

	for (size_t i = 0; i < f->nodes.n; i++) {
		f->nodes.at[i].self = amounts[i].self;
		f->nodes.at[i].total = amounts[i].total;
	}
	free(amounts);
}

struct time_window *time_window_of(struct trace *trace)
{
	struct time_window *l = array_zero(1, sizeof *l);
	struct call_listener listener = {l, hear, forget};
	struct call_part part = CALL_PART_ALL;
	struct off_cpu off_cpu;
	const char **origins;
	struct calls *c;

	l->trace = trace;
	l->threads = array_zero(trace->nthreads, sizeof *l->threads);
	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++)
		flame_begin(&l->flames[kind], (enum flame_kind)kind, trace);
	off_cpu_make(&off_cpu, trace);
	part.pauses = off_cpu.threads;
	part.listener = &listener;
	c = calls_of(trace, &part);
	origins = flame_origins(&l->flames[FLAME_CPU], c);
	for (unsigned i = 0; i < trace->nthreads; i++) {
		time_window_thread_end(&l->threads[i]);
		frames_find(l, i, c, &off_cpu, origins);
		l->threads[i].sampled = c->threads[i].sampled;
	}
	free(origins);
	calls_free(c);
	off_cpu_free(&off_cpu);
	totals_find(l, FLAME_CPU);
	totals_find(l, FLAME_OFF);
	return l;
}

void time_window_free(struct time_window *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->trace->nthreads; i++)
		time_window_thread_free(&l->threads[i]);
	free(l->threads);
	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++) {
		hash_table_free(&l->flames[kind].children);
		free(l->flames[kind].nodes.at);
	}
	free(l);
}

const struct flame *time_window_flame(const struct time_window *l, enum flame_kind kind)
{
	return &l->flames[kind];
}

/* ---- reading ---- */

/* The moments of a thread from a block on. */
struct moment_reader {
	const struct time_window_thread *thread;
	const unsigned char *at, *end;
	size_t next;                    /* the block after the present one */
	int64_t from, to;               /* of the present moment */
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

/* ---- windows ---- */

struct summing {
	const struct time_window *time_window;
	enum flame_kind kind;
	const struct flame_part *part;
	int64_t **times;                /* by thread and key; NULL: nothing of the thread */
};

/* Adds the moments of a block, as far as they are in a window. */
static void block_read(const struct time_window_thread *t, size_t block, const struct flame_part *p, int64_t *times)
{
	int64_t end = t->blocks.at[block + 1].from;
	struct moment_reader r;

	reader_open(&r, t, block);
	while (reader_next(&r) && r.from < p->to && r.from < end) {
		int64_t from = r.from > p->from ? r.from : p->from, to = r.to < p->to ? r.to : p->to;

		if (from < to)
			times[r.key] += to - from;
	}
}

static void thread_sum(void *context, size_t thread, unsigned worker)
{
	const struct summing *s = context;
	const struct time_window_thread *t = &s->time_window->threads[thread];
	const struct flame_part *p = s->part;
	int64_t *times;

	(void)worker;
	if (t->blocks.n < 2 || (p->threads && !p->threads[thread]) || t->blocks.at[0].from >= p->to ||
	    t->to <= p->from)
		return;
	s->times[thread] = times = array_zero(t->keys.n, sizeof *times);
	for (size_t i = block_at(t, p->from); i + 1 < t->blocks.n && t->blocks.at[i].from < p->to; i++) {
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
	struct summing s = {l, kind, part, array_zero(n, sizeof *s.times)};

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

void time_window_stretches(const struct time_window *l, enum flame_kind kind, size_t thread, int64_t from,
			int64_t to, const bool *marked,
			void (*visit)(void *context, int64_t from, int64_t to), void *context)
{
	const struct time_window_thread *t = &l->threads[thread];
	struct moment_reader r;

	if (t->blocks.n < 2)
		return;
	reader_open(&r, t, block_at(t, from));
	while (reader_next(&r) && r.from < to) {
		uint32_t frame = t->keys.at[r.key].frames[kind];

		if (frame != NO_FRAME && marked[frame] && r.to > from)
			visit(context, r.from > from ? r.from : from, r.to < to ? r.to : to);
	}
}

bool time_window_sampled(const struct time_window *l, size_t thread)
{
	return l->threads[thread].sampled;
}

struct node_walk {
	const struct time_window_thread *thread;
	int64_t from, to;
	void (*visit)(void *context, const struct node_time *t);
	void *context;
};

static void node_visit(const struct node_walk *w, uint32_t key, int64_t from, int64_t to, int64_t time)
{
	struct node_time t = {w->thread->keys.at[key].on_stack, from, to, time};

	if (t.node != NO_FRAME && from < to)
		w->visit(w->context, &t);
}

static void nodes_of_block(const struct node_walk *w, size_t block)
{
	int64_t end = w->thread->blocks.at[block + 1].from;
	struct moment_reader r;

	reader_open(&r, w->thread, block);
	while (r.to < end && reader_next(&r) && r.from < w->to) {
		int64_t from = r.from > w->from ? r.from : w->from, to = r.to < w->to ? r.to : w->to;

		node_visit(w, r.key, from, to, to - from);
	}
}

void time_window_nodes(const struct time_window *l, size_t thread, int64_t from, int64_t to, int64_t fine,
		       void (*visit)(void *context, const struct node_time *t), void *context)
{
	const struct time_window_thread *t = &l->threads[thread];
	struct node_walk w = {t, from, to, visit, context};

	for (size_t i = t->blocks.n < 2 ? 0 : block_at(t, from); i + 1 < t->blocks.n && t->blocks.at[i].from < to; i++) {
		const struct time_window_block *b = &t->blocks.at[i];

		if (b[1].from - b->from > fine || b->from < from || b[1].from > to) {
			nodes_of_block(&w, i);
			continue;
		}
		for (size_t k = b->sums; k < b[1].sums; k++)
			node_visit(&w, t->sums.at[k].key, b->from, b[1].from, t->sums.at[k].time);
	}
}
