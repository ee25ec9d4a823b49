#include "formats/logs_stacks.h"

/* Where the numbers of the specification begin. */
#define FIRST_STACK (UINT32_C(1) << 31)

void stacks_begin(struct stacks *s, struct logs *l)
{
	logs_spec_ready(l, "samples");
	*s = (struct stacks){.logs = l,
			     .frame = logs_event(l, "SampleFrame"),
			     .sample = logs_event(l, "Sample"),
			     .next = FIRST_STACK};
}

void stacks_end(struct stacks *s)
{
	hash_table_free(&s->nodes);
}

uint32_t stacks_add(struct stacks *s, struct logs_thread *t, int64_t time, uint32_t parent,
		    const char *function)
{
	struct logs_process *p = logs_thread_process(t);
	/* where a call returns to: readers look before it */
	uint64_t code = function ? logs_code(p, function) + 1 : 0,
		 key = hash_mix(code + parent) ^ (uint64_t)(uintptr_t)p;
	struct hash_slot *slot =
	    hash_table_slot(&s->nodes, hash_mix(key), (uint64_t)parent << 32 ^ code);

	if (slot->head == HASH_NOTHING) {
		const struct logs_value values[] = {logs_natural(s->next), logs_natural(parent),
						    logs_natural(code)};

		slot->head = s->next++;
		slot->tail = 0;
		logs_write(t, time, s->frame, values);
	}
	return slot->head;
}

void stacks_sample(struct stacks *s, struct logs_thread *t, int64_t time, uint32_t stack)
{
	const struct logs_value value = logs_natural(stack);

	logs_write(t, time, s->sample, &value);
}
