#include "grammar/arena.h"
#include "base/array.h"
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16 * 1024 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

struct arena {
	struct arena_chunk *newest;
};

struct arena *arena_new(void)
{
	struct arena *a = array_new(1, sizeof *a);
	a->newest = NULL;
	return a;
}

static struct arena_chunk *chunk_add(struct arena *a, size_t size)
{
	struct arena_chunk *c = array_new(1, sizeof *c + size);
	c->next = a->newest;
	c->used = 0;
	c->size = size;
	a->newest = c;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	struct arena_chunk *c = a->newest;
	if (!c || c->size - c->used < size)
		c = chunk_add(a, size > CHUNK ? size : CHUNK);
	void *p = c->bytes + c->used;
	c->used += size;
	return memset(p, 0, size);
}

char *arena_copy(struct arena *a, const char *bytes, size_t length)
{
	char *s = arena_alloc(a, length + 1);
	memcpy(s, bytes, length);
	return s;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct arena_chunk *c = a->newest, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}
