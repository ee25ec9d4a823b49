/*
 * Who lets a waiting thread go on. The tool interface reports that a thread waits and that it has
 * waited, not who released what it waited for. The JVM parks a thread that waits for a monitor in a
 * condition variable of the thread's own: whoever signals that has just released the monitor.
 */
#ifndef GLIMPSE_PROBES_JAVA_RELEASES_H
#define GLIMPSE_PROBES_JAVA_RELEASES_H

#include <stdbool.h>
#include <stdint.h>

/* The monitor of an object, or a lock of java.util.concurrent. Never freed: others may have it. */
struct monitor {
	uint64_t number;   /* names it */
	uint32_t waiters;  /* threads that wait for its release */
	uint64_t since;    /* its owner is known to have it since then; 0: not known */
	const void *owner; /* the thread that `method` is of, as an address; NULL: whoever has it */
	const void *method; /* where it was acquired, or where its owner was; NULL: not known */
	int line;
};

/* Returns what stands for a monitor in the log. */
const void *monitor_address(const struct monitor *m);

/* Returns the number of a new wait; no other has it. */
uint64_t wait_number(void);

/*
 * contend: a thread begins to wait for a monitor. Returns whether its hold was not known. Then it
 * begins now, and the caller may set its place. regain: the thread has waited, at this place.
 * acquired: it has the monitor now. Else it tries to acquire it.
 */
bool monitor_contend(struct monitor *m, uint64_t now);
void monitor_regain(struct monitor *m, uint64_t now, bool acquired, const void *method, int line);

/*
 * Logs that the calling thread releases a monitor, and lets the thread go on whose wait has the
 * number; and that it had the monitor, if that is known. The place of the release; NULL: not known.
 */
void monitor_release(struct monitor *m, uint64_t now, uint64_t wait, const void *method, int line);

/*
 * begin: the calling thread is about to wait in its condition variable; contends: for the monitor,
 * not for its notification. end: it no longer is.
 */
void parks_begin(struct monitor *m, uint64_t wait, bool contends);
void parks_end(void);

/* While true, the calling thread interrupts others: its signals release nothing. */
void releases_nothing(bool interrupts);

#endif
