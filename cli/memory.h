/* Prints `glimpse memory` for an interval of kind "life": text, csv, json. */
#ifndef GLIMPSE_CLI_MEMORY_H
#define GLIMPSE_CLI_MEMORY_H

#include "analysis/heap/heap.h"
#include "base/array.h"
#include "base/json.h"
#include "trace/symbols/call_paths.h"
#include <stdio.h>

enum memory_order { BY_BYTES, BY_COUNT, BY_PEAK, BY_LEFT };

/* A table of one interval. */
struct memory {
	const struct heap *heap;
	const struct call_paths *paths;
	struct heap_site **sites; /* in the order that was asked for */
	enum memory_order order;
	bool each_block; /* each thing that is left, not call paths */
};

void memory_text(FILE *out, struct memory *m);
void memory_csv_head(FILE *out, bool each_block);
void memory_csv(FILE *out, struct memory *m);
void memory_json(struct json *j, struct memory *m);

/* ---- what all of them show ---- */

void memory_sort(struct memory *m, enum memory_order by);

/* Frames of a site, innermost first; at least one. */
struct memory_frames {
	VECTOR(char *) texts;
};
struct memory_frames memory_frames(const struct memory *m, const struct heap_site *s);
void memory_frames_clear(struct memory_frames *f);

/* Return the object that an event begins or ends; 0: it has none. */
uint64_t memory_block_address(const struct heap *h, const struct event *e);
uint64_t memory_unmatched_address(const struct heap *h, const struct event *e);

#endif
