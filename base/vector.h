/*
 * Arrays that grow. A vector of zeros is an empty one. Without memory the program ends with a
 * message.
 */
#ifndef GLIMPSE_BASE_VECTOR_H
#define GLIMPSE_BASE_VECTOR_H

#include <stddef.h>
#include <string.h>

#define VECTOR(type) struct { type *at; size_t n, room; }

/* Adds an item, zeroed, and gives its address, which holds until the next one is added. */
#define vector_add(v) ((v)->at = vector_grow((v)->at, (v)->n, &(v)->room, sizeof *(v)->at), \
		       &(v)->at[(v)->n++])

/* Adds copies of n items, which are of the vector's type. */
#define vector_append(v, items, count) \
	((v)->at = vector_room((v)->at, (v)->n + (count), &(v)->room, sizeof *(v)->at), \
	 memcpy((v)->at + (v)->n, (items), (count) * sizeof *(v)->at), (void)((v)->n += (count)))

void *vector_grow(void *items, size_t n, size_t *room, size_t size);
/* Room for so many items at least. */
void *vector_room(void *items, size_t n, size_t *room, size_t size);

/* What they all do when there is no memory. */
__attribute__((noreturn))
void memory_exhausted(void);

/* n zeroed items; never NULL, also for n == 0. */
void *zeroed(size_t n, size_t size);
/* asprintf() that gives the text and never NULL. */
__attribute__((format(printf, 1, 2)))
char *text_of(const char *format, ...);

#endif
