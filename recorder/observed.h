/*
 * Lists the threads that the recorder observes, each with its log: shared by the probes of the
 * recorder, so that what they log of a thread is in one place.
 *
 * Threads come and go as the kernel's records say (scheduler) or, without these, as /proc lists
 * them. A thread that executes another program is another one from there on.
 */
#ifndef GLIMPSE_RECORDER_OBSERVED_H
#define GLIMPSE_RECORDER_OBSERVED_H

#include "recorder/processes.h"
#include "recorder/recorder.h"
#include <stddef.h>

struct observed {
	uint32_t pid, tid;
	uint64_t space;                  /* of numbers_space() */
	char name[THREAD_NAME];          /* "": not known; may change */
	char logged[THREAD_NAME];        /* the name that its log has */
	struct observed_states *states;  /* the scheduler's, by records of the kernel */
	struct sampled_figures *sampled; /* the same without these records */
	struct usage *usage;             /* the resources' */
	struct glimpse_log *log;         /* NULL: nothing was logged yet */
	size_t place;                    /* in the list */
};

/* Called for each thread before it is forgotten. */
typedef void observed_end_function(struct observed *o);

/* Begins with no threads. */
void observed_open(const struct recording *r);
/* Adds a function that is called at the end of a thread; at most one for each probe. */
void observed_at_end(observed_end_function *f);
/* Ends all threads. */
void observed_close(void);

/* Returns the thread of that number, or NULL. */
struct observed *observed_find(uint32_t tid);
/* Returns a new thread; one of the same number ends. name: NULL if it is not known. */
struct observed *observed_new(uint32_t pid, uint32_t tid, const char *name);
void observed_end(struct observed *o);

/* All threads, in no order; valid until one is added or ends. */
struct observed *const *observed_list(size_t *n);
/* How many threads and processes there were. */
void observed_count(uint32_t *threads, uint32_t *processes);

/* Says that threads are added and ended by their finder; observed_scan() then does nothing. */
void observed_found_elsewhere(void);
/* The finder says up to which time (CLOCK_MONOTONIC, ns) it has added and ended them. */
void observed_found_until(int64_t time);
/* Returns that; INT64_MAX if there is no finder. */
int64_t observed_known_until(void);
/*
 * Returns how long to wait before all threads are read again if reading them took that processor
 * time: at least `every`.
 */
int64_t observed_pause(int64_t every, int64_t took);
/* Adds and ends threads as /proc has them now. */
void observed_scan(void);

/* Makes the events that are logged next events of the thread; NULL: of nobody. */
void observed_select(struct observed *o);

#endif
