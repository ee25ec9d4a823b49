#include "trace/stream/pass.h"

#include "base/array.h"
#include "base/parallel.h"
#include "base/task.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <stdlib.h>

struct job {
	const struct opened *opened;
	const bool *wanted;
	void (*take)(void *context, const struct event_chunk *b);
	void *context;
	/*
	 * Of each worker, by event type; NULL: none yet. All types that are not wanted share the one
	 * behind the last: to put them there costs less than a processor that guesses wrong which
	 * event is wanted.
	 */
	struct event_chunk ***batches;
};

static struct event_chunk *batch_of(struct job *job, struct event_chunk **batches, uint32_t type)
{
	const struct spec *spec = job->opened->trace.spec;
	uint32_t place = job->wanted[type] ? type : spec->nevents;

	if (!batches[place]) {
		batches[place] = array_new(1, sizeof *batches[place]);
		batches[place]->type = job->wanted[type] ? spec->events[type] : NULL;
		batches[place]->n = 0;
	}
	return batches[type] = batches[place];
}

static void flush(struct job *job, struct event_chunk *b, size_t thread)
{
	if (!b || b->n == 0)
		return;
	b->thread = thread;
	if (b->type)
		job->take(job->context, b);
	b->n = 0;
}

static void log_each(void *context, size_t i, unsigned worker)
{
	struct job *job = context;
	int64_t origin = job->opened->trace.origin;
	struct event_chunk **batches = job->batches[worker];
	struct log_cursor c;
	bool go_on = true;

	log_cursor_open(&c, &job->opened->logs[i]);
	while (go_on && log_cursor_next(&c)) {
		struct event_chunk *b = batches[c.type];

		if (__builtin_expect(!b, 0))
			b = batch_of(job, batches, c.type);
		b->time[b->n] = c.time - origin;
		b->record[b->n] = c.record;
		if (++b->n == EVENT_CHUNK) {
			flush(job, b, i);
			go_on = task_step(EVENT_CHUNK);
		}
	}
	for (unsigned type = 0; type < job->opened->trace.spec->nevents; type++)
		flush(job, batches[type], i);
}

void trace_visit_events(const struct trace *t, const bool *wanted,
		void (*take)(void *context, const struct event_chunk *b), void *context)
{
	unsigned workers = parallel_workers(), types = t->spec->nevents;
	struct job job = {opened_of(t), wanted, take, context, NULL};

	task_plan(t->events);
	job.batches = array_new(workers, sizeof *job.batches);
	for (unsigned i = 0; i < workers; i++)
		job.batches[i] = array_zero(types + 1, sizeof **job.batches);
	parallel_for(job.opened->nlogs, log_each, &job);
	for (unsigned i = 0; i < workers; i++) {
		for (unsigned type = 0; type <= types; type++)
			if (type == types || wanted[type])
				free(job.batches[i][type]);
		free(job.batches[i]);
	}
	free(job.batches);
}
