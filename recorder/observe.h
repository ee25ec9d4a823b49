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
#endif
