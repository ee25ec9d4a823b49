/* Text that may be anything: attributes of logs, comments, names of threads. */
#ifndef GLIMPSE_BASE_UTF8_H
#define GLIMPSE_BASE_UTF8_H

#include <stddef.h>

/* Returns the length (1 to 4) of the UTF-8 sequence at text, of n > 0 bytes; 0 if it is none. */
size_t utf8_length(const char *text, size_t n);

/* Returns the offset of the first byte that is not well-formed UTF-8, or n. */
size_t utf8_check(const char *text, size_t n);

#endif
