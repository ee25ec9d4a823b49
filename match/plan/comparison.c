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

static uint64_t cell_word(const struct pair *p, const union cell *c)
{
	switch (p->scale) {
	case SCALE_SIGNED:
		return (uint64_t)c->integer ^ (uint64_t)1 << 63;
	case SCALE_REAL:
		return (uint64_t)sort_word_of(c->real) ^ (uint64_t)1 << 63;
	case SCALE_TRUTH:
		return c->truth;
	case SCALE_STRING:
		return string_hash(c->string.bytes, c->string.length);
	case SCALE_WIDE:
		return (uint64_t)c->integer ^ hash_mix((uint64_t)(c->integer >> 64));
	default:
		return (uint64_t)c->integer;
	}
}

void pair_set_range(struct pair *p, struct range r)
{
	unsigned __int128 width = (unsigned __int128)(r.high - r.low);

	p->low = r.low;
	p->bits = 0;
	if (r.low >= INT64_MIN && r.high <= INT64_MAX)
		p->scale = SCALE_SIGNED;
	else if (r.low >= 0 && r.high <= UINT64_MAX)
		p->scale = SCALE_UNSIGNED;
	else
		p->scale = SCALE_WIDE;
	if (p->scale != SCALE_WIDE)
		while (width >> p->bits && p->bits < 64)
			p->bits++;
}

unsigned pair_bits(const struct pair *p)
{
	if (p->scale == SCALE_STRING || p->scale == SCALE_WIDE)
		return 2 * 128;
	return p->bits ? p->bits : 64;
}

bool pair_needs_ranks(const struct pair *p)
{
	return p->use != PAIR_EQUAL && (p->scale == SCALE_STRING || p->scale == SCALE_WIDE);
}

void pair_prepare(struct pair *p)
{
	for (int side = 0; side < 2; side++)
		p->load[side] = p->scale == SCALE_SIGNED || p->scale == SCALE_UNSIGNED ?
					program_load(p->value[side], &p->offset[side]) : LOAD_OTHER;
}

bool pair_compute(const struct pair *p, enum side side, const struct operand *operands, size_t i,
		  uint64_t *word, uint64_t *faults)
{
	union cell c;

	if (p->ranks[side]) {
		*word = p->ranks[side][i];
		*faults += *word == UINT64_MAX;
		return *word != UINT64_MAX;
	}
	if (!program_run(p->value[side], operands, &c)) {
		++*faults;
		return false;
	}
	if (p->scale == SCALE_REAL && c.real != c.real) {
		*word = WORD_NAN;
		return p->use == PAIR_DIFFER;
	}
	if (p->use == PAIR_EQUAL && p->bits)
		*word = (uint64_t)(c.integer - p->low);
	else
		*word = cell_word(p, &c);
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

/* Appends the values of one side's moments; those that fault get no rank. */
static size_t collect(struct pair *p, enum side side, const struct moments *m, struct ranked *all)
{
	struct operand operands[2];
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++) {
		p->ranks[side][i] = UINT64_MAX;
		operands[side] = moments_operand(m, i);
		if (program_run(p->value[side], operands, &all[n].value))
			all[n++].rank = &p->ranks[side][i];
	}
	return n;
}

void pair_rank(struct pair *p, const struct moments *anchors, const struct moments *partners)
{
	int (*compare)(const void *, const void *) =
		p->scale == SCALE_STRING ? compare_strings : compare_integers;
	struct ranked *all = spill_new(anchors->count + partners->count, sizeof *all);
	uint64_t rank = 0;
	size_t n;

	p->ranks[SIDE_ANCHOR] = spill_new(anchors->count, sizeof(uint64_t));
	p->ranks[SIDE_PARTNER] = spill_new(partners->count, sizeof(uint64_t));
	n = collect(p, SIDE_ANCHOR, anchors, all);
	n += collect(p, SIDE_PARTNER, partners, all + n);
	qsort(all, n, sizeof *all, compare);
	for (size_t i = 0; i < n; i++) {
		if (i && compare(&all[i - 1], &all[i]))
			rank++;
		*all[i].rank = rank;
	}
	spill_free(all);
}

void pair_clear(struct pair *p)
{
	for (int side = 0; side < 2; side++) {
		program_free(p->value[side]);
		spill_free(p->ranks[side]);
	}
}
