#include "analysis/flame/flame_frames.h"
#include <stdlib.h>

static const char *origin_of(const struct flame *f, const struct call_function *c)
{
	const char *colon = c->line ? strrchr(c->line, ':') : NULL, *origin;
	char *file;

	if (!colon)
		return c->module ? flame_text(f, c->module) : NULL;
	file = text_format("%.*s", (int)(colon - c->line), c->line);
	origin = flame_text(f, file);
	free(file);
	return origin;
}

const char **flame_origins(const struct flame *f, const struct calls *c)
{
	const char **origins = array_new(c->nfunctions, sizeof *origins);

	for (size_t i = 0; i < c->nfunctions; i++)
		origins[i] = origin_of(f, &c->functions[i]);
	return origins;
}

uint32_t *flame_frames(struct flame *f, const struct calls *c, const char **origins, size_t thread)
{
	const struct call_tree *t = &c->threads[thread].tree;
	uint32_t *frames = array_zero(t->n, sizeof *frames);

	for (size_t i = 1; i < t->n; i++) {
		uint32_t function = t->nodes[i].function;
		bool known = function != NO_FUNCTION;

		frames[i] = flame_child(f, frames[t->nodes[i].parent], FRAME_CODE,
					known ? c->functions[function].name : "(many paths)",
					known ? origins[function] : NULL);
	}
	return frames;
}

/* What is outside of all functions is no part of the profile. */
void flame_of_cpu(struct flame *f, struct trace *t, const struct flame_part *part)
{
	struct call_part wanted = {part->from,       part->to, part->threads,
				   SAMPLE_FUNCTIONS, NULL,     NULL};
	struct calls *c = calls_of(t, &wanted);
	const char **origins = flame_origins(f, c);

	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct call_tree *tree = &c->threads[i].tree;
		uint32_t *frames = flame_frames(f, c, origins, i);

		for (size_t k = 1; k < tree->n; k++)
			f->nodes.at[frames[k]].self += tree->nodes[k].cpu.total;
		free(frames);
	}
	free(origins);
	calls_free(c);
}

/* Returns whether a function is that of a frame, or of one that it is above. */
static bool frame_has(const struct flame *f, uint32_t frame, const char *function)
{
	while (frame && strcmp(f->nodes.at[frame].name, function) != 0)
		frame = f->nodes.at[frame].parent;
	return frame;
}

/*
 * Returns the frame of a wait above that of a function, and of the place where it waits in another.
 * A function that waits in a library is below the library's.
 */
static uint32_t wait_frame(struct flame *f, uint32_t frame, const struct off_cpu_wait *w)
{
	bool other = w->place && !frame_has(f, frame, w->function);
	char *text = text_format(w->line && !other ? "%s (%s)" : "%s", w->name, w->line);

	if (other)
		frame = flame_child(f, frame, FRAME_CODE, w->place, w->file);
	frame = flame_child(f, frame, FRAME_WAIT, text, w->interval);
	free(text);
	return frame;
}

/* Returns the frame of a call stack. */
static uint32_t stack_frame(struct flame *f, const struct wait_stacks *s, uint32_t stack)
{
	VECTOR(uint32_t) way = {0};
	uint32_t frame = 0;

	for (; stack > WAIT_STACK_CUT; stack = s->stacks.at[stack].caller)
		*vector_add(&way) = stack;
	if (stack == WAIT_STACK_CUT)
		frame = flame_child(f, frame, FRAME_UNKNOWN, "callers not known", NULL);
	while (way.n-- > 0) {
		const struct wait_stack *w = &s->stacks.at[way.at[way.n]];

		frame = flame_child(f, frame, FRAME_CODE, w->function, w->file);
	}
	free(way.at);
	return frame;
}

uint32_t flame_reason(struct flame *f, const struct off_cpu *p, uint32_t frame, bool logged,
		      uint32_t reason)
{
	const struct off_cpu_wait *w = &p->waits.at[reason_wait(reason)];

	if (w->stack > WAIT_STACK_CUT && !(logged && frame))
		frame = stack_frame(f, &p->stacks, w->stack);
	if (reason_wait(reason))
		frame = wait_frame(f, frame, w);
	if (reason_ready(reason))
		return flame_child(f, frame, FRAME_READY, "ready, without a processor", NULL);
	if (!reason_wait(reason))
		return flame_child(f, frame, FRAME_UNKNOWN, "blocked, not known by what", NULL);
	return frame;
}

void flame_of_pauses(struct flame *f, struct trace *t, const struct flame_part *part)
{
	struct call_part wanted = {part->from,       part->to, part->threads,
				   SAMPLE_FUNCTIONS, NULL,     NULL};
	struct off_cpu off_cpu;
	const char **origins;
	struct calls *c;

	off_cpu_make(&off_cpu, t);
	wanted.pauses = off_cpu.threads;
	c = calls_of(t, &wanted);
	origins = flame_origins(f, c);
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct thread_calls *thread = &c->threads[i];
		uint32_t *frames = flame_frames(f, c, origins, i);

		for (size_t k = 0; k < thread->npaused; k++) {
			const struct call_paused *x = &thread->paused[k];
			uint32_t at =
			    flame_reason(f, &off_cpu, frames[x->node], !thread->sampled, x->reason);

			f->nodes.at[at].self += x->time;
		}
		free(frames);
	}
	free(origins);
	calls_free(c);
	off_cpu_free(&off_cpu);
}
