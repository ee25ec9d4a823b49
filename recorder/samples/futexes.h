/*
 * Logs waits and wake-ups by futex() of threads that load no library of ours: all of a process to
 * which the recorder attaches. They come from the kernel's trace events of the system call, with
 * the call stacks. The events are those of threads.spec.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_FUTEXES_H
#define GLIMPSE_RECORDER_SAMPLES_FUTEXES_H

#include "recorder/recorder.h"

/* Begins, after spaces_open() and stack_numbers_open(). Returns false if that cannot be. */
bool futexes_open(const struct recording *r);
int futexes_fds(struct pollfd *fds, int room);
/*
 * Reads all calls, and logs those of the time up to which it is known which threads there are.
 * The spaces of their processes are up to date.
 */
void futexes_step(void);
/* Forgets a thread that ends, after a step. */
void futexes_forget(uint32_t tid);
/* Returns how many records of calls the kernel had no room for. */
uint64_t futexes_lost(void);
void futexes_close(void);

#endif
