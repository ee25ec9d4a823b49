/*
 * Follows a program that still runs (gorge DIR --follow). New events are read from its logs several
 * times a second. Intervals are found again in the background, for at most a quarter of the time;
 * until then, the instances that were found before are shown.
 */
#ifndef GLIMPSE_GORGE_SERVER_FOLLOW_H
#define GLIMPSE_GORGE_SERVER_FOLLOW_H

#include "viewers/gorge/answers/session.h"

struct follower;
struct follower *follower_new(struct session *s);
void follower_free(struct follower *f);
/* Does what is due; to be called several times a second. */
void follower_step(struct follower *f);

#endif
