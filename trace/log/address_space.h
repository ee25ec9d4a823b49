/* Address space in which arrays grow where they are: they take memory only as far as they were written to. */
#ifndef GLIMPSE_TRACE_LOG_ADDRESS_SPACE_H
#define GLIMPSE_TRACE_LOG_ADDRESS_SPACE_H

#include <stddef.h>

struct expanse;
/* NULL: there is none to be had. */
struct expanse *expanse_new(void);
void expanse_free(struct expanse *a);
/* All that there is of it, and room for an array that begins with a page. NULL: it is used up. Nothing is freed singly. Several threads may take. */
size_t expanse_size(const struct expanse *a);
void *expanse_take(struct expanse *a, size_t size);

#endif
