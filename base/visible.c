#include "base/visible.h"
#include "base/array.h"
#include "base/utf8.h"
#include <stdbool.h>
#include <string.h>

/* Returns the character of a well-formed sequence of so many bytes. */
static unsigned character(const char *text, size_t length)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned c = length == 1 ? *p : *p & (0x7fu >> length);

	for (size_t i = 1; i < length; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

/* The marks of direction are U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069. */
static bool is_hidden(unsigned c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfffe ||
	       c == 0xffff;
}

size_t visible_length(const char *text, size_t n)
{
	size_t length;

	if (*text >= ' ' && *text < 0x7f)
		return 1;
	length = utf8_length(text, n);
	return length && is_hidden(character(text, length)) ? 0 : length;
}

size_t visible_escape(char escape[VISIBLE_ESCAPE], const char *text, size_t n)
{
	static const char letters[] = "\n\t\r", names[] = "ntr";
	const char *letter = *text ? strchr(letters, *text) : NULL;
	size_t length = utf8_length(text, n);

	if (letter)
		snprintf(escape, VISIBLE_ESCAPE, "\\%c", names[letter - letters]);
	else if (length < 2)
		snprintf(escape, VISIBLE_ESCAPE, "\\x%02x", (unsigned char)*text);
	else
		snprintf(escape, VISIBLE_ESCAPE, "\\u%04x", character(text, length) & 0xffff);
	return length ? length : 1;
}

/* What stands for a character: itself, or an escape. */
struct visible {
	char escape[VISIBLE_ESCAPE];
	const char *bytes;
	size_t size;
};

/* Finds what stands for the character at text; returns how many bytes of text it is for. */
static size_t visible_find(struct visible *v, const char *text, size_t n)
{
	size_t length = visible_length(text, n);

	v->bytes = text;
	v->size = length;
	if (length)
		return length;
	length = visible_escape(v->escape, text, n);
	v->bytes = v->escape;
	v->size = strlen(v->escape);
	return length;
}

void visible_print(FILE *out, const char *bytes, size_t n)
{
	struct visible v;

	for (size_t i = 0; i < n;) {
		i += visible_find(&v, bytes + i, n - i);
		fwrite(v.bytes, 1, v.size, out);
	}
}

void visible_puts(FILE *out, const char *text)
{
	visible_print(out, text, strlen(text));
}

void visible_copy(char *to, size_t room, const char *text)
{
	size_t left = strlen(text), size = 0, length;
	struct visible v;

	for (; left; text += length, left -= length) {
		length = visible_find(&v, text, left);
		if (size + v.size >= room)
			break;
		memcpy(to + size, v.bytes, v.size);
		size += v.size;
	}
	to[size] = '\0';
}

char *visible_text(const char *text)
{
	/* an escape is at most four times as long as what it is for */
	size_t room = 4 * strlen(text) + 1;
	char *copy = array_new(room, 1);

	visible_copy(copy, room, text);
	return copy;
}
