/*
 * Writes the states of a predicted run as events for the logs: running, ready and blocked as in the
 * replay. They replace the recorded states. What is unknown in the recorded run stays unknown.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_WRITTEN_PREDICTED_STATES_H
#define GLIMPSE_ANALYSIS_REPLAY_WRITTEN_PREDICTED_STATES_H

#include "analysis/replay/answer/prediction.h"

struct predicted_states;
struct state_events;

/* An event that begins or ends a state. */
struct state_event {
	int64_t time;                /* ns from the trace's origin */
	uint32_t id;                 /* in the thread's log */
	const unsigned char *record; /* its first word is not set */
	size_t size;
};

/*
 * Never returns NULL. The changed replay was made to be written; it is needed as long as the
 * result.
 */
struct predicted_states *predicted_states_of(const struct prediction *p);
void predicted_states_free(struct predicted_states *s);

/* Begins the events of one thread. Never returns NULL. */
struct state_events *state_events_open(const struct predicted_states *s, uint32_t thread);
/* Returns the next event before a time, valid until the next call; NULL if there is no more. */
const struct state_event *state_events_next(struct state_events *e, int64_t before);
/*
 * Whether a type of events is left out of the thread's log: the recorded states and what follows
 * from them.
 */
bool state_events_replace(const struct state_events *e, uint32_t type);
void state_events_close(struct state_events *e);

#endif
