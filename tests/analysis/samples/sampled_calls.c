/* Prints the calls that samples show, of all threads: thread, from, to ("-": its end), depth, function. */
#include "analysis/samples/sample_walk.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct shown_call {
	int64_t start;
	const char *function;
};

static void calls_end(const struct trace *t, unsigned thread, const struct shown_call *open,
		      uint32_t from, uint32_t to, int64_t time)
{
	while (to-- > from) {
		printf("%u %" PRId64, t->threads[thread].number, open[to].start);
		if (time == INT64_MAX)
			printf(" -");
		else
			printf(" %" PRId64, time);
		printf(" %u %s\n", to, open[to].function);
	}
}

static void thread_print(const struct samples *s, unsigned thread)
{
	VECTOR(struct shown_call) open = {0};
	struct sample_walk w;

	sample_walk_open(&w, s, &s->threads[thread]);
	while (sample_walk_time(&w) != INT64_MAX) {
		struct sample_step step = sample_walk_next(&w);

		calls_end(s->trace, thread, open.at, step.kept, (uint32_t)open.n, step.time);
		open.n = step.kept;
		for (uint32_t i = 0; i < step.nbegun; i++) {
			uint32_t path = s->stacks.at[step.begun[i]].path;

			*vector_add(&open) = (struct shown_call){
			    step.time, symbols_numbered(s->trace, s->paths.at[path].function)};
		}
	}
	calls_end(s->trace, thread, open.at, 0, (uint32_t)open.n, INT64_MAX);
	sample_walk_close(&w);
	free(open.at);
}

int main(int argc, char **argv)
{
	const char *const directories[] = {argc > 1 ? argv[1] : "."};
	struct diag diag = {.out = stderr};
	struct trace *t = trace_open(directories, 1, NULL, &diag);
	struct samples *s;

	if (!t)
		return 2;
	s = samples_of(t, SAMPLE_FUNCTIONS);
	for (unsigned i = 0; s && i < t->nthreads; i++)
		thread_print(s, i);
	samples_free(s);
	trace_close(t);
	return 0;
}
