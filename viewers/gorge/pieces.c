#include "viewers/gorge/pieces.h"
#include <stdlib.h>

/* Pieces that share an extent. */
enum { BLOCK = 256 };

void pieces_add(struct pieces *p, int64_t start, int64_t end, size_t anchor)
{
	const struct piece *last = p->list.n ? &p->list.at[p->list.n - 1] : NULL;
	double before = last ? last->before + (double)piece_length(last) : 0;

	p->loose |= last && last->end > start;
	p->longest = end - start > p->longest ? end - start : p->longest;
	*vector_add(&p->list) = (struct piece){start, end, before, anchor};
}

static void extent_add(struct extent *e, int64_t length)
{
	e->shortest = length < e->shortest ? length : e->shortest;
	e->longest = length > e->longest ? length : e->longest;
}

void pieces_end(struct pieces *p)
{
	p->blocks = zeroed(p->list.n / BLOCK + 1, sizeof *p->blocks);
	for (size_t i = 0; i < p->list.n; i++) {
		struct extent *e = &p->blocks[i / BLOCK];
		if (i % BLOCK == 0)
			*e = (struct extent){INT64_MAX, INT64_MIN};
		extent_add(e, piece_length(&p->list.at[i]));
	}
}

void pieces_free(struct pieces *p)
{
	free(p->list.at);
	free(p->blocks);
}

/* By doubling steps, then by halves. */
size_t pieces_seek(const struct pieces *p, size_t i, int64_t time)
{
	size_t step = 1, low = i, high;

	while (low + step < p->list.n && p->list.at[low + step].start < time) {
		low += step;
		step *= 2;
	}
	high = low + step < p->list.n ? low + step : p->list.n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->list.at[middle].start < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t pieces_from(const struct pieces *p, int64_t from)
{
	size_t i;

	if (p->list.n == 0)
		return 0;
	if (p->loose)
		return pieces_seek(p, 0, from - p->longest);
	i = pieces_seek(p, 0, from);
	return i > 0 && p->list.at[i - 1].end >= from ? i - 1 : i;
}

static void add_extent(struct interval_key *key, int64_t shortest, int64_t longest)
{
	if (key->count == 0 || shortest < key->shortest)
		key->shortest = shortest;
	if (key->count == 0 || longest > key->longest)
		key->longest = longest;
}

void key_count(struct interval_key *key, int64_t length)
{
	add_extent(key, length, length);
	key->total += (double)length;
	key->count++;
}

/* All of the pieces [i, end). */
static void count_range(const struct pieces *p, size_t i, size_t end, struct interval_key *key)
{
	const struct piece *list = p->list.at;

	if (i == end)
		return;
	key->total += list[end - 1].before + (double)piece_length(&list[end - 1]) - list[i].before;
	while (i < end) {
		const struct extent *e = &p->blocks[i / BLOCK];
		size_t n = i % BLOCK == 0 && i + BLOCK <= end ? BLOCK : 1;
		int64_t length = piece_length(&list[i]);
		add_extent(key, n > 1 ? e->shortest : length, n > 1 ? e->longest : length);
		key->count += n;
		i += n;
	}
}

void pieces_count(const struct pieces *p, const struct window *w, struct interval_key *key)
{
	size_t i = pieces_from(p, w->from), begun = pieces_seek(p, i, w->from);

	if (p->list.n == 0)
		return;
	for (; i < begun; i++)
		if (p->list.at[i].end >= w->from)
			count_range(p, i, i + 1, key);
	count_range(p, begun, pieces_seek(p, begun, w->to + 1), key);
}
