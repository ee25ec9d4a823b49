/*
 * Numbers the places in the kernel where threads wait that no signal can end, and names the system
 * calls that led there.
 */
#ifndef GLIMPSE_RECORDER_SCHEDULER_KERNEL_WAITS_H
#define GLIMPSE_RECORDER_SCHEDULER_KERNEL_WAITS_H

#include "recorder/processes.h"

/* Returns the number of a place, from 1; the same for an equal one. */
uint32_t kernel_wait_number(const struct kernel_place *p);
/* Returns the place of a number, until another one gets a number. */
const struct kernel_place *kernel_wait_place(uint32_t number);
/* Returns "page fault", a system call's name, or "system call 42"; until the next call. */
const char *kernel_wait_call(const struct kernel_place *p);
/* Forgets all. */
void kernel_waits_free(void);

#endif
