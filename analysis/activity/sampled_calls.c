#include "analysis/activity/sampled_calls.h"
#include "analysis/activity/instance_set.h"
#include "analysis/samples/sample_walk.h"
#include "base/hash.h"
#include "base/search.h"
#include <stdlib.h>

/* ---- finding ---- */

struct call_finding {
	struct sampled_calls calls;
	const struct samples *samples;
	struct hash_table known; /* nodes: by the caller and the stack */
	/* what follows: by the node and the sample's stack */
	struct hash_table steps;
	VECTOR(struct sampled_moment) following; /* from: unused */
	call_class *class_of;
	void *context;
};

static uint32_t node_find(struct call_finding *f, uint32_t caller, uint32_t stack)
{
	struct hash_slot *slot = hash_table_slot(&f->known, hash_mix(stack), caller);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)f->calls.nodes.n;
		*vector_add(&f->calls.nodes) = (struct sampled_node){
		    caller, f->calls.nodes.at[caller].depth + 1,
		    f->class_of(f->context, &f->samples->stacks.at[stack].frame), stack};
	}
	return slot->head;
}

/* Finds what follows a node in the next sample. */
static struct sampled_moment step_find(struct call_finding *f, struct sample_walk *w, uint32_t node)
{
	struct sample_step step = sample_walk_next(w);

	while (f->calls.nodes.at[node].depth > step.kept)
		node = f->calls.nodes.at[node].caller;
	for (uint32_t i = 0; i < step.nbegun; i++)
		node = node_find(f, node, step.begun[i]);
	return (struct sampled_moment){step.time, node, step.kept};
}

/* Takes the next sample. A thread comes from one node to the next again and again. */
static void sample_take(struct call_finding *f, struct sample_walk *w)
{
	size_t n = f->calls.moments.n;
	uint32_t node = n ? f->calls.moments.at[n - 1].node : 0;
	int64_t time = sample_walk_time(w);
	struct hash_slot *slot = hash_table_slot(&f->steps, hash_mix(sample_walk_stack(w)), node);
	struct sampled_moment next;

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)f->following.n;
		next = step_find(f, w, node);
		*vector_add(&f->following) = next;
	} else {
		next = f->following.at[slot->head];
		next.from = time;
		sample_walk_skip(w);
	}
	if (next.node != node || next.kept < f->calls.nodes.at[node].depth)
		*vector_add(&f->calls.moments) = next;
}

struct sampled_calls sampled_calls_of(const struct samples *s, const struct thread_samples *list,
				      call_class *class_of, void *context)
{
	struct call_finding f = {.samples = s, .class_of = class_of, .context = context};
	struct sample_walk w;

	*vector_add(&f.calls.nodes) = (struct sampled_node){0, 0, 0, STACK_WHOLE};
	sample_walk_open(&w, s, list);
	while (sample_walk_time(&w) != INT64_MAX)
		sample_take(&f, &w);
	sample_walk_close(&w);
	hash_table_free(&f.known);
	hash_table_free(&f.steps);
	free(f.following.at);
	f.calls.moments.at =
	    array_resize(f.calls.moments.at, f.calls.moments.n, sizeof *f.calls.moments.at);
	f.calls.moments.room = f.calls.moments.n;
	return f.calls;
}

void sampled_calls_free(struct sampled_calls *c)
{
	free(c->nodes.at);
	free(c->moments.at);
}

/* ---- calls ---- */

/* Returns when a call of a depth ends that is under way in a moment, if it does up to `to`. */
static int64_t call_end(const struct sampled_calls *c, size_t moment, uint32_t depth, int64_t to)
{
	for (size_t i = moment + 1; i < c->moments.n && c->moments.at[i].from <= to; i++)
		if (c->moments.at[i].kept < depth)
			return c->moments.at[i].from;
	return INT64_MAX;
}

struct sampled_cursor sampled_cursor_begin(const struct sampled_calls *calls)
{
	return (struct sampled_cursor){.calls = calls};
}

/* Goes on to a moment in which calls begin. */
static bool cursor_moment(struct sampled_cursor *c)
{
	const struct sampled_calls *calls = c->calls;

	while (c->next < calls->moments.n) {
		const struct sampled_moment *m = &calls->moments.at[c->next++];

		if (calls->nodes.at[m->node].depth > m->kept) {
			c->depth = c->ahead = m->kept;
			return true;
		}
	}
	return false;
}

/* Finds the nodes of the next depths of the moment. */
static void cursor_look(struct sampled_cursor *c, uint32_t node)
{
	const struct sampled_node *nodes = c->calls->nodes.at;
	uint32_t ahead = nodes[node].depth;

	ahead = ahead - c->depth > CALLERS_AHEAD ? c->depth + CALLERS_AHEAD : ahead;
	while (nodes[node].depth > ahead)
		node = nodes[node].caller;
	for (uint32_t i = 0; i < ahead - c->depth; i++, node = nodes[node].caller)
		c->nodes[i] = node;
	c->ahead = ahead;
}

bool sampled_cursor_next(struct sampled_cursor *c, struct instance_span *span)
{
	const struct sampled_calls *calls = c->calls;
	const struct sampled_moment *m;

	if (!calls)
		return false;
	m = c->next ? &calls->moments.at[c->next - 1] : NULL;
	if (!m || c->depth == calls->nodes.at[m->node].depth) {
		if (!cursor_moment(c))
			return false;
		m = &calls->moments.at[c->next - 1];
	}
	if (c->depth == c->ahead)
		cursor_look(c, m->node);
	c->depth++;
	*span = (struct instance_span){m->from, call_end(calls, c->next - 1, c->depth, INT64_MAX),
				       calls->nodes.at[c->nodes[c->ahead - c->depth]].class};
	return true;
}

bool sampled_call_at(const struct sampled_calls *c, int64_t time, int64_t from, int64_t to,
		     struct instance_span *span)
{
	size_t i = lower_bound(k, 0, c->moments.n, c->moments.at[k].from <= time);
	const struct sampled_node *node;
	size_t begun;

	if (!i)
		return false;
	begun = --i;
	node = &c->nodes.at[c->moments.at[i].node];
	if (!node->depth)
		return false;
	while (c->moments.at[begun].from >= from && c->moments.at[begun].kept >= node->depth)
		begun--;
	span->start = c->moments.at[begun].from >= from ? c->moments.at[begun].from : INT64_MIN;
	span->end = call_end(c, i, node->depth, to);
	span->class = node->class;
	return true;
}
