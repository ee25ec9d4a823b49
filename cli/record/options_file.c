#include "cli/record/options_file.h"
#include "base/array.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *quote_end(const char *from, char quote)
{
	for (; *from && *from != quote; from++)
		if (quote == '"' && *from == '\\' && from[1])
			from++;
	return *from ? (char *)from : NULL;
}

/* Copies what is between quotes; returns what follows them, or NULL if they do not close. */
static const char *quoted_take(const char *from, char **to)
{
	char quote = *from++, *end = quote_end(from, quote);

	if (!end)
		return NULL;
	while (from < end) {
		if (quote == '"' && *from == '\\' && strchr("\"\\$`", from[1]))
			from++;
		*(*to)++ = *from++;
	}
	return end + 1;
}

/* Copies a word without its quotes; returns what follows it, or NULL after a quote that is open. */
static const char *word_take(const char *from, char *to)
{
	while (from && *from && !strchr(" \t", *from)) {
		if (*from == '\'' || *from == '"')
			from = quoted_take(from, &to);
		else if (*from == '\\' && from[1])
			*to++ = from[1], from += 2;
		else
			*to++ = *from++;
	}
	*to = '\0';
	return from;
}

static bool line_split(struct options_line *line, const char *text)
{
	for (;;) {
		char *word;

		text += strspn(text, " \t");
		if (!*text || *text == '#')
			return true;
		word = array_new(strlen(text) + 1, 1);
		line->words = array_grow(line->words, line->nwords, sizeof *line->words);
		line->words[line->nwords++] = word;
		text = word_take(text, word);
		if (!text)
			return false;
	}
}

static char *line_add(struct options_file *f, char *text, unsigned number)
{
	struct options_line line = {.number = number};
	bool good;

	text[strcspn(text, "\r\n")] = '\0';
	good = line_split(&line, text);
	if (!line.nwords)
		return NULL;
	f->lines = array_grow(f->lines, f->nlines, sizeof *f->lines);
	f->lines[f->nlines++] = line;
	return good ? NULL : text_format("a closing quote is missing");
}

char *options_file_read(struct options_file *f, const char *path, unsigned *line)
{
	FILE *in = fopen(path, "re");
	char *text = NULL, *wrong = NULL;
	size_t room = 0;

	*f = (struct options_file){0};
	*line = 0;
	while (in && !wrong && (errno = 0, getline(&text, &room, in)) >= 0)
		wrong = line_add(f, text, ++*line);
	if (!in || (!wrong && ferror(in))) {
		*line = 0;
		wrong = text_format("cannot be read: %s", strerror(errno));
	}
	if (in)
		fclose(in);
	free(text);
	return wrong;
}
