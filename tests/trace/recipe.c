#include "tests/trace/recipe.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *recipe_name;
unsigned recipe_line;

void recipe_fail(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s:%u: ", recipe_name, recipe_line);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

static int hex_digits(char **from)
{
	char digits[3] = {0};

	for (int i = 0; i < 2 && strspn(*from, "0123456789abcdefABCDEF"); i++)
		digits[i] = *(*from)++;
	return (int)strtol(digits, NULL, 16);
}

/* Returns the character that an escape means; *from: after its backslash. */
static char escape_read(char **from)
{
	static const char letters[] = "ntr0\\\"", meanings[] = "\n\t\r\0\\\"";
	char letter = *(*from)++;
	const char *at;

	if (letter == 'x')
		return (char)hex_digits(from);
	at = letter ? strchr(letters, letter) : NULL;
	if (!at)
		recipe_fail("unknown escape \\%c", letter);
	return meanings[at - letters];
}

/* Reads one word in place: what escapes and quotes leave is never longer than they are. */
static char *word_read(struct word *w, char *from)
{
	bool quoted = false;
	char *to = from;

	w->text = to;
	while (*from && (quoted || !strchr(" \t", *from))) {
		char c = *from++;

		if (c == '"')
			quoted = !quoted;
		else if (c == '\\' && quoted)
			*to++ = escape_read(&from);
		else
			*to++ = c;
	}
	if (quoted)
		recipe_fail("the quote is not closed");
	w->length = (size_t)(to - w->text);
	from += *from != '\0';
	*to = '\0';
	return from;
}

void line_split(struct line *l, char *text)
{
	*l = (struct line){NULL, 0};
	for (;;) {
		text += strspn(text, " \t");
		if (*text == '\0' || *text == '#')
			return;
		l->words = realloc(l->words, (l->nwords + 1) * sizeof *l->words);
		text = word_read(&l->words[l->nwords++], text);
	}
}

void line_free(struct line *l)
{
	free(l->words);
}

const struct word *line_word(const struct line *l, unsigned i, const char *expected)
{
	if (i >= l->nwords)
		recipe_fail("'%s' wants %s", l->words[0].text, expected);
	return &l->words[i];
}

const struct word *line_find(const struct line *l, const char *key, struct word *value)
{
	size_t length = strlen(key);

	for (unsigned i = 1; i < l->nwords; i++) {
		const struct word *w = &l->words[i];

		if (w->length <= length || w->text[length] != '=' || memcmp(w->text, key, length))
			continue;
		value->text = w->text + length + 1;
		value->length = w->length - length - 1;
		return value;
	}
	return NULL;
}

const char *line_text(const struct line *l, const char *key, const char *otherwise)
{
	struct word value;

	return line_find(l, key, &value) ? value.text : otherwise;
}

uint64_t line_number(const struct line *l, const char *key, uint64_t otherwise)
{
	struct word value;

	return line_find(l, key, &value) ? word_number(&value) : otherwise;
}

uint64_t word_number(const struct word *w)
{
	uint64_t number;
	char *end;

	errno = 0;
	number =
	    w->text[0] == '-' ? (uint64_t)strtoll(w->text, &end, 0) : strtoull(w->text, &end, 0);
	if (errno || end == w->text || *end)
		recipe_fail("'%s' is no whole number", w->text);
	return number;
}
