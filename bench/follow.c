/*
 * follow RUN PART: what one step of `gorge --follow` costs, when 10,000 events are new, beside opening all anew. PART is a
 * copy of the run that lacks its end, which is appended step by step. Prints a row.
 */
#include "base/monotonic.h"
#include "trace/open/grow.h"
#include "trace/open/opened.h"
#include "viewers/gorge/index/event_walk.h"
#include "viewers/gorge/index/generation.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS = 9, NEW = 10000 };

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Where the logs end when so many of all events are missing. */
static void find_ends(const struct event_index *c, uint64_t missing, uint64_t *ends)
{
	const struct trace *t = event_index_trace(c);
	const struct opened *o = opened_of((struct trace *)t);
	int64_t time = (int64_t)((double)t->duration * (1 - (double)missing / (double)t->events));

	for (unsigned i = 0; i < t->nthreads; i++) {
		uint32_t unit = event_index_seek(c, i, time);
		const struct log_segment *p = o->logs[i].segments;
		ends[i] = p->position + (missing && unit != UINT32_MAX ? (uint64_t)unit << 2 : p->size);
	}
}

/* Makes the copy of a log as long as that. */
static void copy(const char *from, const char *folder, uint32_t number, uint64_t end)
{
	char path[4096];
	static char bytes[1 << 20];
	int in = open(from, O_RDONLY), out;
	struct stat status;
	ssize_t n;

	snprintf(path, sizeof path, "%s/log.%u", folder, number);
	out = open(path, O_WRONLY | O_CREAT, 0600);
	if (in < 0 || out < 0 || fstat(out, &status) != 0)
		exit(2);
	for (uint64_t at = (uint64_t)status.st_size; at < end; at += (uint64_t)n) {
		n = pread(in, bytes, end - at < sizeof bytes ? end - at : sizeof bytes, (off_t)at);
		if (n <= 0 || pwrite(out, bytes, (size_t)n, (off_t)at) != n)
			exit(2);
	}
	close(in);
	close(out);
}

static void copy_all(const struct generation *all, uint64_t missing, const char *folder)
{
	const struct trace *t = generation_trace(all);
	uint64_t *ends = calloc(t->nthreads, sizeof *ends);

	find_ends(generation_index(all), missing, ends);
	for (unsigned i = 0; i < t->nthreads; i++)
		copy(t->threads[i].path, folder, t->threads[i].number, ends[i]);
	free(ends);
}

static struct generation *read_all(const char *folder)
{
	struct diag diag = {.program = "follow"};
	struct trace *t = trace_open_growing(&folder, 1, NULL, &diag);

	return t ? generation_new(t) : NULL;
}

int main(int argc, char **argv)
{
	double steps[STEPS], opening;
	struct generation *all = argc == 3 ? read_all(argv[1]) : NULL, *part;

	if (!all)
		return 2;
	copy_all(all, STEPS * NEW, argv[2]);
	opening = monotonic_seconds();
	part = read_all(argv[2]);
	opening = 1e3 * (monotonic_seconds() - opening);
	for (unsigned i = 0; i < STEPS && part; i++) {
		struct generation *next;
		copy_all(all, (STEPS - 1 - i) * NEW, argv[2]);
		steps[i] = monotonic_seconds();
		next = generation_next(part);
		steps[i] = 1e3 * (monotonic_seconds() - steps[i]);
		generation_release(part);
		part = next;
	}
	if (!part || generation_trace(part)->events != generation_trace(all)->events)
		return 2;
	qsort(steps, STEPS, sizeof *steps, compare);
	printf("gorge --follow, a step with 10,000 new of %.0f M events / opening all\t%.4f\t<=.02\t%.2f ms of %.0f\n",
	       (double)generation_trace(all)->events / 1e6, steps[STEPS / 2] / opening, steps[STEPS / 2], opening);
	generation_release(part);
	generation_release(all);
	return 0;
}
