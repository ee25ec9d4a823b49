/*
 * Finds samples in which a thread possibly waits for another one by spinning: in loops that only
 * look at memory (trace/symbols/spin_code.h), and in sched_yield(). If the code there is faster,
 * the thread waits as long as before.
 */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_SPINNING_H
#define GLIMPSE_ANALYSIS_SAMPLES_SPINNING_H

#include "analysis/samples/samples.h"
#include "base/hash.h"

struct spin_count {
	int64_t number;         /* of the name or label */
	bool function;          /* else it is a thread */
	uint64_t all, spinning; /* samples */
};

/* Of functions, by what they run themselves and run-time libraries for them, and of threads. */
struct spinning {
	struct hash_table of[2]; /* threads, functions: by number; head: of the counts */
	VECTOR(struct spin_count) counts;
};

/* Returns for each sampled stack whether it spins, to be freed; NULL: none does. s: or NULL. */
bool *spinning_stacks(const struct samples *s);

/* Counts the samples; none if no stack spins. s: or NULL. */
struct spinning spinning_of(const struct samples *s);
/* Returns whether most samples of a function or a thread, by its number, spin. */
bool spinning_mostly(const struct spinning *s, bool function, int64_t number);
void spinning_free(struct spinning *s);

/* Whether so much of a time is spinning that the rest does not matter. */
static inline bool mostly_spins(uint64_t spinning, uint64_t all)
{
	return spinning > all / 2;
}

#endif
