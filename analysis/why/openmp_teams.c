#include "analysis/why/openmp_teams.h"
#include "analysis/samples/samples.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

static bool is_openmp(const struct evidence *g, int64_t module)
{
	static const char *const libraries[] = {"libgomp.", "libomp.", "libomp5.", "libiomp5."};
	const char *name = module == SAMPLE_NO_MODULE ? "" : evidence_text(g, module);

	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
			return true;
	return false;
}

/*
 * Returns by stack the function of its innermost body of a region; NO_KEY: it is in none, or the
 * library waits or hands out work.
 */
static int64_t *bodies_of(const struct evidence *g, const struct samples *s)
{
	int64_t *bodies = array_new(s->stacks.n, sizeof *bodies);

	bodies[STACK_WHOLE] = bodies[STACK_CUT] = NO_KEY;
	/* a stack comes after that of its caller */
	for (size_t i = STACK_CUT + 1; i < s->stacks.n; i++) {
		const struct sample_stack *k = &s->stacks.at[i];
		const struct sample_path *p = &s->paths.at[k->path];

		if (is_openmp(g, k->module))
			bodies[i] = NO_KEY;
		else if (!p->of_run_time && is_openmp(g, s->stacks.at[k->caller].module))
			bodies[i] = p->function;
		else
			bodies[i] = bodies[k->caller];
	}
	return bodies;
}

/* Makes two teams one. */
static void teams_join(struct evidence *g, uint32_t a, uint32_t b)
{
	int64_t old = g->teams[b];

	if (old == g->teams[a])
		return;
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (g->teams[t] == old)
			g->teams[t] = g->teams[a];
}

/* A region's body, and one of the threads that ran it. */
struct body_thread {
	int64_t body;
	uint32_t thread;
};
typedef VECTOR(struct body_thread) body_threads;

static void body_add(struct evidence *g, body_threads *known, int64_t body, uint32_t thread)
{
	const struct trace_thread *threads = g->trace->threads;

	for (size_t i = 0; i < known->n; i++) {
		const struct body_thread *k = &known->at[i];

		if (k->body == body && threads[k->thread].directory == threads[thread].directory) {
			teams_join(g, k->thread, thread);
			return;
		}
	}
	*vector_add(known) = (struct body_thread){body, thread};
}

void openmp_teams_set(struct evidence *g)
{
	const struct samples *s = g->set->samples;
	body_threads known = {0};

	g->teams = array_new(g->trace->nthreads, sizeof *g->teams);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		g->teams[t] = g->groups[t];
	if (!s)
		return;
	g->bodies = bodies_of(g, s);
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		int64_t last = NO_KEY;

		for (size_t i = 0; i < s->threads[t].list.n; i++) {
			int64_t body = g->bodies[s->threads[t].list.at[i].stack];

			if (body != NO_KEY && body != last)
				body_add(g, &known, body, t);
			last = body;
		}
	}
	/* nobody asks for shares then */
	if (!known.n) {
		free(g->bodies);
		g->bodies = NULL;
	}
	free(known.at);
}

bool openmp_team_has(const struct evidence *g, uint32_t thread)
{
	/* whoever begins a region is of another group than the threads that the library starts */
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (g->teams[t] == g->teams[thread] && g->groups[t] != g->groups[thread])
			return true;
	return false;
}

double openmp_body_share(const struct evidence *g, uint32_t thread, int64_t from, int64_t to)
{
	const struct samples *s = g->set->samples;
	size_t all = 0, in = 0, here = 0;

	if (!g->bodies)
		return 1;
	for (size_t i = 0; i < s->threads[thread].list.n; i++) {
		const struct stack_sample *sample = &s->threads[thread].list.at[i];
		bool body = g->bodies[sample->stack] != NO_KEY;
		int64_t taken = stack_sample_taken(sample);

		in += body;
		if (!stack_sample_runs(sample) || taken < from || taken > to)
			continue;
		all++;
		here += body;
	}
	return in && all ? (double)here / (double)all : 1;
}
