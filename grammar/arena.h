/* Allocates memory that is freed all at once, for example a syntax tree. */
#ifndef GLIMPSE_GRAMMAR_ARENA_H
#define GLIMPSE_GRAMMAR_ARENA_H

#include <stddef.h>

struct arena;

/* Makes an arena. Where memory runs out, the functions of arenas end the program. */
struct arena *arena_new(void);
/* Returns zeroed memory, aligned for every type. */
void *arena_alloc(struct arena *a, size_t size);
/* Returns a NUL-terminated copy of `length` bytes. */
char *arena_copy(struct arena *a, const char *bytes, size_t length);
void arena_free(struct arena *a);

#endif
