/*
 * Thrift's compact protocol, written: the headers of pages and the footer of Parquet. The caller
 * adds the fields of a struct in ascending order of their ids.
 */
#ifndef GLIMPSE_FORMATS_THRIFT_H
#define GLIMPSE_FORMATS_THRIFT_H

#include "base/array.h"
#include <stdbool.h>
#include <stdint.h>

enum thrift_type {
	THRIFT_BYTE = 3,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

enum { THRIFT_DEEP = 8 };

/* All zeros: nothing is written yet, and the outermost struct is open. */
struct thrift {
	VECTOR(unsigned char) out;
	int last[THRIFT_DEEP]; /* the id of the last field of each open struct */
	unsigned depth;
};

/* Adds a field of a whole number: THRIFT_BYTE, THRIFT_I32 or THRIFT_I64. */
void thrift_integer(struct thrift *t, int id, enum thrift_type type, int64_t value);
void thrift_truth(struct thrift *t, int id, bool value);
void thrift_binary(struct thrift *t, int id, const void *bytes, size_t n);
void thrift_text(struct thrift *t, int id, const char *text);
/* Begins a field that is a struct. thrift_end() ends it, and also the outermost one. */
void thrift_struct(struct thrift *t, int id);
void thrift_end(struct thrift *t);

/* Begins a field that is a list of n items, which follow. The list has no end of its own. */
void thrift_list(struct thrift *t, int id, enum thrift_type type, size_t n);
/* Begins an item that is a struct. */
void thrift_item(struct thrift *t);
void thrift_item_integer(struct thrift *t, int64_t value);
void thrift_item_text(struct thrift *t, const char *text);

#endif
