#include "viewers/gorge/document/payload_bytes.h"
#include <string.h>

void parcel_number(FILE *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		putc((int)(n & 0x7f) | 0x80, out);
	putc((int)n, out);
}

void parcel_signed(FILE *out, int64_t n)
{
	parcel_number(out, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

void parcel_bytes(FILE *out, const void *bytes, size_t n)
{
	parcel_number(out, n);
	fwrite(bytes, 1, n, out);
}

void parcel_text(FILE *out, const char *text)
{
	parcel_bytes(out, text, strlen(text));
}

void parcel_step(FILE *out, uint64_t n, uint64_t *before)
{
	parcel_signed(out, (int64_t)(n - *before));
	*before = n;
}
