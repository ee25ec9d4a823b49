/* Writes what threads of a simulated run do as the logs that the probes and the recorder would have written. */
#ifndef GLIMPSE_TESTS_ANALYSIS_SIMULATED_LOG_H
#define GLIMPSE_TESTS_ANALYSIS_SIMULATED_LOG_H

#include "base/array.h"
#include "spec/spec.h"
#include "tests/analysis/simulated/workload.h"

enum log_event {
	/* of the probe "threads" */
	EVENT_THREAD_CREATE,
	EVENT_THREAD_START,
	EVENT_THREAD_EXIT,
	EVENT_JOIN_BEGIN,
	EVENT_JOIN_END,
	EVENT_LOCK,
	EVENT_UNLOCK,
	EVENT_LOCK_BUSY,
	EVENT_LOCK_END,
	EVENT_COND_BEGIN,
	EVENT_COND_END,
	EVENT_COND_SIGNAL,
	EVENT_COND_UNHEARD,
	EVENT_SEM_TAKE,
	EVENT_SEM_BUSY,
	EVENT_SEM_END,
	EVENT_SEM_POST,
	EVENT_BARRIER_BEGIN,
	EVENT_BARRIER_END,
	EVENT_SLEEP_BEGIN,
	EVENT_SLEEP_END,
	EVENT_YIELD,
	/* of the recorder's "scheduler" */
	EVENT_STARTED,
	EVENT_SWITCH_IN,
	EVENT_SWITCH_OUT,
	EVENT_BLOCKS,
	EVENT_READIED,
	EVENT_MIGRATED,
	EVENT_EXITED,
	EVENT_EXECUTED,
	EVENT_SHARED,
	NEVENTS
};

enum { LOG_THREADS = 1, LOG_SCHEDULER = 2 }; /* which of them */

struct log_bytes {
	VECTOR(unsigned char) bytes;
	uint64_t upper; /* half of the time */
	int64_t opened; /* time of the first event; -1: there is none */
};

/* Is told of each event of a run, whichever are logged. */
typedef void log_watcher(void *context, uint32_t thread, int64_t time, enum log_event event,
			 const uint64_t *values, const char *text);

struct simulated_log {
	unsigned which;
	struct log_bytes threads[MOST_THREADS];
	log_watcher *watcher; /* NULL: none */
	void *context;        /* its */
};

enum { SIMULATED_PROCESS = 5000000 }; /* no process of a real system has this number */

/* Reads the specifications below a source directory; ends the program if there are none. */
void log_specifications_read(const char *source);
void log_specifications_free(void);

void recording_begin(struct simulated_log *l, unsigned which);
/*
 * Adds an event of a thread at a time, ns; the times of a thread do not decrease. values: of its attributes, in
 * their order; text: of its string, or NULL.
 */
void recording_add(struct simulated_log *l, uint32_t thread, int64_t time, enum log_event event,
		   const uint64_t *values, const char *text);
/* Writes the specifications and the logs into a directory that exists. */
void recording_write(const struct simulated_log *l, const char *directory, unsigned nthreads);
/*
 * Writes the process file of a directory, which a recorder's merge needs: of a process that has ended, and
 * of which no specification is known yet.
 */
void recording_write_process(const char *directory);
void recording_free(struct simulated_log *l);

#endif
