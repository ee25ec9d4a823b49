/*
 * Writes the headline of a trace, the same in the page, in pictures and in glimpse why: two lines.
 * The first says what limits the run, and what fixing it gains; the second how busy the processors
 * are. It also names what comes after the first fix, with the gain of both; or the next two causes.
 *
 *	Held up by lock statsMutex, held in account(), stages.cpp:22: 28 % of the critical path; 19 % shorter (14 to 25 %) without it
 *	Processors: 1.70 of 2 busy; 1.65 threads ready without a processor. Then: parser-0 if twice as fast: 31 % in all (24 to 37 %)
 */
#ifndef GLIMPSE_ANALYSIS_HEADLINE_HEADLINE_H
#define GLIMPSE_ANALYSIS_HEADLINE_HEADLINE_H

#include "analysis/headline/line_parts.h"
#include "analysis/why/why.h"

enum { HEADLINE_LINES = 2 };

struct headline {
	struct part_line lines[HEADLINE_LINES];
	unsigned n; /* of the lines: 1 or 2 */
	/* A tenth of the critical path or more is waits for requests. */
	bool server;
	/* Leads from such a wait to the thread's next one; NULL: the specification has none. */
	const struct interval *served;
};

/*
 * Makes the headline of what was found in a part of a trace, with why_options.search and rank.
 * Returns NULL where nothing can be said: no finding, and the trace does not say when threads run.
 * The caller frees it. Except for `served` it needs neither the findings nor the trace any more.
 */
struct headline *headline_of(const struct why *w);
/*
 * The same of a whole trace, which it searches first. It counts its steps in task_current, and
 * returns NULL, too, if that is stopped. The trace makes event lists for it, for one caller at a
 * time.
 */
struct headline *headline_of_trace(struct trace *t);
void headline_free(struct headline *h);

#endif
