/*
 * Work that takes long, and that somebody may stop: who does it says now and then how far it is, and asks whether
 * to go on. What was made when it is stopped is incomplete, and to be thrown away.
 */
#ifndef GLIMPSE_BASE_TASK_H
#define GLIMPSE_BASE_TASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct errand {
	atomic_bool stopped;
	atomic_uint_least64_t done, all;        /* in whatever it counts */
};

/* What this thread works at, and those that help it in parallel_for(). NULL: nobody will stop it. */
extern _Thread_local struct errand *errand;

/* There is so much to be done, more than was said before. */
static inline void errand_plan(uint64_t n)
{
	if (errand)
		errand->all += n;
}

static inline bool errand_stopped(void)
{
	return errand && atomic_load_explicit(&errand->stopped, memory_order_relaxed);
}

/* So much more is done. False: it is to be stopped. */
static inline bool errand_step(uint64_t n)
{
	if (errand)
		atomic_fetch_add_explicit(&errand->done, n, memory_order_relaxed);
	return !errand_stopped();
}

#endif
