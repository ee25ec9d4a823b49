/* Encodings of Parquet: values of a column as the bytes of a page, before these are compressed. */
#ifndef GLIMPSE_FORMATS_PARQUET_ENCODE_H
#define GLIMPSE_FORMATS_PARQUET_ENCODE_H

#include "base/array.h"
#include <stdbool.h>
#include <stdint.h>

struct parquet_bytes {
	unsigned char *at;
	size_t n, room;
};

/* The values of a column: words; or strings, whose bytes follow each other. */
struct parquet_values {
	bool strings;
	size_t n;
	VECTOR(uint64_t) words; /* of a string: where it ends */
	struct parquet_bytes bytes;
};

/* The distinct values of a column, in the order of their first rows. */
struct parquet_dictionary {
	uint32_t *indices;    /* of each row, in the dictionary */
	VECTOR(size_t) first; /* of each distinct value: a row that has it */
};

/* Each appends the values of the rows [from, to). PLAIN: as they are. */
void parquet_plain(struct parquet_bytes *out, const struct parquet_values *v, size_t from,
		   size_t to);
/* DELTA_BINARY_PACKED: differences of words, in as many bits as they need. */
void parquet_delta(struct parquet_bytes *out, const uint64_t *words, size_t n);
/* RLE_DICTIONARY: indices, in runs of equal ones, or in as many bits as they need. */
void parquet_indices(struct parquet_bytes *out, const struct parquet_dictionary *d, size_t from,
		     size_t to);

/*
 * Finds the distinct values. Returns false, and nothing to be freed, if there are too many for a
 * dictionary to be smaller than the values.
 */
bool parquet_dictionary_make(struct parquet_dictionary *d, const struct parquet_values *v);
/* Appends the distinct values, as PLAIN. */
void parquet_dictionary_put(struct parquet_bytes *out, const struct parquet_dictionary *d,
			    const struct parquet_values *v);
void parquet_dictionary_free(struct parquet_dictionary *d);

#endif
