#include "formats/deflated.h"
#include "base/array.h"
#include <zlib.h>

unsigned char *deflated(const unsigned char *bytes, size_t n, enum deflated_form form, size_t *size)
{
	int window = form == DEFLATED_RAW ? -MAX_WBITS : MAX_WBITS + 16;
	z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (unsigned)n};
	unsigned char *packed;

	if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		array_exhausted();
	*size = deflateBound(&z, n);
	packed = array_new(*size, 1);
	z.next_out = packed;
	z.avail_out = (unsigned)*size;
	deflate(&z, Z_FINISH);
	*size = z.total_out;
	deflateEnd(&z);
	return packed;
}
