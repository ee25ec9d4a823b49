/* Address space in which arrays grow where they are: they take memory only as far as they were written to. */
#ifndef GLIMPSE_BASE_ADDRESS_SPACE_H
#define GLIMPSE_BASE_ADDRESS_SPACE_H

#include <stddef.h>

struct address_space;
/* NULL: there is none to be had. */
struct address_space *address_space_new(void);
void address_space_free(struct address_space *a);
/* All that there is of it, and room for an array that begins with a page. NULL: it is used up. Nothing is freed singly. Several threads may take. */
size_t address_space_size(const struct address_space *a);
void *address_space_take(struct address_space *a, size_t size);

#endif
