/* Perf maps: lines "START SIZE NAME", numbers in hexadecimal. */
#include "base/array.h"
#include "base/search.h"
#include "recorder/samples/made_names.h"
#include "trace/symbols/line_tokens.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* How much is read at once, and of a file at most. No line is longer than what is read at once. */
enum { PIECE = 1 << 18, MAP_MOST = 1 << 28 };

struct map_reading {
	const uint64_t *addresses;
	size_t n, unnamed;
	uint32_t *next; /* of each address: the first one from there on that may have no name yet */
	made_take *take;
	void *context;
};

static size_t unnamed_from(struct map_reading *r, size_t i)
{
	size_t first = i;

	while (r->next[first] != first)
		first = r->next[first];
	while (r->next[i] != first) {
		size_t after = r->next[i];

		r->next[i] = (uint32_t)first;
		i = after;
	}
	return first;
}

static void map_line_take(struct map_reading *r, const char *line, size_t length)
{
	struct line_tokens t = {line, line + length};
	struct made_name m = {0};
	uint64_t size;
	size_t i, before = r->unnamed;

	if (!number_next(&t, 16, &m.start) || !number_next(&t, 16, &size) || !size ||
	    __builtin_add_overflow(m.start, size, &m.end) || t.at == t.end)
		return;
	i = lower_bound(k, 0, r->n, r->addresses[k] < m.start);
	for (i = unnamed_from(r, i); i < r->n && r->addresses[i] < m.end; i = unnamed_from(r, i)) {
		r->next[i] = (uint32_t)i + 1;
		r->unnamed--;
	}
	m.name = t.at;
	m.length = (size_t)(t.end - t.at) < MADE_NAME ? (size_t)(t.end - t.at) : MADE_NAME;
	if (r->unnamed < before)
		r->take(r->context, &m);
}

/*
 * Takes the whole lines of a part of the file, the last one first; returns where the first one
 * begins.
 */
static size_t lines_take(struct map_reading *r, const char *text, size_t size, bool first)
{
	const char *end = memrchr(text, '\n', size), *before;

	while (end && r->unnamed && (before = memrchr(text, '\n', (size_t)(end - text)))) {
		map_line_take(r, before + 1, (size_t)(end - before - 1));
		end = before;
	}
	if (end && r->unnamed && first)
		map_line_take(r, text, (size_t)(end - text));
	return end ? (size_t)(end - text) + 1 : 0;
}

/* From its end: what counts is the last line, and with luck the rest need not be read. */
static bool map_walk(struct map_reading *r, int fd, uint64_t size)
{
	char *text = array_new(PIECE, 1);
	uint64_t to = size, stop = size > MAP_MOST ? size - MAP_MOST : 0;

	while (to > stop && r->unnamed) {
		uint64_t from = to > PIECE ? to - PIECE : 0;
		ssize_t got = pread(fd, text, (size_t)(to - from), (off_t)from);
		size_t begin;

		if (got <= 0)
			break;
		begin = lines_take(r, text, (size_t)got, from == 0);
		/* a line that is longer than all this is left out */
		to = from && begin && from + begin < to ? from + begin : from;
	}
	free(text);
	return !r->unnamed || !stop;
}

bool perf_map_read(int fd, const uint64_t *addresses, size_t n, made_take *take, void *context)
{
	struct map_reading r = {
	    .addresses = addresses, .n = n, .unnamed = n, .take = take, .context = context};
	struct stat s;
	bool all;

	if (n >= UINT32_MAX || fstat(fd, &s) || s.st_size <= 0)
		return true;
	r.next = array_new(n + 1, sizeof *r.next);
	for (size_t i = 0; i <= n; i++)
		r.next[i] = (uint32_t)i;
	all = map_walk(&r, fd, (uint64_t)s.st_size);
	free(r.next);
	return all;
}
