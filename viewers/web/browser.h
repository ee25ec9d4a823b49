/*
 * Starts the user's browser at an address with a token. Every user of the machine can read the
 * arguments of its processes: it is given the name of a private file, which leads to the address. A
 * process of its own makes the file and starts the browser, since a program that is confined
 * (base/confine.h) cannot.
 */
#ifndef GLIMPSE_VIEWERS_WEB_BROWSER_H
#define GLIMPSE_VIEWERS_WEB_BROWSER_H

#include "viewers/web/server.h"

struct browser;

/*
 * Makes the process, before the program is confined or has threads. Returns NULL if there is no
 * terminal or no screen.
 */
struct browser *browser_prepare(void);
/* Starts the browser at an address of the server. */
void browser_start(struct browser *b, struct server *server);
/* Removes the file when it has led to the address. */
void browser_step(struct browser *b);
/* Removes the file, ends the process and frees b, which may be NULL. */
void browser_end(struct browser *b);

#endif
