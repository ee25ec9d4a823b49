#include "analysis/calls/call_tree.h"
#include "base/array.h"
#include <stdlib.h>

const struct call_times call_times_none = {.min = INT64_MAX, .max = INT64_MIN};

static uint32_t node_add(struct call_tree *t, uint32_t parent, uint32_t function, uint32_t caller)
{
	t->nodes = vector_reserve(t->nodes, t->n + 1, &t->room, sizeof *t->nodes);
	t->nodes[t->n] = (struct call_node){.function = function,
					    .caller = caller,
					    .parent = parent,
					    .recent = NO_NODE,
					    .real = call_times_none,
					    .own = call_times_none,
					    .cpu = call_times_none};
	return (uint32_t)t->n++;
}

void call_tree_init(struct call_tree *t, size_t limit)
{
	*t = (struct call_tree){.limit = limit < NO_NODE / 2 ? limit : NO_NODE / 2,
				.elsewhere = NO_NODE};
	node_add(t, NO_NODE, NO_FUNCTION, NO_FUNCTION);
}

void call_tree_free(struct call_tree *t)
{
	free(t->nodes);
	hash_table_free(&t->children);
	*t = (struct call_tree){0};
}

static struct hash_slot *child_slot(struct call_tree *t, uint64_t above, uint32_t function)
{
	return hash_table_slot(&t->children, hash_mix(above << 32 | function), above >> 32);
}

/* Paths are beyond the limit: the function and its caller are all that is kept apart. */
static uint32_t elsewhere_find(struct call_tree *t, uint32_t caller, uint32_t function)
{
	struct hash_slot *slot;

	if (t->elsewhere == NO_NODE)
		t->elsewhere = node_add(t, CALL_ROOT, NO_FUNCTION, NO_FUNCTION);
	slot = child_slot(t, (uint64_t)1 << 32 | caller, function);
	if (slot->head == HASH_NOTHING)
		slot->head = node_add(t, t->elsewhere, function, caller);
	return slot->head;
}

static bool is_elsewhere(const struct call_tree *t, uint32_t node)
{
	return t->elsewhere != NO_NODE && t->nodes[node].parent == t->elsewhere;
}

uint32_t call_tree_find(struct call_tree *t, uint32_t parent, uint32_t function)
{
	uint32_t caller = t->nodes[parent].function, node = NO_NODE;

	if (!is_elsewhere(t, parent)) {
		struct hash_slot *slot = child_slot(t, parent, function);

		if (slot->head == HASH_NOTHING && t->n < t->limit)
			slot->head = node_add(t, parent, function, caller);
		node = slot->head;
	}
	if (node == NO_NODE)
		node = elsewhere_find(t, caller, function);
	t->nodes[parent].recent = node;
	return node;
}

void call_tree_children(const struct call_tree *t, uint32_t *first, uint32_t *next)
{
	for (size_t i = 0; i < t->n; i++)
		first[i] = next[i] = NO_NODE;
	for (size_t i = t->n; i-- > 1;) {
		next[i] = first[t->nodes[i].parent];
		first[t->nodes[i].parent] = (uint32_t)i;
	}
}

static void call_times_merge(struct call_times *t, const struct call_times *other)
{
	t->total += other->total;
	if (other->min < t->min)
		t->min = other->min;
	if (other->max > t->max)
		t->max = other->max;
}

void call_node_merge(struct call_node *n, const struct call_node *other)
{
	n->calls += other->calls;
	n->unfinished += other->unfinished;
	n->samples += other->samples;
	n->sampled |= other->sampled;
	n->cut |= other->cut;
	n->outermost += other->outermost;
	call_times_merge(&n->real, &other->real);
	call_times_merge(&n->own, &other->own);
	call_times_merge(&n->cpu, &other->cpu);
}

void call_tree_merge(struct call_tree *t, const struct call_tree *other)
{
	uint32_t *places = array_new(other->n, sizeof *places);

	for (size_t i = 0; i < other->n; i++) {
		const struct call_node *node = &other->nodes[i];

		if (i == CALL_ROOT || i == other->elsewhere)
			places[i] = CALL_ROOT;
		else if (node->parent == other->elsewhere)
			places[i] = elsewhere_find(t, node->caller, node->function);
		else
			places[i] = call_tree_child(t, places[node->parent], node->function);
		call_node_merge(&t->nodes[places[i]], node);
	}
	free(places);
}

/* A sampled call that has no samples of its own is none but those that it calls. */
static bool is_leaf(const struct call_node *n)
{
	return n->function != NO_FUNCTION && n->calls &&
	       (!n->sampled || n->samples || n->own.total);
}

/* What the outermost callers add is not kept apart once the tree is full. */
static void path_invert(struct call_tree *inverted, const struct call_tree *t, uint32_t leaf)
{
	const struct call_node *from = &t->nodes[leaf];
	uint32_t at = leaf, node = CALL_ROOT;

	while (at != CALL_ROOT && at != t->elsewhere &&
	       (node == CALL_ROOT || inverted->n < inverted->limit)) {
		struct call_node *to;

		node = call_tree_child(inverted, node, t->nodes[at].function);
		to = &inverted->nodes[node];
		to->calls += from->calls;
		to->samples += from->samples;
		to->sampled |= from->sampled;
		call_times_merge(&to->cpu, &from->cpu);
		call_times_merge(&to->own, &from->own);
		at = t->nodes[at].parent;
	}
}

void call_tree_invert(struct call_tree *inverted, const struct call_tree *t, size_t limit)
{
	call_tree_init(inverted, limit);
	/* each function has a node before callers fill the tree */
	for (size_t i = 0; i < t->n; i++)
		if (is_leaf(&t->nodes[i]))
			call_tree_child(inverted, CALL_ROOT, t->nodes[i].function);
	call_node_merge(&inverted->nodes[CALL_ROOT], &t->nodes[CALL_ROOT]);
	for (size_t i = 0; i < t->n; i++)
		if (is_leaf(&t->nodes[i]))
			path_invert(inverted, t, (uint32_t)i);
}
