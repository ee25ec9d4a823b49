#include "grammar/literal.h"

#include <ctype.h>
#include <string.h>

/*
 * Bytes of the well-formed UTF-8 sequence at text, 0 if there is none (RFC 3629: no surrogates, no
 * overlong forms).
 */
static size_t utf8_sequence(const unsigned char *t, size_t left)
{
	static const struct {
		unsigned char first, last, low, high;
		size_t size;
	} forms[] = {
		{0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (t[0] < forms[i].first || t[0] > forms[i].last)
			continue;
		if (forms[i].size > left)
			return 0;
		if (forms[i].size > 1 && (t[1] < forms[i].low || t[1] > forms[i].high))
			return 0;
		for (size_t k = 2; k < forms[i].size; k++)
			if ((t[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].size;
	}
	return 0;
}

size_t utf8_check(const char *text, size_t length)
{
	const unsigned char *t = (const unsigned char *)text;
	size_t at = 0;
	while (at < length) {
		size_t n = utf8_sequence(t + at, length - at);
		if (!n)
			return at;
		at += n;
	}
	return length;
}

static int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/*
 * The byte that the escape at text (behind the backslash) stands for, 0 if it is none; *used: its
 * length.
 */
static char escape_read(const char *text, size_t *used)
{
	static const char letters[] = "nrt\"\\", values[] = "\n\r\t\"\\";
	*used = 1;
	const char *letter = *text ? strchr(letters, *text) : NULL;
	if (letter)
		return values[letter - letters];
	if (*text != 'x' || hex_digit(text[1]) < 0 || hex_digit(text[2]) < 0)
		return 0;
	*used = 3;
	return (char)(hex_digit(text[1]) << 4 | hex_digit(text[2]));
}

const char *literal_string(struct parser *p, const char *text, size_t length, struct span where)
{
	char *s = arena_copy(p->tree->arena, text + 1, length - 2);
	size_t n = 0, used;
	for (size_t i = 1; i < length - 1; i++) {
		if (text[i] != '\\') {
			s[n++] = text[i];
			continue;
		}
		char c = escape_read(text + i + 1, &used);
		struct span escape = {where.source, where.start + i, where.start + i + 1 + used};
		if (c)
			s[n++] = c;
		else
			diag_error(p->diag, escape,
				   "unknown escape; a string knows \\n \\r \\t \\\" \\\\ and "
				   "\\xHH, HH not 00");
		i += used;
	}
	s[n] = '\0';
	size_t bad = utf8_check(s, n);
	if (bad < n)
		diag_error(p->diag, where, "string is not UTF-8: byte 0x%02x",
			   (unsigned char)s[bad]);
	return s;
}
