/*
 * Calls every entry point of libgomp that the probe openmp wraps, each in a region of its own, and
 * prints a line for each region: the entry point, the event that it must have logged there, and how
 * many of them; of ChunkBegin, how many iterations they have together.
 */
#include "probes/openmp/gomp_prototypes.h"
#include <stdio.h>

#define N 10

struct entry {
	const char *name, *event;
	int count;
	void (*in_team)(void);                  /* what each of two threads does */
	void (*alone)(gomp_body *body);         /* or: begins the region, whose threads run `body` */
};

void GOMP_ordered_start(void);

/* ---- Loops ---- */

#define DRAIN(type, next) \
	do { \
		GOMP_ordered_start(); \
		GOMP_ordered_end(); \
	} while (GOMP_loop_##next(&first, &last)); \
	GOMP_loop_end_nowait()
#define PLAIN(type, next) \
	do \
		; \
	while (GOMP_loop_##next(&first, &last)); \
	GOMP_loop_end_nowait()
#define TEAM_LOOP(function, type, call, next, DO) \
	static void function(void) \
	{ \
		type first, last; \
		if (GOMP_loop_##call) { \
			DO(type, next); \
		} else { \
			GOMP_loop_end_nowait(); \
		} \
	}
#define LOOP(kind) \
	TEAM_LOOP(loop_##kind, long, kind##_start(0, N, 1, 1, &first, &last), kind##_next, PLAIN) \
	TEAM_LOOP(loop_ull_##kind, ull, ull_##kind##_start(true, 0, N, 1, 1, &first, &last), \
		  ull_##kind##_next, PLAIN)
#define LOOP_ORDERED(kind) \
	TEAM_LOOP(loop_##kind, long, kind##_start(0, N, 1, 1, &first, &last), kind##_next, DRAIN) \
	TEAM_LOOP(loop_ull_##kind, ull, ull_##kind##_start(true, 0, N, 1, 1, &first, &last), \
		  ull_##kind##_next, DRAIN)
#define LOOP_RUNTIME(kind, DO) \
	TEAM_LOOP(loop_##kind, long, kind##_start(0, N, 1, &first, &last), kind##_next, DO) \
	TEAM_LOOP(loop_ull_##kind, ull, ull_##kind##_start(true, 0, N, 1, &first, &last), \
		  ull_##kind##_next, DO)
LOOP(static) LOOP(dynamic) LOOP(guided) LOOP(nonmonotonic_dynamic) LOOP(nonmonotonic_guided)
LOOP_ORDERED(ordered_static) LOOP_ORDERED(ordered_dynamic) LOOP_ORDERED(ordered_guided)
LOOP_RUNTIME(runtime, PLAIN) LOOP_RUNTIME(ordered_runtime, DRAIN)
LOOP_RUNTIME(nonmonotonic_runtime, PLAIN) LOOP_RUNTIME(maybe_nonmonotonic_runtime, PLAIN)

static long counts[1] = { N };
static ull ull_counts[1] = { N };
#define DOACROSS(kind) \
	TEAM_LOOP(doacross_##kind, long, doacross_##kind##_start(1, counts, 1, &first, &last), \
		  kind##_next, PLAIN) \
	TEAM_LOOP(ull_doacross_##kind, ull, \
		  ull_doacross_##kind##_start(1, ull_counts, 1, &first, &last), \
		  ull_##kind##_next, PLAIN)
DOACROSS(static) DOACROSS(dynamic) DOACROSS(guided)
TEAM_LOOP(doacross_runtime, long, doacross_runtime_start(1, counts, &first, &last), runtime_next, PLAIN)
TEAM_LOOP(ull_doacross_runtime, ull, ull_doacross_runtime_start(1, ull_counts, &first, &last),
	  ull_runtime_next, PLAIN)

enum { DYNAMIC = 2 };
TEAM_LOOP(loop_start, long, start(0, N, 1, DYNAMIC, 1, &first, &last, NULL, NULL), dynamic_next, PLAIN)
TEAM_LOOP(loop_ull_start, ull, ull_start(true, 0, N, 1, DYNAMIC, 1, &first, &last, NULL, NULL),
	  ull_dynamic_next, PLAIN)
TEAM_LOOP(ordered_start, long, ordered_start(0, N, 1, DYNAMIC, 1, &first, &last, NULL, NULL),
	  ordered_dynamic_next, DRAIN)
TEAM_LOOP(ull_ordered_start, ull,
	  ull_ordered_start(true, 0, N, 1, DYNAMIC, 1, &first, &last, NULL, NULL),
	  ull_ordered_dynamic_next, DRAIN)
TEAM_LOOP(doacross_start, long, doacross_start(1, counts, DYNAMIC, 1, &first, &last, NULL, NULL),
	  dynamic_next, PLAIN)
TEAM_LOOP(ull_doacross_start, ull,
	  ull_doacross_start(1, ull_counts, DYNAMIC, 1, &first, &last, NULL, NULL), ull_dynamic_next,
	  PLAIN)

static void sections(void)
{
	if (GOMP_sections_start(4))
		while (GOMP_sections_next())
			;
	GOMP_sections_end_nowait();
}

static void sections2(void)
{
	if (GOMP_sections2_start(4, NULL, NULL))
		while (GOMP_sections_next())
			;
	GOMP_sections_end_nowait();
}

static void sections_end(void)
{
	if (GOMP_sections_start(4))
		while (GOMP_sections_next())
			;
	GOMP_sections_end();
}

static void sections_end_cancel(void)
{
	if (GOMP_sections_start(4))
		while (GOMP_sections_next())
			;
	GOMP_sections_end_cancel();
}

static void loop_end(void)
{
	long first, last;

	if (GOMP_loop_dynamic_start(0, N, 1, 1, &first, &last))
		while (GOMP_loop_dynamic_next(&first, &last))
			;
	GOMP_loop_end();
}

static void loop_end_cancel(void)
{
	long first, last;

	if (GOMP_loop_dynamic_start(0, N, 1, 1, &first, &last))
		while (GOMP_loop_dynamic_next(&first, &last))
			;
	GOMP_loop_end_cancel();
}

/* ---- Waits ---- */

static char locks[2][64];
static void *name;

static void barrier_cancel(void)
{
	GOMP_barrier_cancel();
}

static void critical(void)
{
	GOMP_critical_start();
	GOMP_critical_end();
}

static void critical_name(void)
{
	GOMP_critical_name_start(&name);
	GOMP_critical_name_end(&name);
}

static void atomic(void)
{
	GOMP_atomic_start();
	GOMP_atomic_end();
}

static void lock(void)
{
	omp_set_lock((omp_lock_t *)locks[0]);
	omp_unset_lock((omp_lock_t *)locks[0]);
}

static void nest_lock(void)
{
	omp_set_nest_lock((omp_nest_lock_t *)locks[1]);
	omp_unset_nest_lock((omp_nest_lock_t *)locks[1]);
}

static void test_lock(void)
{
	while (!omp_test_lock((omp_lock_t *)locks[0]))
		;
	omp_unset_lock((omp_lock_t *)locks[0]);
}

static void test_nest_lock(void)
{
	while (!omp_test_nest_lock((omp_nest_lock_t *)locks[1]))
		;
	omp_unset_nest_lock((omp_nest_lock_t *)locks[1]);
}

static void single(void)
{
	GOMP_single_start();
}

static void single_copy(void)
{
	int value = 1;

	if (!GOMP_single_copy_start())
		GOMP_single_copy_end(&value);
}

/* ---- Tasks ---- */

static int tasks_run;

static void task_body(void *data)
{
	__atomic_add_fetch(&tasks_run, *(int *)data, __ATOMIC_RELAXED);
}

static void task(void)
{
	int one = 1;

	GOMP_task(task_body, &one, NULL, sizeof one, _Alignof(int), true, 0, NULL, 0, NULL);
	GOMP_taskwait();
}

struct range {
	long start, end;
	int *sum;
};

static void range_body(void *data)
{
	const struct range *r = data;

	for (long i = r->start; i < r->end; i++)
		__atomic_add_fetch(r->sum, (int)i, __ATOMIC_RELAXED);
}

enum { FLAG_UP = 256, FLAG_IF = 1 << 10, FLAG_GRAIN = 1 << 9 };
static int sum, ull_sum;

static void taskloop(void)
{
	struct range r = { .sum = &sum };

	GOMP_taskloop(range_body, &r, NULL, sizeof r, _Alignof(struct range), FLAG_UP | FLAG_IF, 3, 0, 0,
		      N, 1);
}

static void taskloop_ull(void)
{
	struct range r = { .sum = &ull_sum };

	GOMP_taskloop_ull(range_body, &r, NULL, sizeof r, _Alignof(struct range), FLAG_UP | FLAG_IF, 3,
			  0, 0, N, 1);
}

static void wait_depend(void)
{
	void *depend[] = { (void *)1, (void *)1, &name };

	GOMP_taskwait_depend(depend);
}

static void taskgroup(void)
{
	GOMP_taskgroup_start();
	GOMP_taskgroup_end();
}

/* ---- Regions ---- */

static void nothing(void *data)
{
	(void)data;
}

static void next_chunks(void *next)
{
	bool (*get)(long *, long *) = (bool (*)(long *, long *))next;
	long first, last;

	while (get(&first, &last))
		;
	GOMP_loop_end_nowait();
}

static void next_sections(void *data)
{
	(void)data;
	while (GOMP_sections_next())
		;
	GOMP_sections_end_nowait();
}

static void parallel(gomp_body *body)
{
	GOMP_parallel(body, NULL, 2, 0);
}

/* What describes a reduction is the compiler's to make. */
static void parallel_reductions(gomp_body *body)
{
	int one = 0;

	(void)body;
#pragma omp parallel num_threads(2) reduction(task, + : one)
	one++;
}

static void parallel_start(gomp_body *body)
{
	GOMP_parallel_start(body, NULL, 2);
	body(NULL);
	GOMP_parallel_end();
}

static void parallel_sections(gomp_body *body)
{
	(void)body;
	GOMP_parallel_sections(next_sections, NULL, 2, 4, 0);
}

static void parallel_sections_start(gomp_body *body)
{
	(void)body;
	GOMP_parallel_sections_start(next_sections, NULL, 2, 4);
	next_sections(NULL);
	GOMP_parallel_end();
}

#define PARALLEL(kind, arguments, next) \
	static void parallel_##kind(gomp_body *body) \
	{ \
		(void)body; \
		GOMP_parallel_loop_##kind arguments; \
	}
#define NEXT(kind) next_chunks, (void *)GOMP_loop_##kind##_next, 2, 0, N, 1
PARALLEL(static, (NEXT(static), 1, 0), )
PARALLEL(dynamic, (NEXT(dynamic), 1, 0), )
PARALLEL(guided, (NEXT(guided), 1, 0), )
PARALLEL(nonmonotonic_dynamic, (NEXT(nonmonotonic_dynamic), 1, 0), )
PARALLEL(nonmonotonic_guided, (NEXT(nonmonotonic_guided), 1, 0), )
PARALLEL(runtime, (NEXT(runtime), 0), )
PARALLEL(nonmonotonic_runtime, (NEXT(nonmonotonic_runtime), 0), )
PARALLEL(maybe_nonmonotonic_runtime, (NEXT(maybe_nonmonotonic_runtime), 0), )
#define PARALLEL_START(kind, arguments) \
	static void parallel_##kind##_start(gomp_body *body) \
	{ \
		(void)body; \
		GOMP_parallel_loop_##kind##_start arguments; \
		next_chunks((void *)GOMP_loop_##kind##_next); \
		GOMP_parallel_end(); \
	}
PARALLEL_START(static, (NEXT(static), 1))
PARALLEL_START(dynamic, (NEXT(dynamic), 1))
PARALLEL_START(guided, (NEXT(guided), 1))
PARALLEL_START(runtime, (NEXT(runtime)))

#define CHUNKS(function) { "GOMP_loop_" #function, "ChunkBegin", N, loop_##function, NULL }, \
			 { "GOMP_loop_ull_" #function, "ChunkBegin", N, loop_ull_##function, NULL },
#define ACROSS(function) { "GOMP_loop_" #function, "ChunkBegin", N, function, NULL }, \
			 { "GOMP_loop_ull_" #function, "ChunkBegin", N, ull_##function, NULL },
#define SHARED(kind) { "GOMP_parallel_loop_" #kind, "ChunkBegin", N, NULL, parallel_##kind },

static const struct entry entries[] = {
	GOMP_LOOP_KINDS(CHUNKS)
	GOMP_LOOP_RUNTIME_KINDS(CHUNKS)
	ACROSS(doacross_static) ACROSS(doacross_dynamic) ACROSS(doacross_guided)
	ACROSS(doacross_runtime) ACROSS(ordered_start) ACROSS(doacross_start)
	{ "GOMP_loop_start", "ChunkBegin", N, loop_start, NULL },
	{ "GOMP_loop_ull_start", "ChunkBegin", N, loop_ull_start, NULL },
	{ "GOMP_ordered_start", "OrderedBegin", N, loop_ordered_dynamic, NULL },
	{ "GOMP_ordered_end", "OrderedLeave", N, loop_ordered_dynamic, NULL },
	{ "GOMP_loop_end", "BarrierEnd", 4, loop_end, NULL },
	{ "GOMP_loop_end_cancel", "BarrierEnd", 4, loop_end_cancel, NULL },
	{ "GOMP_loop_end_nowait", "ChunkEnd", N, loop_dynamic, NULL },
	{ "GOMP_sections_start", "ChunkBegin", 4, sections, NULL },
	{ "GOMP_sections2_start", "ChunkBegin", 4, sections2, NULL },
	{ "GOMP_sections_end_nowait", "ChunkEnd", 4, sections, NULL },
	{ "GOMP_sections_end", "BarrierEnd", 4, sections_end, NULL },
	{ "GOMP_sections_end_cancel", "BarrierEnd", 4, sections_end_cancel, NULL },
	{ "GOMP_barrier", "BarrierEnd", 4, GOMP_barrier, NULL },
	{ "GOMP_barrier_cancel", "BarrierEnd", 4, barrier_cancel, NULL },
	{ "GOMP_critical_start", "CriticalEnter", 2, critical, NULL },
	{ "GOMP_critical_end", "CriticalLeave", 2, critical, NULL },
	{ "GOMP_critical_name_start", "CriticalEnter", 2, critical_name, NULL },
	{ "GOMP_critical_name_end", "CriticalLeave", 2, critical_name, NULL },
	{ "GOMP_atomic_start", "CriticalEnter", 2, atomic, NULL },
	{ "GOMP_atomic_end", "CriticalLeave", 2, atomic, NULL },
	{ "omp_set_lock", "CriticalEnter", 2, lock, NULL },
	{ "omp_unset_lock", "CriticalLeave", 2, lock, NULL },
	{ "omp_set_nest_lock", "CriticalEnter", 2, nest_lock, NULL },
	{ "omp_unset_nest_lock", "CriticalLeave", 2, nest_lock, NULL },
	{ "omp_test_lock", "CriticalEnter", 2, test_lock, NULL },
	{ "omp_test_nest_lock", "CriticalEnter", 2, test_nest_lock, NULL },
	{ "GOMP_single_start", "Single", 1, single, NULL },
	{ "GOMP_single_copy_start", "Single", 1, single_copy, NULL },
	{ "GOMP_task", "TaskEnd", 2, task, NULL },
	{ "GOMP_taskwait", "TaskWaitEnd", 2, task, NULL },
	{ "GOMP_taskloop", "TaskEnd", 6, taskloop, NULL },
	{ "GOMP_taskloop_ull", "TaskEnd", 6, taskloop_ull, NULL },
	{ "GOMP_taskwait_depend", "TaskWaitEnd", 2, wait_depend, NULL },
	{ "GOMP_taskyield", "TaskWaitEnd", 2, GOMP_taskyield, NULL },
	{ "GOMP_taskgroup_end", "TaskWaitEnd", 2, taskgroup, NULL },
	{ "GOMP_parallel", "RegionEnd", 2, NULL, parallel },
	{ "GOMP_parallel_reductions", "RegionEnd", 2, NULL, parallel_reductions },
	{ "GOMP_parallel_start", "RegionEnd", 2, NULL, parallel_start },
	{ "GOMP_parallel_end", "Join", 1, NULL, parallel_start },
	{ "GOMP_parallel_sections", "ChunkBegin", 4, NULL, parallel_sections },
	{ "GOMP_parallel_sections_start", "ChunkBegin", 4, NULL, parallel_sections_start },
	SHARED(static) SHARED(dynamic) SHARED(guided) SHARED(nonmonotonic_dynamic)
	SHARED(nonmonotonic_guided) SHARED(runtime) SHARED(nonmonotonic_runtime)
	SHARED(maybe_nonmonotonic_runtime)
	SHARED(static_start) SHARED(dynamic_start) SHARED(guided_start) SHARED(runtime_start)
};

static void in_team(void *data)
{
	const struct entry *e = data;

	e->in_team();
}

int main(void)
{
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		const struct entry *e = &entries[i];

		if (e->in_team)
			GOMP_parallel(in_team, (void *)e, 2, 0);
		else
			e->alone(nothing);
		printf("%zu %s %s %d\n", i + 1, e->name, e->event, e->count);
	}
	fprintf(stderr, "%d tasks, sums %d %d\n", tasks_run, sum, ull_sum);
	return tasks_run != 4 || sum != 2 * N * (N - 1) / 2 || ull_sum != sum;
}
