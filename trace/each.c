#include "trace/each.h"

#include "trace/array.h"
#include "trace/cursor.h"
#include "trace/opened.h"
#include "trace/parallel.h"
#include <stdlib.h>

struct job {
	const struct opened *opened;
	const bool *wanted;
	void (*take)(void *context, const struct batch *b);
	void *context;
	struct batch ***batches; /* of each worker, by event type; NULL: not wanted, or none yet */
};

static struct batch *batch_of(struct job *job, struct batch **batches, uint32_t type)
{
	if (!batches[type] && job->wanted[type]) {
		batches[type] = array_new(1, sizeof *batches[type]);
		batches[type]->type = job->opened->trace.spec->events[type];
		batches[type]->n = 0;
	}
	return batches[type];
}

static void flush(struct job *job, struct batch *b, size_t thread)
{
	if (!b || b->n == 0)
		return;
	b->thread = thread;
	job->take(job->context, b);
	b->n = 0;
}

static void log_each(void *context, size_t i, unsigned worker)
{
	struct job *job = context;
	int64_t origin = job->opened->trace.origin;
	struct batch **batches = job->batches[worker];
	struct cursor c;

	cursor_open(&c, &job->opened->logs[i]);
	while (cursor_next(&c)) {
		struct batch *b = batches[c.type];

		if (__builtin_expect(!b, 0) && !(b = batch_of(job, batches, c.type)))
			continue;
		b->time[b->n] = c.time - origin;
		b->record[b->n] = c.record;
		if (++b->n == BATCH)
			flush(job, b, i);
	}
	for (unsigned type = 0; type < job->opened->trace.spec->nevents; type++)
		flush(job, batches[type], i);
}

void trace_each(const struct trace *t, const bool *wanted,
		void (*take)(void *context, const struct batch *b), void *context)
{
	unsigned workers = parallel_workers(), types = t->spec->nevents;
	struct job job = {opened_of(t), wanted, take, context, NULL};

	job.batches = array_new(workers, sizeof *job.batches);
	for (unsigned i = 0; i < workers; i++)
		job.batches[i] = array_zero(types, sizeof **job.batches);
	parallel_for(job.opened->nlogs, log_each, &job);
	for (unsigned i = 0; i < workers; i++) {
		for (unsigned type = 0; type < types; type++)
			free(job.batches[i][type]);
		free(job.batches[i]);
	}
	free(job.batches);
}
