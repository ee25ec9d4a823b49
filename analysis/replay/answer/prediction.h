/* Predicts a changed run: the replay without changes beside the replay with them. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_PREDICTION_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_PREDICTION_H

#include "analysis/replay/answer/interval.h"
#include "analysis/replay/answer/limit.h"
#include "analysis/replay/answer/placements.h"
#include "analysis/replay/changes/change_order.h"
#include "analysis/replay/changes/sampling_error.h"
#include "analysis/replay/items/hand_out.h"
#include "analysis/replay/machine/replay.h"
#include "analysis/replay/program/team.h"

enum { DEFAULT_REPLAYS = 20, DEFAULT_SEED = 1 };

/*
 * Replays without changes, and what they assume. They are made once: whether items are handed out,
 * say, is chosen by replays of both, and may be another for other changes.
 */
struct unchanged_replays {
	bool handed, apart, open;      /* as the prediction has it */
	size_t limits;                 /* the model's, of waits */
	struct operations *operations; /* as recorded; the single ones are forgotten */
	struct replay *unchanged;
	struct replay *base;          /* NULL: it was not needed yet */
	size_t base_count;            /* the base's operations; 0 without it */
	struct placements placements; /* of the base */
};

struct prediction {
	struct model *model;
	struct hand_out *hand_out; /* NULL: the run has no work that is handed out */
	bool handed;               /* all replays hand it out */
	/* Why they do not, though some of it is sure; NULL. The caller does not free it. */
	const char *copied;
	bool misses_handed; /* the unchanged replay that hands out is worse */
	/* what the unchanged replay misses if it is not handed out, of its time */
	double copied_miss;
	int64_t slice; /* 0: DEFAULT_SLICE */
	/*
	 * Every wait for a processor is copied, as one for other programs: which threads share
	 * processors is not simulated.
	 */
	bool apart;
	/* the model's without copied waits if they are copied, and with them if not; NULL: none */
	struct readiness *other_readiness;
	double own; /* so much of these waits the program's threads caused, from 0 to 1 */
	VECTOR(struct unchanged_replays) all_unchanged;
	/* As recorded. Times of single operations are not kept for unchanged replays. */
	struct operations *operations; /* of one of these, as the next ones are */
	struct replay *unchanged;
	/* The run without what it cost to record it: what changes are compared with. */
	struct replay *base;
	size_t base_count;
	struct operations *base_operations; /* memory of such ones, that the next ones use again */
	struct span_choice *chosen;
	int64_t *earliest; /* by hold, when it may have begun; NULL: all began as recorded */
	struct span_choice *earlier; /* what is chosen, if all holds began that early; NULL */
	struct fits *fits;       /* of what is chosen; NULL: no length depends on an attribute */
	struct devices *devices; /* of what is chosen; NULL: none is given */
	struct operations *changed_operations; /* NULL: none has been made */
	/*
	 * Of several that whose time is the median. Keeps single operations if the changes are
	 * `written` or `next`.
	 */
	struct replay *changed;
	unsigned cores;               /* of the unchanged replay; 0: as many as are wanted */
	unsigned changed_cores;       /* of the changed replay; 0: as many as are wanted */
	uint64_t seed;                /* of its drawn lengths */
	bool *gone;                   /* locks that nobody holds any more in it, by number */
	struct effect_range sampling; /* of the changed replay */
	struct error_interval interval;
	int64_t low, high; /* of the interval */
	/* the changed run if waits overlap that stay one after the other in it; -1: it has none */
	int64_t overlapping;
	bool guessed; /* that they do not is a guess: the range has both */
	/* the changed run if locks were held since then; -1: that is known, or changes nothing */
	int64_t held_earlier;
	bool order_unseen; /* a lock has another order, and many of its holds may be earlier */
	enum change_order order; /* of the changed replay */
	/* of the last replays with varied lengths: as parts of the time */
	struct error_part lengths, placed;
	bool lengths_known;
	VECTOR(int64_t) durations; /* of all changed replays, ascending */
	const bool *open;          /* see prediction_set_open() */
	struct replay_watch watch; /* sees the replays with varied or drawn lengths */
	char *refusal;             /* why a change cannot be made; NULL */
};

/* Announces the events that predictions need beside the set's. */
void prediction_announce(struct trace *t);
/*
 * Replays without changes. Never returns NULL. The set has SPANS_ALL, and is needed as long as the
 * result.
 */
struct prediction *prediction_of(const struct instance_set *set, int64_t slice);
void prediction_free(struct prediction *p);
/*
 * Frees what has been chosen and the changed replays, before all else is freed or if that is
 * another prediction's.
 */
void prediction_changed_free(struct prediction *p);
/*
 * From now on all replays have open clients: the waits of these threads (by index) for work from
 * outside end at their recorded times. The array is needed as long as the prediction.
 */
void prediction_set_open(struct prediction *p, const bool *open);
/*
 * Returns how much other programs took of the processor time that the threads could have used, from
 * 0 to 1. If it is OTHERS_TOLD or more, the output says so.
 */
double prediction_others(const struct prediction *p);
#define OTHERS_TOLD 0.05
/* Returns the steps of one replay, as replays_within() (plan.h) counts them. */
uint64_t prediction_steps(const struct prediction *p);
/* Returns by how much of its time the unchanged replay misses the recorded run. */
double prediction_miss(const struct prediction *p);

/*
 * Returns how much of the critical path is waits without a known cause that threads may have ended:
 * of the unchanged run or the changed one, whichever has more; ns.
 */
int64_t prediction_unknown(const struct prediction *p);
/* Whether that is so much that nothing can be said about the changed run. */
bool prediction_is_unknown(const struct prediction *p);

/*
 * Whether the changed run contradicts the change: nothing is slower in it, and yet it takes longer
 * than its range can explain; or nothing is faster, and it is shorter.
 */
bool prediction_contradicts(const struct prediction *p);
/*
 * Whether the trace does not say when locks were acquired, and the changed run depends on it: it is
 * longer or shorter than the recorded one, or the order of acquisitions changes.
 */
bool prediction_is_unseen(const struct prediction *p);

/* Whether states of threads were recorded: else nobody knows how long they ran. */
bool prediction_has_states(const struct prediction *p);

/*
 * Finds what changes are about. Returns false and sets *unknown to what is about nothing; or to
 * NULL, and the refusal says why they cannot be made.
 */
bool prediction_choose(struct prediction *p, const struct changes *c, const char **unknown);
/*
 * Replays with changes, in place of those before; what they are about has been chosen: another
 * factor, say, may have come. Returns false and sets *unknown to a lock that is not in the trace;
 * or to NULL, and the refusal says why it cannot be changed.
 */
bool prediction_change(struct prediction *p, const struct changes *c, const char **unknown);

/*
 * Replays the run as it was recorded, handing out nothing, and keeps when it came to single
 * operations and was done. The operations have their recorded times. The caller frees both.
 */
struct replay *prediction_replay_recorded(struct prediction *p, struct operations **operations);

/* One more change beside those that were made; of `changes`, what else was asked for holds. */
struct further_change {
	const struct span_change *span; /* holds beside others, as with `multiply`; NULL: none */
	const struct lock_change *lock; /* NULL: none; its subject is kept as long as the run */
	bool unlimited;                 /* on as many processors as are wanted */
};

/* The changed run of a prediction, and with more changes, one after the other. */
struct further_run {
	struct operations *operations; /* of the last run */
	struct replay *replay;
	bool *gone;        /* locks that nobody holds any more in it, by number */
	bool added;        /* a change was: all these are not the prediction's */
	int64_t low, high; /* the range of its time, ns */
	/* of all changes */
	struct speeds *speeds; /* NULL: nothing runs faster or slower */
	bool sampled;          /* samples alone tell where one of them is */
	VECTOR(struct lock_change) locks;
	bool unlimited;
};

/* Returns the changed run, which was made with changes whose `next` is set. */
struct further_run further_begin(const struct prediction *p);
/*
 * Replays with one more change, in place of the run before it. last: no other follows, and single
 * operations are only kept if a lock is removed. Returns false if there is nothing that the change
 * is about, or threads wait for what never comes: then nothing more can be added. Single operations
 * of the changed replay are forgotten; all else of the prediction stays as it is.
 */
bool further_add(struct further_run *f, struct prediction *p, const struct changes *c,
		 const struct further_change *change, bool last);
/* Forgets when the run came to each operation and was done, and who woke it. */
void further_times_forget(struct further_run *f);
void further_free(struct further_run *f);

#endif
