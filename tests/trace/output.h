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
	uint64_t upper;         /* the upper bits that the newest TIME record set; UINT64_MAX: none yet */
	/* of a tail */
	size_t records;         /* where its records begin */
	size_t room;            /* for records */
	bool head_given;        /* its header lies about how much it holds */
};

/* The file DIRECTORY/NAME.number that was made before, or NULL. */
struct output *output_find(const char *directory, const char *name, uint64_t number);
/* A new one. A name that ends in a dot is followed by the number. */
struct output *output_make(enum output_kind kind, const char *directory, const char *name,
	uint64_t number, bool swap);
/* Writes all files, making their directories. */
void outputs_write(void);

#endif
