/*
 * Memory for arrays that grow with the trace. As long as the process may have more memory they lie
 * there; beyond the limit in temporary files in $TMPDIR (or /var/tmp), of which the system keeps in
 * memory what it has room for. Where such files cannot be made, arrays may have what large_set_limit() would give them
 * before it is set; where that is used up too, the program ends with a message.
 */
#ifndef GLIMPSE_BASE_SPILL_H
#define GLIMPSE_BASE_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n elements, of no particular content; aligned for words. */
void *large_new(size_t n, size_t size);
/* All bytes zero. */
void *large_zero(size_t n, size_t size);
/* For scratch that is used again and again: an array with room for n, whose content may be gone. */
void *large_room(void *array, size_t *room, size_t n, size_t size);
void large_free(void *array);

/*
 * Bytes that all these arrays together may have in memory. Before it is set: three quarters of what
 * the system has available now, or of what the process's limits leave it.
 */
void large_set_limit(uint64_t bytes);
uint64_t large_limit(void);
/* What they may have for all that is needed to be twice so many bytes of logs: the rest is for what is small. */
uint64_t large_share(uint64_t logs);
/*
 * The limit of a program that reads a trace with so many bytes of logs, if nobody has set another: all that it needs is to be
 * twice the logs, or 64 MiB.
 */
void large_suit(uint64_t logs);
/* What there is to be had, when files cannot be made. */
uint64_t large_utmost(void);
/* Arrays of so many bytes are too small for files; tests make it small. */
extern size_t large_small;
/* "512 MiB", "2GB", "1000000": bytes; false when it is nothing of the kind. */
bool large_read_size(const char *text, uint64_t *bytes);
/* How many of them these arrays have now. */
uint64_t large_taken(void);
/* How many bytes were put into files so far. */
uint64_t large_spilled(void);

#endif
