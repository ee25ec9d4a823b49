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

static int digit_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t base64_read(unsigned char *to, const char *text, size_t n)
{
	unsigned word = 0, bits = 0;
	size_t size = 0;

	for (size_t i = 0; i < n && digit_value(text[i]) >= 0; i++) {
		word = word << 6 | (unsigned)digit_value(text[i]);
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		to[size++] = (unsigned char)(word >> bits);
	}
	return size;
}
