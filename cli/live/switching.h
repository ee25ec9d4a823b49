/* Switches events in all processes of a run while they run. */
#ifndef GLIMPSE_CLI_LIVE_SWITCHING_H
#define GLIMPSE_CLI_LIVE_SWITCHING_H

#include "cli/live/live.h"

/* A probe's specification, as built in. */
struct probe_spec {
	const char *name, *text;
};
extern const struct probe_spec probe_specs[]; /* ends with a NULL */

/*
 * Takes the specifications of probes, and adds their events that are switched. Returns the value of
 * GLIMPSE_OFF, with which a program begins without those that are not cheap; to be freed.
 */
char *switching_plan(struct live *l, const char *const *probes, size_t n);

/* Whether an event is to be on. */
typedef bool event_is_wanted(const struct live_event *e);
/*
 * Switches the events that can be, in all processes that run, and notes since when each is on.
 * Returns whether a process could be reached.
 */
bool switching_set(struct live *l, const char *directory, event_is_wanted *wanted);
/* Counts the time that events are on up to now. */
void switching_time(struct live *l);
/* Frees the data of all processes. */
void switching_end(void);

#endif
