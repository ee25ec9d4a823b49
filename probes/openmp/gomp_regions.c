/* Parallel regions of libgomp: each thread of a team runs region_run() instead of the body. */
#include "probes/openmp/gomp.h"
#include "probes/openmp/team.h"

struct region {
	void *first; /* of the program's data: GOMP_parallel_reductions() reads it */
	void (*body)(void *);
	void *data;
	const void *site;
	uint32_t number;
};

static void region_run(void *at)
{
	const struct region *r = at;
	struct team_place outer;

	team_enter(&outer, r->number, gomp_thread_number(r->site), (const void *)r->body);
	r->body(r->data);
	team_leave(&outer);
}

/*
 * Defines the entry point of a construct that runs `body` in a team and returns when all of its
 * threads are through.
 */
#define REGION(type, name, parameters, quiet, logged, first_word, result) \
	WRAP_EXPORT type name parameters \
	{ \
		struct region r; \
		GOMP_REAL(name); \
		if (gomp_quiet()) \
			return real quiet; \
		r = (struct region){first_word, body, data, WRAP_SITE, \
				    team_fork((const void *)body, WRAP_SITE)}; \
		result real logged; \
		team_join(r.number); \
		RETURN_##type; \
	}
#define RETURN_void return
#define RETURN_unsigned return result

REGION(void, GOMP_parallel, (gomp_body * body, void *data, unsigned threads, unsigned flags),
       (body, data, threads, flags), (region_run, &r, threads, flags), NULL, )
REGION(unsigned, GOMP_parallel_reductions,
       (gomp_body * body, void *data, unsigned threads, unsigned flags),
       (body, data, threads, flags), (region_run, &r, threads, flags), *(void **)data,
       unsigned result =)
REGION(void, GOMP_parallel_sections,
       (gomp_body * body, void *data, unsigned threads, unsigned count, unsigned flags),
       (body, data, threads, count, flags), (region_run, &r, threads, count, flags), NULL, )

#define REGION_LOOP(kind) \
	REGION(void, GOMP_parallel_loop_##kind, \
	       (gomp_body * body, void *data, unsigned threads, long start, long end, long step, \
		long chunk, unsigned flags), \
	       (body, data, threads, start, end, step, chunk, flags), \
	       (region_run, &r, threads, start, end, step, chunk, flags), NULL, )
#define REGION_LOOP_RUNTIME(kind) \
	REGION(void, GOMP_parallel_loop_##kind, \
	       (gomp_body * body, void *data, unsigned threads, long start, long end, long step, \
		unsigned flags), \
	       (body, data, threads, start, end, step, flags), \
	       (region_run, &r, threads, start, end, step, flags), NULL, )

REGION_LOOP(static)
REGION_LOOP(dynamic)
REGION_LOOP(guided)
REGION_LOOP(nonmonotonic_dynamic)
REGION_LOOP(nonmonotonic_guided)
REGION_LOOP_RUNTIME(runtime)
REGION_LOOP_RUNTIME(nonmonotonic_runtime)
REGION_LOOP_RUNTIME(maybe_nonmonotonic_runtime)

/*
 * Code of gcc before 4.9 begins a team, runs the body itself, and ends the team by another call.
 */
enum { DEEP = 16 };
static __thread struct {
	struct region regions[DEEP];
	struct team_place outer[DEEP];
	unsigned depth;
} begun __attribute__((tls_model("initial-exec")));

/* Returns the room for one more region, or NULL. */
static struct region *region_begin(gomp_body *body, void *data, const void *site)
{
	struct region *r = &begun.regions[begun.depth % DEEP];

	if (begun.depth++ >= DEEP)
		return NULL;
	*r = (struct region){NULL, body, data, site, team_fork((const void *)body, site)};
	return r;
}

/* The calling thread now runs the body itself. */
static void region_begun(const struct region *r)
{
	if (r)
		team_enter(&begun.outer[begun.depth - 1], r->number, gomp_thread_number(r->site),
			   (const void *)r->body);
}

#define START(name, parameters, quiet, logged) \
	WRAP_EXPORT void name parameters \
	{ \
		struct region *r; \
		GOMP_REAL(name); \
		r = gomp_quiet() ? NULL : region_begin(body, data, WRAP_SITE); \
		if (r) \
			real logged; \
		else \
			real quiet; \
		region_begun(r); \
	}
#define START_LOOP(kind) \
	START(GOMP_parallel_loop_##kind##_start, \
	      (gomp_body * body, void *data, unsigned threads, long start, long end, long step, \
	       long chunk), \
	      (body, data, threads, start, end, step, chunk), \
	      (region_run, r, threads, start, end, step, chunk))

START(GOMP_parallel_start, (gomp_body * body, void *data, unsigned threads), (body, data, threads),
      (region_run, r, threads))
START(GOMP_parallel_sections_start,
      (gomp_body * body, void *data, unsigned threads, unsigned count),
      (body, data, threads, count), (region_run, r, threads, count))
START_LOOP(static)
START_LOOP(dynamic)
START_LOOP(guided)
START(GOMP_parallel_loop_runtime_start,
      (gomp_body * body, void *data, unsigned threads, long start, long end, long step),
      (body, data, threads, start, end, step), (region_run, r, threads, start, end, step))

WRAP_EXPORT void GOMP_parallel_end(void)
{
	const struct region *r = NULL;
	GOMP_REAL(GOMP_parallel_end);

	if (!gomp_quiet() && begun.depth && --begun.depth < DEEP) {
		r = &begun.regions[begun.depth];
		team_leave(&begun.outer[begun.depth]);
	}
	real();
	if (r)
		team_join(r->number);
}
