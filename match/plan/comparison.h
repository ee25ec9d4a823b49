/*
 * Represents a conjunct of a condition that compares a value of the anchor with a value of the
 * partner. Both values become words that compare as the values do, so that hash tables and trees
 * need to know nothing of types.
 */
#ifndef GLIMPSE_MATCH_PLAN_COMPARISON_H
#define GLIMPSE_MATCH_PLAN_COMPARISON_H

#include "base/hash.h"
#include "match/eval/program.h"
#include "spec/range.h"
#include "trace/stream/moments.h"
#include <string.h>

enum comparison_kind { COMPARISON_EQUAL, COMPARISON_ORDER, COMPARISON_DIFFER };

/* How values become words. The last two have more values than there are words: they are hashed, or
 * replaced by their ranks. */
enum value_scale {
	SCALE_SIGNED,
	SCALE_UNSIGNED,
	SCALE_REAL,
	SCALE_TRUTH,
	SCALE_STRING,
	SCALE_WIDE
};

struct comparison {
	enum comparison_kind kind;
	enum value_scale scale;
	struct program *value[2]; /* indexed by enum side */
	enum load_kind load[2];   /* what they load, where they are that simple */
	uint32_t offset[2];
	bool rising;               /* COMPARISON_ORDER: anchor <= partner, not >= */
	bool strict;               /* COMPARISON_ORDER: and they are not equal */
	__int128 low;              /* of integers: the smallest value there can be */
	unsigned bits;             /* of integers: how many the distance from it needs */
	uint64_t *ranks[2];        /* of every moment's value, where the scale needs them */
	const struct expr *source; /* the conjunct */
	bool negated;              /* it must be false */
};

/* Chooses the scale of two integers in the range. */
void comparison_set_range(struct comparison *c, struct range r);

/* Returns how many bits a word takes up in a key: more than a key has if equal words do not mean
 * equal values. */
unsigned comparison_bits(const struct comparison *c);

static inline int64_t load_integer(enum load_kind load, uint32_t offset, const struct operand *o)
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

static inline uint64_t integer_word(const struct comparison *c, int64_t integer)
{
	if (c->kind == COMPARISON_EQUAL && c->bits)
		return (uint64_t)integer - (uint64_t)c->low;
	return c->scale == SCALE_SIGNED ? (uint64_t)integer ^ (uint64_t)1 << 63 : (uint64_t)integer;
}

/* Does what comparison_word() does where the value is not simply loaded. */
bool comparison_compute(const struct comparison *c, enum side side, const struct operand *operands,
			size_t i, uint64_t *word, uint64_t *faults);

/* Makes the word of moment i. Returns false if the comparison cannot hold, whatever the other side
 * is: at a fault, which it counts, or NaN. */
static inline bool comparison_word(const struct comparison *c, enum side side,
				   const struct operand *operands, size_t i, uint64_t *word,
				   uint64_t *faults)
{
	if (c->load[side] == LOAD_OTHER)
		return comparison_compute(c, side, operands, i, word, faults);
	*word = integer_word(c, load_integer(c->load[side], c->offset[side], &operands[side]));
	return true;
}

/* NaN, which differs from everything, itself included: for COMPARISON_DIFFER. */
#define WORD_NAN UINT64_MAX

/* Must be called when the values and the scale are set. */
void comparison_prepare(struct comparison *c);

/* Ranks the values of all moments, if the comparison needs that. */
void comparison_rank(struct comparison *c, const struct moments *anchors,
		     const struct moments *partners);
void comparison_clear(struct comparison *c);

#endif
