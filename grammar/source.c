#include "grammar/source.h"
#include "base/search.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds the offsets at which lines begin; the last line need not end in a newline. */
static bool source_index(struct source *s)
{
	size_t n = 1;
	for (size_t i = 0; i < s->length; i++)
		n += s->text[i] == '\n';
	s->lines = malloc(n * sizeof *s->lines);
	if (!s->lines)
		return false;
	s->lines[0] = 0;
	s->nlines = 1;
	for (size_t i = 0; i < s->length; i++)
		if (s->text[i] == '\n')
			s->lines[s->nlines++] = i + 1;
	return true;
}

/* Takes the text over, even if it fails. */
static struct source *source_new(const char *name, char *text, size_t length)
{
	struct source *s = calloc(1, sizeof *s);
	if (!s) {
		free(text);
		return NULL;
	}
	s->text = text;
	s->length = length;
	s->name = strdup(name);
	if (!s->name || !source_index(s)) {
		source_free(s);
		return NULL;
	}
	return s;
}

/* Doubles the buffer of a text; frees it and returns NULL if that failed or it is too large. */
static char *text_grow(char *text, size_t *size)
{
	char *larger = NULL;
	errno = EFBIG;
	if (*size < SOURCE_LIMIT)
		larger = realloc(text, *size *= 2);
	if (!larger)
		free(text);
	return larger;
}

static char *file_content(FILE *f, size_t *length)
{
	size_t size = 4096, used = 0;
	char *text = malloc(size);
	while (text) {
		used += fread(text + used, 1, size - used - 1, f);
		if (ferror(f)) {
			int saved = errno;
			free(text);
			errno = saved;
			return NULL;
		}
		if (used < size - 1)
			break;
		text = text_grow(text, &size);
	}
	if (text)
		text[used] = '\0';
	*length = used;
	return text;
}

/* Closes the stream unless it is standard input. */
static struct source *source_of_stream(const char *name, FILE *f)
{
	size_t length = 0;
	char *text = file_content(f, &length);
	int saved = errno;
	if (f != stdin)
		fclose(f);
	errno = saved;
	return text ? source_new(name, text, length) : NULL;
}

struct source *source_read(const char *path)
{
	FILE *f;
	if (strcmp(path, "-") == 0)
		return source_of_stream("<standard input>", stdin);
	f = fopen(path, "re");
	return f ? source_of_stream(path, f) : NULL;
}

struct source *source_take(const char *name, int fd)
{
	FILE *f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return NULL;
	}
	return source_of_stream(name, f);
}

struct source *source_text(const char *name, const char *text)
{
	char *copy = strdup(text);
	return copy ? source_new(name, copy, strlen(text)) : NULL;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	free(s->name);
	free(s->text);
	free(s->lines);
	free(s);
}

void source_place(const struct source *s, size_t offset, size_t *line, size_t *column)
{
	*line = lower_bound(i, 1, s->nlines, s->lines[i] <= offset);
	*column = offset - s->lines[*line - 1] + 1;
}

struct span span_join(struct span a, struct span b)
{
	return (struct span){a.source, a.start, b.end};
}
