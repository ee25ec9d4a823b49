/* Opens the recorder's own probes, which observe the program from outside: recorder/recorder.h. */
#ifndef GLIMPSE_RECORDER_OBSERVE_H
#define GLIMPSE_RECORDER_OBSERVE_H

#include "recorder/probes.h"
#include "recorder/recorder.h"
#include <stdbool.h>

/*
 * Opens those of the probes that run in the recorder. From here on the environment is that of their
 * logs, which are in r->directory/recorder. Returns whether one could be opened.
 */
bool observe_begin(const struct recording *r, const struct probes *probes);
/*
 * Waits until the descriptor can be read, a probe has something to do, or `most` ms (-1: any time);
 * lets the probes.
 */
void observe_wait(int fd, int most);
/* Reads the last figures of a program that has ended, before it is reaped. */
void observe_last(void);
/* Ends the probes. */
void observe_end(void);
/* Makes their logs those of the processes in the directory, after the end. */
void observe_adopt(const char *directory);
/* Returns how many records of the kernel were lost, after the end. */
uint64_t observe_lost(void);
/* Returns how many waits may end less exactly than the program's events say, after the end. */
uint64_t observe_unsure(void);
/* Returns of how many samples one was taken where these were fewest, after the end; 0, 1: all. */
unsigned observe_thinned(void);
/*
 * Returns the minor version of the oldest Python 3 whose code was sampled, after the end; INT_MAX:
 * there was none.
 */
int observe_python(void);

#endif
