/*
 * lists DIRECTORY...: whether the merge and the lists of events by type have all that the logs
 * have, in the order of the stream, however that is cut into sections; and whether logs whose times
 * step back have in order what they have as they were written. Says where not, with status 1.
 */
#include "trace/log/cursor.h"
#include "trace/log/order.h"
#include "trace/open/load.h"
#include "trace/open/opened.h"
#include "trace/stream/section.h"
#include <stdio.h>
#include <stdlib.h>

static bool equal(const struct event *a, const struct event *b)
{
	return a->time == b->time && a->type == b->type && a->record == b->record &&
	       a->thread == b->thread && a->seq == b->seq;
}

/* Returns whether entry i is this event of the stream, and its rank follows those before it. */
static bool follows(const struct event_list *l, size_t i, const struct event *e, event_rank *rank)
{
	event_rank next;
	struct event found;

	if (i >= event_list_size(l))
		return false;
	event_list_get(l, i, &found);
	next = event_list_rank(l, i);
	if (!equal(&found, e) || event_list_time(l, i) != e->time || next < *rank)
		return false;
	*rank = next + 1;
	return true;
}

/* By time, thread, place in its log. */
static int compare_events(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->seq > b->seq) - (a->seq < b->seq);
}

/* The oracle: all events, sorted. */
static struct event *stream_sort(const struct trace *t)
{
	const struct opened *o = opened_of(t);
	struct event *events = malloc((t->events + 1) * sizeof *events);
	size_t n = 0;

	for (size_t i = 0; events && i < o->nlogs; i++) {
		struct log_cursor c;

		log_cursor_open(&c, &o->logs[i]);
		while (log_cursor_next(&c))
			events[n++] = (struct event){.time = c.time - t->origin,
						     .type = t->spec->events[c.type],
						     .record = c.record,
						     .thread = o->threads[i].number,
						     .seq = c.event_seq};
	}
	if (events)
		qsort(events, n, sizeof *events, compare_events);
	return events;
}

static bool merges(const struct trace *t, const char *directory)
{
	struct event *events = stream_sort(t), e;
	struct merge *m = merge_open(t);
	bool good = events && m;
	size_t n = 0;

	while (good && merge_next(m, &e))
		good = n < t->events && equal(&e, &events[n++]);
	good = good && n == t->events;
	if (!good)
		printf("# %s, sections of %zu: the merge is wrong at event %zu\n", directory,
		       section_events, n);
	merge_close(m);
	free(events);
	return good;
}

static bool compare(struct trace *t, const char *directory)
{
	size_t *at = calloc(t->spec->nevents + 1, sizeof *at);
	struct merge *m = merge_open(t);
	event_rank rank = 0;
	struct event e;
	bool good = at && m;

	for (unsigned i = 0; i < t->spec->nevents; i++)
		trace_announce(t, t->spec->events[i]);
	while (good && merge_next(m, &e)) {
		unsigned type = e.type->index;

		good = follows(trace_events(t, e.type), at[type]++, &e, &rank);
		if (!good)
			printf("# %s, sections of %zu: %s %zu is not thread %u seq %llu\n",
			       directory, section_events, e.type->name, at[type] - 1, e.thread,
			       (unsigned long long)e.seq);
	}
	for (unsigned i = 0; good && i < t->spec->nevents; i++)
		good = at[i] == event_list_size(trace_events(t, t->spec->events[i]));
	merge_close(m);
	free(at);
	return good;
}

/* ---- the order within a log ---- */

struct written_event {
	uint64_t ticks, place;
	const unsigned char *record;
	size_t size;
};

static int compare_written(const void *left, const void *right)
{
	const struct written_event *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* The oracle: the events of a log, sorted by time and place. */
static struct written_event *written_sort(const struct log *log)
{
	struct written_event *list = malloc((log->events + 1) * sizeof *list);
	struct log_cursor c;
	uint64_t ticks;
	size_t n = 0;

	log_cursor_open(&c, log);
	while (list && log_cursor_step(&c, &ticks)) {
		list[n].ticks = ticks;
		list[n].place = log_place(log, c.next, c.record);
		list[n].record = c.record;
		list[n++].size = event_size(&c.rows[RECORD_ID(read_32(c.record))], c.record);
	}
	if (list && n)
		qsort(list, n, sizeof *list, compare_written);
	return list;
}

/* Places count the records that are read, and lead back to them. */
static bool place_right(const struct log *log, const struct log_cursor *c, uint64_t ticks,
			uint64_t *least)
{
	uint64_t place = log_place(log, c->next, c->record);
	bool good = place >= *least && log_record(log, place) == c->record &&
		    position_place(log, clock_ns(log->time, ticks), c->record) == place;

	*least = place + event_size(&c->rows[RECORD_ID(read_32(c->record))], c->record);
	return good && *least <= log_units(log) << 2;
}

static bool checkpoint_right(const struct log *log, const struct log_cursor *c)
{
	const struct checkpoint *p = &log->checkpoints[c->event_seq / CHECKPOINT_EVENTS];

	return p->place == log_place(log, c->next, c->record) && p->range == c->next - 1 &&
	       p->upper == c->upper && p->seq == c->event_seq;
}

static bool log_ordered(const struct log *written, const struct log *log)
{
	struct written_event *list = written_sort(written);
	struct log_cursor c;
	uint64_t ticks, least = 0;
	size_t n = 0;
	bool good = list && written->events == log->events &&
		    log->ncheckpoints == (log->events + CHECKPOINT_EVENTS - 1) / CHECKPOINT_EVENTS;

	log_cursor_open(&c, log);
	while (good && log_cursor_step(&c, &ticks)) {
		good = n < log->events && ticks == list[n].ticks && c.event_seq == n &&
		       memcmp(c.record, list[n].record, list[n].size) == 0 &&
		       place_right(log, &c, ticks, &least) &&
		       (n % CHECKPOINT_EVENTS || checkpoint_right(log, &c));
		n++;
	}
	good = good && n == log->events;
	free(list);
	return good;
}

/* Logs in order are not touched; those that are read in part have other seqs. */
static bool orders(const char *directory, struct diag *diag)
{
	struct trace *t = trace_open(&directory, 1, NULL, diag);
	struct trace *written = trace_open_as_written(directory, diag);
	bool good = !t == !written;

	for (unsigned i = 0; good && t && i < t->nthreads; i++) {
		const struct log *log = &opened_of(t)->logs[i];

		good = (!log->ordered && !log->merged) ||
		       log_ordered(&opened_of(written)->logs[i], log);
		if (!good)
			printf("# %s: %s is not in order\n", directory, t->threads[i].path);
	}
	trace_close(t);
	trace_close(written);
	return good;
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {1, 300, 1 << 18};
	/* Records are copied nowhere, where files take turns often, or wherever they do. */
	static const size_t runs[] = {1, 64, SIZE_MAX};
	struct diag diag = {.out = fopen("/dev/null", "w"), .program = "lists"};
	bool good = true;

	for (int i = 1; i < argc; i++) {
		for (unsigned k = 0; k < 9; k++) {
			const char *directory = argv[i];
			struct trace *t;

			merged_run_least = runs[k / 3];
			section_events = sizes[k % 3];
			logs_parallel_size = k % 3 ? 0 : UINT64_MAX;
			good &= k % 3 || orders(argv[i], &diag);
			t = trace_open(&directory, 1, NULL, &diag);
			good &= !t || (merges(t, directory) && compare(t, directory));
			trace_close(t);
		}
	}
	return good ? 0 : 1;
}
