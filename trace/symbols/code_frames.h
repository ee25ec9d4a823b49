/* Keeps the functions at code addresses, with inlined calls, for symbols.c. */
#ifndef GLIMPSE_TRACE_SYMBOLS_CODE_FRAMES_H
#define GLIMPSE_TRACE_SYMBOLS_CODE_FRAMES_H

#include "base/array.h"
#include "base/hash.h"
#include "trace/symbols/symbols.h"

/* The functions at an address. Their texts are to be freed. */
struct code_frames {
	struct code_frame *at;
	size_t n;
};

void code_frames_free(struct code_frames *f);

/* A struct of zeros is an empty one. */
struct frame_table {
	struct hash_table places; /* head: the index of the frames */
	VECTOR(struct code_frames) list;
};

/*
 * Returns the frames at an address of a module, which hold until the next call; *known: they were
 * asked for before, else the caller sets them.
 */
struct code_frames *code_frames_find(struct frame_table *t, const void *module, uint64_t address,
				     bool *known);
void code_frames_clear(struct frame_table *t);

#endif
