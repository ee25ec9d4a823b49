/*
 * The user's browser, started at an address with a token. Every user of the machine can read the
 * arguments of its processes: it is given the name of a private file, which leads to the address.
 */
#ifndef GLIMPSE_GORGE_SERVER_BROWSER_H
#define GLIMPSE_GORGE_SERVER_BROWSER_H

#include "viewers/server.h"

struct browser;

/* Starts a browser if there is a terminal and a screen. Returns NULL if there is none. */
struct browser *browser_start(struct server *server);
/* Removes the file when it has led to the address. */
void browser_step(struct browser *b);
/* Removes the file; b may be NULL. */
void browser_free(struct browser *b);

#endif
