/* Memory for arrays; the program ends with a message where there is none. */
#ifndef GLIMPSE_BASE_ARRAY_H
#define GLIMPSE_BASE_ARRAY_H

#include <stddef.h>

/* Says what is wrong, and ends the program with status 2. */
__attribute__((noreturn))
void array_fail(const char *what);

void *array_new(size_t n, size_t size);
void *array_zero(size_t n, size_t size);
void *array_resize(void *array, size_t n, size_t size);

#endif
