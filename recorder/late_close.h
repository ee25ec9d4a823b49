/* Closes descriptors at once for the caller, where the kernel takes its time. */
#ifndef GLIMPSE_RECORDER_LATE_CLOSE_H
#define GLIMPSE_RECORDER_LATE_CLOSE_H

#include <stddef.h>

/*
 * The kernel takes some 40 ms to close the last event of a tracepoint, and nobody is to wait for
 * that: a process of its own has them, too, closes them a moment later, and ends.
 */
void late_close(const int *fds, size_t n);

#endif
