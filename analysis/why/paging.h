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

/* Kinds of such work. PAGING_NONE: no such work, or where it is asked for, all of it. */
enum paging_work {
	PAGING_NONE,
	PAGING_FAULT,
	PAGING_UNMAP,
	PAGING_MAP,
	PAGING_BREAK,
	PAGING_REMAP,
	PAGING_ADVISE,
	PAGING_PROTECT,
	NPAGING_WORKS
};
/* Returns its name: "page faults", or the system call's. */
const char *paging_work_name(enum paging_work w);
/* Returns the work of that name; NPAGING_WORKS: there is none. */
enum paging_work paging_work_named(const char *name);

/*
 * Returns for each sampled stack which work it is, an enum paging_work, to be freed; NULL: no
 * kernel frame has a name.
 */
unsigned char *paging_stacks(const struct samples *s);

/* Returns a work as a share of the time for which the threads in focus run; 0: none is known. */
double paging_part(const struct evidence *g, const struct focus *f, enum paging_work work);
/*
 * Returns this work as a share of the run alone, which other programs do not lengthen
 * (idle_alone()): of all processors' time, or of that of the thread with most of it, whichever is
 * more.
 */
double paged_part(const struct evidence *g, const struct focus *f);
/* Adds for each function of the program how many samples of this work it caused. */
void paging_functions(const struct evidence *g, const struct focus *f, struct axis_sums *sums);
/*
 * Adds for each place in the program how many samples it caused of calls that make maps. Returns
 * false if there are none: then of calls that give memory back.
 */
bool paging_sites(const struct evidence *g, const struct focus *f, struct axis_sums *sums);
/* Whether memory comes and goes: then using it again helps. */
enum paging_use {
	PAGING_USE_UNKNOWN,
	PAGING_USE_ONCE, /* nearly all is touched before any is released */
	PAGING_USE_AGAIN
};
enum paging_use paging_use_of(const struct evidence *g, const struct focus *f);
/*
 * Returns the functions of the kernel through which the sampled work goes, as an array that the
 * caller frees; *n: how many.
 */
const char **paging_entries(const struct samples *s, size_t *n);
/* Marks the events that the measures need. */
void paging_events_mark(const struct spec *spec, bool *events);

#endif
