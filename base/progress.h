/* A progress bar on standard error when that is a terminal and the work takes longer than a second. */
#ifndef GLIMPSE_BASE_PROGRESS_H
#define GLIMPSE_BASE_PROGRESS_H

#include <stdint.h>

/* what: "reading the logs"; must live until progress_end(). One at a time: an inner one goes unseen. */
void progress_begin(const char *what);
/* Cheap enough to be called every few thousand events. */
void progress_step(uint64_t done, uint64_t total);
void progress_end(void);

#endif
