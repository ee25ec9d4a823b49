/* Writes numbers of variable length (trace/format/bytes.h) and texts to a stream. */
#ifndef GLIMPSE_TRACE_FORMAT_VARINT_PUT_H
#define GLIMPSE_TRACE_FORMAT_VARINT_PUT_H

#include "trace/format/bytes.h"
#include <stdio.h>

static inline void varint_put(FILE *out, uint64_t value)
{
	unsigned char bytes[VARINT_MOST];

	fwrite(bytes, 1, (size_t)(varint_write(bytes, value) - bytes), out);
}

/* Writes a number that is small where its absolute value is small. */
static inline void varint_put_signed(FILE *out, int64_t value)
{
	varint_put(out, zigzag_encode((uint64_t)value));
}

/* Writes bytes, their number before them. */
static inline void varint_put_bytes(FILE *out, const void *bytes, size_t n)
{
	varint_put(out, n);
	fwrite(bytes, 1, n, out);
}

static inline void varint_put_text(FILE *out, const char *text)
{
	varint_put_bytes(out, text, strlen(text));
}

#endif
