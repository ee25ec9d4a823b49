#include "base/base64.h"

void base64_write(FILE *out, const unsigned char *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		unsigned b = i + 1 < n ? bytes[i + 1] : 0, c = i + 2 < n ? bytes[i + 2] : 0;
		unsigned word = (unsigned)bytes[i] << 16 | b << 8 | c;
		putc(digits[word >> 18], out);
		putc(digits[word >> 12 & 63], out);
		putc(i + 1 < n ? digits[word >> 6 & 63] : '=', out);
		putc(i + 2 < n ? digits[word & 63] : '=', out);
	}
}
