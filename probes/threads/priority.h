/* The priority of the calling thread, which it logs itself. */
#ifndef GLIMPSE_PROBES_THREADS_PRIORITY_H
#define GLIMPSE_PROBES_THREADS_PRIORITY_H

#include "probes/threads/threads.h"

extern uint32_t priority_changes; /* how often any thread's may have changed */
extern __thread uint32_t priority_seen __attribute__((tls_model("initial-exec")));

/* The process has begun. */
void priority_begin(void);
/* Logs the priority if it is another one than was logged. */
void priority_catch_up(void);

/* The same before a wait. */
static inline void priority_check(void)
{
	if (__builtin_expect(__atomic_load_n(&priority_changes, __ATOMIC_RELAXED) != priority_seen,
			     0))
		priority_catch_up();
}

#endif
