/* Memory that is there: when there is none, the program ends with a message and status 2. */
#ifndef GLIMPSE_BASE_MEMORY_H
#define GLIMPSE_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/* n things of a size, all bytes zero; the caller's to free(). */
void *memory_new(size_t n, size_t size);

/* A new string, the caller's to free(). */
__attribute__((format(printf, 1, 2)))
char *memory_print(const char *format, ...);
__attribute__((format(printf, 1, 0)))
char *memory_vprint(const char *format, va_list arguments);

#endif
