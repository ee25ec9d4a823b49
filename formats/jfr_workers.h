/*
 * Threads of the JVM itself, such as those that compile, which do nothing but what their events
 * say: the rest of their time they wait for work.
 */
#ifndef GLIMPSE_FORMATS_JFR_WORKERS_H
#define GLIMPSE_FORMATS_JFR_WORKERS_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/logs.h"

struct jfr_busy {
	int64_t from, to;
};

struct jfr_worker {
	struct logs_thread *thread;
	int64_t first, last;          /* times of its events */
	VECTOR(struct jfr_busy) busy; /* disjoint, in the order of time */
};

struct jfr_workers {
	VECTOR(struct jfr_worker) list;
	struct hash_table by_tid;
};

/* Adds a thread by its number; nothing if it is there. */
void jfr_worker_add(struct jfr_workers *w, struct logs_thread *t, uint64_t tid);
/*
 * Notes an event of a thread, if it is one of these. What lasts longer comes behind what it
 * contains.
 */
void jfr_worker_note(struct jfr_workers *w, uint64_t tid, int64_t from, int64_t to);
/* Logs when these threads wait. Returns false after a report to diag. */
bool jfr_workers_log(const struct jfr_workers *w, struct logs *l);
void jfr_workers_free(struct jfr_workers *w);

#endif
