/* The files that a recipe makes: kept in memory until the recipe has been read, then written. */
#ifndef GLIMPSE_TESTS_TRACE_OUTPUT_H
#define GLIMPSE_TESTS_TRACE_OUTPUT_H

#include "tests/trace/binary.h"

enum output_kind { OUTPUT_LOG, OUTPUT_GRAZE, OUTPUT_TAIL, OUTPUT_PLAIN };

struct output {
	struct output *next;
	enum output_kind kind;
	char *path;
	struct binary data;
	uint64_t upper;         /* as the newest TIME record set them; UINT64_MAX: none yet */
	/* of a tail */
	size_t records;         /* where its records begin */
	size_t room;            /* for records */
	bool head_given;        /* its header has a false size */
	size_t block;           /* of a ring: the size of its blocks, else 0 */
	size_t open;            /* where the block begins that is being written; 0: none */
	bool gone;              /* it is not written */
	size_t place;           /* in its file, after tails that were made before it */
	struct binary pending;  /* content of its staging buffer */
	size_t staging;         /* where that is, counted from the records */
};

/* The file DIRECTORY/NAME.number that was made before, or NULL. */
struct output *output_find(const char *directory, const char *name, uint64_t number);
/* A new one. A name that ends in a dot is followed by the number. */
struct output *output_make(enum output_kind kind, const char *directory, const char *name,
	uint64_t number, bool swap);
/* Completes the block of a ring that is being written: its used bytes, and the tail's head. */
void output_close_block(struct output *o);
/* Writes all files, making their directories. */
void outputs_write(void);

#endif
