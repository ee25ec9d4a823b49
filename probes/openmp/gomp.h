/*
 * libgomp's entry points, which gcc's and gfortran's code calls, as its libgomp_g.h declares them.
 * They are found as they are first called, in the object that calls them: a library that was loaded
 * with dlopen() may have a libgomp of its own.
 */
#ifndef GLIMPSE_PROBES_OPENMP_GOMP_H
#define GLIMPSE_PROBES_OPENMP_GOMP_H

#include "probes/openmp/gomp_prototypes.h"
#include "probes/wrap.h"

/*
 * Finds the function that `site` means when it calls `name`, and stores its address to *at. The
 * program ends if there is none, which the loader would have found out before us.
 */
void *gomp_find(void **at, const char *name, const void *site);

/*
 * Returns whether nothing is to be logged here: libglimpse is calling, or the runtime that serves
 * the entry points is libomp, which tells a tool itself what it does (ompt.c).
 */
bool gomp_quiet(void);

/* Returns the number of the calling thread in its team. */
uint32_t gomp_thread_number(const void *site);

/*
 * Declares `real`, the function in line after the wrapper that this stands in. A pointer of its own
 * for each wrapper.
 */
#define GOMP_REAL(name) \
	static __typeof__(&name) slot_; \
	__typeof__(&name) real = __atomic_load_n(&slot_, __ATOMIC_RELAXED); \
	if (__builtin_expect(!real, 0)) \
	real = (__typeof__(&name))gomp_find((void **)&slot_, #name, WRAP_SITE)

#endif
