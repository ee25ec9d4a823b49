/* Makes time windows from the calls and the pauses of threads. */
#include "analysis/flame/flame_frames.h"
#include "analysis/flame/time_window_parts.h"
#include <stdlib.h>

/* ---- moments ---- */

static uint32_t key_number(struct time_window_thread *t, const struct call_moment *m,
			   bool preempted)
{
	uint64_t rest =
	    (uint64_t)m->reason << 3 | (uint64_t)preempted << 2 | (uint64_t)m->ran << 1 | m->paused;
	struct hash_slot *slot =
	    hash_table_slot(&t->known, hash_mix((uint64_t)m->node << 32 ^ rest), rest);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)t->keys.n;
		*vector_add(&t->keys) = (struct time_window_key){
		    m->node, m->reason, m->ran, m->paused, preempted, {NO_FRAME, NO_FRAME},
		    NO_FRAME};
		vector_add(&t->times);
	}
	return slot->head;
}

static void hear(void *context, size_t thread, const struct call_moment *m)
{
	struct time_window_thread *t = &((struct time_window *)context)->threads[thread];
	const struct time_window_key *before = t->keys.n ? &t->keys.at[t->key] : NULL;
	bool preempted = m->paused && !m->ran && reason_ready(m->reason) && before &&
			 m->from == t->to && (before->ran || before->preempted);
	uint32_t key = key_number(t, m, preempted);

	if (key != t->key || m->from != t->to) {
		time_window_moment_add(t);
		t->key = key;
		t->from = m->from;
	}
	t->to = m->to;
}

static void forget(void *context, size_t thread)
{
	struct time_window_thread *t = &((struct time_window *)context)->threads[thread];

	time_window_thread_free(t);
	*t = (struct time_window_thread){0};
}

/* ---- frames ---- */

static void frames_find(struct time_window *l, size_t thread, const struct calls *c,
			const struct off_cpu *p, const char **origins)
{
	struct time_window_thread *t = &l->threads[thread];
	uint32_t *frames[2];

	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++)
		frames[kind] = flame_frames(&l->flames[kind], c, origins, thread);
	for (size_t i = 0; i < t->keys.n; i++) {
		struct time_window_key *k = &t->keys.at[i];

		if (k->ran && k->node != CALL_ROOT)
			k->frames[FLAME_CPU] = frames[FLAME_CPU][k->node];
		if ((k->ran || k->preempted) && k->node != CALL_ROOT)
			k->on_stack = frames[FLAME_CPU][k->node];
		if (k->paused)
			k->frames[FLAME_OFF] =
			    flame_reason(&l->flames[FLAME_OFF], p, frames[FLAME_OFF][k->node],
					 !c->threads[thread].sampled, k->reason);
	}
	free(frames[FLAME_CPU]);
	free(frames[FLAME_OFF]);
}

struct time_window *time_window_of(struct trace *trace)
{
	struct time_window *l = array_zero(1, sizeof *l);
	struct call_listener listener = {l, hear, forget};
	struct call_part part = CALL_PART_ALL;
	struct off_cpu off_cpu;
	const char **origins;
	struct calls *c;

	l->trace = trace;
	l->threads = array_zero(trace->nthreads, sizeof *l->threads);
	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++) {
		struct flame *f = &l->flames[kind];

		f->kind = (enum flame_kind)kind;
		f->trace = trace;
		*vector_add(&f->nodes) = (struct flame_node){.name = flame_text(f, "all")};
	}
	off_cpu_make(&off_cpu, trace);
	part.pauses = off_cpu.threads;
	part.listener = &listener;
	c = calls_of(trace, &part);
	origins = flame_origins(&l->flames[FLAME_CPU], c);
	for (unsigned i = 0; i < trace->nthreads; i++) {
		time_window_thread_end(&l->threads[i]);
		frames_find(l, i, c, &off_cpu, origins);
		l->threads[i].sampled = c->threads[i].sampled;
	}
	free(origins);
	calls_free(c);
	off_cpu_free(&off_cpu);
	time_window_totals(l);
	return l;
}
