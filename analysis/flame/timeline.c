#include "analysis/flame/timeline.h"
#include "analysis/flame/flame_frames.h"
#include "base/parallel.h"
#include "trace/format/bytes.h"
#include <stdlib.h>

unsigned timeline_block_moments = 16384;

#define NO_FRAME UINT32_MAX

/* What a moment can be, and the frames that its time belongs to. */
struct timeline_key {
	uint32_t node, reason;
	bool ran, paused;
	uint32_t frames[2];             /* of FLAME_CPU and FLAME_OFF */
};

struct timeline_sum {
	uint32_t key;
	int64_t time;
};

struct timeline_block {
	int64_t from;
	size_t bytes, sums;             /* where its own begin */
};

/* Moments are numbers of variable length: the duration, and how far the key is from the last one's. */
struct timeline_thread {
	VECTOR(unsigned char) bytes;
	VECTOR(struct timeline_key) keys;
	VECTOR(struct timeline_block) blocks;   /* the last one is empty: it is the end */
	VECTOR(struct timeline_sum) sums;
	struct hash_table known;        /* keys; these are NULL when all is read */
	VECTOR(int64_t) times;          /* by key, of the present block */
	VECTOR(uint32_t) touched;       /* keys that have times in it */
	unsigned moments;               /* in it */
	uint32_t before;                /* the key of the moment before, and */
	uint32_t key;                   /* that of the present one */
	int64_t from, to;
};

struct flame_timeline {
	struct trace *trace;
	struct timeline_thread *threads;
	struct flame flames[2];
};

/* ---- making: moments ---- */

static uint32_t key_number(struct timeline_thread *t, const struct call_moment *m)
{
	uint64_t rest = (uint64_t)m->reason << 2 | (uint64_t)m->ran << 1 | m->paused;
	struct hash_slot *slot = hash_table_slot(&t->known, hash_mix((uint64_t)m->node << 32 ^ rest), rest);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)t->keys.n;
		*vector_add(&t->keys) = (struct timeline_key){m->node, m->reason, m->ran, m->paused,
							      {NO_FRAME, NO_FRAME}};
		vector_add(&t->times);
	}
	return slot->head;
}

static void block_end(struct timeline_thread *t)
{
	for (size_t i = 0; i < t->touched.n; i++) {
		uint32_t key = t->touched.at[i];

		*vector_add(&t->sums) = (struct timeline_sum){key, t->times.at[key]};
		t->times.at[key] = 0;
	}
	t->touched.n = 0;
	t->moments = 0;
	t->before = 0;
}

static void block_begin(struct timeline_thread *t, int64_t from)
{
	*vector_add(&t->blocks) = (struct timeline_block){from, t->bytes.n, t->sums.n};
}

static void moment_write(struct timeline_thread *t)
{
	unsigned char buffer[2 * VARINT_MOST], *end;
	int64_t step;

	if (t->from == t->to)
		return;
	if (t->moments == timeline_block_moments)
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
	struct timeline_thread *t = &((struct flame_timeline *)context)->threads[thread];
	uint32_t key = key_number(t, m);

	if (key != t->key || m->from != t->to) {
		moment_write(t);
		t->key = key;
		t->from = m->from;
	}
	t->to = m->to;
}

static void timeline_thread_free(struct timeline_thread *t)
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
	struct timeline_thread *t = &((struct flame_timeline *)context)->threads[thread];

	timeline_thread_free(t);
	*t = (struct timeline_thread){0};
}

/* What was needed only while moments came is given back. */
static void timeline_thread_end(struct timeline_thread *t)
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

static void frames_find(struct flame_timeline *l, size_t thread, const struct calls *c,
			const struct off_cpu *p, const char **origins)
{
	struct timeline_thread *t = &l->threads[thread];
	uint32_t *frames[2];

	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++)
		frames[kind] = flame_frames(&l->flames[kind], c, origins, thread);
	for (size_t i = 0; i < t->keys.n; i++) {
		struct timeline_key *k = &t->keys.at[i];

		if (k->ran && k->node != CALL_ROOT)
			k->frames[FLAME_CPU] = frames[FLAME_CPU][k->node];
		if (k->paused)
			k->frames[FLAME_OFF] = flame_reason(&l->flames[FLAME_OFF], p,
							    frames[FLAME_OFF][k->node], k->reason);
	}
	free(frames[FLAME_CPU]);
	free(frames[FLAME_OFF]);
}

static void totals_find(struct flame_timeline *l, enum flame_kind kind)
{
	struct flame *f = &l->flames[kind];
	struct flame_part all = {INT64_MIN, INT64_MAX, NULL};
	struct flame_amounts *amounts = timeline_window(l, kind, &all);

	for (size_t i = 0; i < f->nodes.n; i++) {
		f->nodes.at[i].self = amounts[i].self;
		f->nodes.at[i].total = amounts[i].total;
	}
	free(amounts);
}

struct flame_timeline *timeline_of(struct trace *trace)
{
	struct flame_timeline *l = array_zero(1, sizeof *l);
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
		timeline_thread_end(&l->threads[i]);
		frames_find(l, i, c, &off_cpu, origins);
	}
	free(origins);
	calls_free(c);
	off_cpu_free(&off_cpu);
	totals_find(l, FLAME_CPU);
	totals_find(l, FLAME_OFF);
	return l;
}

void timeline_free(struct flame_timeline *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->trace->nthreads; i++)
		timeline_thread_free(&l->threads[i]);
	free(l->threads);
	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++) {
		hash_table_free(&l->flames[kind].children);
		free(l->flames[kind].nodes.at);
	}
	free(l);
}

const struct flame *timeline_flame(const struct flame_timeline *l, enum flame_kind kind)
{
	return &l->flames[kind];
}

/* ---- reading ---- */

/* The moments of a thread from a block on. */
struct moment_reader {
	const struct timeline_thread *thread;
	const unsigned char *at, *end;
	size_t next;                    /* the block after the present one */
	int64_t from, to;               /* of the present moment */
	uint32_t key;
};

/* Returns the last block that begins by a time, or 0. */
static size_t block_at(const struct timeline_thread *t, int64_t time)
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

static void reader_open(struct moment_reader *r, const struct timeline_thread *t, size_t block)
{
	*r = (struct moment_reader){.thread = t,
				    .at = t->bytes.at + t->blocks.at[block].bytes,
				    .end = t->bytes.at + t->bytes.n,
				    .next = block,
				    .to = t->blocks.at[block].from};
}

static bool reader_next(struct moment_reader *r)
{
	const struct timeline_block *next = &r->thread->blocks.at[r->next];
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
	const struct flame_timeline *timeline;
	enum flame_kind kind;
	const struct flame_part *part;
	int64_t **times;                /* by thread and key; NULL: nothing of the thread */
};

/* Adds the moments of a block, as far as they are in a window. */
static void block_read(const struct timeline_thread *t, size_t block, const struct flame_part *p, int64_t *times)
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
	const struct timeline_thread *t = &s->timeline->threads[thread];
	const struct flame_part *p = s->part;
	int64_t *times;

	(void)worker;
	if (t->blocks.n < 2 || (p->threads && !p->threads[thread]) || t->blocks.at[0].from >= p->to ||
	    t->to <= p->from)
		return;
	s->times[thread] = times = array_zero(t->keys.n, sizeof *times);
	for (size_t i = block_at(t, p->from); i + 1 < t->blocks.n && t->blocks.at[i].from < p->to; i++) {
		const struct timeline_block *b = &t->blocks.at[i];

		if (b->from < p->from || b[1].from > p->to)
			block_read(t, i, p, times);
		else
			for (size_t k = b->sums; k < b[1].sums; k++)
				times[t->sums.at[k].key] += t->sums.at[k].time;
	}
}

struct flame_amounts *timeline_window(const struct flame_timeline *l, enum flame_kind kind,
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

void timeline_stretches(const struct flame_timeline *l, enum flame_kind kind, size_t thread, int64_t from,
			int64_t to, const bool *marked,
			void (*visit)(void *context, int64_t from, int64_t to), void *context)
{
	const struct timeline_thread *t = &l->threads[thread];
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
