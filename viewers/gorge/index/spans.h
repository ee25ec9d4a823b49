/*
 * Instances of one interval whose earlier events are all in one thread and whose later ones all in
 * one thread, in the order of their starts: twelve bytes for each. Sums and extremes of blocks make
 * questions about many of them cheap. In a fan the later events are in any threads: four bytes more.
 */
#ifndef GLIMPSE_GORGE_INDEX_SPANS_H
#define GLIMPSE_GORGE_INDEX_SPANS_H

#include "viewers/gorge/index/event_index.h"
#include "viewers/gorge/scene/scene.h"

/* Instances of a block; blocks of a stretch. */
enum { SPANS_BLOCK = 64, SPANS_GROUP = 64 * SPANS_BLOCK };

/* Of the instances of a block: the extremes of their ends and lengths, and what those before it take. */
struct spans_block {
	int64_t first_end, last_end;
	int64_t reached;        /* the last end of this block and of those before it */
	int64_t shortest, longest;
	uint64_t before;
};

/* The extremes of the lengths of a stretch. */
struct spans_group {
	int64_t shortest, longest;
};

struct spans {
	unsigned from, to;      /* threads; of a fan, only where it begins: both are that */
	unsigned row;           /* of a stack; unused between two threads */
	size_t n, room;
	uint32_t *start, *end;  /* units of the earlier and of the later event */
	int64_t *times;         /* of the earlier ones; NULL from spans_finish() on */
	uint32_t *tos;          /* the later events' threads; NULL: it is no fan */
	uint32_t *length;       /* nanoseconds: the lower bits, */
	uint32_t *length_high;  /* and the upper ones; NULL: they are all 0 */
	struct spans_block *blocks;
	struct spans_group *stretches;
	struct spans_selection *picks; /* NULL: nobody asked for any */
	uint64_t total;
	int64_t longest;
};

static inline int64_t spans_length(const struct spans *s, size_t i)
{
	return (int64_t)((s->length_high ? (uint64_t)s->length_high[i] << 32 : 0) | s->length[i]);
}

/* The later event's thread. */
static inline unsigned spans_to(const struct spans *s, size_t i)
{
	return s->tos ? s->tos[i] : s->to;
}

/* One instance. */
struct spans_entry {
	uint32_t start, end;
	int64_t time, length;   /* time: of the start; 0 where a spans does not have it */
	unsigned to;
};

/* n that are there, each of which has to be put; fan: to any threads; high: some take longer than 32 bits say. */
struct spans spans_new(unsigned from, unsigned to, size_t n, bool fan, bool high);
/* Instance i. */
void spans_put(struct spans *s, size_t i, struct spans_entry entry);
/* All are put: brings them into the order of their starts, of those at one time the longest first. */
void spans_finish(struct spans *s);
/* Room for n, which come in that order. */
struct spans spans_new_sorted(unsigned from, unsigned to, size_t n);
void spans_append(struct spans *s, struct spans_entry entry);
void spans_free(struct spans *s);

static inline struct spans_entry spans_get(const struct spans *s, size_t i)
{
	return (struct spans_entry){s->start[i], s->end[i], s->times ? s->times[i] : 0, spans_length(s, i),
			      spans_to(s, i)};
}

/*
 * The first instance at i or behind that does not start before the unit, which is the first of its
 * time; cheap when it is near.
 */
static inline size_t spans_seek(const struct spans *s, size_t i, uint32_t unit)
{
	return units_seek(s->start, i, s->n, unit);
}

/* The same from anywhere: begins to look where the unit is if starts are spread evenly. */
size_t spans_find(const struct spans *s, uint32_t unit);
/* The same behind i, from which the unit may be far. */
size_t spans_find_after(const struct spans *s, size_t i, uint32_t unit);

/* What the instances [i, end) take. */
uint64_t spans_total(const struct spans *s, size_t i, size_t end);
/* The first of [i, end) that is at least so long; end: none is. */
size_t spans_find_longer(const struct spans *s, size_t i, size_t end, int64_t length);
/* Adds the instances [i, end) to the statistics. */
void spans_add_sums(const struct spans *s, size_t i, size_t end, struct interval_key *key);

/*
 * Counts ahead which instances take from least to most nanoseconds, until monotonic_now() reaches
 * until. Returns false if it has to be called again.
 * What was counted before is gone. For one caller at a time, as what follows.
 */
bool spans_select(struct spans *s, int64_t least, int64_t most, int64_t until);
/* So many blocks at least are counted, and between two looks at the clock. Tests make it small. */
extern unsigned spans_select_step;
void spans_selection_free(struct spans_selection *p);
/* Whether that is done, or needless. */
bool spans_selected(const struct spans *s, int64_t least, int64_t most);
/* How many of the instances [i, end) take from least to most, looked at one by one. */
uint64_t spans_count_lasting(const struct spans *s, size_t i, size_t end, int64_t least, int64_t most);

/* A way through those that are picked, which only goes on; cheap for many at once when they are counted ahead. */
struct selection_walk {
	const struct spans *spans;
	int64_t least, most;
	size_t at;
	bool counted, known;
	uint64_t before;        /* so many stand before at, if that is known */
};
struct selection_walk sheaf_tally(const struct spans *s, size_t i, int64_t least, int64_t most);
/* How many are picked up to end. */
uint64_t selection_walk_to(struct selection_walk *t, size_t end);
/* The first of [i, end) that is picked; end: none is. */
size_t selection_walk_first(const struct selection_walk *t, size_t i, size_t end);

/* A moment as a spans's later events have it: their thread's first unit that is not before the time; of a fan, only the time. */
struct spans_moment {
	int64_t time;
	uint32_t unit;
};

/*
 * Calls take for those of the instances before end that reach to the moment or beyond it: one by one,
 * with their start's time, in their order.
 */
typedef void (*spans_take)(void *context, const struct spans *s, size_t i, int64_t start);
void spans_reaching(const struct spans *s, const struct event_index *c, size_t end,
		    struct spans_moment moment, spans_take take, void *context);

#endif
