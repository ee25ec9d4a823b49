#include "trace/plain_name.h"
#include <ctype.h>
#include <string.h>

/* Returns the length of a text without " (file.c:41)" at its end. */
static size_t without_place(const char *text, size_t n)
{
	size_t at = n;

	if (n < 4 || text[n - 1] != ')' || !isdigit((unsigned char)text[n - 2]))
		return n;
	while (at > 0 && text[at - 1] != '(')
		at--;
	return at > 2 && text[at - 2] == ' ' && memchr(text + at, ':', n - at) ? at - 2 : n;
}

/* Returns its length without "+0x12" at its end. */
static size_t without_offset(const char *text, size_t n)
{
	size_t at = n;

	while (at > 0 && isxdigit((unsigned char)text[at - 1]))
		at--;
	return at < n && at > 3 && !memcmp(text + at - 3, "+0x", 3) ? at - 3 : n;
}

/* Returns its length without "(int, char)" at its end. */
static size_t without_parameters(const char *text, size_t n)
{
	size_t end = n, open = 0;

	while (end > 6 && !memcmp(text + end - 6, " const", 6))
		end -= 6;
	if (end == 0 || text[end - 1] != ')')
		return n;
	for (size_t at = end; at-- > 0;) {
		open += text[at] == ')';
		open -= text[at] == '(';
		if (open == 0)
			return at > 0 && text[at - 1] != ':' ? at : n;
	}
	return n;
}

size_t plain_name_length(const char *text)
{
	size_t n = without_offset(text, without_place(text, strlen(text)));

	return without_parameters(text, n);
}

const char *plain_name_line(const char *text, size_t *length)
{
	size_t all = strlen(text), n = without_place(text, all);

	if (n == all)
		return NULL;
	*length = all - n - 3;
	return text + n + 2;
}
