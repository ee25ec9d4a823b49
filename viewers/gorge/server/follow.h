/*
 * gorge DIR --follow: a program that still runs. What is new in its logs is read several times a second. Its intervals
 * are looked for in the background, as often as that takes at most a quarter of the time; till then what was found
 * before is shown.
 */
#ifndef GLIMPSE_GORGE_SERVER_FOLLOW_H
#define GLIMPSE_GORGE_SERVER_FOLLOW_H

#include "viewers/gorge/server/session.h"

struct follower;
/* What the programs of the session's trace are doing. */
struct follower *follower_new(struct session *s);
void follower_free(struct follower *f);
/* To be called every now and then: does what it is time for. */
void follower_step(struct follower *f);

#endif
