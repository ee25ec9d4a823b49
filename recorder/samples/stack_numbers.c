#include "recorder/samples/stack_numbers.h"
#include "base/array.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

/*
 * So many nodes are known at once: their table takes 48 MiB, and would double with one more. Tests
 * make it small.
 */
#ifndef STACK_NODES_MOST
#define STACK_NODES_MOST ((1 << 20) - 1)
#endif
/* No number is this or greater. Tests make it small. */
#ifndef STACK_NUMBER_END
#define STACK_NUMBER_END UINT32_MAX
#endif

/* So many threads' stacks are remembered. */
enum { STACKS_KEPT = 64 };

struct kept_node {
	uint64_t address;
	uint32_t number;
};

/* The last stack of a thread: its nodes, outermost first. */
struct kept_stack {
	VECTOR(struct kept_node) nodes;
	uint32_t space, forgotten; /* forgotten: how often all had been, before it was numbered */
};

static struct kept_stack stacks[STACKS_KEPT];
static uint32_t forgotten;
static struct hash_table nodes; /* by space, caller and address: head is the number */
static uint32_t next;

void stack_numbers_open(void)
{
	next = STACK_NUMBER_FIRST;
}

void stack_numbers_close(void)
{
	for (size_t i = 0; i < STACKS_KEPT; i++)
		free(stacks[i].nodes.at);
	memset(stacks, 0, sizeof stacks);
	hash_table_free(&nodes);
	nodes = (struct hash_table){0};
}

bool stack_numbers_left(uint32_t n)
{
	return n <= STACK_NUMBER_END - next;
}

static uint32_t node_number(uint32_t space, uint32_t caller, uint64_t address, bool *fresh)
{
	uint64_t key = hash_mix(address), rest = (uint64_t)space << 32 | caller;
	const struct hash_slot *known = hash_table_find(&nodes, key, rest);

	*fresh = !known;
	if (known)
		return known->head;
	if (nodes.nkeys >= STACK_NODES_MOST) {
		hash_table_reset(&nodes);
		forgotten++;
	}
	return hash_table_slot(&nodes, key, rest)->head = next++;
}

/* Leaves the nodes that the stack has, too, and are known still. */
static void stack_cut(struct kept_stack *k, uint32_t space, const uint64_t *frames, unsigned n)
{
	size_t common = 0;

	if (k->space == space && k->forgotten == forgotten)
		while (common < n && common < k->nodes.n &&
		       k->nodes.at[common].address == frames[n - 1 - common])
			common++;
	k->nodes.n = common;
	k->space = space;
	k->forgotten = forgotten;
}

uint32_t stack_number(uint32_t space, uint32_t thread, const uint64_t *frames, unsigned n,
		      stack_node *log, void *context)
{
	struct kept_stack *k = &stacks[thread % STACKS_KEPT];
	uint32_t number;

	stack_cut(k, space, frames, n);
	number = k->nodes.n ? k->nodes.at[k->nodes.n - 1].number : 0;
	for (size_t i = k->nodes.n; i < n; i++) {
		uint64_t address = frames[n - 1 - i];
		uint32_t caller = number;
		bool fresh;

		number = node_number(space, caller, address, &fresh);
		if (fresh)
			log(context, number, caller, address);
		*vector_add(&k->nodes) = (struct kept_node){address, number};
	}
	return number;
}
