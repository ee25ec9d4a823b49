/* Loops and sections of libgomp, whose threads ask for one chunk after another. */
#include "probes/openmp/gomp.h"
#include "probes/openmp/team.h"

/*
 * Defines an entry point that gets a chunk, from *first up to *last, and returns whether there is
 * one. Where first is NULL, the loop is only prepared, and GOMP_loop_KIND_next() gets the first
 * chunk.
 */
#define GETS(name, parameters, arguments) \
	WRAP_EXPORT bool name parameters \
	{ \
		bool more; \
		GOMP_REAL(name); \
		more = real arguments; \
		if (first && !gomp_quiet()) \
			team_chunk(more, more ? (int64_t)*first : 0, more ? (int64_t)*last : 0, \
				   WRAP_SITE); \
		return more; \
	}

#define LOOP(kind) \
	GETS(GOMP_loop_##kind##_start, \
	     (long start, long end, long step, long chunk, long *first, long *last), \
	     (start, end, step, chunk, first, last)) \
	GETS(GOMP_loop_##kind##_next, (long *first, long *last), (first, last))
#define LOOP_ULL(kind) \
	GETS(GOMP_loop_ull_##kind##_start, \
	     (bool up, ull start, ull end, ull step, ull chunk, ull *first, ull *last), \
	     (up, start, end, step, chunk, first, last)) \
	GETS(GOMP_loop_ull_##kind##_next, (ull * first, ull * last), (first, last))
#define LOOP_RUNTIME(kind) \
	GETS(GOMP_loop_##kind##_start, (long start, long end, long step, long *first, long *last), \
	     (start, end, step, first, last)) \
	GETS(GOMP_loop_##kind##_next, (long *first, long *last), (first, last))
#define LOOP_RUNTIME_ULL(kind) \
	GETS(GOMP_loop_ull_##kind##_start, \
	     (bool up, ull start, ull end, ull step, ull *first, ull *last), \
	     (up, start, end, step, first, last)) \
	GETS(GOMP_loop_ull_##kind##_next, (ull * first, ull * last), (first, last))
GOMP_LOOP_KINDS(LOOP)
GOMP_LOOP_KINDS(LOOP_ULL)
GOMP_LOOP_RUNTIME_KINDS(LOOP_RUNTIME)
GOMP_LOOP_RUNTIME_KINDS(LOOP_RUNTIME_ULL)

/* The counts of a nest of loops that depend on one another. */
#define DOACROSS(kind) \
	GETS(GOMP_loop_doacross_##kind##_start, \
	     (unsigned loops, long *counts, long chunk, long *first, long *last), \
	     (loops, counts, chunk, first, last)) \
	GETS(GOMP_loop_ull_doacross_##kind##_start, \
	     (unsigned loops, ull *counts, ull chunk, ull *first, ull *last), \
	     (loops, counts, chunk, first, last))
GOMP_DOACROSS_KINDS(DOACROSS)
GETS(GOMP_loop_doacross_runtime_start, (unsigned loops, long *counts, long *first, long *last),
     (loops, counts, first, last))
GETS(GOMP_loop_ull_doacross_runtime_start, (unsigned loops, ull *counts, ull *first, ull *last),
     (loops, counts, first, last))

#define GENERAL(kind) \
	GETS(GOMP_loop_##kind, \
	     (long start, long end, long step, long schedule, long chunk, long *first, long *last, \
	      uintptr_t *reductions, void **memory), \
	     (start, end, step, schedule, chunk, first, last, reductions, memory)) \
	GETS(GOMP_loop_ull_##kind, \
	     (bool up, ull start, ull end, ull step, long schedule, ull chunk, ull *first, \
	      ull *last, uintptr_t *reductions, void **memory), \
	     (up, start, end, step, schedule, chunk, first, last, reductions, memory))
GENERAL(start)
GENERAL(ordered_start)
GETS(GOMP_loop_doacross_start,
     (unsigned loops, long *counts, long schedule, long chunk, long *first, long *last,
      uintptr_t *reductions, void **memory),
     (loops, counts, schedule, chunk, first, last, reductions, memory))
GETS(GOMP_loop_ull_doacross_start,
     (unsigned loops, ull *counts, long schedule, ull chunk, ull *first, ull *last,
      uintptr_t *reductions, void **memory),
     (loops, counts, schedule, chunk, first, last, reductions, memory))

/* The number of the section to run next, from 1; 0: there is none. */
#define SECTION(name, parameters, arguments) \
	WRAP_EXPORT unsigned name parameters \
	{ \
		unsigned section; \
		GOMP_REAL(name); \
		section = real arguments; \
		if (!gomp_quiet()) \
			team_chunk(section, section, (int64_t)section + 1, WRAP_SITE); \
		return section; \
	}
SECTION(GOMP_sections_start, (unsigned count), (count))
SECTION(GOMP_sections2_start, (unsigned count, uintptr_t *reductions, void **memory),
	(count, reductions, memory))
SECTION(GOMP_sections_next, (void), ())

/* The thread has run its last chunk, and waits for the team, or goes on. */
#define END_WAITS(type, name, keep, result) \
	WRAP_EXPORT type name(void) \
	{ \
		GOMP_REAL(name); \
		if (gomp_quiet()) \
			return real(); \
		team_barrier_begin(WRAP_SITE); \
		keep real(); \
		team_barrier_end(); \
		return result; \
	}
END_WAITS(void, GOMP_loop_end, , )
END_WAITS(void, GOMP_sections_end, , )
END_WAITS(void, GOMP_barrier, , )
END_WAITS(bool, GOMP_loop_end_cancel, bool cancelled =, cancelled)
END_WAITS(bool, GOMP_sections_end_cancel, bool cancelled =, cancelled)
END_WAITS(bool, GOMP_barrier_cancel, bool cancelled =, cancelled)

#define END(name) \
	WRAP_EXPORT void name(void) \
	{ \
		GOMP_REAL(name); \
		real(); \
		if (!gomp_quiet()) \
			team_chunk(false, 0, 0, NULL); \
	}
END(GOMP_loop_end_nowait)
END(GOMP_sections_end_nowait)
