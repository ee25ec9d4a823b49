#include "analysis/samples/moved_tasks.h"
#include "trace/address.h"
#include <stdlib.h>
#include <string.h>

static const struct task_mover movers[] = {
    /* runtime.goexit.abi0 */
    {"Go", "goroutine", "runtime.goexit"},
};

static bool begins_task(const struct samples *s, const struct sample_path *p,
			const struct task_mover *m)
{
	return p->depth == 1 &&
	       strncmp(address_key_text(s->trace, p->function), m->begin, strlen(m->begin)) == 0;
}

/* Returns whether most samples of running threads are of paths that begin as tasks do. */
static bool is_mover(const struct samples *s, const struct task_mover *m)
{
	bool *tasks = array_zero(s->paths.n, sizeof *tasks);
	size_t all = 0, of_tasks = 0;

	/* a path comes after the one that it continues */
	for (size_t i = 0; i < s->paths.n; i++)
		tasks[i] = s->paths.at[i].depth &&
			   (begins_task(s, &s->paths.at[i], m) || tasks[s->paths.at[i].parent]);
	for (unsigned t = 0; t < s->trace->nthreads; t++)
		for (size_t i = 0; i < s->threads[t].list.n; i++) {
			const struct stack_sample *sample = &s->threads[t].list.at[i];

			if (!stack_sample_runs(sample))
				continue;
			all++;
			of_tasks += tasks[s->stacks.at[sample->stack].path];
		}
	free(tasks);
	return 2 * of_tasks > all;
}

const struct task_mover *task_mover_of(const struct samples *s)
{
	for (size_t i = 0; s && i < sizeof movers / sizeof *movers; i++)
		if (is_mover(s, &movers[i]))
			return &movers[i];
	return NULL;
}
