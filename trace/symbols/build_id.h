/* Reads and writes build ids, by which an ELF file and its debug information find each other. */
#ifndef GLIMPSE_TRACE_SYMBOLS_BUILD_ID_H
#define GLIMPSE_TRACE_SYMBOLS_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A number that the linker gives each file that it makes; usually of 20 bytes. */
struct build_id {
	unsigned n;
	unsigned char bytes[64];
};

/* Room for the hexadecimal digits of a build id, with a NUL. */
enum { BUILD_ID_TEXT = 2 * 64 + 1 };

static inline bool build_ids_equal(const struct build_id *a, const struct build_id *b)
{
	return a->n == b->n && !memcmp(a->bytes, b->bytes, a->n);
}

/* Reads n hexadecimal digits, which make 0 to 64 bytes; returns false if they do not. */
bool build_id_read(struct build_id *id, const char *digits, size_t n);
/* Writes the digits; returns text. */
const char *build_id_text(char text[BUILD_ID_TEXT], const struct build_id *id);

#endif
