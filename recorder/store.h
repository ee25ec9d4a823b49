/*
 * Stores the names of a run's addresses with the run when it ends, so that they survive when the
 * program is built again.
 */
#ifndef GLIMPSE_RECORDER_STORE_H
#define GLIMPSE_RECORDER_STORE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Does it in a process of its own, which ends after that many ns of real time. Returns once the
 * names of the program's own files are stored; that process goes on with those of packages for at
 * most 5 s, at a low priority. Returns false if some of the first are not stored. *used: time of
 * processors that it took until then, ns.
 */
struct trace;
bool store_run_names(const struct trace *t, int64_t most, int64_t *used);

#endif
