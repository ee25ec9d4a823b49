#include "trace/pack/column.h"
#include "base/array.h"
#include "trace/format/bytes.h"
#include <math.h>

enum { WIDTH = 8, SAMPLE = 4096 };

void column_grow(struct number_column *c)
{
	c->room = c->room ? 2 * c->room : 1024;
	c->list = array_resize(c->list, c->room, sizeof *c->list);
}

static unsigned length_of(uint64_t value)
{
	return value ? (unsigned)(71 - __builtin_clzll(value)) / 8 : 0;
}

static bool any_negative(const uint64_t *list, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= list[i];
	return all >> 63;
}

/* Sets where each byte plane begins. counts[k]: how many numbers have more than k bytes. */
static void planes_place(const size_t *counts, unsigned char *start, unsigned char **plane)
{
	for (unsigned k = 0; k < WIDTH; k++) {
		plane[k] = start;
		start += counts[k];
	}
}

void column_write(struct byte_buffer *to, uint64_t *list, size_t n)
{
	unsigned char zigzag = any_negative(list, n), *lengths, *plane[WIDTH];
	size_t counts[WIDTH] = {0}, total = 0;

	buffer_put(to, &zigzag, 1);
	lengths = buffer_reserve(to, n * (WIDTH + 1));
	for (size_t i = 0; i < n; i++) {
		if (zigzag)
			list[i] = zigzag_encode(list[i]);
		lengths[i] = (unsigned char)length_of(list[i]);
		for (unsigned k = 0; k < lengths[i]; k++)
			counts[k]++;
		total += lengths[i];
	}
	planes_place(counts, lengths + n, plane);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < lengths[i]; k++)
			*plane[k]++ = (unsigned char)(list[i] >> 8 * k);
	to->size += n + total;
}

/* Returns how many bytes the planes have together; SIZE_MAX if a length is wrong. */
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

bool column_read(struct byte_view *from, uint64_t *list, size_t n)
{
	const unsigned char *zigzag = byte_view_take(from, 1), *planes;
	const unsigned char *lengths = byte_view_take(from, n);
	size_t counts[WIDTH] = {0}, total = lengths ? lengths_count(lengths, n, counts) : SIZE_MAX;
	unsigned char *plane[WIDTH];

	planes = zigzag && total != SIZE_MAX ? byte_view_take(from, total) : NULL;
	if (!planes)
		return false;
	planes_place(counts, (unsigned char *)planes, plane);
	for (size_t i = 0; i < n; i++) {
		uint64_t value = 0;

		for (unsigned k = 0; k < lengths[i]; k++)
			value |= (uint64_t)*plane[k]++ << 8 * k;
		list[i] = *zigzag ? zigzag_decode(value) : value;
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

double column_cost(const uint64_t *list, size_t n)
{
	uint32_t counts[WIDTH][256] = {{0}}, lengths[WIDTH + 1] = {0};
	size_t sample = n < SAMPLE ? n : SAMPLE;
	bool zigzag = any_negative(list, n);
	double bits;

	for (size_t i = 0; i < sample; i++) {
		uint64_t value = zigzag ? zigzag_encode(list[i]) : list[i];
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
