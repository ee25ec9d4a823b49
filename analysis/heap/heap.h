/*
 * Sums allocations and frees: the lifetimes of objects, by allocation site. Bytes are the metric
 * "bytes" of the interval, and unused bytes beyond them its metric "unused", both of the event that
 * begins a lifetime.
 */
#ifndef GLIMPSE_ANALYSIS_HEAP_HEAP_H
#define GLIMPSE_ANALYSIS_HEAP_HEAP_H

#include "analysis/heap/resident.h"
#include "match/eval/formula.h"
#include "trace/trace.h"

enum { HEAP_AGES = 4, HEAP_QUANTILES = 5 };

/* Number and bytes. */
struct heap_sum {
	uint64_t n, bytes;
};

/* The stack that things are taken from; else the place in the program; else there is one site. */
struct heap_site {
	uint32_t process;                /* index in the trace's processes */
	uint64_t stack;                  /* its number, or an address of code; 0: unknown */
	int64_t time;                    /* of an event there */
	struct heap_sum taken;           /* all */
	struct heap_sum elsewhere;       /* freed by another thread */
	struct heap_sum alive;           /* never freed */
	struct heap_sum peak;            /* alive when most bytes were */
	struct heap_sum born[HEAP_AGES]; /* of those alive: from which quarter of the trace */
	uint64_t unused;                 /* bytes of those alive beyond what they asked for */
	int64_t first, last;             /* times of the alive ones */
	uint64_t unseen;                 /* lives whose end was not seen: the thing began again */
	uint64_t ended;                  /* lives that ended by an event, */
	double lifetime;                 /* and the sum of their times, ns */
};

/* Between two threads: allocated by one and freed by the other. */
struct heap_passage {
	uint32_t from, to; /* indices of threads */
	struct heap_sum sum;
};

/* A block that was never freed. */
struct heap_block {
	uint32_t start; /* place of its event among all of the type */
	uint32_t site;
};

/* An end of nothing that lives. */
struct heap_unmatched {
	uint32_t end; /* place of its event among all of the type */
	bool again;   /* the thing was ended before; else it was never begun */
};

struct heap {
	struct trace *trace;
	const struct role *role;
	enum heap_site_kind { SITE_STACK, SITE_CODE, SITE_ONE } by;
	int site_attribute; /* of the event that begins lives; -1: SITE_ONE */
	/* its metrics "bytes" and "unused"; expression NULL: it has none */
	struct formula size, slack;
	struct heap_sum taken, elsewhere, alive, peak;
	uint64_t unseen;         /* as of sites */
	uint64_t ended, nothing; /* events that end lives; those that end the object 0 */
	uint64_t unused;         /* of those alive */
	int64_t peak_time;
	struct resident resident; /* of the whole run, as the peak */
	int64_t lifetimes[HEAP_QUANTILES]; /* if any ended */
	struct heap_site *sites;           /* that with the most bytes first */
	size_t nsites;
	struct heap_passage *passages; /* the same */
	size_t npassages;
	struct heap_block *blocks; /* in order of time */
	size_t nblocks;
	struct heap_unmatched *unmatched; /* in order of time */
	size_t nunmatched;
};

extern const double heap_quantiles[HEAP_QUANTILES]; /* 0.5, 0.9, 0.99, 0.999, 1 */

/* Adds up an interval of kind life. */
struct heap *heap_of(struct trace *t, const struct role *role);

/* What is taken at one time. */
struct heap_take {
	unsigned worker; /* of parallel_for() */
	size_t thread;   /* index */
	int64_t time;
	uint32_t process;
	uint64_t stack; /* as a site has it */
	uint64_t bytes;
	bool at_peak, left; /* in use at the peak; never freed */
};
struct heap_listener {
	void *context;
	void (*hear)(void *context, const struct heap_take *take);
};

/* What was taken in [from, to], in some threads (by index; NULL: all). */
struct heap_part {
	int64_t from, to;
	const bool *threads;
	bool sites_only; /* lifetimes and unmatched frees are not wanted */
	/* is told of each, by several workers at a time; or NULL */
	const struct heap_listener *listener;
};

static inline bool heap_part_has(const struct heap_part *p, int64_t time, size_t thread)
{
	return !p || (time >= p->from && time <= p->to && (!p->threads || p->threads[thread]));
}

/*
 * The same of a part; unmatched frees are those that ended in it. The peak is that of the whole
 * run.
 */
struct heap *heap_of_part(struct trace *t, const struct role *role, const struct heap_part *part);
void heap_free(struct heap *h);

/* Gives the event that began a block's life, and its bytes; or the event that ended nothing. */
void heap_block_event(const struct heap *h, const struct heap_block *b, struct event *e,
		      uint64_t *bytes, uint64_t *unused);
void heap_unmatched_event(const struct heap *h, const struct heap_unmatched *s, struct event *e);

#endif
