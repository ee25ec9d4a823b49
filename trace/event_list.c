/*
 * Lists of events by type, in the order of the stream. An entry has 24 bytes; what does not fit
 * into its fields of 32 bits is known from the order: ranks ascend within a list, so it is enough
 * to remember where they wrap.
 */
#include "trace/bytes.h"
#include "trace/opened.h"
#include "trace/progress.h"
#include <stdlib.h>
#include <sys/mman.h>

#define THREAD_BITS 24
#define PLACE_BITS 40	 /* a record is at a multiple of 4 */
#define LARGE (2u << 20) /* a huge page */
#define STEP 262144	 /* events between two looks at the progress bar */

struct entry {
	int64_t time;
	uint64_t thread : THREAD_BITS, place : PLACE_BITS;
	uint32_t rank, seq; /* their low bits */
};

struct event_list {
	const struct opened *opened;
	const struct event_type *type;
	struct entry *entries;
	size_t size;
	size_t *wraps; /* the entries before which the rank passes a multiple of 2^32 */
	size_t nwraps;
	uint64_t rank; /* of the newest entry */
};

/* Memory of hundreds of megabytes costs more to get in small pages than to fill. */
static struct entry *entries_new(size_t n)
{
	size_t size = (n + 1) * sizeof(struct entry);
	void *entries;

	if (size < LARGE)
		return malloc(size);
	if (posix_memalign(&entries, LARGE, size))
		return NULL;
	madvise(entries, size, MADV_HUGEPAGE);
	return entries;
}

static struct event_list *list_new(const struct opened *o, const struct event_type *type)
{
	struct event_list *l = calloc(1, sizeof *l);

	if (!l)
		return NULL;
	l->opened = o;
	l->type = type;
	l->entries = entries_new(o->trace.events_of_type[type->index]);
	if (!l->entries) {
		free(l);
		return NULL;
	}
	return l;
}

static bool list_wrap(struct event_list *l)
{
	size_t *wraps = realloc(l->wraps, (l->nwraps + 1) * sizeof *wraps);

	if (!wraps)
		return false;
	l->wraps = wraps;
	l->wraps[l->nwraps++] = l->size;
	return true;
}

static bool list_append(struct event_list *l, const struct event *e, uint32_t log, uint64_t rank)
{
	for (uint64_t n = rank >> 32; l->nwraps < n;)
		if (!list_wrap(l))
			return false;
	l->entries[l->size++] =
	    (struct entry){e->time, log, log_place(&l->opened->logs[log], e->record) >> 2,
			   (uint32_t)rank, (uint32_t)e->seq};
	return true;
}

/* Reads the whole stream once; fills the lists that are there and empty. */
static bool lists_fill(struct opened *o, struct event_list **lists)
{
	struct merge *m = merge_open(&o->trace);
	struct event e;
	uint64_t rank = 0;
	bool good = m;

	progress_begin("merging");
	for (; good && merge_next(m, &e); rank++) {
		struct event_list *l = lists[e.type->index];

		if (rank % STEP == 0)
			progress_step(rank, o->trace.events);
		good = !l || list_append(l, &e, merge_log(m), rank);
	}
	progress_end();
	merge_close(m);
	return good;
}

static void list_free(struct event_list *l)
{
	if (!l)
		return;
	free(l->entries);
	free(l->wraps);
	free(l);
}

static void end_announce(struct trace *t, const struct interval_end *end)
{
	if (end->event) {
		trace_announce(t, end->event);
		return;
	}
	end_announce(t, &end->interval->anchor);
	end_announce(t, &end->interval->partner);
}

static void intervals_announce(struct opened *o)
{
	const struct spec *spec = o->trace.spec;

	for (unsigned i = 0; i < spec->nevents; i++)
		if (o->announced[i])
			return;
	for (unsigned i = 0; i < spec->nintervals; i++) {
		end_announce(&o->trace, &spec->intervals[i]->anchor);
		end_announce(&o->trace, &spec->intervals[i]->partner);
	}
}

void trace_announce(struct trace *t, const struct event_type *type)
{
	opened_of(t)->announced[type->index] = true;
}

static bool lists_build(struct opened *o)
{
	unsigned n = o->trace.spec->nevents;
	struct event_list **lists = calloc(n + 1, sizeof(struct event_list *));
	bool good = lists;

	for (unsigned i = 0; good && i < n; i++)
		if (o->announced[i] && !o->lists[i])
			good = (lists[i] = list_new(o, o->trace.spec->events[i]));
	good = good && lists_fill(o, lists);
	for (unsigned i = 0; lists && i < n; i++) {
		if (good && lists[i])
			o->lists[i] = lists[i];
		else
			list_free(lists[i]);
	}
	free(lists);
	return good;
}

const struct event_list *trace_events(struct trace *t, const struct event_type *type)
{
	struct opened *o = opened_of(t);

	if (!o->lists[type->index]) {
		intervals_announce(o);
		trace_announce(t, type);
		if (!lists_build(o))
			return NULL;
	}
	return o->lists[type->index];
}

void event_lists_free(struct opened *o)
{
	for (unsigned i = 0; o->lists && i < o->trace.spec->nevents; i++)
		list_free(o->lists[i]);
	free(o->lists);
	free(o->announced);
}

size_t event_list_size(const struct event_list *l)
{
	return l->size;
}

int64_t event_list_time(const struct event_list *l, size_t i)
{
	return l->entries[i].time;
}

uint64_t event_list_rank(const struct event_list *l, size_t i)
{
	uint64_t high = 0;

	while (high < l->nwraps && l->wraps[high] <= i)
		high++;
	return high << 32 | l->entries[i].rank;
}

void event_list_get(const struct event_list *l, size_t i, struct event *e)
{
	const struct entry *entry = &l->entries[i];

	e->time = entry->time;
	e->type = l->type;
	e->record = log_record(&l->opened->logs[entry->thread], (uint64_t)entry->place << 2);
	e->thread = l->opened->threads[entry->thread].number;
	e->seq = entry->seq;
}
