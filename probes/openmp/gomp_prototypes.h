/*
 * The entry points of libgomp that are wrapped, of all its versions up to 5.1: what gcc's generated
 * code calls, and the locks of omp.h.
 */
#ifndef GLIMPSE_PROBES_OPENMP_GOMP_PROTOTYPES_H
#define GLIMPSE_PROBES_OPENMP_GOMP_PROTOTYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long ull;
typedef struct omp_lock omp_lock_t;
typedef struct omp_nest_lock omp_nest_lock_t;

int omp_get_thread_num(void);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);

/* ---- Regions --------------------------------------------------------------------------------- */

typedef void gomp_body(void *data);

void GOMP_parallel(gomp_body *body, void *data, unsigned threads, unsigned flags);
unsigned GOMP_parallel_reductions(gomp_body *body, void *data, unsigned threads, unsigned flags);
void GOMP_parallel_sections(gomp_body *body, void *data, unsigned threads, unsigned count,
			    unsigned flags);
void GOMP_parallel_start(gomp_body *body, void *data, unsigned threads);
void GOMP_parallel_sections_start(gomp_body *body, void *data, unsigned threads, unsigned count);
void GOMP_parallel_loop_runtime_start(gomp_body *body, void *data, unsigned threads, long start,
				      long end, long step);
void GOMP_parallel_end(void);

#define GOMP_PARALLEL_LOOP(kind) \
	void GOMP_parallel_loop_##kind(gomp_body *body, void *data, unsigned threads, long start, \
				       long end, long step, long chunk, unsigned flags);
#define GOMP_PARALLEL_LOOP_START(kind) \
	void GOMP_parallel_loop_##kind##_start(gomp_body *body, void *data, unsigned threads, \
					       long start, long end, long step, long chunk);
#define GOMP_PARALLEL_LOOP_RUNTIME(kind) \
	void GOMP_parallel_loop_##kind(gomp_body *body, void *data, unsigned threads, long start, \
				       long end, long step, unsigned flags);
GOMP_PARALLEL_LOOP(static)
GOMP_PARALLEL_LOOP(dynamic)
GOMP_PARALLEL_LOOP(guided)
GOMP_PARALLEL_LOOP(nonmonotonic_dynamic)
GOMP_PARALLEL_LOOP(nonmonotonic_guided)
GOMP_PARALLEL_LOOP_START(static)
GOMP_PARALLEL_LOOP_START(dynamic)
GOMP_PARALLEL_LOOP_START(guided)
GOMP_PARALLEL_LOOP_RUNTIME(runtime)
GOMP_PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime)
GOMP_PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime)

/* ---- Loops and sections ---------------------------------------------------------------------- */

/* Each of these gets a chunk, from *first up to *last, and returns whether there is one. */
#define GOMP_LOOP(kind) \
	bool GOMP_loop_##kind##_start(long start, long end, long step, long chunk, long *first, \
				      long *last); \
	bool GOMP_loop_##kind##_next(long *first, long *last); \
	bool GOMP_loop_ull_##kind##_start(bool up, ull start, ull end, ull step, ull chunk, \
					  ull *first, ull *last); \
	bool GOMP_loop_ull_##kind##_next(ull *first, ull *last);
#define GOMP_LOOP_RUNTIME(kind) \
	bool GOMP_loop_##kind##_start(long start, long end, long step, long *first, long *last); \
	bool GOMP_loop_##kind##_next(long *first, long *last); \
	bool GOMP_loop_ull_##kind##_start(bool up, ull start, ull end, ull step, ull *first, \
					  ull *last); \
	bool GOMP_loop_ull_##kind##_next(ull *first, ull *last);
#define GOMP_DOACROSS(kind) \
	bool GOMP_loop_doacross_##kind##_start(unsigned loops, long *counts, long chunk, \
					       long *first, long *last); \
	bool GOMP_loop_ull_doacross_##kind##_start(unsigned loops, ull *counts, ull chunk, \
						   ull *first, ull *last);

/* KIND(kind) for all kinds of loops with a size of chunks, and for those without one. */
#define GOMP_LOOP_KINDS(KIND) \
	KIND(static) \
	KIND(dynamic) \
	KIND(guided) \
	KIND(ordered_static) KIND(ordered_dynamic) KIND(ordered_guided) KIND(nonmonotonic_dynamic) \
	    KIND(nonmonotonic_guided)
#define GOMP_LOOP_RUNTIME_KINDS(KIND) \
	KIND(runtime) \
	KIND(ordered_runtime) KIND(nonmonotonic_runtime) KIND(maybe_nonmonotonic_runtime)
#define GOMP_DOACROSS_KINDS(KIND) KIND(static) KIND(dynamic) KIND(guided)

GOMP_LOOP_KINDS(GOMP_LOOP)
GOMP_LOOP_RUNTIME_KINDS(GOMP_LOOP_RUNTIME)
GOMP_DOACROSS_KINDS(GOMP_DOACROSS)
bool GOMP_loop_doacross_runtime_start(unsigned loops, long *counts, long *first, long *last);
bool GOMP_loop_ull_doacross_runtime_start(unsigned loops, ull *counts, ull *first, ull *last);

bool GOMP_loop_start(long start, long end, long step, long schedule, long chunk, long *first,
		     long *last, uintptr_t *reductions, void **memory);
bool GOMP_loop_ordered_start(long start, long end, long step, long schedule, long chunk,
			     long *first, long *last, uintptr_t *reductions, void **memory);
bool GOMP_loop_doacross_start(unsigned loops, long *counts, long schedule, long chunk, long *first,
			      long *last, uintptr_t *reductions, void **memory);
bool GOMP_loop_ull_start(bool up, ull start, ull end, ull step, long schedule, ull chunk,
			 ull *first, ull *last, uintptr_t *reductions, void **memory);
bool GOMP_loop_ull_ordered_start(bool up, ull start, ull end, ull step, long schedule, ull chunk,
				 ull *first, ull *last, uintptr_t *reductions, void **memory);
bool GOMP_loop_ull_doacross_start(unsigned loops, ull *counts, long schedule, ull chunk, ull *first,
				  ull *last, uintptr_t *reductions, void **memory);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);

unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
bool GOMP_sections_end_cancel(void);

/* ---- Waits ----------------------------------------------------------------------------------- */

void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);

/* ---- Tasks ----------------------------------------------------------------------------------- */

/*
 * Libraries before 5.0 have no `detach`, and neither has their callers' code: it is not read then.
 */
void GOMP_task(gomp_body *body, void *data, void (*copy)(void *, void *), long size, long align,
	       bool deferred, unsigned flags, void **depend, int priority, void *detach);
void GOMP_taskloop(gomp_body *body, void *data, void (*copy)(void *, void *), long size, long align,
		   unsigned flags, unsigned long tasks, int priority, long start, long end,
		   long step);
void GOMP_taskloop_ull(gomp_body *body, void *data, void (*copy)(void *, void *), long size,
		       long align, unsigned flags, unsigned long tasks, int priority, ull start,
		       ull end, ull step);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void **depend);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

#endif
