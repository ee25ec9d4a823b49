/* The moments of threads as blocks of bytes: how they come to be, and how they go. */
#include "analysis/flame/time_window_parts.h"
#include "trace/format/bytes.h"
#include <stdlib.h>

/* A picture reads the moments of each block that lies in two of its columns. */
unsigned time_window_block_moments = 128;

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

void time_window_moment_add(struct time_window_thread *t)
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

void time_window_thread_free(struct time_window_thread *t)
{
	free(t->bytes.at);
	free(t->keys.at);
	free(t->blocks.at);
	free(t->sums.at);
	free(t->times.at);
	free(t->touched.at);
	hash_table_free(&t->known);
}

void time_window_thread_end(struct time_window_thread *t)
{
	time_window_moment_add(t);
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

void time_window_totals(struct time_window *l)
{
	totals_find(l, FLAME_CPU);
	totals_find(l, FLAME_OFF);
}

void time_window_free(struct time_window *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->trace->nthreads; i++)
		time_window_thread_free(&l->threads[i]);
	free(l->threads);
	for (size_t i = 0; i < l->ntexts; i++)
		free(l->texts[i]);
	free(l->texts);
	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++) {
		hash_table_free(&l->flames[kind].children);
		free(l->flames[kind].nodes.at);
	}
	free(l);
}
