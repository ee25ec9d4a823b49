/*
 * Measures how long threads are in the kernel for their memory: page faults, and the system calls
 * that map, unmap, protect and advise. Samples with named kernel frames show it. Without them, the
 * system time of a thread with many faults stands for it, if the probe resources logged both.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_PAGING_H
#define GLIMPSE_ANALYSIS_WHY_PAGING_H

#include "analysis/why/axes.h"
#include "analysis/why/focus.h"

struct samples;

/*
 * Returns for each sampled stack whether it is such work, to be freed; NULL: no kernel frame has a
 * name.
 */
bool *paging_stacks(const struct samples *s);

/* Returns this work as a share of the time for which the threads in focus run; 0: none is known. */
double paging_part(const struct evidence *g, const struct focus *f);
/*
 * Returns this work as a share of the run: of all processors' time, or of the time of the thread
 * that has most of it, whichever is more.
 */
double paged_part(const struct evidence *g, const struct focus *f);
/* Adds for each function of the program how many samples of this work it caused. */
void paging_functions(const struct evidence *g, const struct focus *f, struct axis_sums *sums);
/* Marks the events that the measures need. */
void paging_events_mark(const struct spec *spec, bool *events);

#endif
