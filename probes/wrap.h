/*
 * What libraries share that are preloaded to define functions of the C library anew: the wrappers
 * log, and call the function that is next in line.
 *
 * A library lists the functions in a file, its table, with one line ENTRY(name) for each. From it
 * come a structure with a pointer for each, and what fills that in:
 *
 *	struct reals {
 *	#define ENTRY(name) __typeof__(&name) name;
 *	#include "probes/NAME/entries.h"
 *	#undef ENTRY
 *	} real;
 *
 *	WRAP_EXPORT int sched_yield(void)
 *	{
 *		if (!wrap_quiet())
 *			Yield_Stamp(WRAP_SITE);
 *		return WRAP_REAL(real.sched_yield, "sched_yield", NULL)();
 *	}
 */
#ifndef GLIMPSE_PROBES_WRAP_H
#define GLIMPSE_PROBES_WRAP_H

#include "runtime/glimpse.h"
#include <stdbool.h>

#define WRAP_EXPORT __attribute__((visibility("default")))
#define WRAP_HOT __attribute__((hot))
#define WRAP_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* Where the program called the function that this stands in. */
#define WRAP_SITE __builtin_return_address(0)

/*
 * dlsym() that leaves no error behind: dlerror() would give it to the program, and the probe memory
 * would see its text as memory of the program. Returns the address, or NULL if there is none.
 */
void *wrap_look(void *object, const char *name);

/*
 * Finds the next definition of a function after that of this library and stores its address to
 * *at. `version` is the symbol's, or NULL for the default one. Returns the address, or NULL if
 * there is none. May be called at any time, before constructors and by several threads. Looking up
 * a function may call others that are wrapped; a library therefore looks up in its constructor all
 * that it has, first of all what allocators call, such as locks.
 */
void *wrap_find(void **at, const char *name, const char *version);

/*
 * The same for the newer one of two versions: dlsym() of glibc before 2.36 may return the older
 * one.
 */
void *wrap_find_newer(void **at, const char *name, const char *older, const char *newer);

/* The function at `slot`, found if it is not known yet. */
#define WRAP_REAL(slot, name, version) WRAP_KNOWN(slot, wrap_find((void **)&(slot), name, version))
#define WRAP_REAL_NEWER(slot, name, older, newer) \
	WRAP_KNOWN(slot, wrap_find_newer((void **)&(slot), name, older, newer))
#define WRAP_KNOWN(slot, find) \
	(__extension__({ \
		__typeof__(slot) real_ = __atomic_load_n(&(slot), __ATOMIC_RELAXED); \
		if (__builtin_expect(!real_, 0)) \
			real_ = (__typeof__(slot))(find); \
		real_; \
	}))

/*
 * Returns whether a wrapper must call the real function and do nothing else: libglimpse itself is
 * calling.
 */
static inline bool wrap_quiet(void)
{
	return __builtin_expect(glimpse_inside(), 0);
}

#endif
