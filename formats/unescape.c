#include "formats/unescape.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool hexadecimal(const char *at, size_t left, unsigned digits, uint32_t *number)
{
	*number = 0;
	if (left < digits)
		return false;
	for (unsigned i = 0; i < digits; i++) {
		unsigned char c = (unsigned char)at[i];

		if (!isxdigit(c))
			return false;
		*number = *number << 4 | (uint32_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
	}
	return true;
}

/* Writes a character as UTF-8; half of a pair that lacks the other becomes U+FFFD. */
static size_t character_put(char *to, uint32_t c)
{
	if (c >= 0xd800 && c < 0xe000)
		c = 0xfffd;
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/*
 * Takes \uNNNN, of characters beyond U+FFFF two of them. Returns the bytes of the escape; 0: it is
 * none.
 */
static size_t unicode_take(const char *at, size_t left, char **to)
{
	uint32_t first, second;

	if (!hexadecimal(at + 2, left - 2, 4, &first))
		return 0;
	if (first >= 0xd800 && first < 0xdc00 && left >= 12 && at[6] == '\\' && at[7] == 'u' &&
	    hexadecimal(at + 8, left - 8, 4, &second) && second >= 0xdc00 && second < 0xe000) {
		*to += character_put(*to, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
		return 12;
	}
	*to += character_put(*to, first);
	return 6;
}

/* Takes what a backslash begins. Returns its bytes; 0: it is no escape. */
static size_t escape_take(const char *at, size_t left, char **to)
{
	static const char letters[] = "nrtbf\"/\\", values[] = "\n\r\t\b\f\"/\\";
	const char *letter = left > 1 && at[1] ? strchr(letters, at[1]) : NULL;
	uint32_t byte;

	if (letter) {
		*(*to)++ = values[letter - letters];
		return 2;
	}
	if (left > 1 && at[1] == 'x' && hexadecimal(at + 2, left - 2, 2, &byte)) {
		*(*to)++ = (char)byte;
		return 4;
	}
	return left > 1 && at[1] == 'u' ? unicode_take(at, left, to) : 0;
}

size_t unescape(char *text, size_t length)
{
	char *to = memchr(text, '\\', length), *begin = text;
	const char *at = to, *end = text + length;

	if (!to)
		return length;
	while (at < end) {
		size_t n = *at == '\\' ? escape_take(at, (size_t)(end - at), &to) : 0;

		if (!n)
			*to++ = *at;
		at += n ? n : 1;
	}
	return (size_t)(to - begin);
}
