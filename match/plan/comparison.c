#include "match/plan/comparison.h"
#include "base/sort.h"
#include "base/spill.h"
#include <stdlib.h>
#include <string.h>

static uint64_t string_hash(const char *bytes, uint32_t length)
{
	uint64_t hash = length, chunk;

	for (; length >= sizeof chunk; bytes += sizeof chunk, length -= sizeof chunk) {
		memcpy(&chunk, bytes, sizeof chunk);
		hash = hash_mix(hash ^ chunk);
	}
	chunk = 0;
	memcpy(&chunk, bytes, length);
	return hash_mix(hash ^ chunk);
}

static uint64_t cell_word(const struct comparison *c, const union cell *v)
{
	switch (c->scale) {
	case SCALE_SIGNED:
		return (uint64_t)v->integer ^ (uint64_t)1 << 63;
	case SCALE_REAL:
		return (uint64_t)sort_word_of(v->real) ^ (uint64_t)1 << 63;
	case SCALE_TRUTH:
		return v->truth;
	case SCALE_STRING:
		return string_hash(v->string.bytes, v->string.length);
	case SCALE_WIDE:
		return (uint64_t)v->integer ^ hash_mix((uint64_t)(v->integer >> 64));
	default:
		return (uint64_t)v->integer;
	}
}

void comparison_set_range(struct comparison *c, struct range r)
{
	unsigned __int128 width = (unsigned __int128)(r.high - r.low);

	c->low = r.low;
	c->bits = 0;
	if (r.low >= INT64_MIN && r.high <= INT64_MAX)
		c->scale = SCALE_SIGNED;
	else if (r.low >= 0 && r.high <= UINT64_MAX)
		c->scale = SCALE_UNSIGNED;
	else
		c->scale = SCALE_WIDE;
	if (c->scale != SCALE_WIDE)
		while (width >> c->bits && c->bits < 64)
			c->bits++;
}

unsigned comparison_bits(const struct comparison *c)
{
	if (c->scale == SCALE_STRING || c->scale == SCALE_WIDE)
		return 2 * 128;
	return c->bits ? c->bits : 64;
}

void comparison_prepare(struct comparison *c)
{
	for (int side = 0; side < 2; side++)
		c->load[side] = c->scale == SCALE_SIGNED || c->scale == SCALE_UNSIGNED
				    ? program_load(c->value[side], &c->offset[side])
				    : LOAD_OTHER;
}

bool comparison_compute(const struct comparison *c, enum side side, const struct operand *operands,
			size_t i, uint64_t *word, uint64_t *faults)
{
	union cell v;

	if (c->ranks[side]) {
		*word = c->ranks[side][i];
		*faults += *word == UINT64_MAX;
		return *word != UINT64_MAX;
	}
	if (!program_run(c->value[side], operands, &v)) {
		++*faults;
		return false;
	}
	if (c->scale == SCALE_REAL && v.real != v.real) {
		*word = WORD_NAN;
		return c->kind == COMPARISON_DIFFER;
	}
	if (c->kind == COMPARISON_EQUAL && c->bits)
		*word = (uint64_t)(v.integer - c->low);
	else
		*word = cell_word(c, &v);
	return true;
}

struct ranked {
	union cell value;
	uint64_t *rank;
};

static int compare_strings(const void *a, const void *b)
{
	return string_compare(&((const struct ranked *)a)->value,
			      &((const struct ranked *)b)->value);
}

static int compare_integers(const void *a, const void *b)
{
	__int128 x = ((const struct ranked *)a)->value.integer,
		 y = ((const struct ranked *)b)->value.integer;

	return (x > y) - (x < y);
}

/* Appends the values of one side's moments; one that faults gets no rank. */
static size_t collect_values(struct comparison *c, enum side side, const struct moments *m,
			     struct ranked *all)
{
	struct operand operands[2];
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++) {
		c->ranks[side][i] = UINT64_MAX;
		operands[side] = moments_operand(m, i);
		if (program_run(c->value[side], operands, &all[n].value))
			all[n++].rank = &c->ranks[side][i];
	}
	return n;
}

void comparison_rank(struct comparison *c, const struct moments *anchors,
		     const struct moments *partners)
{
	int (*compare)(const void *, const void *) =
	    c->scale == SCALE_STRING ? compare_strings : compare_integers;
	struct ranked *all;
	uint64_t rank = 0;
	size_t n;

	if (c->kind == COMPARISON_EQUAL || (c->scale != SCALE_STRING && c->scale != SCALE_WIDE))
		return;
	all = spill_new(anchors->count + partners->count, sizeof *all);
	c->ranks[SIDE_ANCHOR] = spill_new(anchors->count, sizeof(uint64_t));
	c->ranks[SIDE_PARTNER] = spill_new(partners->count, sizeof(uint64_t));
	n = collect_values(c, SIDE_ANCHOR, anchors, all);
	n += collect_values(c, SIDE_PARTNER, partners, all + n);
	qsort(all, n, sizeof *all, compare);
	for (size_t i = 0; i < n; i++) {
		if (i && compare(&all[i - 1], &all[i]))
			rank++;
		*all[i].rank = rank;
	}
	spill_free(all);
}

void comparison_clear(struct comparison *c)
{
	for (int side = 0; side < 2; side++) {
		program_free(c->value[side]);
		spill_free(c->ranks[side]);
	}
}
