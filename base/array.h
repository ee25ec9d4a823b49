/*
 * Allocates arrays, vectors and texts. If memory runs out, each of these functions ends the program
 * with a message and status 2. The caller passes the results to free().
 */
#ifndef GLIMPSE_BASE_ARRAY_H
#define GLIMPSE_BASE_ARRAY_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* Returns n items of no particular content; never NULL, also for n == 0. */
void *array_new(size_t n, size_t size);
/* Returns n items, all bytes zero; never NULL, also for n == 0. */
void *array_zero(size_t n, size_t size);
/* Returns the array, perhaps moved, with n items; what is added has no particular content. */
void *array_resize(void *array, size_t n, size_t size);
/* Returns the array of n items, perhaps moved, with room for one more; doubles at powers of two. */
void *array_grow(void *array, size_t n, size_t size);
/* Asks for huge pages, which save most of the faults where an array is written from end to end. */
void array_advise(void *array, size_t bytes);

/* Declares a growable array. A vector of zeros is an empty one. */
#define VECTOR(type) \
	struct { \
		type *at; \
		size_t n, room; \
	}

/* Adds an item, all bytes zero, and gives its address, which holds until the next one is added. */
#define vector_add(v) \
	((v)->n < (v)->room \
	     ? (void)memset((v)->at + (v)->n, 0, sizeof *(v)->at) \
	     : (void)((v)->at = vector_grow((v)->at, (v)->n, &(v)->room, sizeof *(v)->at)), \
	 &(v)->at[(v)->n++])

/* Adds copies of count items, which are of the vector's type. */
#define vector_append(v, items, count) \
	((v)->at = vector_reserve((v)->at, (v)->n + (count), &(v)->room, sizeof *(v)->at), \
	 memcpy((v)->at + (v)->n, (items), (count) * sizeof *(v)->at), (void)((v)->n += (count)))

/* Returns the n items, perhaps moved, with a zeroed one after them. */
void *vector_grow(void *items, size_t n, size_t *room, size_t size);
/* Returns the items, perhaps moved, with room for at least n; *room at least doubles. */
void *vector_reserve(void *items, size_t n, size_t *room, size_t size);

/* Returns a new text, as asprintf() does. */
__attribute__((format(printf, 1, 2))) char *text_format(const char *format, ...);
__attribute__((format(printf, 1, 0))) char *text_vformat(const char *format, va_list arguments);

/* Prints "PROGRAM: error: WHAT" and ends the program with status 2. */
__attribute__((noreturn)) void array_fail(const char *what);
/* Says that memory has run out, and ends the program with status 2. */
__attribute__((noreturn)) void array_exhausted(void);

#endif
