/* Memory that is freed all at once: everything a tree consists of lives in one arena. */
#ifndef GLIMPSE_GRAMMAR_ARENA_H
#define GLIMPSE_GRAMMAR_ARENA_H

#include <stddef.h>

struct arena;

/* All of these end the program with a message when there is no memory; none returns NULL. */
struct arena *arena_new(void);
/* Zeroed, aligned for every type. */
void *arena_alloc(struct arena *a, size_t size);
/* A NUL-terminated copy of length bytes. */
char *arena_copy(struct arena *a, const char *bytes, size_t length);
void arena_free(struct arena *a);

#endif
