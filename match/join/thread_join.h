/*
 * Pairs the ends of intervals within each thread, event by event in the order of its log. Both ends
 * of an interval have to be events. Its condition may say three things only. Both ends are in one
 * thread. One attribute of the start equals one of the end. The rest is about one end alone. The
 * pairs are those of match_interval(), but no list of events is needed, and threads can be paired
 * at the same time. Inline, as a part of the inner loops of tables.
 */
#ifndef GLIMPSE_MATCH_JOIN_THREAD_JOIN_H
#define GLIMPSE_MATCH_JOIN_THREAD_JOIN_H

#include "base/array.h"
#include "match/join/waiting_list.h"
#include "match/plan/plan.h"
#include "trace/trace.h"

/* Which of the open starts an end takes. */
enum join_rule {
	JOIN_NEWEST, /* nested; backwards once */
	JOIN_OLDEST, /* forwards once */
	JOIN_ALL,    /* forwards */
	JOIN_LATEST, /* backwards: the newest start, which stays for other ends */
};

struct join_end {
	const struct event_type *type;
	enum side side;               /* of the interval's condition */
	const struct program *filter; /* the conjuncts about this end alone; NULL: none */
	enum load_kind load;          /* of the key */
	uint32_t offset;
	int attribute; /* the key; -1: none */
};

/* An interval that can be paired within threads. */
struct join_source {
	uint32_t number; /* the caller's own */
	enum join_rule rule;
	bool keyed;
	struct join_end start, end;
	struct plan *plan;
};

/* What an event may be. */
struct join_act {
	uint32_t source;
	bool begins;
};
struct join_acts {
	const struct join_act *list; /* ends before begins, each in the order of the sources */
	unsigned n;
};

/* The intervals that are paired at the same time. Read only while threads are paired. */
struct join_sources {
	const struct trace *trace;
	VECTOR(struct join_source) sources;
	struct join_acts *acts; /* by event type */
	struct join_act *lists;
};

void join_sources_open(struct join_sources *s, const struct trace *t);
/*
 * Adds an interval with a number of the caller's. Returns what it added, which is valid until the
 * next is added; or NULL if the interval cannot be paired so, and match_interval() must find it.
 */
const struct join_source *join_sources_add(struct join_sources *s, const struct interval *interval,
					   uint32_t number);
/* Takes the interval that was added last out again. */
void join_sources_drop(struct join_sources *s);
/* Must be called after the last interval was added. */
void join_sources_ready(struct join_sources *s);
void join_sources_close(struct join_sources *s);

struct join_event {
	int64_t time; /* ns, of the trace */
	const unsigned char *record;
	uint32_t type; /* index in the specification's events */
};

struct join_start {
	int64_t time; /* ns, of the trace */
	const unsigned char *record;
	uint64_t token;  /* what begin() returned */
	uint64_t serial; /* of the starts of its thread */
	uint32_t source; /* index in the sources */
	uint32_t number; /* of the source */
	/*
	 * An end came that found this start first: one that the filter refuses or, by JOIN_LATEST,
	 * any. The start is not open any more, but may still be paired.
	 */
	bool met;
};

/*
 * Is told what happens; any function may be NULL. A visitor that is a constant costs no calls. The
 * functions must not put events.
 */
struct join_visitor {
	/*
	 * An interval starts. Returns a word that is kept with it. replaced: the start of the same
	 * key that can be paired no more, of JOIN_LATEST; or NULL.
	 */
	uint64_t (*begin)(void *context, const struct join_start *start,
			  const struct join_start *replaced);
	/* An instance. start->met: an end had met the start before. */
	void (*pair)(void *context, const struct join_start *start, const struct join_event *end);
	/* An end that the filter refuses meets a start for the first time. */
	void (*miss)(void *context, const struct join_start *start, const struct join_event *end);
};

/* The pairing of one thread. */
struct thread_join {
	const struct join_sources *sources;
	struct operand operand; /* what filters ask for of the thread */
	struct waiting_list waiting;
	struct join_start *starts; /* by number in the waiting list */
	size_t room;
	/*
	 * The last start of JOIN_NEWEST, which is not in the waiting list yet: most ends come next
	 * and ask for it.
	 */
	struct join_start newest;
	uint64_t newest_key;
	bool has_newest;
	uint64_t serial;
	uint64_t unbegun; /* ends that pass the filter, and find no start */
};

/* thread: index in the trace's threads. */
void thread_join_open(struct thread_join *j, const struct join_sources *s, size_t thread);
/*
 * Visits the starts that are open after the last event, in their order: those that have no end, and
 * that no end has met.
 */
void thread_join_rest(const struct thread_join *j,
		      void (*open)(void *context, const struct join_start *start), void *context);
void thread_join_close(struct thread_join *j);
/* Makes room for as many starts as wait. */
void thread_join_grow(struct thread_join *j);
/* Evaluates a filter. */
bool thread_join_filter(const struct thread_join *j, const struct join_end *end,
			const struct join_event *e);

static inline bool join_passes(const struct thread_join *j, const struct join_end *end,
			       const struct join_event *e)
{
	return __builtin_expect(!end->filter, 1) || thread_join_filter(j, end, e);
}

/* Returns what no other source has for its keys: one round mixes them enough for a small table. */
static inline uint64_t join_key(const struct join_source *s, const struct join_end *end,
				const unsigned char *record, uint32_t source)
{
	const struct operand o = {.record = record};
	uint64_t key = (uint64_t)source << 56;

	if (s->keyed)
		key ^= (uint64_t)load_integer(end->load, end->offset, &o);
	key = (key ^ key >> 32) * 0xd6e8feb86659fd93;
	return key ^ key >> 32;
}

/* Returns the place of a start that waits for its end. */
static inline struct join_start *join_wait(struct thread_join *j, uint64_t key, uint32_t source,
					   bool last)
{
	uint32_t i = waiting_add(&j->waiting, key, source, 0, last);

	j->waiting.at[i].value = i;
	if (__builtin_expect(i >= j->room, 0))
		thread_join_grow(j);
	return &j->starts[i];
}

/* Returns the place of a start of JOIN_NEWEST; the one before it waits. */
static inline struct join_start *join_newest(struct thread_join *j, uint64_t key)
{
	if (j->has_newest)
		*join_wait(j, j->newest_key, j->newest.source, false) = j->newest;
	j->has_newest = true;
	j->newest_key = key;
	return &j->newest;
}

static inline __attribute__((always_inline)) void join_begin(struct thread_join *j, uint32_t source,
							     const struct join_event *e,
							     const struct join_visitor *v,
							     void *context)
{
	const struct join_source *s = &j->sources->sources.at[source];
	uint64_t key = join_key(s, &s->start, e->record, source);
	uint32_t i = s->rule == JOIN_LATEST ? *waiting_find(&j->waiting, key, source) : NOBODY;
	struct join_start *start, *replaced = NULL, before;

	if (i != NOBODY) {
		start = &j->starts[i];
		before = *start;
		replaced = &before;
	} else if (s->rule == JOIN_NEWEST) {
		start = join_newest(j, key);
	} else {
		start = join_wait(j, key, source, s->rule != JOIN_LATEST);
	}
	/* field by field: a copy would wait for the stores before it */
	start->time = e->time;
	start->record = e->record;
	start->serial = j->serial++;
	start->source = source;
	start->number = s->number;
	start->met = false;
	start->token = v->begin ? v->begin(context, start, replaced) : 0;
}

/* An end that the filter refuses. */
static inline __attribute__((always_inline)) void join_miss(struct join_start *first,
							    const struct join_event *e,
							    const struct join_visitor *v,
							    void *context)
{
	if (!first->met && v->miss)
		v->miss(context, first, e);
	first->met = true;
}

static inline __attribute__((always_inline)) void join_end(struct thread_join *j, uint32_t source,
							   const struct join_event *e,
							   const struct join_visitor *v,
							   void *context)
{
	const struct join_source *s = &j->sources->sources.at[source];
	uint64_t key = join_key(s, &s->end, e->record, source);
	bool fits = join_passes(j, &s->end, e);
	struct join_start *first;
	uint32_t *link;

	if (j->has_newest && j->newest_key == key && j->newest.source == source) {
		if (!fits) {
			join_miss(&j->newest, e, v, context);
			return;
		}
		j->has_newest = false;
		v->pair(context, &j->newest, e);
		return;
	}
	link = waiting_find(&j->waiting, key, source);
	first = &j->starts[*link];
	if (*link == NOBODY) {
		j->unbegun += fits;
	} else if (!fits) {
		join_miss(first, e, v, context);
	} else if (s->rule == JOIN_LATEST) {
		v->pair(context, first, e);
		first->met = true;
	} else {
		bool more = true;

		while (more) {
			/* it stays where it is until the next one begins */
			const struct join_start *start = &j->starts[*link];

			more = s->rule == JOIN_ALL && j->waiting.at[*link].next_same != NOBODY;
			waiting_take(&j->waiting, link);
			v->pair(context, start, e);
		}
	}
}

/* Puts the next event of the thread; what it ends comes before what it begins. */
static inline __attribute__((always_inline)) void thread_join_put(struct thread_join *j,
								  const struct join_event *e,
								  const struct join_visitor *v,
								  void *context)
{
	const struct join_acts *acts = &j->sources->acts[e->type];

	for (unsigned i = 0; i < acts->n; i++) {
		uint32_t source = acts->list[i].source;

		if (!acts->list[i].begins)
			join_end(j, source, e, v, context);
		else if (join_passes(j, &j->sources->sources.at[source].start, e))
			join_begin(j, source, e, v, context);
	}
}

#endif
