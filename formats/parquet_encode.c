#include "formats/parquet_encode.h"
#include "base/hash.h"
#include "trace/format/bytes.h"
#include <stdlib.h>

static unsigned bits_of(uint64_t value)
{
	return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

static void varint_append(struct parquet_bytes *out, uint64_t value)
{
	unsigned char bytes[VARINT_MOST];

	vector_append(out, bytes, (size_t)(varint_write(bytes, value) - bytes));
}

/* Appends n numbers of `width` bits, the lowest bits first; n is a multiple of 8. */
static void bits_append(struct parquet_bytes *out, const uint64_t *numbers, size_t n,
			unsigned width)
{
	unsigned __int128 bits = 0;
	unsigned filled = 0;
	unsigned char *to;

	out->at = vector_reserve(out->at, out->n + n * width / 8, &out->room, 1);
	to = out->at + out->n;
	for (size_t i = 0; i < n; i++) {
		bits |= (unsigned __int128)numbers[i] << filled;
		for (filled += width; filled >= 8; filled -= 8, bits >>= 8)
			*to++ = (unsigned char)bits;
	}
	out->n = (size_t)(to - out->at);
}

/* ---- values as they are ---- */

/* Return the bytes of a string, and how many they are. */
static const unsigned char *parquet_string(const struct parquet_values *v, size_t row,
					   size_t *length)
{
	size_t begin = row ? v->words.at[row - 1] : 0;

	*length = v->words.at[row] - begin;
	return v->bytes.at + begin;
}

static void value_append(struct parquet_bytes *out, const struct parquet_values *v, size_t row)
{
	unsigned char number[8];
	const unsigned char *string;
	size_t length;

	if (!v->strings) {
		write_little_64(number, v->words.at[row]);
		vector_append(out, number, sizeof number);
		return;
	}
	string = parquet_string(v, row, &length);
	write_little_32(number, (uint32_t)length);
	vector_append(out, number, 4);
	vector_append(out, string, length);
}

void parquet_plain(struct parquet_bytes *out, const struct parquet_values *v, size_t from,
		   size_t to)
{
	for (size_t i = from; i < to; i++)
		value_append(out, v, i);
}

/* ---- differences ---- */

enum { DELTA_BLOCK = 128, DELTA_MINIBLOCKS = 4, DELTA_MINIBLOCK = DELTA_BLOCK / DELTA_MINIBLOCKS };

/*
 * What follows the last difference counts as 0 bits; miniblocks of nothing but that have no bytes.
 */
static void delta_block(struct parquet_bytes *out, const uint64_t *words, size_t n)
{
	uint64_t above[DELTA_BLOCK] = {0}, all;
	unsigned char widths[DELTA_MINIBLOCKS] = {0};
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < n; i++) {
		int64_t delta = (int64_t)(words[i + 1] - words[i]);

		least = delta < least ? delta : least;
	}
	for (size_t i = 0; i < n; i++)
		above[i] = words[i + 1] - words[i] - (uint64_t)least;
	for (size_t m = 0; m < DELTA_MINIBLOCKS; m++) {
		all = 0;
		for (size_t i = 0; i < DELTA_MINIBLOCK; i++)
			all |= above[m * DELTA_MINIBLOCK + i];
		widths[m] = (unsigned char)bits_of(all);
	}
	varint_append(out, zigzag_encode((uint64_t)least));
	vector_append(out, widths, DELTA_MINIBLOCKS);
	for (size_t m = 0; m < DELTA_MINIBLOCKS; m++)
		bits_append(out, above + m * DELTA_MINIBLOCK, DELTA_MINIBLOCK, widths[m]);
}

void parquet_delta(struct parquet_bytes *out, const uint64_t *words, size_t n)
{
	varint_append(out, DELTA_BLOCK);
	varint_append(out, DELTA_MINIBLOCKS);
	varint_append(out, n);
	varint_append(out, zigzag_encode(n ? words[0] : 0));
	for (size_t i = 1; i < n; i += DELTA_BLOCK)
		delta_block(out, words + i - 1, n - i < DELTA_BLOCK ? n - i : DELTA_BLOCK);
}

/* ---- dictionaries ---- */

enum { DICTIONARY_MOST = 1 << 16, ROWS_PER_VALUE = 16 };

static uint64_t string_hash(const unsigned char *bytes, size_t n)
{
	uint64_t hash = n;

	for (; n; n--)
		hash = (hash ^ *bytes++) * 0x100000001b3;
	return hash;
}

static bool values_are_same(const struct parquet_values *v, size_t a, size_t b)
{
	size_t na, nb;
	const unsigned char *left, *right;

	if (!v->strings)
		return v->words.at[a] == v->words.at[b];
	left = parquet_string(v, a, &na);
	right = parquet_string(v, b, &nb);
	return na == nb && memcmp(left, right, na) == 0;
}

static uint64_t value_key(const struct parquet_values *v, size_t row)
{
	const unsigned char *string;
	size_t length;

	if (!v->strings)
		return v->words.at[row];
	string = parquet_string(v, row, &length);
	return string_hash(string, length);
}

/* Two strings of one hash are so rare that the column then does without a dictionary. */
static bool row_add(struct parquet_dictionary *d, struct hash_table *known,
		    const struct parquet_values *v, size_t row, size_t most)
{
	uint32_t index = hash_table_number(known, value_key(v, row), 0, d->first.n);

	d->indices[row] = index;
	if (index < d->first.n)
		return values_are_same(v, row, d->first.at[index]);
	*vector_add(&d->first) = row;
	return d->first.n <= most;
}

bool parquet_dictionary_make(struct parquet_dictionary *d, const struct parquet_values *v)
{
	size_t most =
	    v->n / ROWS_PER_VALUE < DICTIONARY_MOST ? v->n / ROWS_PER_VALUE : DICTIONARY_MOST;
	struct hash_table known = {0};
	bool good = most > 0;

	*d = (struct parquet_dictionary){.indices = array_new(v->n, sizeof *d->indices)};
	for (size_t i = 0; i < v->n && good; i++)
		good = row_add(d, &known, v, i, most);
	hash_table_free(&known);
	if (!good)
		parquet_dictionary_free(d);
	return good;
}

void parquet_dictionary_put(struct parquet_bytes *out, const struct parquet_dictionary *d,
			    const struct parquet_values *v)
{
	for (size_t i = 0; i < d->first.n; i++)
		value_append(out, v, d->first.at[i]);
}

void parquet_dictionary_free(struct parquet_dictionary *d)
{
	free(d->indices);
	free(d->first.at);
}

static size_t run_length(const uint32_t *indices, size_t n)
{
	size_t run = 1;

	while (run < n && indices[run] == indices[0])
		run++;
	return run;
}

enum { GROUP = 8 }; /* indices that are packed into bits together */

/* Packs groups until a run begins that is worth a number of its own; returns how many indices. */
static size_t groups_append(struct parquet_bytes *out, const uint32_t *indices, size_t n,
			    unsigned width)
{
	size_t packed = 0, groups;

	while (packed < n &&
	       run_length(indices + packed, n - packed < GROUP ? n - packed : GROUP) < GROUP)
		packed += GROUP;
	groups = packed / GROUP;
	varint_append(out, (uint64_t)groups << 1 | 1);
	for (size_t g = 0; g < groups; g++) {
		uint64_t numbers[GROUP] = {0};

		for (size_t i = 0; i < GROUP && g * GROUP + i < n; i++)
			numbers[i] = indices[g * GROUP + i];
		bits_append(out, numbers, GROUP, width);
	}
	return packed < n ? packed : n;
}

static void run_append(struct parquet_bytes *out, uint32_t index, size_t n, unsigned width)
{
	unsigned char bytes[4];

	write_little_32(bytes, index);
	varint_append(out, (uint64_t)n << 1);
	vector_append(out, bytes, (width + 7) / 8);
}

void parquet_indices(struct parquet_bytes *out, const struct parquet_dictionary *d, size_t from,
		     size_t to)
{
	unsigned width = d->first.n > 1 ? bits_of(d->first.n - 1) : 1;

	*vector_add(out) = (unsigned char)width;
	while (from < to) {
		size_t run = run_length(d->indices + from, to - from);

		if (run >= GROUP)
			run_append(out, d->indices[from], run, width);
		else
			run = groups_append(out, d->indices + from, to - from, width);
		from += run;
	}
}
