/*
 * Keeps spans: the instances of one interval that begin in one thread and end in one thread, in the
 * order of their starts, in twelve bytes each. Sums and extremes of blocks make questions about
 * many of them cheap. The spans of a fan begin in one thread and end in any: four bytes more.
 */
#ifndef GLIMPSE_GORGE_INDEX_SPANS_H
#define GLIMPSE_GORGE_INDEX_SPANS_H

#include "viewers/gorge/index/event_walk.h"

/* Spans of a block; spans of a group, which is a number of blocks. */
enum { SPANS_BLOCK = 64, SPANS_GROUP = 64 * SPANS_BLOCK };

/* The extremes of a block's ends and lengths, and the sum of all lengths before the block. */
struct spans_block {
	int64_t first_end, last_end;
	int64_t reached; /* the last end up to here, of earlier blocks, too */
	int64_t shortest, longest;
	uint64_t before;
};

/* The extremes of a group's lengths. */
struct spans_group {
	int64_t shortest, longest;
};

struct spans {
	unsigned from, to; /* threads; of a fan, both are where it begins */
	unsigned row;      /* of a stack; unused between two threads */
	size_t n, room;
	uint32_t *start, *end; /* units of the earlier and of the later event */
	int64_t *times;        /* of the earlier events; NULL from spans_finish() on */
	uint32_t *tos;         /* the later events' threads; NULL: not a fan */
	uint32_t *length;      /* nanoseconds: the lower bits, */
	uint32_t *length_high; /* and the upper ones; NULL: they are all 0 */
	struct spans_block *blocks;
	struct spans_group *groups;
	struct spans_selection *selection; /* NULL: none was counted */
	uint64_t total;                    /* of all lengths */
	int64_t longest;
};

static inline int64_t spans_length(const struct spans *s, size_t i)
{
	return (int64_t)((s->length_high ? (uint64_t)s->length_high[i] << 32 : 0) | s->length[i]);
}

/* Returns the thread of the later event. */
static inline unsigned spans_to(const struct spans *s, size_t i)
{
	return s->tos ? s->tos[i] : s->to;
}

static inline event_id spans_earlier(const struct spans *s, size_t i)
{
	return event_id_make(s->from, s->start[i]);
}

static inline event_id spans_later(const struct spans *s, size_t i)
{
	return event_id_make(spans_to(s, i), s->end[i]);
}

/* ---- making them ---- */

/* One span. */
struct spans_entry {
	uint32_t start, end;
	int64_t time, length; /* time: of the start; 0 in spans that do not have it */
	unsigned to;
};

/* Returns n spans; put each of them. high: some lengths take more than 32 bits. */
struct spans spans_new(unsigned from, unsigned to, size_t n, bool fan, bool high);
void spans_put(struct spans *s, size_t i, struct spans_entry entry);
/* Brings spans that are all put into the order of their starts, at one time the longest first. */
void spans_finish(struct spans *s);
/* Returns room for n spans, which are appended in that order. */
struct spans spans_new_sorted(unsigned from, unsigned to, size_t n);
void spans_append(struct spans *s, struct spans_entry entry);
void spans_free(struct spans *s);

static inline struct spans_entry spans_get(const struct spans *s, size_t i)
{
	return (struct spans_entry){s->start[i], s->end[i], s->times ? s->times[i] : 0,
				    spans_length(s, i), spans_to(s, i)};
}

/* Returns the time at which each begins; to be freed. */
int64_t *spans_starts(const struct spans *s, const struct event_index *events);

/* ---- finding them ---- */

/*
 * Returns the first span from i on that does not start before the unit, which is the first of its
 * time; cheap when it is near.
 */
static inline size_t spans_seek(const struct spans *s, size_t i, uint32_t unit)
{
	return units_seek(s->start, i, s->n, unit);
}

/* Seeks from anywhere: begins where the unit would be if starts were spread evenly. */
size_t spans_find(const struct spans *s, uint32_t unit);
/* Seeks from i on, from which the unit may be far. */
size_t spans_find_after(const struct spans *s, size_t i, uint32_t unit);
/* Returns the first of [i, end) that is at least that long, or end. */
size_t spans_find_longer(const struct spans *s, size_t i, size_t end, int64_t length);

/*
 * A moment, for later events: the first unit of their thread at that time; of a fan, the time
 * alone.
 */
struct spans_moment {
	int64_t time;
	uint32_t unit;
};

typedef void (*spans_take)(void *context, const struct spans *s, size_t i, int64_t start);
/* Calls take, in order, for each span before end that reaches the moment or beyond it. */
void spans_reaching(const struct spans *s, const struct event_index *events, size_t end,
		    struct spans_moment moment, spans_take take, void *context);

/* ---- sums ---- */

/* What some instances amount to; when count is 0, longest is less than shortest. */
struct span_sums {
	uint64_t count;
	int64_t shortest, longest; /* nanoseconds */
	double total;
};

static inline struct span_sums span_sums_none(void)
{
	return (struct span_sums){.shortest = INT64_MAX, .longest = INT64_MIN};
}

/* Adds one instance. */
void span_sums_add(struct span_sums *sums, int64_t length);
/* Adds the spans [i, end). */
void spans_add_sums(const struct spans *s, size_t i, size_t end, struct span_sums *sums);
/* Returns the sum of the lengths of [i, end). */
uint64_t spans_total(const struct spans *s, size_t i, size_t end);

/* ---- spans of a selection: those whose length is in a range ---- */

/*
 * Counts ahead which spans have a length in [least, most], until the time of monotonic_now(); what
 * was counted for another range is gone. Returns false if there is more to count. For one caller at
 * a time, as what follows.
 */
bool spans_select(struct spans *s, int64_t least, int64_t most, int64_t until);
/* Blocks that are counted between two looks at the clock; tests make it small. */
extern unsigned spans_select_step;
/* Returns whether that is done, or needless. */
bool spans_selected(const struct spans *s, int64_t least, int64_t most);

/* A way through the selected spans, which only goes on; cheap when they are counted ahead. */
struct selection_walk {
	const struct spans *spans;
	int64_t least, most;
	size_t at;
	bool counted, known;
	uint64_t before; /* how many there are before at, if known */
};
struct selection_walk selection_walk_begin(const struct spans *s, size_t i, int64_t least,
					   int64_t most);
/* Goes on to end; returns how many are selected on the way. */
uint64_t selection_walk_to(struct selection_walk *w, size_t end);
/* Returns the first of [i, end) that is selected, or end. */
size_t selection_walk_first(const struct selection_walk *w, size_t i, size_t end);

#endif
