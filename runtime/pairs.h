/*
 * The clock pairs of the run, by which readers turn ticks into nanoseconds, and whether the counter
 * is steady. The counter is compared with CLOCK_MONOTONIC every few milliseconds in which events
 * are logged; where it does not go on as before, the pairs before and after are kept. A suspend, or
 * the migration of a virtual machine, are such places.
 */
#ifndef GLIMPSE_RUNTIME_PAIRS_H
#define GLIMPSE_RUNTIME_PAIRS_H

#include "runtime/process.h"

/* Begins with the first pair of the process file, which no other thread uses yet. */
void gl_pairs_begin(struct process_file *file);
/*
 * Takes a pair if the last one is old at these ticks, and stores the necessary part in the process
 * file. Returns whether it did, and the ticks have to be read again: the counter may have been
 * left. Called outside of guards.
 */
bool gl_pairs_check(uint64_t ticks);
/* Stores the newest pair in the process file. Called inside a guard. */
void gl_pairs_store(void);

#endif
