#include "trace/pack/column.h"
#include "base/array.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 8, SAMPLE = 4096 };

void numbers_grow(struct numbers *n)
{
	n->room = n->room ? 2 * n->room : 1024;
	n->list = array_resize(n->list, n->room, sizeof *n->list);
}

static unsigned length_of(uint64_t value)
{
	return value ? (unsigned)(71 - __builtin_clzll(value)) / 8 : 0;
}

/* Small negative numbers become small ones. */
static uint64_t fold(uint64_t value)
{
	return value << 1 ^ (uint64_t)((int64_t)value >> 63);
}

static uint64_t unfold(uint64_t value)
{
	return value >> 1 ^ -(value & 1);
}

static bool any_negative(const uint64_t *list, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= list[i];
	return all >> 63;
}

/* counts[k]: how many numbers have more than k bytes. */
static void places_make(const size_t *counts, unsigned char *start, unsigned char **place)
{
	for (unsigned k = 0; k < WIDTH; k++) {
		place[k] = start;
		start += counts[k];
	}
}

void numbers_write(struct blob *to, uint64_t *list, size_t n)
{
	unsigned char folded = any_negative(list, n), *lengths, *place[WIDTH];
	size_t counts[WIDTH] = {0}, total = 0;

	blob_put(to, &folded, 1);
	lengths = blob_reserve(to, n * (WIDTH + 1));
	for (size_t i = 0; i < n; i++) {
		if (folded)
			list[i] = fold(list[i]);
		lengths[i] = (unsigned char)length_of(list[i]);
		for (unsigned k = 0; k < lengths[i]; k++)
			counts[k]++;
		total += lengths[i];
	}
	places_make(counts, lengths + n, place);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < lengths[i]; k++)
			*place[k]++ = (unsigned char)(list[i] >> 8 * k);
	to->size += n + total;
}

/* How many bytes the planes have in all; SIZE_MAX: a length is wrong. */
static size_t lengths_count(const unsigned char *lengths, size_t n, size_t *counts)
{
	size_t of_length[256] = {0}, total = 0;

	for (size_t i = 0; i < n; i++)
		of_length[lengths[i]]++;
	for (unsigned length = 0; length < 256; length++) {
		if (of_length[length] && length > WIDTH)
			return SIZE_MAX;
		for (unsigned k = 0; k < length && k < WIDTH; k++)
			counts[k] += of_length[length];
		total += length * of_length[length];
	}
	return total;
}

bool numbers_read(struct view *from, uint64_t *list, size_t n)
{
	const unsigned char *folded = view_take(from, 1), *lengths = view_take(from, n), *planes;
	size_t counts[WIDTH] = {0}, total = lengths ? lengths_count(lengths, n, counts) : SIZE_MAX;
	unsigned char *place[WIDTH];

	planes = folded && total != SIZE_MAX ? view_take(from, total) : NULL;
	if (!planes)
		return false;
	places_make(counts, (unsigned char *)planes, place);
	for (size_t i = 0; i < n; i++) {
		uint64_t value = 0;

		for (unsigned k = 0; k < lengths[i]; k++)
			value |= (uint64_t)*place[k]++ << 8 * k;
		list[i] = *folded ? unfold(value) : value;
	}
	return true;
}

static double entropy(const uint32_t *counts, unsigned n)
{
	double sum = 0, bits = 0;

	for (unsigned i = 0; i < n; i++) {
		if (counts[i])
			bits -= counts[i] * log2(counts[i]);
		sum += counts[i];
	}
	return sum > 0 ? bits + sum * log2(sum) : 0;
}

double numbers_cost(const uint64_t *list, size_t n)
{
	uint32_t counts[WIDTH][256] = {{0}}, lengths[WIDTH + 1] = {0};
	size_t sample = n < SAMPLE ? n : SAMPLE;
	bool folded = any_negative(list, n);
	double bits;

	for (size_t i = 0; i < sample; i++) {
		uint64_t value = folded ? fold(list[i]) : list[i];
		unsigned length = length_of(value);

		lengths[length]++;
		for (unsigned k = 0; k < length; k++)
			counts[k][value >> 8 * k & 0xff]++;
	}
	bits = entropy(lengths, WIDTH + 1);
	for (unsigned k = 0; k < WIDTH; k++)
		bits += entropy(counts[k], 256);
	return bits;
}
