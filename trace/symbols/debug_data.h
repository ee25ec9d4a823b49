/*
 * Decompresses the symbols that some distributions leave in stripped files: section .gnu_debugdata,
 * an ELF file compressed with xz ("MiniDebugInfo").
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_DEBUG_DATA_H
#define GLIMPSE_TRACE_SYMBOLS_DEBUG_DATA_H

#include <stddef.h>

/*
 * Returns the bytes, *size of them, to be freed; NULL if they are damaged or more than 256 MiB, or
 * without HAVE_LIBLZMA.
 */
unsigned char *debug_data_unpack(const unsigned char *bytes, size_t n, size_t *size);

#endif
