#include "recorder/samples/stack_numbers.h"
#include "base/hash.h"

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

static struct hash_table nodes; /* by space, caller and address: head is the number */
static uint32_t next;

void stack_numbers_open(void)
{
	next = STACK_NUMBER_FIRST;
}

void stack_numbers_close(void)
{
	hash_table_free(&nodes);
	nodes = (struct hash_table){0};
}

bool stack_numbers_left(uint32_t n)
{
	return n <= STACK_NUMBER_END - next;
}

uint32_t stack_number(uint32_t space, uint32_t caller, uint64_t address, bool *fresh)
{
	uint64_t key = hash_mix(address), rest = (uint64_t)space << 32 | caller;
	const struct hash_slot *known = hash_table_find(&nodes, key, rest);

	*fresh = !known;
	if (known)
		return known->head;
	if (nodes.nkeys >= STACK_NODES_MOST)
		hash_table_reset(&nodes);
	return hash_table_slot(&nodes, key, rest)->head = next++;
}
