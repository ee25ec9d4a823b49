/*
 * The kernel's list of its functions: lines "ADDRESS TYPE NAME", and a tab and [MODULE] for those
 * of modules.
 */
#include "base/array.h"
#include "base/search.h"
#include "recorder/samples/made_names.h"
#include "trace/symbols/line_tokens.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A line's length, how many lines are read, and how far a function reaches if nothing follows it.
 */
enum { LINE_ROOM = 1024, LINES_MOST = 1 << 22, FUNCTION_MOST = 1 << 20 };

/*
 * Of the symbols after an address, or from the beginning on, up to the next one of the addresses:
 * the ends of these.
 */
struct symbol_gap {
	uint64_t first, last;
	unsigned rank; /* of the last one's name */
	char *name;    /* the last one's; NULL: there are no symbols */
};

struct kernel_reading {
	const uint64_t *addresses;
	size_t n;
	struct symbol_gap *gaps; /* n + 1 */
};

/*
 * Of several names of a place the one that others call it by: no weak one, not one with
 * underscores, no local one.
 */
static unsigned rank_of(char type, const char *name)
{
	size_t underscores = strspn(name, "_");
	unsigned weak = type == 'w' || type == 'W', local = type == 't';

	return weak << 8 | (unsigned)(underscores < 15 ? underscores : 15) << 1 | local;
}

static void symbol_take(struct kernel_reading *r, uint64_t start, char type, const char *name,
			size_t length)
{
	/* a symbol at an address is before it */
	struct symbol_gap *g = &r->gaps[lower_bound(i, 0, r->n, r->addresses[i] < start)];
	unsigned rank = rank_of(type, name);

	if (!g->name || start < g->first)
		g->first = start;
	if (g->name && (start < g->last || (start == g->last && rank >= g->rank)))
		return;
	g->name = array_resize(g->name, length + 1, 1);
	memcpy(g->name, name, length);
	g->name[length] = '\0';
	g->last = start;
	g->rank = rank;
}

static void kernel_line_take(struct kernel_reading *r, const char *line)
{
	struct line_tokens t = {line, line + strcspn(line, "\n")};
	uint64_t start;
	const char *type;
	size_t n, length;

	if (!number_next(&t, 16, &start) || !token_next(&t, &type, &n) || n != 1 ||
	    !strchr("tTwW", *type))
		return;
	length = strcspn(t.at, "\t\n");
	if (length)
		symbol_take(r, start, *type, t.at, length < MADE_NAME ? length : MADE_NAME);
}

/*
 * Gives the functions that addresses are in: each address is in the last one that begins up to it.
 */
static void functions_give(const struct kernel_reading *r, made_take *take, void *context)
{
	const struct symbol_gap *in = NULL;

	for (size_t i = 0; i < r->n; i++) {
		struct made_name m = {0};
		uint64_t address = r->addresses[i];

		if (r->gaps[i].name)
			in = &r->gaps[i];
		/* the next gap with symbols ends it, and addresses up to there are in it */
		while (in && i + 1 < r->n && !r->gaps[i + 1].name)
			i++;
		if (!in)
			continue;
		m.start = in->last;
		m.end = m.start + FUNCTION_MOST;
		if (r->gaps[i + 1].name && r->gaps[i + 1].first < m.end)
			m.end = r->gaps[i + 1].first;
		m.name = in->name;
		m.length = strlen(in->name);
		if (address < m.end)
			take(context, &m);
	}
}

bool kernel_names_read(int fd, const uint64_t *addresses, size_t n, made_take *take, void *context)
{
	struct kernel_reading r = {addresses, n, array_zero(n + 1, sizeof *r.gaps)};
	int own = dup(fd);
	FILE *f = own < 0 ? NULL : fdopen(own, "r");
	unsigned lines = 0;
	char line[LINE_ROOM];

	while (f && lines < LINES_MOST && fgets(line, sizeof line, f)) {
		kernel_line_take(&r, line);
		lines++;
	}
	functions_give(&r, take, context);
	for (size_t i = 0; i <= n; i++)
		free(r.gaps[i].name);
	free(r.gaps);
	if (f)
		fclose(f);
	return f && lines < LINES_MOST;
}
