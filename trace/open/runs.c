#include "trace/open/runs.h"
#include "base/array.h"
#include "base/units.h"
#include "base/visible.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Processes that were started together may each have ended before the next one began. */
#define TOGETHER INT64_C(1000000000)

bool trace_joins_runs, trace_asks_runs;

/* A directory that was given, with those within it. */
struct given_run {
	const char *given;
	int64_t from, to; /* CLOCK_REALTIME */
	bool ranked;      /* its processes are some of a parallel job's */
	bool recording;   /* `glimpse record` made it: it has the command */
};

static void run_extend(struct given_run *r, int64_t time)
{
	if (time < r->from)
		r->from = time;
	if (time > r->to)
		r->to = time;
}

static int64_t add_saturated_ns(int64_t time, int64_t more)
{
	int64_t sum;

	return __builtin_add_overflow(time, more, &sum) ? INT64_MAX : sum;
}

/* Adds a process; false if it does not say when it was. */
static bool process_add(struct given_run *r, const struct opened *o, size_t directory)
{
	const struct process_info *p = &o->directories[directory].process;
	const struct trace_process *process = &o->processes[directory];
	int64_t real;

	if (!p->present || p->samples[0].realtime <= 0 ||
	    __builtin_sub_overflow(p->samples[0].realtime, p->samples[0].monotonic, &real))
		return false;
	r->ranked |= p->rank > 0;
	run_extend(r, p->samples[0].realtime);
	for (size_t i = 1; i < p->nsamples; i++)
		if (p->samples[i].ticks && p->samples[i].realtime > 0)
			run_extend(r, p->samples[i].realtime);
	if (!p->ended) /* it has told its time of the last second, or not yet */
		run_extend(r, add_saturated_ns(r->to, TOGETHER));
	for (uint32_t k = process->first_thread; k < process->first_thread + process->nthreads; k++)
		if (o->threads[k].events)
			run_extend(r, o->trace.origin + real + o->threads[k].last);
	return true;
}

static bool has_command(const struct directory *d)
{
	int fd = directory_file(d, "command");

	return fd >= 0 && close(fd) == 0;
}

/* Fills in the runs; returns how many, or 0 if some do not say when they were. */
static size_t runs_find(const struct opened *o, struct given_run *runs)
{
	size_t n = 0;

	for (size_t i = 0; i < o->ndirectories; i++) {
		size_t k = 0;

		while (k < n && strcmp(runs[k].given, o->directories[i].given) != 0)
			k++;
		if (k == n)
			runs[n++] = (struct given_run){o->directories[i].given, INT64_MAX,
						       INT64_MIN, false, false};
		runs[k].recording |= has_command(&o->directories[i]);
		if (!process_add(&runs[k], o, i))
			return 0;
	}
	return n;
}

static int run_compare(const void *left, const void *right)
{
	const struct given_run *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

/* Prints a command of gorge for the two, and what it does. */
static void report_command(const char *option, const struct given_run *before,
			   const struct given_run *after, const char *does, FILE *out)
{
	fprintf(out, "  gorge %s ", option);
	visible_puts(out, before->given);
	putc(' ', out);
	visible_puts(out, after->given);
	fprintf(out, "   %s\n", does);
}

/* n: directories that were given */
static void report_apart(const struct given_run *before, const struct given_run *after, size_t n,
			 struct diag *diag)
{
	char text[UNITS_TEXT];

	diag_error(diag, DIAG_NOWHERE,
		   "%s began %s after %s had ended: these are different runs; give one of them, or "
		   "--join to read them as one trace",
		   after->given, units_time(text, (double)(after->from - before->to)),
		   before->given);
	if (!trace_asks_runs || n != 2 || !diag->out)
		return;
	report_command("--beside", before, after, "shows one run above the other", diag->out);
	report_command("--join  ", before, after, "reads them as one trace", diag->out);
}

/* Returns whether these are different runs for sure: each is a recording, and no part of a job. */
static bool are_recordings(const struct given_run *a, const struct given_run *b)
{
	return a->recording && b->recording && !(a->ranked && b->ranked);
}

/* Two recordings by one script may be all that they have in common. */
static void report_joined(const struct given_run *before, const struct given_run *after,
			  struct diag *diag)
{
	char text[UNITS_TEXT];

	diag_warning(
	    diag, "log", DIAG_NOWHERE,
	    "%s began %s after %s had ended: they are shown as one trace; give one of them to see it "
	    "alone, or --join if they belong together",
	    after->given, units_time(text, (double)(after->from - before->to)), before->given);
}

bool runs_are_one(const struct opened *o, struct diag *diag)
{
	struct given_run *runs = array_new(o->ndirectories + 1, sizeof *runs);
	size_t n = trace_joins_runs ? 0 : runs_find(o, runs), last = 0;
	bool one = true;

	if (n > 1)
		qsort(runs, n, sizeof *runs, run_compare);
	for (size_t i = 1; i < n && one; i++) {
		bool after = runs[i].from > runs[last].to;

		one = runs[i].from <= add_saturated_ns(runs[last].to, TOGETHER) &&
		      !(trace_asks_runs && after && are_recordings(&runs[last], &runs[i]));
		if (!one)
			report_apart(&runs[last], &runs[i], n, diag);
		else if (after && !(runs[i].ranked && runs[last].ranked))
			report_joined(&runs[last], &runs[i], diag);
		if (runs[i].to > runs[last].to)
			last = i;
	}
	free(runs);
	return one;
}
