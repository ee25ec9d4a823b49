/*
 * The tables that all threads of a profile for Firefox share: strings, functions, frames, stacks.
 */
#ifndef GLIMPSE_FORMATS_FIREFOX_TABLES_H
#define GLIMPSE_FORMATS_FIREFOX_TABLES_H

#include "analysis/samples/samples.h"
#include "base/hash.h"
#include "base/json.h"

/* Categories of frames and markers; FIREFOX_KIND + enum interval_kind: markers of a kind. */
enum { FIREFOX_OTHER, FIREFOX_CODE, FIREFOX_KIND };

struct firefox_function {
	uint32_t name;
	int source, resource; /* -1: not known */
};

struct firefox_frame {
	uint32_t function;
	int64_t line; /* 0: not known */
};

struct firefox_tables {
	const struct trace *trace;
	const struct samples *samples;     /* NULL: there are none */
	VECTOR(const char *) strings;      /* the trace keeps them */
	VECTOR(uint32_t) sources, modules; /* strings */
	VECTOR(struct firefox_function) functions;
	VECTOR(struct firefox_frame) frames;
	uint32_t *stack_frames; /* by stack of the samples */
	struct hash_table known_strings, known_sources, known_modules, known_functions,
	    known_frames;
};

/* Makes the tables of a trace's samples, which outlive them. */
void firefox_tables_make(struct firefox_tables *f, const struct trace *t, const struct samples *s);
void firefox_tables_free(struct firefox_tables *f);

/* Returns the number of a text, which the tables copy. */
uint32_t firefox_string(struct firefox_tables *f, const char *text);

/* Writes the number in the profile of a stack of the samples: null for STACK_WHOLE. */
void firefox_stack_write(struct json *j, uint32_t stack);
/* Writes "libs"; and "shared", after all that asks for numbers of texts. */
void firefox_libs_write(struct json *j, const struct firefox_tables *f);
void firefox_shared_write(struct json *j, const struct firefox_tables *f);

#endif
