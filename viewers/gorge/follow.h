/*
 * gorge DIR --follow: a program that still runs. Its logs are read again from time to time, as often
 * as that and the search for instances take at most a quarter of the time.
 */
#ifndef GLIMPSE_GORGE_FOLLOW_H
#define GLIMPSE_GORGE_FOLLOW_H

#include "viewers/gorge/session.h"

/* What the programs of the session's trace are doing. */
void follow_begin(struct session *s);
/* To be called every now and then: reads the logs again when it is time to. */
void follow_step(struct session *s);

#endif
