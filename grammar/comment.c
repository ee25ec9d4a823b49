#include "grammar/comment.h"
#include "base/utf8.h"
#include <string.h>

/* Returns whether only blanks and at most one end of a line are between two offsets. */
static bool is_adjacent(const struct source *s, size_t from, size_t to)
{
	unsigned ends = 0;
	for (size_t i = from; i < to; i++) {
		if (!strchr(" \t\r\n", s->text[i]) || !s->text[i])
			return false;
		ends += s->text[i] == '\n';
	}
	return ends <= 1;
}

/* Returns whether nothing precedes a comment in its line; else it belongs to what precedes it. */
static bool begins_line(struct span where)
{
	size_t i = where.start;
	while (i > 0 && strchr(" \t", where.source->text[i - 1]) && where.source->text[i - 1])
		i--;
	return i == 0 || where.source->text[i - 1] == '\n';
}

void comment_add(struct parser *p, struct span where)
{
	bool follows = p->comment.end > p->comment.start &&
		       is_adjacent(where.source, p->comment.end, where.start);
	if (!begins_line(where))
		p->comment = (struct span){where.source, where.end, where.end};
	else if (follows)
		p->comment.end = where.end;
	else
		p->comment = where;
}

struct span comment_take(struct parser *p, size_t token_start)
{
	struct span taken = p->comment;
	const struct source *s = p->tree->source;
	if (taken.end == taken.start || !is_adjacent(s, taken.end, token_start))
		taken = (struct span){s, token_start, token_start};
	p->comment = (struct span){s, token_start, token_start};
	return taken;
}

/* Cuts marks and outer blanks off one line of a comment. */
static void line_strip(const char **from, const char **to)
{
	while (*from < *to && strchr(" \t\r", **from))
		++*from;
	while (*to > *from && strchr(" \t\r", (*to)[-1]))
		--*to;
	if (*to - *from >= 2 && memcmp(*to - 2, "*/", 2) == 0)
		*to -= 2;
	while (*from < *to && strchr("/*#", **from))
		++*from;
	if (*from < *to && **from == ' ')
		++*from;
	while (*to > *from && strchr(" \t\r*", (*to)[-1]))
		--*to;
}

/* Makes UTF-8 without control characters of a comment, which may be in any encoding. */
static void bytes_clean(char *text)
{
	size_t length = strlen(text), at = 0;
	while ((at += utf8_check(text + at, length - at)) < length)
		text[at] = '?';
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t')
			*c = ' ';
}

const char *comment_text(struct arena *a, struct span where)
{
	if (where.end == where.start)
		return NULL;
	char *text = arena_alloc(a, where.end - where.start + 2), *out = text;
	const char *line = where.source->text + where.start, *end = where.source->text + where.end;
	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const char *from = line, *to = stop ? stop : end;
		line = to + 1;
		line_strip(&from, &to);
		if (from == to && out == text)
			continue;
		memcpy(out, from, (size_t)(to - from));
		out += to - from;
		*out++ = '\n';
	}
	while (out > text && out[-1] == '\n')
		*--out = '\0';
	for (char *c = text; c < out; c++)
		if (!*c)
			*c = ' ';
	bytes_clean(text);
	return *text ? text : NULL;
}
