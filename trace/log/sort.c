/*
 * A log's times step back by the length of a signal handler, from file to file, and a lying log's
 * by anything.
 */
#include "trace/log/cursor.h"
#include "trace/log/scan.h"
#include <stdlib.h>

static bool sorted_before(const struct sorted_event *a, const struct sorted_event *b)
{
	return a->ticks != b->ticks ? a->ticks < b->ticks : a->place < b->place;
}

static int sorted_compare(const void *left, const void *right)
{
	return sorted_before(left, right) ? -1 : sorted_before(right, left);
}

/*
 * Moves each event back past the few that are later. False when they are too many: work is
 * bounded.
 */
static bool sort_nearly(struct sorted_event *list, size_t n)
{
	size_t work = 8 * n;

	for (size_t i = 1; i < n; i++) {
		struct sorted_event e = list[i];
		size_t at = i;

		for (; at > 0 && sorted_before(&e, &list[at - 1]) && work > 0; work--, at--)
			list[at] = list[at - 1];
		list[at] = e;
	}
	return work > 0;
}

bool log_sort(struct log *log)
{
	struct sorted_event *list, *to;
	struct log_cursor c;
	uint64_t ticks;

	if (!log->disordered || log->used == 0)
		return true;
	to = list = malloc(log->events * sizeof *list);
	if (!list)
		return false;
	log_cursor_open(&c, log);
	while (log_cursor_step(&c, &ticks))
		*to++ = (struct sorted_event){ticks, log_place(log, c.record)};
	if (!sort_nearly(list, log->events))
		qsort(list, log->events, sizeof *list, sorted_compare);
	log->sorted = list;
	return true;
}
