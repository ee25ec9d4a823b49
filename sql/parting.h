/*
 * Parts of an interval's rows that can be matched alone: by the values of equalities between its
 * events, or by slices of time that overlap. For what no query can say, and no machine holds.
 */
#ifndef GLIMPSE_SQL_PARTING_H
#define GLIMPSE_SQL_PARTING_H

#include "sql/query.h"

enum parting_by {
	PARTING_BY_KEYS,    /* rows of equal keys meet */
	PARTING_BY_TIME,    /* so do rows that are at most `reach` apart */
	PARTING_BY_NOTHING, /* all rows must meet */
};

/* What the rows of an event are needed as. */
struct parting_place {
	bool anchor;         /* as anchors, in this part and in no other */
	VECTOR(char *) keys; /* in Spark's SQL, of the tables e (the event) and t (its thread) */
};

struct parting_event {
	const struct event_type *event;
	VECTOR(struct parting_place) places;
	bool asks_thread; /* a key is of table t */
};

struct parting {
	const struct interval *interval;
	enum parting_by by;
	int64_t reach;   /* ns */
	bool asks_owner; /* threads need the names that the system knows them by */
	VECTOR(struct parting_event) events;
};

struct parting parting_of(const struct interval *i);
void parting_free(struct parting *p);

#endif
