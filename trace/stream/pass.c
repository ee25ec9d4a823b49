#include "trace/stream/pass.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/task.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <stdlib.h>

struct event_pass {
	const struct opened *opened;
	const bool *wanted;
	void (*visit)(void *context, const struct event_chunk *c);
	void *context;
	/*
	 * By worker and event type; NULL: none yet. Types that are not wanted share one, after the
	 * last: filling it costs less than branches that the processor mispredicts.
	 */
	struct event_chunk ***chunks;
};

static struct event_chunk *chunk_of(struct event_pass *pass, struct event_chunk **chunks,
				    uint32_t type)
{
	const struct spec *spec = pass->opened->trace.spec;
	uint32_t place = pass->wanted[type] ? type : spec->nevents;

	if (!chunks[place]) {
		chunks[place] = array_new(1, sizeof *chunks[place]);
		chunks[place]->type = pass->wanted[type] ? spec->events[type] : NULL;
		chunks[place]->n = 0;
	}
	return chunks[type] = chunks[place];
}

static void chunk_flush(struct event_pass *pass, struct event_chunk *chunk, size_t thread)
{
	if (!chunk || chunk->n == 0)
		return;
	chunk->thread = thread;
	if (chunk->type)
		pass->visit(pass->context, chunk);
	chunk->n = 0;
}

static void log_visit(void *context, size_t i, unsigned worker)
{
	struct event_pass *pass = context;
	int64_t origin = pass->opened->trace.origin;
	struct event_chunk **chunks = pass->chunks[worker];
	struct log_cursor c;
	bool go_on = true;

	log_cursor_open(&c, &pass->opened->logs[i]);
	while (go_on && log_cursor_next(&c)) {
		struct event_chunk *chunk = chunks[c.type];

		if (__builtin_expect(!chunk, 0))
			chunk = chunk_of(pass, chunks, c.type);
		chunk->time[chunk->n] = c.time - origin;
		chunk->record[chunk->n] = c.record;
		if (++chunk->n == EVENT_CHUNK) {
			chunk_flush(pass, chunk, i);
			go_on = task_step(EVENT_CHUNK);
		}
	}
	for (unsigned type = 0; type < pass->opened->trace.spec->nevents; type++)
		chunk_flush(pass, chunks[type], i);
}

void trace_visit_events(const struct trace *t, const bool *wanted,
			void (*visit)(void *context, const struct event_chunk *c), void *context)
{
	unsigned workers = parallel_workers(), types = t->spec->nevents;
	struct event_pass pass = {opened_of(t), wanted, visit, context, NULL};

	task_plan(t->events);
	pass.chunks = array_new(workers, sizeof *pass.chunks);
	for (unsigned i = 0; i < workers; i++)
		pass.chunks[i] = array_zero(types + 1, sizeof **pass.chunks);
	parallel_for(pass.opened->nlogs, log_visit, &pass);
	for (unsigned i = 0; i < workers; i++) {
		for (unsigned type = 0; type <= types; type++)
			if (type == types || wanted[type])
				free(pass.chunks[i][type]);
		free(pass.chunks[i]);
	}
	free(pass.chunks);
}
