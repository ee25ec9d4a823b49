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

void code_frames_free(struct code_frames *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free((char *)f->at[i].function);
		free((char *)f->at[i].line);
		free((char *)f->at[i].text);
	}
	free(f->at);
}

void code_frames_clear(struct frame_table *t)
{
	hash_table_free(&t->places);
	for (size_t i = 0; i < t->list.n; i++)
		code_frames_free(&t->list.at[i]);
	free(t->list.at);
}
