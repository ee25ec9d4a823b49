#include "viewers/gorge/wasm/reader.h"
#include "base/array.h"
#include <string.h>

uint64_t read_number(struct reader *r)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (r->at == r->end)
			break;
		n |= (uint64_t)(*r->at & 0x7f) << shift;
		if (!(*r->at++ & 0x80))
			return n;
	}
	r->damaged = true;
	return 0;
}

int64_t read_signed(struct reader *r)
{
	uint64_t n = read_number(r);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

size_t read_count(struct reader *r)
{
	uint64_t n = read_number(r);

	if (n <= (uint64_t)(r->end - r->at))
		return (size_t)n;
	r->damaged = true;
	return 0;
}

const unsigned char *read_bytes(struct reader *r, size_t *n)
{
	const unsigned char *bytes;

	*n = read_count(r);
	bytes = r->at;
	r->at += *n;
	return bytes;
}

char *read_text(struct reader *r)
{
	size_t n;
	const unsigned char *bytes = read_bytes(r, &n);
	char *text = array_zero(n + 1, 1);

	memcpy(text, bytes, n);
	return text;
}

uint64_t read_step(struct reader *r, uint64_t *before)
{
	return *before += (uint64_t)read_signed(r);
}
