#include "viewers/gorge/document/payload_bytes.h"
#include <string.h>

void payload_number(FILE *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		putc((int)(n & 0x7f) | 0x80, out);
	putc((int)n, out);
}

void payload_signed(FILE *out, int64_t n)
{
	payload_number(out, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

void payload_bytes(FILE *out, const void *bytes, size_t n)
{
	payload_number(out, n);
	fwrite(bytes, 1, n, out);
}

void payload_text(FILE *out, const char *text)
{
	payload_bytes(out, text, strlen(text));
}

void payload_step(FILE *out, uint64_t n, uint64_t *before)
{
	payload_signed(out, (int64_t)(n - *before));
	*before = n;
}
