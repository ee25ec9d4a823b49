#include "runtime/text.h"
#include <string.h>

bool gl_text_add(char *text, size_t size, const char *more)
{
	size_t have = strlen(text), n = strlen(more);

	if (n >= size - have)
		return false;
	memcpy(text + have, more, n + 1);
	return true;
}

static bool text_add_digits(char *text, size_t size, uint64_t n, unsigned base, unsigned least)
{
	char digits[21];
	size_t i = sizeof digits - 1;
	unsigned count = 0;

	digits[i] = '\0';
	do {
		digits[--i] = "0123456789abcdef"[n % base];
		n /= base;
		count++;
	} while (n || count < least);
	return gl_text_add(text, size, digits + i);
}

bool gl_text_add_number(char *text, size_t size, uint64_t n)
{
	return text_add_digits(text, size, n, 10, 1);
}

bool gl_text_add_hex(char *text, size_t size, uint64_t n)
{
	return text_add_digits(text, size, n, 16, 16);
}

bool gl_text_add_visible(char *text, size_t size, const char *more)
{
	size_t have = strlen(text);

	for (const char *s = more; *s; s++) {
		unsigned char c = (unsigned char)*s;
		char escape[] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
				  (char)('0' + (c & 7)), '\0' };
		bool plain = c >= ' ' && c != 0x7f && c != '\\';

		if (plain) {
			escape[0] = *s;
			escape[1] = '\0';
		}
		if (!gl_text_add(text + have, size - have, escape))
			return false;
		have += plain ? 1 : 4;
	}
	return true;
}

static unsigned unit_shift(char c)
{
	switch (c) {
	case 'k':
	case 'K':
		return 10;
	case 'm':
	case 'M':
		return 20;
	case 'g':
	case 'G':
		return 30;
	default:
		return 0;
	}
}

bool gl_text_size(const char *s, const char **end, uint64_t *bytes)
{
	uint64_t n = 0;
	unsigned shift;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		if (n > (UINT64_MAX >> 34) / 10)
			return false;
		n = n * 10 + (uint64_t)(*s - '0');
	}
	shift = unit_shift(*s);
	*bytes = n << shift;
	*end = shift ? s + 1 : s;
	return true;
}
