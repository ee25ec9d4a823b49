/*
 * Keeps what is mapped in another directory than the logs (GLIMPSE_TAILS): the tails and the
 * process file, in a private directory of the run. So a frozen file system under the log directory
 * does not stop a thread that stores to its tail. The file `tails` in the log directory says where
 * they are (doc/log-format.md). Call these functions inside a guard and under the lock.
 */
#ifndef GLIMPSE_RUNTIME_TAILS_DIRECTORY_H
#define GLIMPSE_RUNTIME_TAILS_DIRECTORY_H

#include "runtime/process.h"

/*
 * Makes a directory of the run in the one that `setting` names, if any, and returns the mapped
 * process file there; `file`, that of the log directory, becomes its copy. Returns `file` if there
 * is no setting, or after a warning.
 */
struct process_file *gl_tails_directory_enter(const char *setting, struct process_file *file);

/*
 * Removes that directory if no tail is left in it. What is mapped from then on is mapped from the
 * log directory.
 */
void gl_tails_directory_leave(void);

#endif
