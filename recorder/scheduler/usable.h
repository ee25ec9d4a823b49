/*
 * Counts the processors on which a process may run: its first thread, because other threads may be
 * bound to some.
 */
#ifndef GLIMPSE_RECORDER_SCHEDULER_USABLE_H
#define GLIMPSE_RECORDER_SCHEDULER_USABLE_H

#include <sched.h>
#include <stdint.h>

/* That of the recorder where the process is gone; 0: not known. */
static inline uint32_t processors_usable(pid_t pid)
{
	cpu_set_t set;

	if (sched_getaffinity(pid, sizeof set, &set) && sched_getaffinity(0, sizeof set, &set))
		return 0;
	return (uint32_t)CPU_COUNT(&set);
}

#endif
