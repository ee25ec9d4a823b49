#include "base/utf8.h"

/* By the first byte; 0xc0, 0xc1 and what lies above 0xf4 begin nothing. */
static size_t announced(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t utf8_length(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t length = announced(*p);

	if (length > n)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, and what lies above U+10FFFF */
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

size_t utf8_check(const char *text, size_t n)
{
	size_t at = 0, length;

	while (at < n && (length = utf8_length(text + at, n - at)) > 0)
		at += length;
	return at;
}
