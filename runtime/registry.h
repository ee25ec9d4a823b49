/* The specifications of the program and its libraries, and the switches of their events. */
#ifndef GLIMPSE_RUNTIME_REGISTRY_H
#define GLIMPSE_RUNTIME_REGISTRY_H

#include "runtime/glimpse.h"
#include <stdbool.h>

/* Call these functions under the lock. */

/* Adds a specification unless it is there; it gets its ids at once if the run is open. */
void gl_registry_add(struct glimpse_spec *spec);
/* Gives every loaded specification its ids, once the process file is there. */
void gl_registry_publish(void);
/* Switches all events off for good: nothing is logged any more. */
void gl_registry_silence(void);
/* Returns whether a loaded specification has attributes of type code or object. */
bool gl_registry_has_addresses(void);
/* Lets the next event of each specification register it anew, in a forked child. */
void gl_registry_forget(void);

/*
 * Switches the events of a name, EVENT, SPECIFICATION.EVENT or *, and records that in the log
 * directory, so that tools know what was off when. Returns 0, or -1 if there is no such event.
 */
int gl_registry_switch(const char *name, bool on);

#endif
