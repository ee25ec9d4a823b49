/*
 * Builds the tree of a flame graph: each path of frames has an amount of CPU time, off-CPU time or
 * memory. Parents precede their children; node 0 is the total.
 */
#ifndef GLIMPSE_ANALYSIS_FLAME_FLAME_H
#define GLIMPSE_ANALYSIS_FLAME_FLAME_H

#include "base/array.h"
#include "base/hash.h"
#include "grammar/diag.h"
#include "trace/trace.h"
#include <stdio.h>

enum flame_kind {
	FLAME_CPU,   /* while threads ran */
	FLAME_OFF,   /* while they did not, by what they waited for */
	FLAME_BYTES, /* taken */
	FLAME_COUNT, /* number of allocations */
	FLAME_PEAK,  /* bytes alive when most were */
	FLAME_LEFT,  /* bytes never freed */
	NFLAME_KINDS
};

/* What a frame stands for. */
enum frame_kind {
	FRAME_CODE,   /* a function */
	FRAME_WAIT,   /* what was waited for */
	FRAME_READY,  /* the thread could run, and had no processor */
	FRAME_UNKNOWN /* it did not run, and nothing says why */
};

/* What a node has: itself, and with what is above it. */
struct flame_amounts {
	int64_t self, total;
};

struct flame_node {
	const char *name;   /* the trace keeps it */
	const char *origin; /* the source file, the module or the interval; or NULL. The same */
	uint32_t parent;
	enum frame_kind kind;
	int64_t self, total; /* without, and with, what is above it */
};

struct flame {
	enum flame_kind kind;
	const struct trace *trace;
	VECTOR(struct flame_node) nodes;
	struct hash_table children; /* by parent, name and kind */
};

/* What is wanted: times, and threads by index (NULL: all). */
struct flame_part {
	int64_t from, to;
	const bool *threads;
};

/*
 * Returns NULL, after a report to diag, if the trace has nothing of the kind. The trace may find
 * instances of intervals, for one caller a time. Frees: flame_free().
 */
struct flame *flame_of(struct trace *t, enum flame_kind kind, const struct flame_part *part,
		       struct diag *diag);
void flame_free(struct flame *f);

/* What to say of a trace that has nothing of memory. */
#define FLAME_MEMORY_MISSING \
	"no interval of kind \"life\" has bytes or call stacks: record by glimpse record --probes memory"

/* Returns the kind of that name: "cpu", "off", "bytes", "count", "peak" or "left"; -1: none. */
int flame_kind_find(const char *name);
const char *flame_kind_name(enum flame_kind kind);

/* Writes a line for each path that has something of its own: folded stacks. */
void flame_print(const struct flame *f, FILE *out);

/* For those who make one: a node for a frame above another, and all at the end. */
uint32_t flame_child(struct flame *f, uint32_t parent, enum frame_kind kind, const char *name,
		     const char *origin);
void flame_of_cpu(struct flame *f, struct trace *t, const struct flame_part *part);
void flame_of_pauses(struct flame *f, struct trace *t, const struct flame_part *part);
bool flame_of_heap(struct flame *f, struct trace *t, const struct flame_part *part);

/* Finds the totals of the nodes' own amounts. */
void flame_totals(const struct flame *f, struct flame_amounts *amounts);
/* Returns a text that the trace keeps, the same pointer for the same text. */
const char *flame_text(const struct flame *f, const char *text);

#endif
