/* The axes along which a focus is refined, and the value of a span on each. */
#ifndef GLIMPSE_ANALYSIS_WHY_AXIS_KEYS_H
#define GLIMPSE_ANALYSIS_WHY_AXIS_KEYS_H

#include "analysis/why/evidence.h"

enum axis {
	AXIS_OBJECT,
	AXIS_CODE, /* where it is; and the same less precisely */
	AXIS_FUNCTION,
	AXIS_FILE,
	AXIS_MODULE,
	AXIS_HOLDER,  /* where who lets others wait is */
	AXIS_PAIR,    /* who lets a thread go on, and the thread: sender and receiver */
	AXIS_THREADS, /* groups, by their names */
	AXIS_THREAD,
	AXIS_PROCESS,
	AXIS_USER, /* and so many as the specification has */
	NAXES = AXIS_USER + USER_AXES
};

/* Returns the name of an axis; of the user's, as the specification has it. */
const char *axis_name(const struct evidence *g, enum axis a);
/* Returns the value of a span on an axis, as a key; NO_KEY: it has none. */
int64_t axis_key(const struct evidence *g, enum axis a, const struct span_of_time *s);

#endif
