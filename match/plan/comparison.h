/*
 * A conjunct of a condition that compares a value of the anchor with a value of the partner. Both
 * values become words that compare as the values do, so that hash tables and indexes need to know
 * nothing of types.
 */
#ifndef GLIMPSE_MATCH_PLAN_COMPARISON_H
#define GLIMPSE_MATCH_PLAN_COMPARISON_H

#include "base/hash.h"
#include "match/plan/program.h"
#include "spec/range.h"
#include "trace/stream/moments.h"
#include <string.h>

enum pair_use { PAIR_EQUAL, PAIR_ORDER, PAIR_DIFFER };

/* How values become words. The last two have more values than words: they are hashed, or ranked
 * among all there are. */
enum scale { SCALE_SIGNED, SCALE_UNSIGNED, SCALE_REAL, SCALE_TRUTH, SCALE_STRING, SCALE_WIDE };

struct pair {
	enum pair_use use;
	enum scale scale;
	struct program *value[2];       /* indexed by enum side */
	enum load load[2];              /* what they are, where they are simple */
	uint32_t offset[2];
	bool rising;            /* PAIR_ORDER: anchor <= partner; false: anchor >= partner */
	bool strict;                    /* PAIR_ORDER: and they are not equal */
	__int128 low;                   /* integers: the smallest value there can be */
	unsigned bits;          /* integers: how many bits the others need, counted from it */
	uint64_t *ranks[2];             /* of every moment's value, where the scale needs them */
	const struct expr *source;      /* the conjunct */
	bool negated;                   /* it must be false */
};

/* Chooses the scale of two integers. */
void pair_set_range(struct pair *p, struct range r);

/* How many bits a word takes up in a key; more than there are, if words do not tell all values
 * apart. */
unsigned pair_bits(const struct pair *p);

/* An integer that is there to be read. */
static inline int64_t load_integer(enum load load, uint32_t offset, const struct operand *o)
{
	int32_t narrow;
	int64_t wide;

	switch (load) {
	case LOAD_TIME:
		return o->time;
	case LOAD_THREAD:
		return o->thread;
	case LOAD_LONG:
		memcpy(&wide, o->record + offset, sizeof wide);
		return wide;
	default:
		memcpy(&narrow, o->record + offset, sizeof narrow);
		return load == LOAD_INT ? narrow : (int64_t)(uint32_t)narrow;
	}
}

static inline uint64_t integer_word(const struct pair *p, int64_t integer)
{
	if (p->use == PAIR_EQUAL && p->bits)
		return (uint64_t)integer - (uint64_t)p->low;
	return p->scale == SCALE_SIGNED ? (uint64_t)integer ^ (uint64_t)1 << 63 : (uint64_t)integer;
}

/* pair_word() where the value is not simply there. */
bool pair_compute(const struct pair *p, enum side side, const struct operand *operands, size_t i,
		  uint64_t *word, uint64_t *faults);

/* A moment's word; false when the pair cannot hold whatever the other side is: a fault, which is
 * counted, or NaN. */
static inline bool pair_word(const struct pair *p, enum side side, const struct operand *operands,
			     size_t i, uint64_t *word, uint64_t *faults)
{
	if (p->load[side] == LOAD_OTHER)
		return pair_compute(p, side, operands, i, word, faults);
	*word = integer_word(p, load_integer(p->load[side], p->offset[side], &operands[side]));
	return true;
}

/* The word of NaN where PAIR_DIFFER compares doubles: it differs from everything, itself included.
 */
#define WORD_NAN UINT64_MAX

/* To be called when the values and the scale are set. */
void pair_prepare(struct pair *p);

bool pair_needs_ranks(const struct pair *p);
void pair_rank(struct pair *p, const struct moments *anchors, const struct moments *partners);
void pair_clear(struct pair *p);

#endif
