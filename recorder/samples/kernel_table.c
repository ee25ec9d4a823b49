/*
 * The kernel's list of its functions: lines "ADDRESS TYPE NAME", and a tab and [MODULE] for those
 * of modules.
 */
#include "recorder/samples/kernel_table.h"
#include "base/array.h"
#include "base/search.h"
#include "trace/symbols/line_tokens.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many lines are read, and how far a function reaches if nothing follows it. */
enum { LINES_MOST = 1 << 22, FUNCTION_MOST = 1 << 20 };
/* What is read at once, with room for the beginning of a line before. */
enum { READ_BYTES = 1 << 16, LINE_ROOM = 1024 };
/* Names of modules; longer ones are cut. */
enum { MODULE_ROOM = 64 };

#define TEXT_MOST (UINT32_MAX - LINE_ROOM)

struct table_reading {
	VECTOR(struct kernel_symbol) symbols;
	VECTOR(char) text;
	char module[MODULE_ROOM]; /* of the last line with one */
	uint16_t owner;           /* its number */
	unsigned lines;
};

/* ---- lines ---- */

/*
 * Of several names of a place the one that others call it by: no weak one, not one with
 * underscores, no local one.
 */
static uint16_t rank_of(char type, const char *name)
{
	size_t underscores = strspn(name, "_");
	unsigned weak = type == 'w' || type == 'W', local = type == 't';

	return (uint16_t)(weak << 8 | (unsigned)(underscores < 15 ? underscores : 15) << 1 | local);
}

/* Returns the number of the module in the text after a name, "[MODULE]". Its lines are together. */
static uint16_t owner_of(struct table_reading *r, const char *at, size_t n)
{
	static const char *const passing[] = {"[bpf]", "[__builtin__ftrace]",
					      "[__builtin__kprobes]"};

	if (n >= MODULE_ROOM)
		return KERNEL_PASSING;
	for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
		if (n == strlen(passing[i]) && memcmp(at, passing[i], n) == 0)
			return KERNEL_PASSING;
	if (strlen(r->module) == n && memcmp(at, r->module, n) == 0)
		return r->owner;
	memcpy(r->module, at, n);
	r->module[n] = '\0';
	if (r->owner < KERNEL_PASSING)
		r->owner++;
	return r->owner;
}

static void table_line_take(struct table_reading *r, const char *line, const char *end)
{
	struct line_tokens t = {line, end};
	struct kernel_symbol *s;
	uint64_t start;
	const char *type, *tab;
	size_t n, length;

	if (!number_next(&t, 16, &start) || !token_next(&t, &type, &n) || n != 1 ||
	    (*type != 't' && *type != 'T' && *type != 'w' && *type != 'W'))
		return;
	tab = memchr(t.at, '\t', (size_t)(end - t.at));
	length = (size_t)((tab ? tab : end) - t.at);
	if (!length || *t.at == '\0')
		return;
	s = vector_add(&r->symbols);
	s->start = start;
	s->name = (uint32_t)r->text.n;
	s->owner = tab ? owner_of(r, tab + 1, (size_t)(end - tab - 1)) : KERNEL_OWN;
	length = strnlen(t.at, length < MADE_NAME ? length : MADE_NAME);
	vector_append(&r->text, t.at, length);
	*vector_add(&r->text) = '\0';
	s->rank = rank_of(*type, r->text.at + s->name);
}

/* Takes the whole lines of a text; returns how many bytes these are. */
static size_t table_lines_take(struct table_reading *r, const char *text, size_t n, bool last)
{
	const char *at = text, *end = text + n, *newline;

	while (at < end && r->lines < LINES_MOST && r->text.n < TEXT_MOST) {
		newline = memchr(at, '\n', (size_t)(end - at));
		/* what is longer than any line is taken as one */
		if (!newline && !last && end - at < LINE_ROOM)
			break;
		table_line_take(r, at, newline ? newline : end);
		at = newline ? newline + 1 : end;
		r->lines++;
	}
	return (size_t)(at - text);
}

/* ---- the table ---- */

static int by_start(const void *left, const void *right)
{
	const struct kernel_symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

/* Sorts the symbols, which mostly are in order, and keeps one for each address. */
static void symbols_settle(struct table_reading *r)
{
	struct kernel_symbol *s = r->symbols.at;
	size_t n = r->symbols.n, kept = 0;
	bool sorted = true;

	for (size_t i = 1; i < n && sorted; i++)
		sorted = by_start(&s[i - 1], &s[i]) < 0;
	if (!sorted)
		qsort(s, n, sizeof *s, by_start);
	for (size_t i = 0; i < n; i++)
		if (!kept || s[i].start != s[kept - 1].start)
			s[kept++] = s[i];
	r->symbols.n = kept;
}

bool kernel_table_read(struct kernel_table *t, int fd)
{
	struct table_reading r = {.lines = 0};
	char *text = array_new(LINE_ROOM + READ_BYTES, 1);
	size_t had = 0;
	ssize_t n;

	do {
		size_t taken;

		while ((n = read(fd, text + had, READ_BYTES)) < 0 && errno == EINTR)
			continue;
		had += n > 0 ? (size_t)n : 0;
		taken = table_lines_take(&r, text, had, n <= 0);
		had -= taken;
		if (had >= LINE_ROOM)
			break;
		memmove(text, text + taken, had);
	} while (n > 0);
	free(text);
	symbols_settle(&r);
	*t = (struct kernel_table){r.symbols.at, r.symbols.n, r.text.at, r.text.n};
	return n == 0 && !had;
}

void kernel_table_free(struct kernel_table *t)
{
	free(t->symbols);
	free(t->text);
	*t = (struct kernel_table){.n = 0};
}

/* Returns the number of the first symbol after an address. */
static size_t symbol_after(const struct kernel_table *t, uint64_t address)
{
	return lower_bound(i, (size_t)0, t->n, t->symbols[i].start <= address);
}

void kernel_table_give(const struct kernel_table *t, const uint64_t *addresses, size_t n,
		       made_take *take, void *context)
{
	size_t given = 0;

	for (size_t i = 0; i < n; i++) {
		size_t after = symbol_after(t, addresses[i]);
		struct made_name m = {0};

		if (!after || after == given)
			continue;
		m.start = t->symbols[after - 1].start;
		m.end = m.start + FUNCTION_MOST;
		if (after < t->n && t->symbols[after].start < m.end)
			m.end = t->symbols[after].start;
		if (addresses[i] >= m.end)
			continue;
		m.name = t->text + t->symbols[after - 1].name;
		m.length = strlen(m.name);
		take(context, &m);
		given = after;
	}
}

bool kernel_table_lasts(const struct kernel_table *t, uint64_t address)
{
	size_t after = symbol_after(t, address);

	return after && after < t->n && t->symbols[after].owner == t->symbols[after - 1].owner &&
	       t->symbols[after].owner != KERNEL_PASSING;
}
