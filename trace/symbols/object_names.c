#include "trace/symbols/object_names.h"
#include "base/search.h"
#include "base/visible.h"
#include "trace/symbols/line_tokens.h"
#include <stdlib.h>

static void line_read(struct object_names *names, const char *line, size_t n,
		      int64_t (*time)(const void *context, uint64_t ticks), const void *context)
{
	struct line_tokens t = {line, line + n};
	uint64_t ticks, address;
	char *name;

	if (!number_next(&t, 10, &ticks) || !number_next(&t, 16, &address) ||
	    !(name = text_rest(&t)))
		return;
	*vector_add(&names->list) = (struct object_name){.address = address,
							 .time = time(context, ticks),
							 .line = names->list.n,
							 .name = visible_text(name)};
	free(name);
}

static int order_by_address(const void *a, const void *b)
{
	const struct object_name *m = a, *n = b;

	if (m->address != n->address)
		return m->address < n->address ? -1 : 1;
	if (m->time != n->time)
		return m->time < n->time ? -1 : 1;
	return m->line < n->line ? -1 : m->line > n->line;
}

void object_names_read(struct object_names *names, const char *text, size_t n,
		       int64_t (*time)(const void *context, uint64_t ticks), const void *context)
{
	const char *end = text + n, *newline;

	for (; (newline = memchr(text, '\n', (size_t)(end - text))); text = newline + 1)
		line_read(names, text, (size_t)(newline - text), time, context);
	if (names->list.n)
		qsort(names->list.at, names->list.n, sizeof *names->list.at, order_by_address);
}

void object_names_clear(struct object_names *names)
{
	for (size_t i = 0; i < names->list.n; i++)
		free(names->list.at[i].name);
	free(names->list.at);
	*names = (struct object_names){0};
}

/* Returns the first name at an address that was given after a time, or a later one. */
static size_t name_from(const struct object_names *names, uint64_t address, int64_t after)
{
	const struct object_name *list = names->list.at;

	return lower_bound(i, 0, names->list.n,
			   list[i].address < address ||
			       (list[i].address == address && list[i].time <= after));
}

bool object_names_have(const struct object_names *names, uint64_t address)
{
	size_t i = name_from(names, address, INT64_MIN);

	return i < names->list.n && names->list.at[i].address == address;
}

const char *object_names_find(const struct object_names *names, uint64_t address, int64_t time,
			      int64_t after, int64_t until)
{
	const struct object_name *list = names->list.at;
	size_t first = name_from(names, address, after), last = name_from(names, address, until);
	size_t next = name_from(names, address, time < until ? time : until);

	if (first == last)
		return NULL;
	next = next > first ? next - 1 : first;
	return *list[next].name ? list[next].name : NULL;
}
