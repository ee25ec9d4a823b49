/*
 * Memory for arrays that grow with the trace. Up to a limit they are in memory; beyond it in
 * temporary files in $TMPDIR (or /var/tmp), which the system caches as memory allows. Where no file
 * can be made, an array may still have memory up to spill_available(); beyond that the program ends
 * with a message.
 */
#ifndef GLIMPSE_BASE_SPILL_H
#define GLIMPSE_BASE_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns n items of no particular content, aligned for words. */
void *spill_new(size_t n, size_t size);
/* Returns n items, all bytes zero. */
void *spill_zero(size_t n, size_t size);
/* Returns an array with room for n items, whose content may be lost: for scratch that is reused. */
void *spill_reserve(void *array, size_t *room, size_t n, size_t size);
void spill_free(void *array);

/* Sets how many bytes all these arrays together may have in memory. */
void spill_set_limit(uint64_t bytes);
/*
 * Sets the limit of a program that reads logs of so many bytes, unless one is set: all that it
 * needs shall be twice the logs, or 64 MiB.
 */
void spill_fit_limit(uint64_t logs);
/*
 * Returns the limit. Before one is set it is what $GLIMPSE_MEMORY says, or three quarters of what
 * the system has available now and the limits of the process leave it.
 */
uint64_t spill_limit(void);
/* Returns the part for these arrays where a program needs twice the bytes of its logs in all. */
uint64_t spill_limit_for(uint64_t logs);

/* Arrays of so many bytes are too small for files; tests make it smaller. */
extern size_t spill_small;

/* Returns how many bytes these arrays have in memory now. */
uint64_t spill_in_memory(void);
/* Returns how many bytes were put into files so far. */
uint64_t spill_in_files(void);

#endif
