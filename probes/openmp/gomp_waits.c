/* Critical and ordered constructs, single ones, and the locks of libgomp. */
#include "openmp_glimpse.h"
#include "probes/openmp/gomp.h"
#include "probes/openmp/team.h"

/* What they stand for is called, as objects are shown by their symbols. */
extern char omp_unnamed_critical[8], omp_atomic_lock[8];
WRAP_EXPORT char omp_unnamed_critical[8], omp_atomic_lock[8];

#define ENTER(name, parameters, arguments, lock) \
	WRAP_EXPORT void name parameters \
	{ \
		GOMP_REAL(name); \
		if (gomp_quiet() || !team_critical_begin(lock, WRAP_SITE)) { \
			real arguments; \
			return; \
		} \
		glimpse_reserve(64); \
		CriticalBegin_Stamp(lock, WRAP_SITE); \
		real arguments; \
		CriticalEnter_Stamp(lock, WRAP_SITE); \
	}
#define LEAVE(name, parameters, arguments, lock) \
	WRAP_EXPORT void name parameters \
	{ \
		uint64_t now; \
		GOMP_REAL(name); \
		if (gomp_quiet() || !team_critical_end(lock)) { \
			real arguments; \
			return; \
		} \
		now = glimpse_now(); \
		real arguments; \
		CriticalLeave_StampAt(now, lock); \
	}
ENTER(GOMP_critical_start, (void), (), omp_unnamed_critical)
LEAVE(GOMP_critical_end, (void), (), omp_unnamed_critical)
ENTER(GOMP_critical_name_start, (void **name), (name), name)
LEAVE(GOMP_critical_name_end, (void **name), (name), name)
ENTER(GOMP_atomic_start, (void), (), omp_atomic_lock)
LEAVE(GOMP_atomic_end, (void), (), omp_atomic_lock)
LEAVE(omp_unset_lock, (omp_lock_t * lock), (lock), lock)
LEAVE(omp_unset_nest_lock, (omp_nest_lock_t * lock), (lock), lock)

/* A lock that is free costs one event. */
#define SET(name, test, type) \
	static inline __attribute__((always_inline)) int test##_first(type *lock) \
	{ \
		GOMP_REAL(test); \
		return real(lock); \
	} \
	WRAP_EXPORT void name(type *lock) \
	{ \
		GOMP_REAL(name); \
		if (gomp_quiet() || !team_critical_begin(lock, WRAP_SITE)) { \
			real(lock); \
			return; \
		} \
		glimpse_reserve(64); \
		if (!test##_first(lock)) { \
			CriticalBegin_Stamp(lock, WRAP_SITE); \
			real(lock); \
		} \
		CriticalEnter_Stamp(lock, WRAP_SITE); \
	} \
	WRAP_EXPORT int test(type *lock) \
	{ \
		int got; \
		GOMP_REAL(test); \
		got = real(lock); \
		if (got && !gomp_quiet() && team_critical_begin(lock, WRAP_SITE)) \
			CriticalEnter_Stamp(lock, WRAP_SITE); \
		return got; \
	}
SET(omp_set_lock, omp_test_lock, omp_lock_t)
SET(omp_set_nest_lock, omp_test_nest_lock, omp_nest_lock_t)

WRAP_EXPORT void GOMP_ordered_start(void)
{
	GOMP_REAL(GOMP_ordered_start);

	if (gomp_quiet()) {
		real();
		return;
	}
	OrderedBegin_Stamp(WRAP_SITE);
	real();
	OrderedEnter_Stamp(WRAP_SITE);
}

WRAP_EXPORT void GOMP_ordered_end(void)
{
	GOMP_REAL(GOMP_ordered_end);

	if (!gomp_quiet())
		OrderedLeave_Stamp();
	real();
}

WRAP_EXPORT bool GOMP_single_start(void)
{
	bool first;
	GOMP_REAL(GOMP_single_start);

	first = real();
	if (first && !gomp_quiet())
		Single_Stamp(WRAP_SITE);
	return first;
}

/* Returns NULL to the thread that runs the construct; the others wait for what it copies. */
WRAP_EXPORT void *GOMP_single_copy_start(void)
{
	void *copy;
	GOMP_REAL(GOMP_single_copy_start);

	copy = real();
	if (!copy && !gomp_quiet())
		Single_Stamp(WRAP_SITE);
	return copy;
}
