#include "analysis/samples/sample_walk.h"
#include <stdlib.h>

void sample_walk_open(struct sample_walk *w, const struct samples *s,
		      const struct thread_samples *thread)
{
	*w = (struct sample_walk){.samples = s, .thread = thread, .path = STACK_WHOLE};
}

int64_t sample_walk_time(const struct sample_walk *w)
{
	return w->next < w->thread->list.n ? w->thread->list.at[w->next].from : INT64_MAX;
}

uint32_t sample_walk_stack(const struct sample_walk *w)
{
	return w->thread->list.at[w->next].stack;
}

void sample_walk_skip(struct sample_walk *w)
{
	w->path = w->samples->stacks.at[sample_walk_stack(w)].path;
	w->next++;
}

/* Returns how many functions two paths have in common from the outermost one inwards. */
static uint32_t common_depth(const struct samples *s, uint32_t a, uint32_t b)
{
	const struct sample_path *paths = s->paths.at;

	while (a != b && (paths[a].depth || paths[b].depth)) {
		uint32_t x = paths[a].depth, y = paths[b].depth;

		a = x >= y ? paths[a].parent : a;
		b = y >= x ? paths[b].parent : b;
	}
	return paths[a].depth;
}

struct sample_step sample_walk_next(struct sample_walk *w)
{
	const struct stack_sample *sample = &w->thread->list.at[w->next++];
	const struct sample_stack *stacks = w->samples->stacks.at;
	uint32_t path = stacks[sample->stack].path;
	struct sample_step step = {.time = sample->from,
				   .kept = common_depth(w->samples, w->path, path)};
	uint32_t stack = sample->stack;

	step.nbegun = w->samples->paths.at[path].depth - step.kept;
	w->begun.n = 0;
	for (uint32_t i = 0; i < step.nbegun; i++)
		vector_add(&w->begun);
	for (uint32_t i = step.nbegun; i-- > 0; stack = stacks[stack].caller)
		w->begun.at[i] = stack;
	step.begun = w->begun.at;
	w->path = path;
	return step;
}

void sample_walk_close(struct sample_walk *w)
{
	free(w->begun.at);
}
