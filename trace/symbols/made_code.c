#include "trace/symbols/made_code.h"
#include "base/search.h"
#include "base/visible.h"
#include "trace/symbols/line_tokens.h"
#include <stdbool.h>
#include <stdlib.h>

static void line_read(struct made_codes *m, const char *line, size_t n,
		      int64_t (*time)(const void *context, uint64_t ticks), const void *context)
{
	struct line_tokens t = {line, line + n};
	struct made_code c = {.line = m->list.n};
	uint64_t ticks;
	char *name;

	if (m->list.n == MADE_CODES_MOST || !number_next(&t, 10, &ticks) ||
	    !number_next(&t, 16, &c.start) || !number_next(&t, 16, &c.end) || c.start >= c.end ||
	    !(name = text_rest(&t)))
		return;
	c.time = time(context, ticks);
	c.name = *name ? visible_text(name) : NULL;
	free(name);
	if (c.name)
		*vector_add(&m->list) = c;
}

static int by_start(const void *left, const void *right)
{
	const struct made_code *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

void made_codes_read(struct made_codes *m, const char *text, size_t n,
		     int64_t (*time)(const void *context, uint64_t ticks), const void *context)
{
	const char *end = text + n, *newline;
	uint64_t most = 0;

	for (; (newline = memchr(text, '\n', (size_t)(end - text))); text = newline + 1)
		line_read(m, text, (size_t)(newline - text), time, context);
	if (m->list.n)
		qsort(m->list.at, m->list.n, sizeof *m->list.at, by_start);
	m->ends = array_new(m->list.n, sizeof *m->ends);
	for (size_t i = 0; i < m->list.n; i++) {
		most = m->list.at[i].end > most ? m->list.at[i].end : most;
		m->ends[i] = most;
	}
}

void made_codes_clear(struct made_codes *m)
{
	for (size_t i = 0; i < m->list.n; i++)
		free(m->list.at[i].name);
	free(m->list.at);
	free(m->ends);
	*m = (struct made_codes){0};
}

/*
 * Returns whether one of two that an address is in counts more at a time: the last one up to it, or
 * the first one after it.
 */
static bool counts_more(const struct made_code *a, const struct made_code *b, int64_t time)
{
	bool before = a->time <= time;

	if (before != (b->time <= time))
		return before;
	if (a->time != b->time)
		return before ? a->time > b->time : a->time < b->time;
	return a->line > b->line;
}

const struct made_code *made_codes_at(const struct made_codes *m, uint64_t address, int64_t time)
{
	size_t from = lower_bound(i, 0, m->list.n, m->list.at[i].start <= address);
	const struct made_code *found = NULL;

	for (size_t i = from; i > 0 && m->ends[i - 1] > address; i--) {
		const struct made_code *one = &m->list.at[i - 1];

		if (address < one->end && (!found || counts_more(one, found, time)))
			found = one;
	}
	return found;
}
