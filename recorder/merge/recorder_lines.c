#include "recorder/merge/recorder_lines.h"
#include "base/array.h"
#include "base/search.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the rest of a line is. */
struct recorder_line {
	uint32_t pid;
	int64_t since;
	off_t rest;
};

struct recorder_lines {
	FILE *file; /* NULL: it cannot be read */
	VECTOR(struct recorder_line) places;
};

static int place_order(const void *left, const void *right)
{
	const struct recorder_line *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return (a->rest > b->rest) - (a->rest < b->rest);
}

struct recorder_lines *recorder_lines_open(const char *path)
{
	struct recorder_lines *l = array_zero(1, sizeof *l);
	char *line = NULL;
	size_t room = 0;
	off_t at = 0;
	ssize_t n;

	l->file = fopen(path, "re");
	while (l->file && (n = getline(&line, &room, l->file)) > 0) {
		struct recorder_line p;
		int rest = 0;

		if (sscanf(line, "%" SCNu32 " %" SCNd64 " %n", &p.pid, &p.since, &rest) == 2 &&
		    rest) {
			p.rest = at + rest;
			*vector_add(&l->places) = p;
		}
		at += n;
	}
	if (l->places.n)
		qsort(l->places.at, l->places.n, sizeof *l->places.at, place_order);
	free(line);
	return l;
}

void recorder_lines_close(struct recorder_lines *l)
{
	if (l->file)
		fclose(l->file);
	free(l->places.at);
	free(l);
}

void recorder_lines_of(struct recorder_lines *l, uint32_t pid, int64_t to, recorder_line_take *take,
		       void *context)
{
	const struct recorder_line *p = l->places.at;
	size_t end =
	    lower_bound(i, 0, l->places.n, p[i].pid < pid || (p[i].pid == pid && p[i].since <= to));
	size_t begin = end;
	char *line = NULL;
	size_t room = 0;

	while (begin && p[begin - 1].pid == pid && p[begin - 1].since == p[end - 1].since)
		begin--;
	for (size_t i = begin; i < end; i++) {
		if (fseeko(l->file, p[i].rest, SEEK_SET))
			break;
		if (getline(&line, &room, l->file) > 0)
			take(context, line);
	}
	free(line);
}
