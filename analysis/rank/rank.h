/*
 * Ranks the subjects of a trace by what fixing each would gain, by several measures side by side.
 */
#ifndef GLIMPSE_ANALYSIS_RANK_RANK_H
#define GLIMPSE_ANALYSIS_RANK_RANK_H

#include "analysis/graph/unknown.h"
#include "analysis/rank/measures.h"
#include "analysis/rank/subjects.h"

/* How the replay fixes a row. */
enum rank_fix {
	FIX_RUNNING,  /* it computes twice as fast */
	FIX_ALL,      /* and sleeps, reads and writes in half the time */
	FIX_BLOCKERS, /* it is a wait: the threads that end it do everything in half the time */
};

struct rank_row {
	struct subject subject;
	struct worth worth;
	/*
	 * The time in which all events that tell of it were on: of the run, in which some thread
	 * runs, and of all threads. The worth and what follows are of that time, and so are its
	 * shares.
	 */
	int64_t known, known_busy, known_lives;
	/*
	 * By how much the program would have been shorter if the subject had taken no time, and how
	 * much shorter it can become until another path is the longest: nanoseconds. Found for
	 * those that have the most time on the critical path, and 0 for what is not on it.
	 */
	bool found;
	/* It mostly waits by spinning (analysis/samples/spinning.h): no gain is known. */
	bool spins;
	double zeroing, slack;
	/* For who replays the run: how much shorter it is with the subject fixed so. */
	bool replayed;
	enum rank_fix fix;
	int64_t whatif, whatif_low, whatif_high; /* and between which it should be */
	/* if locks were held for longer than is seen; less than whatif: nothing more is gained */
	int64_t whatif_unseen;
	/* The same of a lock: how much shorter it is without the lock and what calls on it cost. */
	bool removed;
	int64_t removal, removal_low, removal_high;
	/* All of these are what glimpse whatif --fix says: the ranges are its own. */
	bool whole;
};

/* The gain of a row, as shares of the time in which it is known. */
struct rank_gain {
	bool known; /* replayed as a whole: without it, no gain is shown */
	double gain, low, high;
};

struct rank {
	/* what brings most first, as a part of the time in which it is known */
	struct rank_row *rows;
	size_t n;
	int64_t duration; /* of the trace */
	int64_t lives;    /* of all threads */
	int64_t busy;     /* in which some thread runs */
	/* So much of the critical path is unknown that nothing is said of any gain. */
	struct unknown_part unknown;
	bool is_unknown;
};

/* Of each kind at most so many subjects are zeroed. */
enum { RANK_ZEROED = 50 };

/*
 * The set has SPANS_ALL and SPANS_NAMED. kinds: bits 1 << enum subject_kind. slack: whether to
 * compute it, which takes most of the time; else it is 0.
 */
struct rank *rank_of(const struct instance_set *set, const struct graph *g,
		     const struct critical_path *p, unsigned kinds, bool slack);
void rank_free(struct rank *r);

/*
 * Returns whether the row is a lock that costs more in the calls on it than while it is held. Its
 * gain is then that of its removal.
 */
bool rank_is_removal(const struct rank_row *row);
/* Returns the gain of the row's fix, or of its lock's removal, for whoever shows it. */
struct rank_gain rank_gain_of(const struct rank_row *row, bool removal);
/*
 * Returns what glimpse whatif --fix is given for it: "lock:queue", "lock:queue=none"; to be freed.
 */
char *rank_fix_text(const struct rank_row *row, bool removal);
/* Returns whether a row gains more, by 1 % of the run, if locks were held before that is known. */
bool rank_may_gain_more(const struct rank_row *row);
/* Sorts the rows by how much shorter the run would be without each. */
void rank_sort(struct rank *r);

#endif
