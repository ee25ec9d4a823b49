/*
 * Reads which file the linker or objcopy says has the debug information of an ELF file: section
 * .gnu_debuglink. It trusts nothing in the file.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_DEBUG_LINK_H
#define GLIMPSE_TRACE_SYMBOLS_DEBUG_LINK_H

#include <stdbool.h>
#include <stdint.h>

struct debug_link {
	char name[256];    /* without folders; "": no link */
	uint32_t checksum; /* of the whole file: crc32() of zlib */
};

/* Reads the section of an open file; returns false, with name "", if it has none. */
bool debug_link_read(int fd, struct debug_link *link);
/*
 * Returns the path where the file may be: which 0: beside the program, 1: in .debug beside it. To
 * be freed; NULL: there are no more.
 */
char *debug_link_path(const struct debug_link *link, const char *program, unsigned which);

#endif
