#include "trace/curve.h"
#include "trace/array.h"
#include <stdbool.h>
#include <stdlib.h>

enum { CURVE_BITS = 44, DIGIT = 11, MASK = (1 << DIGIT) - 1 };

/* False when all have the same digit, and nothing was done. */
static bool sort_digit(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	size_t at[1 << DIGIT] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i] >> shift & MASK]++;
	if (at[from[0] >> shift & MASK] == n)
		return false;
	for (size_t d = 0; d <= MASK; d++) {
		size_t here = at[d];

		at[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & MASK]++] = from[i];
	return true;
}

/* By their bits from the low-th on. Takes the list, and returns the one that has them in order. */
static uint64_t *sort(uint64_t *list, size_t n, unsigned low)
{
	uint64_t *other = array_new(n, sizeof *other);

	for (; low < 64; low += DIGIT)
		if (sort_digit(list, other, n, low)) {
			uint64_t *sorted = other;

			other = list;
			list = sorted;
		}
	free(other);
	return list;
}

/* The bits of bytes with noughts before each, so that they take up n bits. */
struct spreading {
	unsigned n;
	uint64_t byte[256];
};

static void spreading_init(struct spreading *s, unsigned n)
{
	s->n = n;
	for (unsigned number = 0; number < 256; number++) {
		s->byte[number] = 0;
		for (unsigned i = 0; i < 8 && i * n < 64; i++)
			s->byte[number] |= (uint64_t)(number >> i & 1) << i * n;
	}
}

static uint64_t spread(const struct spreading *s, uint64_t number)
{
	uint64_t sum = 0;

	for (unsigned i = 0; number; i += 8 * s->n, number >>= 8)
		sum |= s->byte[number & 255] << i;
	return sum;
}

/* Adds a column to the places on the curve, by the ranks of its words. */
static void curve_add(uint64_t *curve, const int32_t *words, size_t n, unsigned stride,
		      unsigned index, unsigned ncurved)
{
	unsigned bits = CURVE_BITS / ncurved < 32 ? CURVE_BITS / ncurved : 32;
	double scale = (double)((uint64_t)1 << bits) / (double)n;
	uint64_t *list = array_new(n, sizeof *list);
	struct spreading spreading;

	spreading_init(&spreading, ncurved);
	for (size_t i = 0; i < n; i++)
		list[i] = (uint64_t)((uint32_t)words[i * stride] ^ 1u << 31) << 32 | i;
	list = sort(list, n, 32);
	for (size_t rank = 0; rank < n; rank++)
		curve[(uint32_t)list[rank]] |=
		    spread(&spreading, (uint64_t)((double)rank * scale)) << index;
	free(list);
}

uint32_t *curve_order(const int32_t *words, size_t n, unsigned ncolumns, uint32_t mirrors)
{
	unsigned ncurved = ncolumns - (unsigned)__builtin_popcount(mirrors), index = 0;
	unsigned bits = 64 - (unsigned)__builtin_clzll(n), most = 64 - bits;
	uint64_t *curve = array_zero(n, sizeof *curve);
	uint32_t *order = array_new(n, sizeof *order);

	for (unsigned c = 0; c < ncolumns; c++)
		if (c == 0 || !(mirrors >> (c - 1) & 1))
			curve_add(curve, words + c, n, ncolumns, index++, ncurved);
	for (size_t i = 0; i < n; i++)
		curve[i] = curve[i] >> (most < CURVE_BITS ? CURVE_BITS - most : 0) << bits | i;
	curve = sort(curve, n, bits);
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)(curve[i] & (((uint64_t)1 << bits) - 1));
	free(curve);
	return order;
}
