/* The run: opens the log directory and the process file, and ends them with the process. */
#ifndef GLIMPSE_RUNTIME_RUN_H
#define GLIMPSE_RUNTIME_RUN_H

#include <stdbool.h>

/*
 * Opens the run unless it is open. Returns false if nothing can be logged. Inside a guard, under
 * the lock.
 */
bool gl_run_open(void);

/* Chooses the clock before the run is open, for times that are taken earlier. As above. */
void gl_run_choose_clock(void);

#endif
