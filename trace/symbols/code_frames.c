#include "trace/symbols/code_frames.h"
#include <stdlib.h>

struct code_frames *code_frames_find(struct frame_table *t, const void *module, uint64_t address,
				     bool *known)
{
	uint64_t word = (uint64_t)(uintptr_t)module;
	struct hash_slot *slot =
	    hash_table_slot(&t->places, hash_mix(address ^ hash_mix(word)), word);

	*known = slot->head != HASH_NOTHING;
	if (!*known) {
		slot->head = (uint32_t)t->list.n;
		vector_add(&t->list);
	}
	return &t->list.at[slot->head];
}

void code_frames_clear(struct frame_table *t)
{
	hash_table_free(&t->places);
	for (size_t i = 0; i < t->list.n; i++) {
		for (size_t k = 0; k < t->list.at[i].n; k++) {
			free((char *)t->list.at[i].at[k].function);
			free((char *)t->list.at[i].at[k].line);
			free((char *)t->list.at[i].at[k].text);
		}
		free(t->list.at[i].at);
	}
	free(t->list.at);
}

void code_frames_tell(struct code_frames *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct code_frame *x = &f->at[i];

		x->text = x->line ? text_format("%s (%s)", x->function, x->line)
				  : text_format("%s", x->function);
	}
}
