/*
 * Where random runs end, against a plain oracle; and the critical path and the longest path end
 * there. Prints its seed; SEED=N in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, cases runs (CASES=1000000): where a run ends, and a plain
 * search.
 */
#include "analysis/graph/critical_path.h"
#include "analysis/graph/longest.h"
#include "analysis/graph/run_end.h"
#include "tests/random.h"
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 5, PROCESSES = 3, LENGTH = 10 };

static struct random numbers;

struct run {
	struct trace trace;
	struct trace_thread threads[THREADS];
	struct timeline lines[THREADS];
	struct stretch stretches[THREADS][2];
	struct graph graph;
	int64_t exits[THREADS];
};

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

/* A thread computes, and then perhaps waits for what does not come. */
static void thread_random(struct run *r, uint32_t t)
{
	struct timeline *l = &r->lines[t];
	int64_t begin = dice(LENGTH), idle = begin + 1 + dice(LENGTH);
	bool waits = dice(2);

	r->threads[t].directory = dice(PROCESSES);
	r->exits[t] = INT64_MIN;
	r->stretches[t][0] = (struct stretch){.from = begin,
					      .cause_thread = NO_THREAD,
					      .role = NO_ROLE,
					      .activity = ACTIVITY_RUNNING};
	r->stretches[t][1] = (struct stretch){
	    .from = idle, .cause_thread = NO_THREAD, .role = NO_ROLE, .activity = ACTIVITY_WAITING};
	*l = (struct timeline){.stretches = r->stretches[t],
			       .n = dice(6) ? 1 + waits : 0,
			       .begin = begin,
			       .idle = idle,
			       .end = waits ? idle + 1 + dice(LENGTH) : idle,
			       .creator = NO_THREAD};
	if (l->n && dice(4) == 0)
		r->exits[t] = idle - dice(2);
}

static void run_random(struct run *r)
{
	*r = (struct run){
	    .trace = {.threads = r->threads, .nthreads = THREADS, .nprocesses = PROCESSES}};
	r->graph = (struct graph){.trace = &r->trace, .threads = r->lines};
	for (uint32_t t = 0; t < THREADS; t++)
		thread_random(r, t);
}

/* Whether a thread's process has an exit that is later, or as late and of a thread before it. */
static bool other_exits(const struct run *r, uint32_t t)
{
	for (uint32_t o = 0; o < THREADS; o++)
		if (o != t && r->threads[o].directory == r->threads[t].directory &&
		    r->exits[o] != INT64_MIN &&
		    (r->exits[o] > r->exits[t] || (r->exits[o] == r->exits[t] && o < t)))
			return true;
	return false;
}

/* Whether a thread ends by itself, as far as its own process says. */
static bool ends_itself(const struct run *r, uint32_t t)
{
	if (!r->lines[t].n || other_exits(r, t))
		return false;
	return r->exits[t] != INT64_MIN || r->lines[t].idle == r->lines[t].end;
}

/*
 * Returns the latest end of threads that count. Where none does, that of the first thread that did
 * anything, or else of the first one, in the process that ends last.
 */
static int64_t end_plainly(const struct run *r)
{
	int64_t latest = -1, all = -1;
	uint32_t process = PROCESSES;

	for (uint32_t t = 0; t < THREADS; t++) {
		if (ends_itself(r, t) && r->lines[t].end > latest)
			latest = r->lines[t].end;
		if (r->lines[t].n && r->lines[t].end > all) {
			all = r->lines[t].end;
			process = r->threads[t].directory;
		}
	}
	for (int idle = 0; idle < 2; idle++)
		for (uint32_t t = 0; t < THREADS && latest < 0; t++)
			if (r->lines[t].n && r->threads[t].directory == process &&
			    (idle || r->lines[t].idle > r->lines[t].begin))
				return r->lines[t].end;
	return latest;
}

static bool case_holds(unsigned number)
{
	struct critical_path *path;
	struct longest *longest;
	struct run r;
	int64_t end;
	double length;
	bool good;

	numbers.state = number;
	run_random(&r);
	end = end_plainly(&r);
	run_end_find(&r.graph, r.exits);
	if (end < 0)
		return true;
	path = critical_path_of(&r.graph);
	longest = longest_new(&r.graph);
	length = longest_path(longest, NULL, 1).length;
	good = run_end_time(&r.graph) == end && path->n && path->pieces[path->n - 1].to == end &&
	       length == (double)end;
	for (uint32_t t = 0; t < THREADS; t++)
		good &= !ends_itself(&r, t) || !r.lines[t].ended;
	if (!good)
		printf(
		    "# end %lld, not %lld; longest path %g\nnot ok - case %u; SEED=%u CASES=1 does it again\n",
		    (long long)run_end_time(&r.graph), (long long)end, length, number, number);
	longest_free(longest);
	critical_path_free(path);
	return good;
}

int main(void)
{
	const char *seed = getenv("SEED"), *cases = getenv("CASES");
	unsigned from = seed ? (unsigned)atoi(seed) : 1, n = cases ? (unsigned)atoi(cases) : 20000;
	bool good = true;

	for (unsigned i = 0; i < n && good; i++)
		good = case_holds(from + i);
	printf("%s 1 - the ends of %u random runs from seed %u\n1..1\n", good ? "ok" : "not ok", n,
	       from);
	return !good;
}
