/* Shows a progress bar on standard error, if that is a terminal, for work of more than a second. */
#ifndef GLIMPSE_BASE_PROGRESS_H
#define GLIMPSE_BASE_PROGRESS_H

#include <stdint.h>

/*
 * Begins work called `what` ("reading the logs"), a text that is kept until progress_end(). Work
 * within other work shows no bar of its own.
 */
void progress_begin(const char *what);
/* Shows how much is done; cheap enough to be called every few thousand events. */
void progress_step(uint64_t done, uint64_t total);
void progress_end(void);

#endif
