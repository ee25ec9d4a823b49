#include "base/utf8.h"
#include "grammar/literal.h"

#include <ctype.h>
#include <string.h>

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
