#include "analysis/samples/cut_stacks.h"
#include "base/array.h"
#include "spec/layout.h"
#include "trace/stream/pass.h"
#include "trace/symbols/call_paths.h"
#include <stdlib.h>

/* A smaller share of all samples changes little: some code has no unwind information. */
static const double few = 0.1;

/* A sample or two in the linker, before a program begins, say nothing of the program. */
enum { FEWEST_CUT = 3 };

struct cut_count {
	uint64_t all, cut;
};

struct cut_search {
	const struct trace *trace;
	const struct call_paths *frames;
	struct cut_count *threads; /* as the trace's; several are visited at a time */
};

static bool is_cut(const struct cut_search *s, size_t process, uint64_t number)
{
	struct frame f;
	unsigned depth = 0;

	do {
		if (!call_path_frame(s->frames, process, number, &f) || !f.address)
			return true;
		number = f.parent;
	} while (number && ++depth < CALL_PATH_MOST);
	return false;
}

static void samples_count(void *context, const struct event_chunk *c)
{
	const struct cut_search *s = context;
	struct cut_count *n = &s->threads[c->thread];
	size_t process = s->trace->threads[c->thread].directory;
	unsigned stack = (unsigned)c->type->stack_attribute;

	for (size_t i = 0; i < c->n; i++) {
		uint64_t number = (uint64_t)record_value(c->type, stack, c->record[i]).integer;

		/* 0: imports say so that a thread did not run, nobody knows where */
		n->all += number != 0;
		n->cut += number && is_cut(s, process, number);
	}
}

static bool *samples_wanted(const struct trace *t)
{
	bool *wanted = array_zero(t->spec->nevents + 1, sizeof *wanted);

	for (unsigned i = 0; i < t->spec->nevents; i++)
		wanted[i] = t->spec->events[i]->sample;
	return wanted;
}

static struct cut_count count_of(const struct trace *t)
{
	struct call_paths *frames = call_paths_make(t);
	struct cut_search s = {t, frames, array_zero(t->nthreads, sizeof *s.threads)};
	bool *wanted = samples_wanted(t);
	struct cut_count sum = {0};

	trace_visit_events(t, wanted, samples_count, &s);
	for (unsigned i = 0; i < t->nthreads; i++) {
		sum.all += s.threads[i].all;
		sum.cut += s.threads[i].cut;
	}
	call_paths_free(frames);
	free(s.threads);
	free(wanted);
	return sum;
}

char *cut_stacks_text(const struct trace *t)
{
	struct cut_count n = {0};
	char *timers, *text;

	for (unsigned i = 0; i < t->spec->nevents && !n.all; i++)
		if (t->spec->events[i]->sample && t->events_of_type[i])
			n = count_of(t);
	if (n.cut < FEWEST_CUT || (double)n.cut < few * (double)n.all)
		return NULL;
	timers = trace_refused(t, "timers");
	/* timers unwind the whole stack, whatever its size */
	text = text_format(
	    "%.0f %% of the sampled stacks are truncated, and their outer callers are unknown%s",
	    100 * (double)n.cut / (double)n.all,
	    timers ? ": some code has neither unwind tables nor frame pointers"
		   : "; record deeper stacks with --stack SIZE");
	free(timers);
	return text;
}
