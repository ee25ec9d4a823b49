/*
 * What the event types of a recording of Java's Flight Recorder become: events, and intervals
 * between two of them.
 */
#ifndef GLIMPSE_FORMATS_JFR_TYPES_H
#define GLIMPSE_FORMATS_JFR_TYPES_H

#include "formats/json_read.h"

enum { JFR_FIELDS = 64 };

struct jfr_known;

/* An event type of the recording. Indices of fields are -1 where there is no such field. */
struct jfr_type {
	const struct logs_event *event; /* or its beginning */
	const struct logs_event *end;   /* NULL: it lasts no time */
	const struct logs_event *culprit_event;
	const struct jfr_known *known;
	char *name; /* as JFR has it */
	enum type types[JFR_FIELDS];
	unsigned nfields;
	int address, class, culprit, timed_out;
	bool threads;       /* the events are of threads */
	bool stacks, coded; /* there is an attribute for the stack; for the function, too */
};

/*
 * Makes a type as ReadJfr prints it. Returns false after a report to diag. Freed by
 * jfr_type_free().
 */
bool jfr_type_make(struct logs *l, const struct json_value *v, struct jfr_type *t);
void jfr_type_free(struct jfr_type *t);

/* Makes the event by which a thread ends what another one waits for, and the cause that it is. */
bool jfr_culprit_make(struct logs *l, struct jfr_type *t);

#endif
