/* Text that may be anything: attributes of logs, comments, names of threads. */
#ifndef GLIMPSE_BASE_UTF8_H
#define GLIMPSE_BASE_UTF8_H

#include <stddef.h>

/* Bytes (1 to 4) of the UTF-8 sequence at text, of which n > 0 bytes are there; 0: it is none. */
size_t utf8_length(const char *text, size_t n);

/* Offset of the first byte that is not well-formed UTF-8, or n. */
size_t utf8_check(const char *text, size_t n);

#endif
