/*
 * Does for processes of the run what they have no right to (runtime/request.h): makes directories
 * for their logs and opens their files; and notes which processes could not be recorded at all.
 *
 * A request is served if it has the run's token, and is about a directory of the very process that
 * sends it, as the kernel says who that is. Files get the recorder's owner and mode 0600, and are
 * in directories of mode 0700, as all others of the run.
 */
#ifndef GLIMPSE_RECORDER_REQUESTS_H
#define GLIMPSE_RECORDER_REQUESTS_H

#include <stdbool.h>

/*
 * Chooses the name of the socket and the token of a run in a directory, and makes the file of that
 * name there. Returns the value of GLIMPSE_RECORDER for the program, or NULL if there can be none.
 */
const char *requests_choose(const char *directory);
/*
 * Listens, and serves requests in a thread of its own. To be called after the program's process was
 * made, which must not inherit that, and before it runs.
 */
bool requests_begin(void);
/* Ends that, and lists the processes that are not recorded in the directory's file `missing`. */
void requests_end(void);

#endif
