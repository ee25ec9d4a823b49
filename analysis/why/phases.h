/*
 * Finds the phases of a run: phases that the specification names (intervals of kind "phase"), and
 * phases between change points. They are nested.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_PHASES_H
#define GLIMPSE_ANALYSIS_WHY_PHASES_H

#include "analysis/why/evidence.h"

struct phase {
	const char *name; /* of the interval; NULL: it was found */
	unsigned number;  /* among those of its name in the same phase, from 1 */
	int64_t from, to;
	size_t within;  /* NO_PHASE: the run */
	unsigned depth; /* 0: in no other */
};
#define NO_PHASE SIZE_MAX

typedef VECTOR(struct phase) phase_list;

/* A phase is at least so much of what is searched. */
#define PHASE_LEAST 0.05
/* A change of less than this, of all processors, is none. */
#define PHASE_CHANGE 0.2
#define PHASE_LEVEL 0.01

/* The phases of a part of the run, each behind the one that it is in. */
void phases_find(phase_list *phases, const struct evidence *g, int64_t from, int64_t to);
/* Returns the shortest phase that a time lies in, but for a fiftieth of the phase; NO_PHASE. */
size_t phase_of(const phase_list *phases, int64_t from, int64_t to);
/* Returns "Solve 2" or "phase 2.1"; to be freed. */
char *phase_text(const phase_list *phases, size_t i);

#endif
